// Filters by the client's address.
//
// Spec: `ipAllowPolicy` lets in only those that are listed, `ipDenyPolicy` all others; not both. `Peer` is who opened the connection, `Remote` whom trusted proxies name.
// Those of a route stand instead of those of the virtual host.

import { parseAddressRange } from "../../model/index.ts";
import type { HTTPProxyIPFilterPolicy } from "../../resources/index.ts";
import type { RuleExtras } from "../layers.ts";
import type { FindingList } from "./findings.ts";
import { notSupported, problem } from "./proxy-problem.ts";

export interface IPFilters {
  readonly ipAllowPolicy?: HTTPProxyIPFilterPolicy;
  readonly ipDenyPolicy?: HTTPProxyIPFilterPolicy;
}

export function judgeClientAddresses(
  { ipAllowPolicy: allow = [], ipDenyPolicy: deny = [] }: IPFilters,
  field: string,
  findings: FindingList,
): RuleExtras["clientAddresses"] {
  if (allow.length === 0 && deny.length === 0) return undefined;
  if (allow.length > 0 && deny.length > 0) {
    const message = `${field}: ipAllowPolicy and ipDenyPolicy cannot both be there; keep one`;
    return findings.error(problem("IPFilterError", "IncompatibleIPAddressFilters", message));
  }
  const [name, entries] =
    allow.length > 0 ? (["ipAllowPolicy", allow] as const) : (["ipDenyPolicy", deny] as const);
  const unreadable = entries.findIndex(({ cidr }) => parseAddressRange(cidr) === undefined);
  if (unreadable >= 0) {
    const message = `${field}.${name}[${unreadable}].cidr: ${JSON.stringify(entries[unreadable]?.cidr)} is no address and no range, such as 192.0.2.0/24`;
    return findings.error(problem("IPFilterError", "InvalidCIDR", message));
  }
  const sources = new Set(entries.map(({ source }) => source));
  if (sources.size > 1) {
    const why = "all entries of a list must have the same source, Peer or Remote";
    return findings.error(notSupported("IPFilterError", `${field}.${name} with both sources`, why));
  }
  const ranges = entries.map(({ cidr }) => cidr);
  return {
    ...(name === "ipAllowPolicy" ? { allow: ranges } : { deny: ranges }),
    source: sources.has("Peer") ? "peer" : "forwarded",
  };
}
