/*
 * A filter that most requests do not need is not even made for them: an exact virtual host switches it off, and a route that needs it switches it on
 * again, which Envoy takes from there being a configuration for it. The filters are made when a request has found its first route. Where
 * there is none, another virtual host decides, which may need any of them: so all are made.
 */
import type { Any } from "../generated/messages.ts";
import { constant } from "../messages/index.ts";
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

/** What the rules of an exact virtual host have no use for, be they looked for again. */
const neverNeeded: readonly string[] = [httpFilterNames.malformed];

const spared: readonly string[] = [
  httpFilterNames.scripts,
  httpFilterNames.sessions,
  httpFilterNames.admission,
  httpFilterNames.bodySize,
  httpFilterNames.cors,
  httpFilterNames.headers,
  httpFilterNames.ruleAuth,
  httpFilterNames.backendAuth,
  httpFilterNames.sessionEndpoint,
];

export interface VirtualHostNeeds {
  /** There is a filter that keeps the path for the log. */
  readonly isLogged: boolean;
  /** One of its rules names the method. */
  readonly allowsTrace: boolean;
  /** What a session's script takes out of a request may make another rule take it, when all filters have been made: so none is spared. */
  readonly hasSessions: boolean;
}

/** For an exact virtual host. */
export function sparedFiltersOff(needs: VirtualHostNeeds): ReadonlyMap<string, Any> {
  const { isLogged, allowsTrace, hasSessions } = needs;
  const key = [isLogged, allowsTrace, hasSessions].join(" ");
  let names = switchedOff.get(key);
  if (!names) {
    names = off([
      ...neverNeeded,
      ...(hasSessions ? [] : [...spared, ...(isLogged ? [httpFilterNames.path] : [])]),
      ...(allowsTrace ? [] : [httpFilterNames.trace]),
    ]);
    switchedOff.set(key, names);
  }
  return names;
}

/** One for each set of needs. */
const switchedOff = new Map<string, ReadonlyMap<string, Any>>();

function off(names: readonly string[]): ReadonlyMap<string, Any> {
  return constant(new Map(names.map((name) => [name, disabledFilter])));
}
