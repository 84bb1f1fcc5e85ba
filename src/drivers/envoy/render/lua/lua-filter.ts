import type { Any, JsonObject } from "../../generated/messages.ts";

/** `context`: what the script may read as its own, whatever the route. */
export function luaFilter(script: string, context?: JsonObject): Any {
  return {
    type: "envoy.extensions.filters.http.lua.v3.Lua",
    value: {
      defaultSourceCode: { inlineString: script },
      ...(context ? { filterContext: context } : {}),
    },
  };
}
