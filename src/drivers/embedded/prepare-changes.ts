import { setImmediate as nextTurn } from "node:timers/promises";
import type { ModelChanges, VirtualHost } from "../../model/index.ts";
import { compileVirtualHost, type CompiledVirtualHost } from "./http/index.ts";
import { judgeCertificate, type CertificateVerdict } from "./tls/usable-certificate.ts";

/** Changes with all that takes time already done, so that they can be put in force in one go. */
export interface PreparedChanges {
  readonly changes: ModelChanges;
  readonly certificates: ReadonlyMap<string, CertificateVerdict>;
  readonly virtualHosts: ReadonlyMap<string, VirtualHostVerdict>;
}

export type VirtualHostVerdict =
  | { readonly type: "usable"; readonly compiled: CompiledVirtualHost }
  | { readonly type: "unusable"; readonly problem: string };

/** How long requests may have to wait for a piece of this work, ms. */
const slice = 5;

export async function prepareChanges(changes: ModelChanges): Promise<PreparedChanges> {
  return {
    changes,
    certificates: await mapInSlices(changes.certificates, judgeCertificate),
    virtualHosts: await mapInSlices(changes.virtualHosts, judgeVirtualHost),
  };
}

/** The translation lets through only what compiles; if it did not, one virtual host must not stop all the others. */
function judgeVirtualHost(virtualHost: VirtualHost): VirtualHostVerdict {
  try {
    return { type: "usable", compiled: compileVirtualHost(virtualHost) };
  } catch (error) {
    return { type: "unusable", problem: `${virtualHost.key}: ${(error as Error).message}` };
  }
}

/** Results for the items that are there; removals have none. */
async function mapInSlices<In, Out>(
  items: ReadonlyMap<string, In | undefined>,
  work: (item: In) => Out,
): Promise<Map<string, Out>> {
  const results = new Map<string, Out>();
  let begin = performance.now();
  for (const [key, item] of items) {
    if (item === undefined) continue;
    results.set(key, work(item));
    if (performance.now() - begin < slice) continue;
    await nextTurn();
    begin = performance.now();
  }
  return results;
}
