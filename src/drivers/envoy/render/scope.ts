/*
 * Scopes: what Envoy finds by a request's host in one step, each a route configuration of its own. A virtual host is one scope, so that its
 * change is a change of that scope alone, whatever the number of hosts.
 *
 * The scripts go on to the next virtual host where no rule takes a request (`lua/hosts.ts`). An exact virtual host then has no route for it; one
 * with a wildcard has a last route that says `miss`.
 */
import type { Listener, Rule, VirtualHost } from "../../../model/index.ts";
import type { Any, JsonObject, Metadata, Route, ScopedRouteConfiguration } from "../generated/messages.ts";
import { constant } from "../messages/index.ts";
import { directResponse, localTexts } from "./direct-response.ts";
import { sparedFiltersOff } from "./filter-switch.ts";
import {
  hiddenHeaders,
  hiddenHeadersOfExact,
  httpFilterNames,
  scopeFragments,
  scopeKeys,
  scopeName,
  suffixOf,
} from "./names.ts";
import type { HashOf } from "./hash-policy.ts";
import { traceRoute, withRefusals } from "./refused-request.ts";
import { renderRule, type RouteSite } from "./route.ts";

const anyPath = { prefix: "" } as const;

/**
 * `hashOf`: what the backend with this key hashes on, where any does. With the same `listener`, an object that does not change, the routes of rules that are the
 * same as before are not rendered again.
 */
export function renderVirtualHost(
  virtualHost: VirtualHost,
  listener: Listener,
  { isLogged, hashOf }: { readonly isLogged: boolean; readonly hashOf?: HashOf },
): ScopedRouteConfiguration {
  const { hostname, section, rules } = virtualHost;
  const isExact = !hostname.startsWith("*");
  const isTls = listener.protocol === "tls";
  const site: RouteSite = { scheme: isTls ? "https" : "http", port: listener.port, isLogged };
  const render = (rule: Rule) => renderRule(rule, site, hashOf);
  const isKept = rules.length >= manyRules && !hashOf;
  const routes = withRefusals(rules, isKept ? keeping(listener, render) : render);
  if (!isExact) {
    const key = scopeKeys.wildcard(listener, suffixOf(hostname));
    return scope(key, { metadata: forScripts({ section }), routes: [...routes, miss] });
  }
  const allowsTrace = rules.some(({ match }) => match.method === "TRACE");
  const hasSessions = rules.some(({ action }) => action.session);
  return scope(
    scopeKeys.exact(listener, hostname),
    {
      metadata: forScripts({ section, ...(allowsTrace && { trace: true }) }),
      routes: allowsTrace ? routes : [traceRoute, ...routes],
      typedPerFilterConfig: sparedFiltersOff({ isLogged, allowsTrace, hasSessions }),
    },
    hasSessions ? hiddenHeaders : hiddenHeadersOfExact[isTls ? "tls" : "http"],
  );
}

/** From so many on, what one change of a virtual host costs is what all its rules cost, and it is worth some memory not to render and encode them again. */
const manyRules = 32;

const keptRoutes = new WeakMap<Listener, WeakMap<Rule, readonly Route[]>>();

function keeping(listener: Listener, render: (rule: Rule) => readonly Route[]): typeof render {
  let kept = keptRoutes.get(listener);
  if (!kept) keptRoutes.set(listener, (kept = new WeakMap()));
  return (rule) => {
    const known = kept.get(rule);
    if (known) return known;
    const routes = render(rule).map(constant);
    kept.set(rule, routes);
    return routes;
  };
}

/** Takes what no rule takes. */
const miss: Route = {
  match: anyPath,
  ...directResponse(404, localTexts.notFound),
  metadata: forScripts({ miss: true }),
};

/** Which wildcards a listener has, and whose they are: of virtual hosts by their suffix, of server names with a `!` before it. */
export function renderHostIndex(
  listener: Listener,
  virtualHosts: readonly { readonly hostname: string; readonly section: string }[],
  serverNames: readonly { readonly hostname: string; readonly section: string }[],
): ScopedRouteConfiguration {
  const index = Object.fromEntries([
    ...virtualHosts.map(({ hostname, section }) => [suffixOf(hostname), section] as const),
    ...serverNames.map(({ hostname, section }) => [`!${suffixOf(hostname)}`, section] as const),
  ]);
  return scope(scopeKeys.index(listener), {
    routes: [{ match: anyPath, ...directResponse(404, localTexts.notFound), metadata: forAllScripts(index) }],
  });
}

/** Whose an exact server name is. */
export function renderServerNameScope(
  listener: Listener,
  { hostname, section }: { readonly hostname: string; readonly section: string },
): ScopedRouteConfiguration {
  return scope(scopeKeys.serverName(listener, hostname), {
    routes: [
      { match: anyPath, ...directResponse(404, localTexts.notFound), metadata: forAllScripts({ section }) },
    ],
  });
}

function scope(
  key: string,
  virtualHost: {
    readonly routes: readonly Route[];
    readonly metadata?: Metadata;
    readonly typedPerFilterConfig?: ReadonlyMap<string, Any>;
  },
  requestHeadersToRemove: readonly string[] = hiddenHeaders,
): ScopedRouteConfiguration {
  return {
    name: scopeName(key),
    key: { fragments: scopeFragments(key).map((stringKey) => ({ stringKey })) },
    routeConfiguration: {
      name: key,
      // A cluster that is not there is answered with a status, and must not keep the others from being taken.
      validateClusters: false,
      requestHeadersToRemove,
      virtualHosts: [{ name: key, domains: ["*"], ...virtualHost }],
    },
  };
}

/** What a script sees of the route that it finds stands under the script's own name. */
function forScripts(values: JsonObject): Metadata {
  return { filterMetadata: new Map([[httpFilterNames.scripts, values]]) };
}

/** What it sees of a route that it turned to may also stand here. */
function forAllScripts(values: JsonObject): Metadata {
  return { filterMetadata: new Map([["envoy.filters.http.lua", values]]) };
}
