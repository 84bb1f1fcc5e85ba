// Secrets that HTTPProxies name, and who may name them.
//
// Spec: `name` is in the proxy's own namespace; `namespace/name` needs a TLSCertificateDelegation in that namespace, to the proxy's namespace or to `*`. Permission
// is asked before looking, so that nobody learns what exists elsewhere.

import type { Collection, Graph, Index, Read } from "../../incremental/index.ts";
import type { Certificate, ObjectName } from "../../model/index.ts";
import type { Secret, TLSCertificateDelegation } from "../../resources/index.ts";
import { describeAbsence, type InvalidObjects } from "../absent-objects.ts";
import { judgeCaBundle, judgeKeyPair, type Judged } from "../certificates.ts";

export interface SecretInputs {
  readonly secrets: Collection<Secret>;
  /** By `namespace/name` of the Secret. */
  readonly delegations: Index<TLSCertificateDelegation>;
  readonly invalidObjects: InvalidObjects | undefined;
}

export function delegationsBySecret(
  graph: Graph,
  delegations: Collection<TLSCertificateDelegation>,
): Index<TLSCertificateDelegation> {
  return graph.index("TLSCertificateDelegations by Secret", delegations, ({ metadata, spec }) => [
    ...new Set(spec.delegations.map(({ secretName }) => `${metadata.namespace}/${secretName}`)),
  ]);
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
  return read
    .all(delegations, `${secret.namespace}/${secret.name}`)
    .some(({ spec }) =>
      spec.delegations.some(
        ({ secretName, targetNamespaces }) =>
          secretName === secret.name &&
          (targetNamespaces.includes("*") || targetNamespaces.includes(namespace)),
      ),
    );
}

/** How to permit it. */
export function delegationAdvice(secret: SecretName, namespace: string): string {
  return `it needs a TLSCertificateDelegation in namespace ${secret.namespace} for Secret ${secret.name} to namespace ${namespace}`;
}

export function lookUpKeyPair(read: Read, inputs: SecretInputs, name: SecretName): Judged<Certificate> {
  return lookUp(read, inputs, name, (secret) =>
    judgeKeyPair(secret, `Secret/${name.namespace}/${name.name}`),
  );
}

export function lookUpCaBundle(read: Read, inputs: SecretInputs, name: SecretName): Judged<Certificate> {
  return lookUp(read, inputs, name, (secret) => judgeCaBundle(secret, "ca.crt", caKey(name)));
}

/** The `Certificate` key of the CAs of a Secret. */
export function caKey({ namespace, name }: SecretName): string {
  return `Secret/${namespace}/${name}/ca.crt`;
}

function lookUp(
  read: Read,
  { secrets, invalidObjects }: SecretInputs,
  { namespace, name }: SecretName,
  judge: (secret: Secret) => Judged<Certificate>,
): Judged<Certificate> {
  const key = `${namespace}/${name}`;
  const secret = read.one(secrets, key);
  return secret
    ? judge(secret)
    : { ok: false, problem: describeAbsence(read, invalidObjects, "Secret", key) };
}

/** A reference as sources know it. */
export function secretReference({ namespace, name }: SecretName): ObjectName {
  return { kind: "Secret", namespace, name };
}
