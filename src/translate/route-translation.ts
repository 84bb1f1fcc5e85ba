// The content of a route: what its rules, filters and backends become for one Gateway. Where the route attaches, and
// under which hostnames, is not decided here.

import type { Read } from "../incremental/index.ts";
import type { Verdict } from "../status/index.ts";
import type { BackendUse } from "./backend-use.ts";
import type { ContentInputs } from "./content-inputs.ts";
import { judgeAccepted, judgePartiallyInvalid, judgeResolvedRefs } from "./content-problems.ts";
import { translateGrpcRule } from "./grpc-rules.ts";
import { translateHttpRule } from "./http-rules.ts";
import { ageOf } from "./object-age.ts";
import { policyFeatures, type Ancestor, type TargetUser } from "./policy-ancestors.ts";
import type { AnyRoute } from "./resources.ts";
import type { GatewayView, RouteContext } from "./route-context.ts";
import type { RankedRule, RuleContent, StreamRule } from "./rule-content.ts";
import { translateStreamRule } from "./stream-rules.ts";

export type { GatewayView } from "./route-context.ts";
export type { RankedRule, StreamRule } from "./rule-content.ts";

/** The content of one route as one Gateway serves it. */
export interface RouteTranslation extends TargetUser {
  /** HTTPRoute, GRPCRoute: in order of appearance. */
  readonly rules: readonly RankedRule[];
  /** TLSRoute, TCPRoute, UDPRoute: one or none. */
  readonly streams: readonly StreamRule[];
  /** Every backend that the model must carry for it, each once. */
  readonly backendUses: readonly BackendUse[];
  readonly resolvedRefs: Verdict;
  /** `Accepted: False`, only where the content is the reason. Nothing of the route is served then. */
  readonly accepted: Verdict | undefined;
  readonly partiallyInvalid: Verdict | undefined;
}

export function translateRoute(
  route: AnyRoute,
  gateway: GatewayView,
  read: Read,
  inputs: ContentInputs,
): RouteTranslation {
  const { namespace, name } = route.metadata;
  const context: RouteContext = { kind: route.kind, namespace, name, gateway, read, inputs };
  return assemble(translateRules(context, route), ancestorOf(gateway));
}

function translateRules(context: RouteContext, route: AnyRoute): RuleContent[] {
  const age = ageOf(route.metadata);
  switch (route.kind) {
    case "HTTPRoute":
      return route.spec.rules.map((rule, index) => translateHttpRule(context, age, rule, index));
    case "GRPCRoute":
      return (route.spec.rules ?? []).map((rule, index) => translateGrpcRule(context, age, rule, index));
    case "TLSRoute":
    case "TCPRoute":
    case "UDPRoute": {
      const { kind } = route;
      return route.spec.rules.map((rule, index) => translateStreamRule(context, kind, rule, index));
    }
  }
}

/** Spec: some rules dropped is PartiallyInvalid; all of them dropped is not accepted. */
function assemble(contents: readonly RuleContent[], ancestor: Ancestor): RouteTranslation {
  const refs = contents.flatMap((content) => content.refs);
  const refusals = contents.flatMap((content) => content.refusals);
  const isRefused = contents.length > 0 && contents.every((content) => content.refusals.length > 0);
  const served = isRefused ? [] : contents;
  return {
    rules: served.flatMap((content) => content.rules),
    streams: served.flatMap((content) => content.streams),
    backendUses: firstOfEachKey(served.flatMap((content) => content.uses)),
    resolvedRefs: judgeResolvedRefs(refs.flatMap(({ problem }) => problem ?? [])),
    accepted: isRefused ? judgeAccepted(refusals) : undefined,
    partiallyInvalid: !isRefused && refusals.length > 0 ? judgePartiallyInvalid(refusals) : undefined,
    ancestor,
    targets: [...new Set(refs.flatMap(({ object }) => object ?? []))],
  };
}

function firstOfEachKey(uses: readonly BackendUse[]): BackendUse[] {
  return [...new Map(uses.map((use) => [use.key, use])).values()];
}

function ancestorOf({ key, namespace, name, controllerName, features }: GatewayView): Ancestor {
  const missing = policyFeatures.filter((feature) => !features.has(feature));
  return { key, namespace, name, controllerName, missing };
}
