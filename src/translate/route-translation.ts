// The content of a route: what its rules, filters and backends become for one Gateway. Where the route attaches, and
// under which hostnames, is not decided here.

import type { Read } from "../incremental/index.ts";
import type { Verdict } from "../status/index.ts";
import type { BackendUse } from "./backend-use.ts";
import type { ContentInputs } from "./content-inputs.ts";
import { judgeAccepted, judgePartiallyInvalid, judgeResolvedRefs } from "./content-problems.ts";
import { meshOfRoute } from "./gateway-mesh.ts";
import { translateGrpcRule } from "./grpc-rules.ts";
import { translateHttpRule } from "./http-rules.ts";
import { joined, none, withoutGaps } from "./lists.ts";
import { ageOf } from "./object-age.ts";
import type { AnyRoute } from "./resources.ts";
import type { GatewayView } from "./gateway-view.ts";
import type { LayerRoute } from "./layers.ts";
import type { RouteContext } from "./route-context.ts";
import type { RankedRule, RuleContent, StreamRule } from "./rule-content.ts";
import { translateStreamRule } from "./stream-rules.ts";

export type { GatewayView } from "./gateway-view.ts";
export type { RankedRule, StreamRule } from "./rule-content.ts";

/** The content of one route as one Gateway serves it. */
export interface RouteTranslation {
  readonly gateway: GatewayView;
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
  /** `targetKey` of what the route refers to, wherever it may. */
  readonly targets: readonly string[];
}

export function translateRoute(
  route: AnyRoute,
  gateway: GatewayView,
  read: Read,
  inputs: ContentInputs,
  layered?: LayerRoute,
): RouteTranslation {
  const { namespace, name } = route.metadata;
  const kind = layered?.source.kind ?? route.kind;
  const mesh = meshOfRoute(route.metadata, gateway.mesh, read, inputs);
  const context: RouteContext = {
    kind,
    namespace,
    name,
    gateway,
    read,
    inputs,
    ...(mesh && { mesh }),
    ...(layered && { layered }),
  };
  return assemble(translateRules(context, route), context);
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

/**
 * Spec: some rules dropped is PartiallyInvalid; all of them dropped is not accepted. A route of a layer has nobody who could be asked to mend it before it counts: rules of it
 * that answer with an error stay, so that nothing falls through to others.
 */
function assemble(
  contents: readonly RuleContent[],
  { gateway, layered }: Pick<RouteContext, "gateway" | "layered">,
): RouteTranslation {
  const refs = joined(contents.map((content) => content.refs));
  const refusals = joined(contents.map((content) => content.refusals));
  const isDropped = (content: RuleContent) =>
    content.refusals.length > 0 && (!layered || content.rules.length === 0);
  const isRefused = contents.length > 0 && contents.every(isDropped);
  const served = isRefused ? none : contents;
  return {
    gateway,
    rules: joined(served.map((content) => content.rules)),
    streams: joined(served.map((content) => content.streams)),
    backendUses: firstOfEachKey(joined(served.map((content) => content.uses))),
    resolvedRefs: judgeResolvedRefs(
      refs.flatMap(({ problem }) => problem ?? []),
      refs.flatMap(({ note }) => note ?? []),
    ),
    accepted: isRefused ? judgeAccepted(refusals) : undefined,
    partiallyInvalid: !isRefused && refusals.length > 0 ? judgePartiallyInvalid(refusals) : undefined,
    targets: [...new Set(withoutGaps(refs.map(({ object }) => object)))],
  };
}

function firstOfEachKey(uses: readonly BackendUse[]): readonly BackendUse[] {
  return uses.length > 1 ? [...new Map(uses.map((use) => [use.key, use])).values()] : uses;
}
