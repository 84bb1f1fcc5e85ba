import type { Collection, Graph, Read } from "../incremental/index.ts";
import { hostnameCandidates } from "../model/index.ts";
import { isLayered } from "./layers.ts";
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

/** The sections whose routes serve a hostname. */
export interface Ground {
  /** What the model calls the section: the first that is not of a layer, if there is one; only then does a request fall through to its other hostnames. */
  readonly section: string;
  /** The most specific one. */
  readonly first: string;
}

/**
 * Sections of layers are transparent: a certificate that an Ingress brings for a hostname takes nothing away from the routes of the listener below. So
 * routes of both are served, under the name of the one below.
 */
export function groundOf(
  read: Read,
  owners: HostnameOwners,
  listener: string,
  hostname: string,
): Ground | undefined {
  let first: string | undefined;
  for (const candidate of hostnameCandidates(hostname)) {
    const owner = read.one(owners, `${listener}|${candidate}`);
    if (owner === undefined) continue;
    first ??= owner;
    if (!isLayered(owner)) return { section: owner, first };
  }
  return first === undefined ? undefined : { section: first, first };
}

/** The name under which the model knows a section of its own hostname. */
export function groundOfSection(
  read: Read,
  owners: HostnameOwners,
  { key, listener, hostname }: { readonly key: string; readonly listener: string; readonly hostname: string },
): string {
  return isLayered(key) ? (groundOf(read, owners, listener, hostname)?.section ?? key) : key;
}
