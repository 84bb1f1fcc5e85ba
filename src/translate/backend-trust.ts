// Whom a gateway trusts to be a backend: the `validation` of a BackendTLSPolicy or of an XBackend.
//
// Spec: BackendTLSPolicyValidation. A reference that cannot be used is left out and told. When none is left, nothing is
// trusted: every connection fails, and nothing is ever sent in the clear instead.

import type { Collection, Read } from "../incremental/index.ts";
import type { BackendTls, SubjectAltName } from "../model/index.ts";
import type { BackendTLSPolicyValidation, ConfigMap } from "../resources/index.ts";
import { describeAbsence, type InvalidObjects } from "./absent-objects.ts";
import { judgeCaBundle } from "./certificates.ts";
import { refusalOfCertificates, type ItemStates } from "./item-states.ts";

export interface JudgedTrust {
  readonly tls: BackendTls;
  /** References that cannot be used. */
  readonly problems: readonly TrustProblem[];
  /** Nothing is left to trust, and why, in one of the API's reasons for Accepted. */
  readonly refused:
    { readonly reason: "NoValidCACertificate" | "Invalid"; readonly problem: string } | undefined;
}

export interface TrustProblem {
  readonly reason: "InvalidCACertificateRef" | "InvalidKind";
  readonly message: string;
}

export interface TrustQuestion {
  readonly validation: BackendTLSPolicyValidation;
  /** Of the object that has the validation: CA certificates are in the same namespace. */
  readonly namespace: string;
  /** `spec.validation` */
  readonly field: string;
}

export interface TrustInputs {
  readonly configMaps: Collection<ConfigMap>;
  readonly invalidObjects: InvalidObjects | undefined;
}

export function judgeTrust(
  { validation, namespace, field }: TrustQuestion,
  read: Read,
  { configMaps, invalidObjects }: TrustInputs,
): JudgedTrust {
  const { hostname, caCertificateRefs = [], wellKnownCACertificates } = validation;
  const subjectAltNames = (validation.subjectAltNames ?? []).flatMap(subjectAltNameOf);
  const trusting = (trusted: BackendTls["trusted"]): BackendTls => ({ hostname, trusted, subjectAltNames });

  if (caCertificateRefs.length === 0) {
    if (wellKnownCACertificates === "System") {
      return { tls: trusting("system"), problems: [], refused: undefined };
    }
    const problem = `${field}.wellKnownCACertificates: ${wellKnownCACertificates ?? "nothing"} is not a known set of CA certificates; use System or caCertificateRefs`;
    return { tls: trusting([]), problems: [], refused: { reason: "Invalid", problem } };
  }

  const trusted = new Set<string>();
  const problems: TrustProblem[] = [];
  for (const [index, ref] of caCertificateRefs.entries()) {
    const refuse = (reason: TrustProblem["reason"], message: string) =>
      problems.push({ reason, message: `${field}.caCertificateRefs[${index}]: ${message}` });
    const name = `${namespace}/${ref.name}`;
    if (ref.group !== "" || ref.kind !== "ConfigMap") {
      refuse(
        "InvalidKind",
        `${ref.kind} of group ${ref.group || "core"} is not supported; refer to a ConfigMap`,
      );
      continue;
    }
    const configMap = read.one(configMaps, name);
    if (!configMap) {
      refuse(
        "InvalidCACertificateRef",
        `ConfigMap ${name} ${describeAbsence(read, invalidObjects, "ConfigMap", name)}`,
      );
      continue;
    }
    const key = caBundleKey(name);
    const bundle = judgeCaBundle(configMap, caEntry, key);
    if (bundle.ok) trusted.add(key);
    else refuse("InvalidCACertificateRef", `ConfigMap ${name} ${bundle.problem}`);
  }
  const refused =
    trusted.size > 0
      ? undefined
      : ({
          reason: "NoValidCACertificate",
          problem: `${field}.caCertificateRefs: no CA certificate can be used; see ResolvedRefs`,
        } as const);
  return { tls: trusting([...trusted]), problems, refused };
}

/** What a proxy has against CA certificates that we took for good. */
export function trustRefusal(
  { trusted }: BackendTls,
  read: Read,
  itemStates: ItemStates,
): string | undefined {
  if (trusted === "system") return undefined;
  return refusalOfCertificates(trusted, read, itemStates);
}

/** Spec: the certificates are under this key of the ConfigMap. */
export const caEntry = "ca.crt";

/** `Certificate` key of the CA certificates in a ConfigMap. */
export function caBundleKey(configMap: string): string {
  return `ConfigMap/${configMap}/${caEntry}`;
}

type AltName = NonNullable<BackendTLSPolicyValidation["subjectAltNames"]>[number];

function subjectAltNameOf({ type, hostname, uri }: AltName): SubjectAltName[] {
  const value = type === "Hostname" ? hostname : uri;
  return value === undefined ? [] : [{ type: type === "Hostname" ? "hostname" : "uri", value }];
}
