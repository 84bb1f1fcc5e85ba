/*
 * Paths that are refused with 400 before any route is looked for: what the model's `refusedPathPattern` takes, once per listener and not once per
 * virtual host. Envoy's filter sees the path with its query, so the pattern here ends the path at the question mark.
 */
import type { HttpFilter } from "../generated/messages.ts";

const hiddenDots = "[^?]*(?:/|%2[Ff]|%5[Cc])\\.\\.?(?:(?:;|%2[Ff]|%3[Bb]|%5[Cc]|/|\\?).*)?";
const strayPercent = "[^?]*%(?:[^0-9A-Fa-f].*|[0-9A-Fa-f](?:[^0-9A-Fa-f].*)?)?";
export const refusedTargetPattern = `(?:${hiddenDots}|${strayPercent})`;

export const refusedPathFilter: HttpFilter = {
  name: "gatewright.refused-paths",
  typedConfig: {
    type: "envoy.extensions.filters.http.fault.v3.HTTPFault",
    value: {
      abort: { httpStatus: 400, percentage: { numerator: 100, denominator: "HUNDRED" } },
      headers: [{ name: ":path", stringMatch: { safeRegex: { regex: refusedTargetPattern } } }],
    },
  },
};
