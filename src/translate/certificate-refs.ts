import type { Collection, Read } from "../incremental/index.ts";
import type { Certificate } from "../model/index.ts";
import type { SecretObjectReference } from "../resources/index.ts";
import { verdict, type Verdict } from "../status/index.ts";
import { describeAbsence } from "./absent-objects.ts";
import type { Judged } from "./certificates.ts";
import { grantAdvice, permits, type ReferencePermissions, type Referrer } from "./reference-grants.ts";
import type { Resources } from "./resources.ts";

export interface CertificateInputs {
  readonly resources: Pick<Resources, "invalidObjects">;
  readonly keyPairs: Collection<Judged<Certificate>>;
  readonly permissions: ReferencePermissions;
}

export interface CertificateQuestion {
  readonly refs: readonly SecretObjectReference[];
  /** Where the references stand: `tls.certificateRefs` */
  readonly field: string;
  readonly from: Referrer;
  /** No grant needs to be asked for. */
  readonly isPermitted?: boolean;
}

export interface ResolvedCertificates {
  /** `Certificate` keys of those that are good, in the user's order. */
  readonly keys: readonly string[];
  /** What is wrong with the first that is not. */
  readonly problem: Verdict | undefined;
}

/** Spec: the reasons of a listener's ResolvedRefs. */
export function resolveCertificateRefs(
  { refs, field: list, from, isPermitted = false }: CertificateQuestion,
  read: Read,
  { keyPairs, permissions, resources }: CertificateInputs,
): ResolvedCertificates {
  const keys: string[] = [];
  const problems: Verdict[] = [];
  for (const [index, ref] of refs.entries()) {
    const field = `${list}[${index}]`;
    const namespace = ref.namespace ?? from.namespace;
    const name = `${namespace}/${ref.name}`;
    const refuse = (reason: string, message: string) =>
      problems.push(verdict("ResolvedRefs", "False", reason, `${field}: ${message}`));
    if (ref.group !== "" || ref.kind !== "Secret") {
      refuse(
        "InvalidCertificateRef",
        `${ref.group || "core"}/${ref.kind} cannot hold a certificate; refer to a Secret`,
      );
      continue;
    }
    const reference = { from, to: { group: "", kind: "Secret", namespace, name: ref.name } };
    if (!isPermitted && !permits(read, permissions, reference)) {
      refuse("RefNotPermitted", grantAdvice(reference));
      continue;
    }
    const pair = read.one(keyPairs, name);
    if (!pair) {
      const absence = describeAbsence(read, resources.invalidObjects, "Secret", name);
      refuse("InvalidCertificateRef", `Secret ${name} ${absence}`);
    } else if (!pair.ok) refuse("InvalidCertificateRef", `Secret ${name} ${pair.problem}`);
    else if (!keys.includes(pair.value.key)) keys.push(pair.value.key);
  }
  return { keys, problem: problems[0] };
}
