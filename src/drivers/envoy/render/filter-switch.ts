import type { Any } from "../generated/messages.ts";

/** A filter that most requests do not need is not even made for them: the virtual host switches it off, a route may switch it on again. */
export const disabledFilter: Any = { type: "envoy.config.route.v3.FilterConfig", value: { disabled: true } };
export const enabledFilter: Any = {
  type: "envoy.config.route.v3.FilterConfig",
  value: { config: { type: "envoy.config.route.v3.FilterConfig", value: {} } },
};
