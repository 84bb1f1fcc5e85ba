// Who hears of a policy: the Gateways whose routes use what it targets.
//
// Each translated route names the objects that its references may reach, found or not. Of those that have a policy or a status,
// one item per object and Gateway is kept, however many routes there are, and policies and XBackends look up the Gateways
// of their object.

import type { Collection, Graph, Index, Read } from "../incremental/index.ts";
import type { Resource } from "../resources/index.ts";
import { objectStatus, type ObjectStatus, type ParentEntry, type Verdict } from "../status/index.ts";
import type { GatewayView } from "./gateway-view.ts";
import { gatewayGroup, type TranslateSettings } from "./settings.ts";
import { writersOf } from "./status-writers.ts";

/** A Gateway as far as statuses on other objects are concerned. */
export interface Ancestor {
  /** `namespace/name` */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly controllerName: string;
  /** Of the features that policies and XBackends ask for, those that its proxy lacks. */
  readonly missing: readonly string[];
}

interface TargetUser {
  readonly gateway: GatewayView;
  /** `targetKey` of what the route refers to, wherever it may. */
  readonly targets: readonly string[];
}

interface TargetUse {
  readonly target: string;
  readonly ancestor: Ancestor;
}

const policyFeatures = [
  "BackendTLSPolicy",
  "BackendTLSPolicySANValidation",
  "RetryConstraint",
  "SessionPersistence",
  "XBackend",
] as const;

/** `targetKey` → the Gateways whose routes refer to it, by name. */
export type AncestorsByTarget = Index<TargetUse>;

/** `hasStatus`: whether anybody wants to know of the target. Of nearly all Services nobody does. */
export function ancestorsByTarget(
  graph: Graph,
  users: Collection<{ readonly served: readonly TargetUser[] }>,
  hasStatus: (target: string, read: Read) => boolean,
): AncestorsByTarget {
  const uses = graph.derive("uses of policy targets", users, function* ({ served }, read): Generator<
    [string, TargetUse]
  > {
    for (const { gateway, targets } of served) {
      for (const target of targets) {
        if (hasStatus(target, read)) {
          yield [`${target}@${gateway.key}`, { target, ancestor: ancestorOf(gateway) }];
        }
      }
    }
  });
  return graph.index("gateways by policy target", uses, ({ target }) => [target]);
}

export function ancestorOf({ key, namespace, name, controllerName, features }: GatewayView): Ancestor {
  const missing = policyFeatures.filter((feature) => !features.has(feature));
  return { key, namespace, name, controllerName, missing };
}

/** The Gateways of several targets, each once, by name. */
export function mergeAncestors(uses: readonly TargetUse[]): Ancestor[] {
  const byKey = new Map(uses.map(({ ancestor }) => [ancestor.key, ancestor]));
  return [...byKey.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

export interface AncestorReport {
  readonly shape: "ancestors" | "backend-parents";
  readonly ancestors: readonly Ancestor[];
  readonly conditionsFor: (ancestor: Ancestor) => readonly Verdict[];
}

/**
 * One status per name under which we act: an object can have Gateways of two classes of ours. Where no Gateway is left, what
 * we wrote before is taken back; on objects that never concerned us nothing is written. There may be more Gateways than a status can
 * hold; who finds room in it is decided when it is merged with what stands there.
 */
export function ancestorStatuses(
  resource: Resource,
  { shape, ancestors, conditionsFor }: AncestorReport,
  { controllerNames }: Pick<TranslateSettings, "controllerNames">,
): (readonly [string, ObjectStatus])[] {
  const entries = new Map<string, ParentEntry[]>();
  for (const name of writersOf(resource.status)) if (controllerNames.includes(name)) entries.set(name, []);
  for (const ancestor of ancestors) {
    const { namespace, name, controllerName } = ancestor;
    const list = entries.get(controllerName) ?? [];
    list.push({
      ref: { group: gatewayGroup, kind: "Gateway", namespace, name },
      conditions: conditionsFor(ancestor),
    });
    entries.set(controllerName, list);
  }
  return [...entries]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([controllerName, list]) => {
      const status = objectStatus(resource, { shape, controllerName, entries: list });
      return [`${status.key}|${controllerName}`, status] as const;
    });
}
