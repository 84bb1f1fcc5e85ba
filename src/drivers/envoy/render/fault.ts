/** Envoy's fault filter, which we use to refuse requests by one of their headers. */
import type { Any, HeaderMatcher } from "../generated/messages.ts";

const faultType = "envoy.extensions.filters.http.fault.v3.HTTPFault";

/** Lets everything pass. */
export const noFault: Any = { type: faultType, value: {} };

export function refusing(httpStatus: number, header: HeaderMatcher): Any {
  return {
    type: faultType,
    value: {
      abort: { httpStatus, percentage: { numerator: 100, denominator: "HUNDRED" } },
      headers: [header],
    },
  };
}
