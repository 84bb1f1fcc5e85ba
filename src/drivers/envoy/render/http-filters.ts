/*
 * The filters that a request passes, in order. What differs from rule to rule comes with the route; a filter for which a route says nothing lets
 * everything pass. Those that look for virtual hosts come first, since all others depend on the route.
 */
import type { Any, HttpFilter } from "../generated/messages.ts";
import { pathFilter } from "./access-log.ts";
import { bodySizeFilter } from "./admission.ts";
import { hostsScript } from "./lua/hosts.ts";
import { serverNameScript, serverNameSectionScript } from "./lua/server-names.ts";
import { sessionsScript } from "./lua/sessions.ts";
import { hiddenHeaders, httpFilterNames } from "./names.ts";
import { malformedRequestFilter, refusedRequestFilter } from "./refused-request.ts";
import { renderUpstreamFilters } from "./retry.ts";

/** How many virtual hosts of one section a request may fall through, beside the exact one. */
const hostFilters = 5;

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
  return [
    ...(isLogged ? [pathFilter] : []),
    ...(isTls
      ? [
          malformedRequestFilter,
          ...[serverNameScript, serverNameSectionScript, hostsScript].map(sectionScript),
        ]
      : [script(hostsScript)]),
    ...Array.from({ length: hostFilters - 1 }, () => script(hostsScript)),
    refusedRequestFilter,
    script(sessionsScript),
    { name: httpFilterNames.admission, typedConfig: composite },
    bodySizeFilter,
    // It looks at the route, which is then decided: what finds it may be removed.
    {
      name: httpFilterNames.cors,
      typedConfig: { type: "envoy.extensions.filters.http.cors.v3.Cors", value: {} },
    },
    headers,
    { name: httpFilterNames.ruleAuth, typedConfig: composite },
    { name: httpFilterNames.backendAuth, typedConfig: composite },
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

/** Authorization servers see as little of them as backends, for whom the router removes them. */
const headers: HttpFilter = {
  name: httpFilterNames.headers,
  typedConfig: {
    type: "envoy.extensions.filters.http.header_mutation.v3.HeaderMutation",
    value: {
      mutations: {
        requestMutations: hiddenHeaders.map((name) => ({ remove: name })),
      },
    },
  },
};

/** Makes the filter that the route brings; without one it does nothing. */
const composite: Any = {
  type: "envoy.extensions.common.matching.v3.ExtensionWithMatcher",
  value: {
    extensionConfig: {
      name: "envoy.filters.http.composite",
      typedConfig: { type: "envoy.extensions.filters.http.composite.v3.Composite", value: {} },
    },
    xdsMatcher: {},
  },
};

function script(text: string, name: string = httpFilterNames.scripts): HttpFilter {
  return {
    name,
    typedConfig: {
      type: "envoy.extensions.filters.http.lua.v3.Lua",
      value: { defaultSourceCode: { inlineString: text } },
    },
  };
}

function sectionScript(text: string): HttpFilter {
  return script(text, httpFilterNames.sectionScripts);
}
