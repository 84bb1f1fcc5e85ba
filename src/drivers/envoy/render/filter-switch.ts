/*
 * A filter that most requests do not need is not even made for them: an exact virtual host switches it off, and a route that needs it switches it on
 * again, which Envoy takes from there being a configuration for it. The filters are made when a request has found its first route. Where
 * that is `miss`, another virtual host decides, which may need any of them.
 */
import type { Any } from "../generated/messages.ts";
import { httpFilterNames } from "./names.ts";

const disabledFilter: Any = { type: "envoy.config.route.v3.FilterConfig", value: { disabled: true } };

/** On, with nothing to do. */
export const switchedOn = {
  scripts: { type: "envoy.extensions.filters.http.lua.v3.LuaPerRoute", value: {} },
  composite: {
    type: "envoy.extensions.common.matching.v3.ExtensionWithMatcherPerRoute",
    value: { xdsMatcher: {} },
  },
  fault: { type: "envoy.extensions.filters.http.fault.v3.HTTPFault", value: {} },
  cors: { type: "envoy.extensions.filters.http.cors.v3.CorsPolicy", value: {} },
  session: {
    type: "envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute",
    value: { disabled: true },
  },
} as const satisfies Readonly<Record<string, Any>>;

/** For the route `miss` of an exact virtual host. */
export const sparedFiltersOn: ReadonlyMap<string, Any> = new Map<string, Any>([
  [httpFilterNames.scripts, switchedOn.scripts],
  [httpFilterNames.admission, switchedOn.composite],
  [httpFilterNames.bodySize, switchedOn.fault],
  [httpFilterNames.cors, switchedOn.cors],
  [httpFilterNames.ruleAuth, switchedOn.composite],
  [httpFilterNames.backendAuth, switchedOn.composite],
  [httpFilterNames.sessionEndpoint, switchedOn.session],
]);

/** For an exact virtual host. */
export const sparedFiltersOff: ReadonlyMap<string, Any> = new Map(
  Array.from(sparedFiltersOn.keys(), (name) => [name, disabledFilter]),
);
