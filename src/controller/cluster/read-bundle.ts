import { CrdBundleError, readCrdBundle, type CrdBundle } from "../../operator/index.ts";
import { EnvironmentError } from "../environment-error.ts";
import type { ClusterOperatorOptions } from "./cluster-options.ts";

/** Without the CRDs an operator does not start at all, rather than half-way. */
export function readBundle({ bundle }: Pick<ClusterOperatorOptions, "bundle">): CrdBundle {
  if (bundle) return bundle;
  try {
    return readCrdBundle();
  } catch (error) {
    if (!(error instanceof CrdBundleError)) throw error;
    throw new EnvironmentError("GATEWRIGHT_CRDS_NOT_BUILT", error.message, { cause: error });
  }
}
