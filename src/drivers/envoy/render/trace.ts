/*
 * TRACE makes a backend show everything it received, credentials and the gateway's own headers among it. Only a rule that names the method lets it
 * through: its route has a configuration for this filter that refuses nothing.
 */
import type { Any, HttpFilter } from "../generated/messages.ts";
import { httpFilterNames } from "./names.ts";
import { headerEquals } from "./route-match.ts";

const type = "envoy.extensions.filters.http.fault.v3.HTTPFault";

export const traceFilter: HttpFilter = {
  name: httpFilterNames.trace,
  typedConfig: {
    type,
    value: {
      abort: { httpStatus: 404, percentage: { numerator: 100, denominator: "HUNDRED" } },
      headers: [headerEquals(":method", "TRACE")],
    },
  },
};

export const traceAllowed: Any = { type, value: {} };
