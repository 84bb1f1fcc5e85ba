/** What of an outcome must be equal, and what is left out of the comparison, by name and with a reason each. */
import type { Outcome } from "./client.ts";
import { sessionCookie, sessionHeader } from "./random-behaviours.ts";

type Reasons = ReadonlyMap<string, string>;

/** Of answers. */
export const answerHeadersLeftOut: Reasons = new Map([
  [":status", "compared by itself"],
  ["date", "the time of day"],
  ["server", "the name of whoever answers; proxies name themselves"],
  ["connection", "belongs to one connection (RFC 9110 7.6.1)"],
  ["keep-alive", "belongs to one connection"],
  ["transfer-encoding", "how the body is framed on one connection"],
  ["content-length", "how the body is framed; the body itself is compared"],
  ["x-endpoint", "any of a backend's endpoints will do; whether a session keeps to it is compared"],
]);

/** Of answers that no backend gave. Their bodies are sentences to people, in each driver's own words. */
export const ownAnswerHeadersLeftOut: Reasons = new Map([
  ...answerHeadersLeftOut,
  ["grpc-message", "a sentence to people"],
  ["content-type", "of a body that is in each driver's own words"],
]);

/** Of requests as backends see them. */
export const requestHeadersLeftOut: Reasons = new Map([
  ["connection", "belongs to one connection"],
  ["keep-alive", "belongs to one connection"],
  ["te", "belongs to one connection; gRPC's backends, which want it, have it from everybody"],
  ["transfer-encoding", "how the body is framed on one connection; the body itself is compared"],
  ["content-length", "how the body is framed"],
  [":scheme", "the client's or the backend's own: nothing decides, and both are in use"],
  [":method", "compared by itself"],
  [":path", "compared by itself"],
  ["x-request-id", "made up anew for each request"],
  ["x-try", "made up anew for each request"],
]);

/** Of sessions each driver has tokens of its own, and a cookie's attributes have no order. */
function withoutTokens(name: string, value: string): string {
  if (name === sessionHeader) return "a session";
  // Authorization servers tell which cookies they saw.
  if (!/^(?:(?:set-)?cookie|x-auth-saw)$/.test(name)) return value;
  const cookies = value.replace(tokenInCookie, "$1$2a session");
  return name === "set-cookie" ? cookies.split("; ").toSorted().join("; ") : cookies;
}

const tokenInCookie = new RegExp(`(^|;\\s*|,| cookie=)(${sessionCookie}=)[^;,]*`, "g");

/**
 * Values of a header that came in several lines are one list (RFC 9110 5.3), so how many lines there were is no difference, nor is a space
 * after a comma. The host is `:authority` over HTTP/2 or a Host header, as the proxy likes (RFC 9113 8.3.1).
 */
function joined(
  headers: readonly (readonly [string, string])[],
  leftOut: Reasons,
): (readonly [string, string])[] {
  const values = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const known = name === ":authority" ? "host" : name;
    if (!leftOut.has(name)) values.set(known, [...(values.get(known) ?? []), value]);
  }
  return [...values].map(([name, list]) => [name, withoutTokens(name, list.join(",").replace(/,\s+/g, ","))]);
}

/** The parts of an outcome by name: `status`, `answer location`, `seen target`, `seen header host` and so on. */
export function comparable(outcome: Outcome): ReadonlyMap<string, string> {
  if (outcome.type === "refused") return new Map([["status", "no connection"]]);
  const { status, headers, seen, session, certificate } = outcome;
  const isBackends = headers.some(([name]) => name === "x-served-by");
  const parts = new Map([["status", String(status)]]);
  if (session !== undefined) parts.set("session", session);
  if (certificate !== undefined) parts.set("certificate", certificate);
  const leftOut = isBackends ? answerHeadersLeftOut : ownAnswerHeadersLeftOut;
  for (const [name, value] of joined(headers, leftOut)) parts.set(`answer ${name}`, value);
  if (!seen) return parts;
  const { backend, method, target, body } = seen;
  for (const [name, value] of Object.entries({ backend, method, target, body }))
    parts.set(`seen ${name}`, value);
  for (const [name, value] of joined(seen.headers, requestHeadersLeftOut)) {
    parts.set(`seen header ${name}`, name === "x-forwarded-for" ? withoutLast(value) : value);
  }
  return parts;
}

/** The last address is the client's; proxies may see this machine by another of its addresses than 127.0.0.1. */
function withoutLast(addresses: string): string {
  return addresses.replace(/[^ ,]+$/, "client");
}
