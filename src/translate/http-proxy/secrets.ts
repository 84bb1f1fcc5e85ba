// Secrets that HTTPProxies name, and who may name them.
//
// Spec: `name` is in the proxy's own namespace; `namespace/name` needs a TLSCertificateDelegation in that namespace, to the proxy's namespace or to `*`. Permission
// is asked before looking, so that nobody learns what exists elsewhere.

import type { Collection, Graph, Index, Read } from "../../incremental/index.ts";
import type { ObjectName } from "../../model/index.ts";
import type { TLSCertificateDelegation } from "../../resources/index.ts";
import { describeAbsence, type InvalidObjects } from "../absent-objects.ts";
import { judgeCaBundle } from "../certificates.ts";
import type { LayerInputs } from "../layers.ts";

export interface SecretInputs {
  /** Whether each Secret can be used as a key pair, by `namespace/name`. Another pair that can be used as well is no change. */
  readonly keyPairs: Collection<Usability>;
  /** The same for `ca.crt`. */
  readonly caBundles: Collection<Usability>;
  /** By `namespace/name` of the Secret and the namespace that it is delegated to: `certificates/web|shop`. */
  readonly delegations: Index<TLSCertificateDelegation>;
  readonly invalidObjects: InvalidObjects | undefined;
}

type Usability = { readonly ok: true } | { readonly ok: false; readonly problem: string };

export function secretInputs(graph: Graph, { resources, keyPairs }: LayerInputs): SecretInputs {
  return {
    keyPairs: graph.map("HTTPProxy key pairs", keyPairs, usability),
    caBundles: graph.map("HTTPProxy CA bundles", resources.secrets, (secret, _read, key) =>
      usability(judgeCaBundle(secret, "ca.crt", `Secret/${key}/ca.crt`)),
    ),
    delegations: graph.index(
      "TLSCertificateDelegations by Secret and namespace",
      resources.tlsCertificateDelegations,
      delegatedTo,
    ),
    invalidObjects: resources.invalidObjects,
  };
}

function usability(judged: Usability): Usability {
  return judged.ok ? { ok: true } : { ok: false, problem: judged.problem };
}

function delegatedTo({ metadata, spec }: TLSCertificateDelegation): readonly string[] {
  const keys = spec.delegations.flatMap(({ secretName, targetNamespaces }) =>
    targetNamespaces.map((target) => `${metadata.namespace}/${secretName}|${target}`),
  );
  return [...new Set(keys)];
}

export interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

export function secretNameOf(text: string, namespace: string): SecretName {
  const slash = text.indexOf("/");
  if (slash < 0) return { namespace, name: text };
  return { namespace: text.slice(0, slash) || namespace, name: text.slice(slash + 1) };
}

export function mayUse(
  read: Read,
  { delegations }: SecretInputs,
  secret: SecretName,
  namespace: string,
): boolean {
  if (secret.namespace === namespace) return true;
  return [namespace, "*"].some(
    (target) => read.all(delegations, `${secret.namespace}/${secret.name}|${target}`).length > 0,
  );
}

/** How to permit it. */
export function delegationAdvice(secret: SecretName, namespace: string): string {
  return `it needs a TLSCertificateDelegation in namespace ${secret.namespace} for Secret ${secret.name} to namespace ${namespace}`;
}

export function lookUpKeyPair(read: Read, inputs: SecretInputs, name: SecretName): Usability {
  return lookUp(read, inputs, inputs.keyPairs, name);
}

export function lookUpCaBundle(read: Read, inputs: SecretInputs, name: SecretName): Usability {
  return lookUp(read, inputs, inputs.caBundles, name);
}

/** The `Certificate` key of the CAs of a Secret. */
export function caKey({ namespace, name }: SecretName): string {
  return `Secret/${namespace}/${name}/ca.crt`;
}

function lookUp(
  read: Read,
  { invalidObjects }: SecretInputs,
  judged: Collection<Usability>,
  { namespace, name }: SecretName,
): Usability {
  const key = `${namespace}/${name}`;
  return (
    read.one(judged, key) ?? { ok: false, problem: describeAbsence(read, invalidObjects, "Secret", key) }
  );
}

/** A reference as sources know it. */
export function secretReference({ namespace, name }: SecretName): ObjectName {
  return { kind: "Secret", namespace, name };
}
