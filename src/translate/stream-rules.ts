// Rules of TLSRoute, TCPRoute and UDPRoute: backends, and nothing else.
//
// Whether the gateway ends TLS is the listener's choice. Bytes that pass through are the client's own TLS and go on as they
// are; bytes that came out of TLS, and plain ones, go to a backend by TLS where a BackendTLSPolicy says so.

import type { WeightedBackend } from "../model/index.ts";
import type { BackendRef, L4RouteRule } from "../resources/index.ts";
import type { Transport } from "./backend-protocols.ts";
import { resolveBackendRef, type ResolvedRef } from "./backend-refs.ts";
import { unsupported } from "./content-problems.ts";
import type { BackendExtras, RuleExtras } from "./layers.ts";
import type { RouteContext } from "./route-context.ts";
import { backendField, ruleField } from "./rule-fields.ts";
import { routeRule, usesOf, type RuleContent } from "./rule-content.ts";

export type StreamKind = "TLSRoute" | "TCPRoute" | "UDPRoute";

interface StreamTransports {
  readonly asReceived: Transport;
  readonly terminated: Transport;
}

const transports: Readonly<Record<StreamKind, StreamTransports>> = {
  TLSRoute: { asReceived: "passthrough", terminated: "tcp" },
  TCPRoute: { asReceived: "tcp", terminated: "tcp" },
  UDPRoute: { asReceived: "udp", terminated: "udp" },
};

export function translateStreamRule(
  context: RouteContext,
  kind: StreamKind,
  rule: L4RouteRule,
  index: number,
): RuleContent {
  const field = ruleField(context, index);
  const { asReceived, terminated } = transports[kind];
  const question = { index, extras: context.layered?.extras?.[index] };
  const received = resolveAll(context, rule.backendRefs, { ...question, transport: asReceived });
  const ended =
    asReceived === terminated
      ? received
      : resolveAll(context, rule.backendRefs, { ...question, transport: terminated });
  // Nothing tells rules of streams apart, so the first takes all.
  if (index > 0) {
    const refusals = [unsupported(field, `a ${kind} can have one rule; move this one to a route of its own`)];
    return { rules: [], streams: [], refusals, refs: received.refs, uses: [] };
  }
  const route = routeRule(context, index, rule.name);
  return {
    rules: [],
    streams: [{ route, backends: received.backends, terminated: ended.backends }],
    refusals: [],
    refs: received.refs,
    uses: [...usesOf(received.used), ...usesOf(ended.used)],
  };
}

interface ResolvedBackends {
  readonly backends: readonly WeightedBackend[];
  readonly refs: readonly ResolvedRef[];
  /** Those with a weight. */
  readonly used: readonly ResolvedRef[];
}

interface BackendsQuestion {
  /** Of the rule. */
  readonly index: number;
  readonly extras: RuleExtras | undefined;
  readonly transport: Transport;
}

function resolveAll(
  context: RouteContext,
  backendRefs: readonly BackendRef[],
  { index, extras, transport }: BackendsQuestion,
): ResolvedBackends {
  const resolved = backendRefs.map((backendRef, i) => ({
    weight: backendRef.weight,
    ref: resolveBackendRef(context, {
      ref: backendRef,
      field: backendField(context, index, i),
      transport,
      extras: fitting(extras?.backends?.[i] ?? extras?.backend, transport),
    }),
  }));
  const weighty = resolved.filter(({ weight }) => weight > 0);
  return {
    backends: weighty.map(({ weight, ref }) => ({ weight, target: ref.target })),
    refs: resolved.map(({ ref }) => ref),
    used: weighty.map(({ ref }) => ref),
  };
}

/** Bytes that are the client's own TLS go on as they are. */
function fitting(extras: BackendExtras | undefined, transport: Transport): BackendExtras | undefined {
  if (!extras?.tls || transport !== "passthrough") return extras;
  const { tls: _, ...rest } = extras;
  return rest;
}
