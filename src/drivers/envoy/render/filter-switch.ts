import type { Any } from "../generated/messages.ts";

/**
 * A filter that most requests do not need is not even made for them: the virtual host switches it off, a route may switch it on again (which
 * Envoy takes from there being a configuration, of scripts here).
 */
export const disabledFilter: Any = { type: "envoy.config.route.v3.FilterConfig", value: { disabled: true } };
export const enabledFilter: Any = { type: "envoy.extensions.filters.http.lua.v3.LuaPerRoute", value: {} };
