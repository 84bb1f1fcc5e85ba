/*
 * Which rule takes a request: the most specific virtual host for its host, then the less specific ones of the same
 * section (the API listener that owns the hostname), in order. The section keeps listeners apart: a host that belongs to
 * one is never served by another, and on TLS it must be the section that the server name chose, else 421.
 */
import { MatchingEffort, MatchingTooCostly, type HostTable, type Rule } from "../../../model/index.ts";
import type { CompiledVirtualHost } from "./compiled-virtual-host.ts";
import type { RequestHead } from "./request-head.ts";

export type RoutingVerdict =
  | { readonly type: "rule"; readonly rule: Rule }
  | { readonly type: "not found" }
  | { readonly type: "misdirected" }
  /** Nobody knows which rule would have taken it: it may be one that forbids it. */
  | { readonly type: "too costly" };

const notFound: RoutingVerdict = { type: "not found" };
const misdirected: RoutingVerdict = { type: "misdirected" };
const tooCostly: RoutingVerdict = { type: "too costly" };

export function routeRequest(
  hosts: HostTable<CompiledVirtualHost> | undefined,
  request: RequestHead,
  sectionOfConnection: string | undefined,
): RoutingVerdict {
  try {
    return findRule(hosts, request, sectionOfConnection);
  } catch (error) {
    if (error instanceof MatchingTooCostly) return tooCostly;
    throw error;
  }
}

function findRule(
  hosts: HostTable<CompiledVirtualHost> | undefined,
  request: RequestHead,
  sectionOfConnection: string | undefined,
): RoutingVerdict {
  const first = hosts?.find(request.host);
  if (!first) return notFound;
  const { section } = first;
  if (sectionOfConnection !== undefined && section !== sectionOfConnection) return misdirected;
  const effort = new MatchingEffort();
  const rule = first.find(request, effort);
  if (rule) return allowsMethod(rule, request) ? { type: "rule", rule } : notFound;
  for (const next of hosts!.findAll(request.host)) {
    if (next === first || next.section !== section) continue;
    const found = next.find(request, effort);
    if (found) return allowsMethod(found, request) ? { type: "rule", rule: found } : notFound;
  }
  return notFound;
}

/**
 * TRACE makes a backend show everything it received, credentials and the gateway's own headers among it; CONNECT asks for
 * a tunnel. Only a rule that names the method lets them through.
 */
function allowsMethod(rule: Rule, request: RequestHead): boolean {
  const { method } = request;
  return (method !== "TRACE" && method !== "CONNECT") || rule.match.method === method;
}
