import { isIPAddress } from "./ip-address.ts";

const name = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const longestName = 253;
const longestLabel = 63;

/**
 * Says what is wrong with a hostname beyond what the API's pattern refuses, or undefined when it is good.
 * Spec: Hostname. An IP address is not a hostname; `*` may stand only for the whole first label.
 */
export function judgeHostname(hostname: string): string | undefined {
  if (isIPAddress(hostname)) return "must be a DNS name, not an IP address";
  const precise = hostname.startsWith("*.") ? hostname.slice(2) : hostname;
  if (precise.includes("*")) return "a wildcard must be the whole first label, as in *.example.com";
  if (hostname.length > longestName) return `must have at most ${longestName} characters`;
  if (!name.test(precise)) return "must be a lowercase DNS name (RFC 1123)";
  const label = precise.split(".").find((part) => part.length > longestLabel);
  if (label !== undefined) return `the label ${label} must have at most ${longestLabel} characters`;
  return undefined;
}

export function isHostname(hostname: string): boolean {
  return judgeHostname(hostname) === undefined;
}

export function isWildcardHostname(hostname: string): boolean {
  return hostname.startsWith("*.");
}
