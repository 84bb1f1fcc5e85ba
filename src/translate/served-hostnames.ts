import type { Collection, Graph, Read } from "../incremental/index.ts";
import { hostnameCandidates } from "../model/index.ts";
import type { ResolvedSection } from "./listeners.ts";

/** `<listener>|<hostname>` → the section that serves the hostname on that port. */
export type HostnameOwners = Collection<string>;

export function hostnameOwners(graph: Graph, serving: Collection<ResolvedSection>): HostnameOwners {
  return graph.derive("hostname owners", serving, ({ section }) => [
    [`${section.listener}|${section.hostname}`, section.key] as const,
  ]);
}

/**
 * Spec: requests belong to the listener with the most specific hostname, and to no other. A hostname of a route on a less
 * specific listener is out of reach where a more specific listener of the same port takes all of it.
 */
export function ownerOfHostname(
  read: Read,
  owners: HostnameOwners,
  listener: string,
  hostname: string,
): string | undefined {
  for (const candidate of hostnameCandidates(hostname)) {
    const owner = read.one(owners, `${listener}|${candidate}`);
    if (owner !== undefined) return owner;
  }
  return undefined;
}
