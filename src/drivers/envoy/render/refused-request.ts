/*
 * Requests that are refused whatever their route says, by one filter that looks at one header (`requestLine`):
 *
 * - a Host whose port is none, or with characters that no host has;
 * - paths that the model's `refusedPathPattern` takes;
 * - TRACE, which makes a backend show everything it received, credentials and the gateway's own headers among it. Only a rule that names the
 *   method lets it through: its route has a configuration for this filter that does not ask for it.
 *
 * The filter comes after those that look for the route. On TLS these may answer by themselves, and what is malformed goes before that.
 */
import type { Any, HttpFilter } from "../generated/messages.ts";
import { httpFilterNames, internalHeaders } from "./names.ts";

/** What follows the key in the header that a scope is found by. The key ends at the first colon; none of the parts has a space. */
export const requestLine = ": %REQ(:METHOD)% %REQ(:AUTHORITY)% %PATH(NQ)%";

const notPort =
  "(?:[0-9]*[^0-9 ]|[0-9]{6}|6553[6-9]|655[4-9][0-9]|65[6-9][0-9]{2}|6[6-9][0-9]{3}|[7-9][0-9]{4})[^ ]*";
const badHost = `(?:[^ ]*[^]A-Za-z0-9_.:[ -][^ ]*|(?:[^:[ ]*|\\[[^] ]*\\]):${notPort}) .*`;
const hiddenDots = ".*(?:/|%2[Ff]|%5[Cc])\\.\\.?(?:(?:;|%2[Ff]|%3[Bb]|%5[Cc]|/).*)?";
const strayPercent = ".*%(?:[^0-9A-Fa-f].*|[0-9A-Fa-f](?:[^0-9A-Fa-f].*)?)?";
const malformed = `[^ ]* (?:${badHost}|[^ ]* (?:${hiddenDots}|${strayPercent}))`;

/** Behind the key. */
export const refusedPatterns = {
  malformed: `[^ ]* ${malformed}`,
  malformedOrTrace: `[^ ]* (?:TRACE .*|${malformed})`,
} as const;

export const refusedRequestFilter: HttpFilter = {
  name: httpFilterNames.refused,
  typedConfig: refusing(refusedPatterns.malformedOrTrace),
};

export const malformedRequestFilter: HttpFilter = {
  name: "gatewright.malformed",
  typedConfig: refusing(refusedPatterns.malformed),
};

export const traceAllowed: Any = refusing(refusedPatterns.malformed);

function refusing(regex: string): Any {
  return {
    type: "envoy.extensions.filters.http.fault.v3.HTTPFault",
    value: {
      abort: { httpStatus: 400, percentage: { numerator: 100, denominator: "HUNDRED" } },
      headers: [{ name: internalHeaders.scope, stringMatch: { safeRegex: { regex } } }],
    },
  };
}
