import type { HttpBackend, RuleAction } from "../../../model/index.ts";
import type { RouteAction } from "../generated/messages.ts";
import { renderHashPolicy, type HashOf } from "./hash-policy.ts";
import { hostSetBy } from "./header-changes.ts";
import { renderMirrors } from "./mirrors.ts";
import { renderPathChange } from "./path-change.ts";
import { renderRetry } from "./retry.ts";
import { renderTimeouts } from "./timeouts.ts";
import { renderBackends, type WeightedOptions } from "./weighted-clusters.ts";

/** Sends requests to one or several backends of the rule. What only a route can have, a backend has of its own if it is the only one. */
export function renderRouteAction(
  action: RuleAction,
  backends: readonly HttpBackend[],
  options: WeightedOptions & { readonly hashOf: HashOf },
): RouteAction {
  const only = backends.length === 1 ? backends[0] : undefined;
  const host = hostSetBy(action.requestHeaders) ?? action.rewrite?.hostname;
  const path = only?.rewrite?.path ?? action.rewrite?.path;
  const regexRewrite = path && renderPathChange(path);
  const mirrors = renderMirrors([...action.mirrors, ...(only?.mirrors ?? [])]);
  return {
    ...renderBackends(action, backends, options),
    ...(host === undefined ? {} : { hostRewriteLiteral: host }),
    ...(regexRewrite ? { regexRewrite } : {}),
    ...(mirrors.length > 0 ? { requestMirrorPolicies: mirrors } : {}),
    ...renderHashPolicy(backends, options.hashOf),
    ...renderTimeouts(action.timeouts),
    retryPolicy: renderRetry(action),
  };
}
