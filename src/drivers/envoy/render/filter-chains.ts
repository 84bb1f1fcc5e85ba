/*
 * The filter chains of a TLS listener. The server name picks one: exact, then the longest wildcard, then the chain without names.
 *
 * HTTP server names share chains: one without names, whose certificates are asked for on demand, or one for all names that have the same
 * certificates. Names that are passed on as streams have one chain each. `needsChain` says which names the listener must know: the
 * others are none of its business, and do not change it.
 */
import type { Listener, ServerName, WeightedBackend } from "../../../model/index.ts";
import type { Filter, FilterChain, FilterChainMatch } from "../generated/messages.ts";
import { renderHttpConnectionManager } from "./http-connection-manager.ts";
import type { RenderSettings } from "./settings.ts";
import { refuseConnections, renderTcpProxy } from "./tcp-proxy.ts";
import { renderTermination } from "./tls-context.ts";

export interface ChainContext {
  /** Certificates of HTTP server names of this listener are asked for when they are needed. */
  readonly isOnDemand: boolean;
  /** Some wildcard of the listener is not HTTP: what is HTTP below it must be told apart from it. */
  readonly hasStreamWildcard: boolean;
}

export function needsChain({ action }: ServerName, { isOnDemand, hasStreamWildcard }: ChainContext): boolean {
  return action.type !== "http" || !isOnDemand || hasStreamWildcard || action.certificates.length > 1;
}

export function isStreamWildcard({ action, hostname }: ServerName): boolean {
  return action.type !== "http" && hostname.startsWith("*");
}

/** What chains depend on beside the listener. */
export interface ChainInputs {
  /** Those that need chains. */
  readonly serverNames: readonly ServerName[];
  readonly isUsable: (certificate: string) => boolean;
  /** Some of these backends is spoken to with TLS. */
  readonly hasTls: (backends: readonly WeightedBackend[]) => boolean;
  readonly isOnDemand: boolean;
}

export function renderFilterChains(
  listener: Listener,
  { serverNames, isUsable, hasTls, isOnDemand }: ChainInputs,
  settings: RenderSettings,
): readonly FilterChain[] {
  const http = renderHttpConnectionManager(listener, settings);
  const usable = serverNames.map((serverName) => withUsable(serverName, isUsable));
  const httpNames = usable.filter(({ action }) => action.type === "http");
  const streams = usable.filter(({ action }) => action.type !== "http");
  const takesRest = usable.some(
    ({ hostname, action }) => hostname === "*" && (action.type !== "http" || action.certificates.length > 0),
  );
  return [
    ...streams.flatMap((serverName) => renderStream(listener, serverName, hasTls)),
    ...renderHttpNames(listener, httpNames, http),
    // Also where there is no name yet: a listener without any chain is none to Envoy.
    ...(takesRest ? [] : [rest(listener, http, isOnDemand)]),
  ];
}

function withUsable(serverName: ServerName, isUsable: (certificate: string) => boolean): ServerName {
  const { action } = serverName;
  if (action.type === "passthrough") return serverName;
  return { ...serverName, action: { ...action, certificates: action.certificates.filter(isUsable) } };
}

function renderStream(
  listener: Listener,
  { key, hostname, action }: ServerName,
  hasTls: ChainInputs["hasTls"],
): readonly FilterChain[] {
  if (action.type === "http") return [];
  const chain = {
    name: hostname,
    filterChainMatch: matchFor([hostname]),
    filters: [renderTcpProxy({ key, backends: action.backends, hasTls: hasTls(action.backends) })],
  };
  if (action.type === "passthrough") return [chain];
  if (action.certificates.length === 0) return [];
  const { certificates } = action;
  return [{ ...chain, transportSocket: renderTermination(listener, { certificates, isHttp: false }) }];
}

function renderHttpNames(
  listener: Listener,
  names: readonly ServerName[],
  http: Filter,
): readonly FilterChain[] {
  const groups = new Map<
    string,
    { readonly certificates: readonly string[]; readonly hostnames: string[] }
  >();
  for (const { hostname, action } of names) {
    if (action.type !== "http" || action.certificates.length === 0) continue;
    // `*` is the chain without names, which cannot be shared.
    const key = `${hostname === "*" ? "*" : ""}\n${action.certificates.join("\n")}`;
    const group = groups.get(key);
    if (group) group.hostnames.push(hostname);
    else groups.set(key, { certificates: action.certificates, hostnames: [hostname] });
  }
  return Array.from(groups.values(), ({ certificates, hostnames }) => ({
    name: hostnames[0]!,
    filterChainMatch: matchFor(hostnames),
    transportSocket: renderTermination(listener, { certificates, isHttp: true }),
    filters: [http],
  }));
}

/** Everybody else: those whose certificates come on demand, and those who get none. */
function rest(listener: Listener, http: Filter, isOnDemand: boolean): FilterChain {
  const filterChainMatch = matchFor(["*"]);
  return isOnDemand
    ? {
        name: "*",
        filterChainMatch,
        transportSocket: renderTermination(listener, { certificates: "on demand", isHttp: true }),
        filters: [http],
      }
    : { name: "*", filterChainMatch, filters: [refuseConnections] };
}

function matchFor(hostnames: readonly string[]): FilterChainMatch {
  const serverNames = hostnames.filter((hostname) => hostname !== "*");
  return { transportProtocol: "tls", ...(serverNames.length > 0 ? { serverNames } : {}) };
}
