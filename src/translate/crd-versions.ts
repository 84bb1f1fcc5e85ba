import type { Collection, Read } from "../incremental/index.ts";
import { verdict, type Verdict } from "../status/index.ts";

/** Name of a CRD of the Gateway API → its annotation `gateway.networking.k8s.io/bundle-version`; empty where it has none. */
export type CrdVersions = Collection<string>;

const supported = "v1.6";
const mostTold = 3;

/**
 * Spec: GatewayClass condition SupportedVersion, false if any CRD of the API has a version that is not known. Its objects are served
 * all the same, as far as they are understood.
 */
export function judgeVersions(read: Read, versions: CrdVersions): Verdict | undefined {
  const all = [...read.every(versions)];
  // Nobody knows: files have no CRDs, and not everybody may see those of a cluster.
  if (all.length === 0) return undefined;
  const others = all.filter(([, version]) => !version.startsWith(`${supported}.`));
  if (others.length === 0) {
    return verdict(
      "SupportedVersion",
      "True",
      "SupportedVersion",
      `The CRDs are of Gateway API ${supported}, which is supported`,
    );
  }
  const told = others.slice(0, mostTold).map(([name, version]) => `${name} is ${version || "of no version"}`);
  const more = others.length > mostTold ? ` and ${others.length - mostTold} more` : "";
  const message = `${told.join(", ")}${more}; supported is Gateway API ${supported}. Install its CRDs`;
  return verdict("SupportedVersion", "False", "UnsupportedVersion", message);
}
