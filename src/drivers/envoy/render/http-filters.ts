/*
 * The filters that a request passes, in order. What differs from rule to rule comes with the route; a filter for which a route says nothing lets
 * everything pass. Those that look for virtual hosts come first, since all others depend on the route.
 */
import type { Any, HttpFilter } from "../generated/messages.ts";
import { pathFilter } from "./access-log.ts";
import { bodySizeFilter } from "./admission.ts";
import { compositeFilter, ifPresent } from "./composite.ts";
import { hostsScripts } from "./lua/hosts.ts";
import { luaFilter } from "./lua/lua-filter.ts";
import { serverNameScript, serverNameSectionScript } from "./lua/server-names.ts";
import { hiddenHeaders, httpFilterNames, internalHeaders } from "./names.ts";
import { malformedRequestFilters, traceFilter } from "./refused-request.ts";
import { renderUpstreamFilters } from "./retry.ts";
import { sessionsFilter } from "./session.ts";

/** How many virtual hosts of one section a request may fall through, beside the exact one; two fewer if it is not written plainly. */
const hostFilters = 7;

export interface HttpFilterOptions {
  readonly isTls: boolean;
  readonly isLogged: boolean;
  readonly hasBackendStatistics: boolean;
}

export function renderHttpFilters({
  isTls,
  isLogged,
  hasBackendStatistics,
}: HttpFilterOptions): readonly HttpFilter[] {
  const hostsScript = isTls ? hostsScripts.tls : hostsScripts.http;
  return [
    ...(isLogged ? [pathFilter] : []),
    isTls ? malformedRequestFilters.tls : malformedRequestFilters.http,
    ...(isTls ? [script(serverNameScript), moreScripts(serverNameSectionScript, 1)] : []),
    script(hostsScript),
    moreScripts(hostsScript, 1),
    moreScripts(hostsScript, hostFilters - 2),
    traceFilter,
    sessionsFilter,
    compositeFilter(httpFilterNames.admission),
    bodySizeFilter,
    // It looks at the route, which is then decided: what finds it may be removed.
    {
      name: httpFilterNames.cors,
      typedConfig: { type: "envoy.extensions.filters.http.cors.v3.Cors", value: {} },
    },
    headers,
    compositeFilter(httpFilterNames.ruleAuth),
    compositeFilter(httpFilterNames.backendAuth),
    {
      name: httpFilterNames.sessionEndpoint,
      typedConfig: { type: "envoy.extensions.filters.http.stateful_session.v3.StatefulSession", value: {} },
    },
    {
      name: httpFilterNames.router,
      typedConfig: {
        type: "envoy.extensions.filters.http.router.v3.Router",
        value: {
          suppressEnvoyHeaders: true,
          // By status: Envoy would look for each of them at every answer, be it to find that nobody wants them.
          dynamicStats: hasBackendStatistics,
          upstreamHttpFilters: renderUpstreamFilters(),
        },
      },
    },
  ];
}

/**
 * Authorization servers see as little of them as backends, for whom the router removes them. What a server has decided about a header does not come in again
 * as a trailer: requests of gRPC have none, and others do without.
 */
const headers: HttpFilter = {
  name: httpFilterNames.headers,
  typedConfig: {
    type: "envoy.extensions.filters.http.header_mutation.v3.HeaderMutation",
    value: {
      mutations: {
        requestMutations: hiddenHeaders.map((name) => ({ remove: name })),
        requestTrailersMutations: [{ removeOnMatch: { keyMatcher: { safeRegex: { regex: ".*" } } } }],
      },
    },
  },
};

/** For requests with something left to do: most have found their virtual host by the first of a row, or by the first two. */
function moreScripts(text: string, count: number): HttpFilter {
  const filterChain = { typedConfig: Array.from({ length: count }, () => script(text)) };
  return compositeFilter(httpFilterNames.scripts, {
    matcher: ifPresent(internalHeaders.next, "go on", { filterChain }),
  });
}

function script(text: string): { readonly name: string; readonly typedConfig: Any } {
  return { name: httpFilterNames.scripts, typedConfig: luaFilter(text) };
}
