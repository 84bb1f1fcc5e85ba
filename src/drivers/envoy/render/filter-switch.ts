/*
 * A filter that most requests do not need is not even made for them: an exact virtual host switches it off, and a route that needs it switches it on
 * again, which Envoy takes from there being a configuration for it. The filters are made when a request has found its first route. Where
 * there is none, another virtual host decides, which may need any of them: so all are made.
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
  headers: { type: "envoy.extensions.filters.http.header_mutation.v3.HeaderMutationPerRoute", value: {} },
  cors: { type: "envoy.extensions.filters.http.cors.v3.CorsPolicy", value: {} },
} as const satisfies Readonly<Record<string, Any>>;

/** For an exact virtual host. */
export const sparedFiltersOff: ReadonlyMap<string, Any> = new Map(
  [
    httpFilterNames.path,
    httpFilterNames.scripts,
    httpFilterNames.admission,
    httpFilterNames.bodySize,
    httpFilterNames.cors,
    httpFilterNames.headers,
    httpFilterNames.ruleAuth,
    httpFilterNames.backendAuth,
    httpFilterNames.sessionEndpoint,
  ].map((name) => [name, disabledFilter]),
);
