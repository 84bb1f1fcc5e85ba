/*
 * The backends of a rule, each with its share. A backend that cannot be used is a cluster that does not exist: its share is answered
 * with the status that the route has for that.
 */
import type { HttpBackend, RuleAction } from "../../../model/index.ts";
import type { Any, RouteAction, WeightedClusterClusterWeight } from "../generated/messages.ts";
import { corsResponseHeaders, renderCors } from "./cors.ts";
import { headersOfServer, renderExternalAuth } from "./external-auth.ts";
import {
  chainHeaderChanges,
  hostSetBy,
  renderRequestHeaders,
  renderResponseHeaders,
  setHeader,
} from "./header-changes.ts";
import { httpFilterNames, internalHeaders, noCluster } from "./names.ts";
import { sessionId } from "./session.ts";

export interface WeightedOptions {
  /** For requests with an Origin. */
  readonly withCors: boolean;
}

export function renderBackends(
  action: RuleAction,
  backends: readonly HttpBackend[],
  options: WeightedOptions,
): Pick<RouteAction, "cluster" | "weightedClusters" | "clusterNotFoundResponseCode"> {
  const clusters = backends.map((backend) => renderBackend(action, backend, options));
  const [first] = clusters;
  const isError500 =
    !first || backends.some(({ target }) => target.type === "error" && target.status === 500);
  // Nearly all rules have one backend that says nothing else.
  const isPlain = clusters.length < 2 && (!first || Object.keys(first).length === 2);
  return {
    ...(isPlain ? { cluster: first?.name ?? noCluster } : { weightedClusters: { clusters } }),
    ...(isError500 ? { clusterNotFoundResponseCode: "INTERNAL_SERVER_ERROR" } : {}),
  };
}

function renderBackend(
  action: RuleAction,
  backend: HttpBackend,
  { withCors }: WeightedOptions,
): WeightedClusterClusterWeight {
  const { target, weight, cors, auth } = backend;
  const host = hostSetBy(backend.requestHeaders) ?? backend.rewrite?.hostname;
  const filters = new Map<string, Any>();
  if (cors && withCors) filters.set(httpFilterNames.cors, renderCors(cors));
  const authFilter = auth && renderExternalAuth(auth);
  if (authFilter) filters.set(httpFilterNames.backendAuth, authFilter);
  const mutations = headersOfServer(auth);
  if (mutations.length > 0) filters.set(httpFilterNames.headers, requestMutations(mutations));
  const changes = headersOf(action, backend);
  const response = renderResponseHeaders(changes.response, cors && withCors ? corsResponseHeaders : []);
  const session = action.session ? [setHeader(internalHeaders.session, sessionId(backend))] : [];
  const added = [...(response.responseHeadersToAdd ?? []), ...session];
  return {
    name: target.type === "backend" && isUsable(backend) ? target.backend : noCluster,
    weight,
    ...(host === undefined ? {} : { hostRewriteLiteral: host }),
    ...renderRequestHeaders(changes.request),
    ...response,
    ...(added.length > 0 ? { responseHeadersToAdd: added } : {}),
    ...(filters.size > 0 ? { typedPerFilterConfig: filters } : {}),
  };
}

/**
 * Envoy makes a cluster's header changes before the route's, and the model has them the other way round. So where a backend has changes
 * of its own, its cluster has all of them, and the route has none (`hasOwnHeaders`).
 */
function headersOf(action: RuleAction, backend: HttpBackend) {
  return hasOwnHeaders(action)
    ? {
        request: chainHeaderChanges(action.requestHeaders, backend.requestHeaders),
        response: chainHeaderChanges(backend.responseHeaders, action.responseHeaders),
      }
    : { request: undefined, response: undefined };
}

export function hasOwnHeaders({ backends }: RuleAction): boolean {
  return backends.some(({ requestHeaders, responseHeaders }) => requestHeaders ?? responseHeaders);
}

/** Authorization that cannot be asked refuses everything. */
function isUsable({ auth }: HttpBackend): boolean {
  return auth?.target.type !== "error";
}

function requestMutations(requestMutations: ReturnType<typeof headersOfServer>): Any {
  return {
    type: "envoy.extensions.filters.http.header_mutation.v3.HeaderMutationPerRoute",
    value: { mutations: { requestMutations } },
  };
}
