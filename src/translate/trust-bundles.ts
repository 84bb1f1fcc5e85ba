// Trust bundles (GEP-3951): CA certificates under a key of a ConfigMap, wherever we may read it.
//
// A bundle that cannot be used is one that vouches for nobody. It is never taken for one that vouches for everybody.

import type { Read } from "../incremental/index.ts";
import type { Certificate } from "../model/index.ts";
import type { TrustBundle } from "../resources/index.ts";
import { describeAbsence } from "./absent-objects.ts";
import type { TrustInputs } from "./backend-trust.ts";
import { judgeCaBundle, type Judged } from "./certificates.ts";

export interface BundleQuestion {
  readonly bundle: TrustBundle;
  /** Where it is if it does not say. */
  readonly namespace: string;
  /** `spec.mesh.trustBundle` */
  readonly field: string;
}

/** A problem names the field, the object and the fix. */
export function resolveTrustBundle(
  { bundle, namespace: own, field }: BundleQuestion,
  read: Read,
  { configMaps, invalidObjects }: TrustInputs,
): Judged<Certificate> {
  const { kind, name, namespace = own, bundleKey } = bundle;
  if (kind !== "ConfigMap") {
    const problem = `${field}.kind: ${kind} cannot be a trust bundle; put the CA certificates, which are not secret, into a ConfigMap`;
    return { ok: false, problem };
  }
  const object = `${namespace}/${name}`;
  const configMap = read.one(configMaps, object);
  if (!configMap) {
    const absence = describeAbsence(read, invalidObjects, "ConfigMap", object);
    const problem = `${field}: ConfigMap ${object} ${absence}; it must have CA certificates in PEM under ${bundleKey}`;
    return { ok: false, problem };
  }
  const judged = judgeCaBundle(configMap, bundleKey, `ConfigMap/${object}/${bundleKey}`);
  if (judged.ok) return judged;
  const advice = "put CA certificates in PEM there";
  return { ok: false, problem: `${field}: ConfigMap ${object} ${judged.problem}; ${advice}` };
}
