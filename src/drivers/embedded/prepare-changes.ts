import { setImmediate as nextTurn } from "node:timers/promises";
import type { ModelChanges } from "../../model/index.ts";
import { compileVirtualHost, type CompiledVirtualHost } from "./http/virtual-hosts.ts";
import { judgeCertificate, type CertificateVerdict } from "./tls/usable-certificate.ts";

/** Changes with all that takes time already done, so that they can be put in force in one go. */
export interface PreparedChanges {
  readonly changes: ModelChanges;
  readonly certificates: ReadonlyMap<string, CertificateVerdict | undefined>;
  readonly virtualHosts: ReadonlyMap<string, CompiledVirtualHost | undefined>;
}

/** How long requests may have to wait for a piece of this work, ms. */
const slice = 5;

export async function prepareChanges(changes: ModelChanges): Promise<PreparedChanges> {
  return {
    changes,
    certificates: await mapInSlices(changes.certificates, judgeCertificate),
    virtualHosts: await mapInSlices(changes.virtualHosts, compileVirtualHost),
  };
}

async function mapInSlices<In, Out>(
  items: ReadonlyMap<string, In | undefined>,
  work: (item: In) => Out,
): Promise<Map<string, Out | undefined>> {
  const results = new Map<string, Out | undefined>();
  let begin = performance.now();
  for (const [key, item] of items) {
    results.set(key, item === undefined ? undefined : work(item));
    if (performance.now() - begin < slice) continue;
    await nextTurn();
    begin = performance.now();
  }
  return results;
}
