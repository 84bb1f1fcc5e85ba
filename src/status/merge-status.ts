/*
 * Puts what we have to say on an object into the status that it has. Everything of other controllers stays as and where it is:
 * their conditions, their parents, their ancestors, fields that we do not know. Of ours, a condition keeps its
 * transition time while its status does not change, and one that no longer applies is removed.
 */
import type { Condition, Verdict } from "./condition.ts";
import type {
  ListenerContent,
  ObjectStatus,
  ParentEntry,
  StatusContent,
  SubCondition,
} from "./object-status.ts";
import { isRecord, sameJson } from "./same-json.ts";

type Raw = Readonly<Record<string, unknown>>;
type HttpProxyContent = Extract<StatusContent, { readonly shape: "http-proxy" }>;

/** Condition types that we write, so that we may remove them. Others are somebody else's. */
const ownTypes: ReadonlySet<string> = new Set([
  "Accepted",
  "Programmed",
  "ResolvedRefs",
  "Conflicted",
  "OverlappingTLSConfig",
  "InsecureFrontendValidationMode",
  "DefaultGateway",
  "MeshTrust",
  "PartiallyInvalid",
  "SupportedVersion",
]);

/** The new status; the same object as `existing` if there is nothing to change. */
export function mergeStatus(
  existing: Raw | undefined,
  { content, generation }: ObjectStatus,
  now: string,
): Raw {
  const old = existing ?? {};
  const at: Moment = { generation, now };
  switch (content.shape) {
    case "conditions": {
      const features = content.supportedFeatures?.map((name) => ({ name }));
      return changed(old, {
        conditions: mergeConditions(old.conditions, content.conditions, at),
        ...(features && { supportedFeatures: features }),
      });
    }
    case "gateway":
      return changed(old, {
        conditions: mergeConditions(old.conditions, content.conditions, at),
        listeners: mergeListeners(old.listeners, content.listeners, at),
        ...(content.addresses && { addresses: content.addresses }),
        ...(content.attachedListenerSets !== undefined && {
          attachedListenerSets: content.attachedListenerSets,
        }),
      });
    case "http-proxy":
      return mergeHttpProxy(old, content, at);
    case "load-balancer":
      return changed(old, loadBalancerOf(old, content.addresses));
    case "parents":
    case "backend-parents":
      return changed(old, { parents: mergeEntries(old.parents, "parentRef", content, at) });
    case "ancestors":
      return changed(old, { ancestors: mergeEntries(old.ancestors, "ancestorRef", content, at) });
  }
}

/** The words of an older generation than somebody has judged already are not written. */
function mergeHttpProxy(old: Raw, content: HttpProxyContent, at: Moment): Raw {
  const newest = listOf(old.conditions).find(({ type }) => type === "Valid")?.observedGeneration;
  if (typeof newest === "number" && newest > at.generation) return old;
  const details = {
    ...(content.errors.length > 0 && { errors: content.errors.map(subCondition) }),
    ...(content.warnings.length > 0 && { warnings: content.warnings.map(subCondition) }),
  };
  return changed(old, {
    currentStatus: content.currentStatus,
    description: content.description,
    conditions: mergeConditions(old.conditions, content.conditions, at).map((condition) =>
      condition.type === "Valid" ? { ...condition, ...details } : condition,
    ),
    ...loadBalancerOf(old, content.addresses),
  });
}

function subCondition({ type, reason, message }: SubCondition): Raw {
  return { type, status: "True", reason, message: bounded(message) };
}

/** Without an address nothing is written where nothing stands. */
function loadBalancerOf(
  old: Raw,
  addresses: readonly { readonly type: string; readonly value: string }[],
): Raw {
  if (addresses.length === 0) return old.loadBalancer === undefined ? {} : { loadBalancer: {} };
  const ingress = addresses.map(({ type, value }) =>
    type === "Hostname" ? { hostname: value } : { ip: value },
  );
  return { loadBalancer: { ingress } };
}

interface Moment {
  readonly generation: number;
  readonly now: string;
}

function changed(old: Raw, fields: Raw): Raw {
  const different = Object.entries(fields).filter(([name, value]) => !sameJson(old[name], value));
  return different.length > 0 ? { ...old, ...Object.fromEntries(different) } : old;
}

function mergeConditions(existing: unknown, verdicts: readonly Verdict[], at: Moment): readonly Condition[] {
  const wanted = new Map(verdicts.map((verdict) => [verdict.type, verdict]));
  const merged: Condition[] = [];
  for (const condition of listOf(existing).filter(isCondition)) {
    const verdict = wanted.get(condition.type);
    wanted.delete(condition.type);
    if (!verdict) {
      if (!ownTypes.has(condition.type)) merged.push(condition);
    } else if ((condition.observedGeneration ?? 0) > at.generation) {
      // Spec: somebody has judged a newer version than we know; ours would be a step back.
      merged.push(condition);
    } else {
      const since = condition.status === verdict.status ? condition.lastTransitionTime : at.now;
      merged.push(conditionOf(verdict, at, since));
    }
  }
  for (const verdict of wanted.values()) merged.push(conditionOf(verdict, at, at.now));
  return merged;
}

/** The API server refuses longer messages. */
const longestMessage = 32_768;

function bounded(message: string): string {
  return message.length > longestMessage ? `${message.slice(0, longestMessage - 1)}…` : message;
}

function conditionOf(
  { type, status, reason, message }: Verdict,
  at: Moment,
  lastTransitionTime: string,
): Condition {
  return {
    type,
    status,
    reason,
    message: bounded(message),
    observedGeneration: at.generation,
    lastTransitionTime,
  };
}

function mergeListeners(
  existing: unknown,
  listeners: readonly ListenerContent[],
  at: Moment,
): readonly Raw[] {
  const old = new Map(listOf(existing).map((entry) => [entry.name, entry]));
  return listeners.map((listener) => ({
    ...old.get(listener.name),
    name: listener.name,
    supportedKinds: listener.supportedKinds,
    attachedRoutes: listener.attachedRoutes,
    conditions: mergeConditions(old.get(listener.name)?.conditions, listener.conditions, at),
  }));
}

/**
 * Entries of one controller name are ours to replace; the rest stays in place. The API takes at most 32 parents and 16 ancestors.
 * Spec: nothing is added to a list that is full, so those that are there keep their place and newcomers go without one.
 */
function mergeEntries(
  existing: unknown,
  refField: "parentRef" | "ancestorRef",
  { controllerName, entries }: { readonly controllerName: string; readonly entries: readonly ParentEntry[] },
  at: Moment,
): readonly Raw[] {
  const remaining = [...entries];
  const merged: Raw[] = [];
  for (const entry of listOf(existing)) {
    if (entry.controllerName !== controllerName) {
      merged.push(entry);
      continue;
    }
    const index = remaining.findIndex(({ ref }) => sameRef(entry[refField], ref));
    const [found] = index < 0 ? [] : remaining.splice(index, 1);
    if (found) merged.push(entryOf(found, refField, controllerName, entry.conditions, at));
  }
  for (const entry of remaining) merged.push(entryOf(entry, refField, controllerName, undefined, at));
  return merged.slice(0, refField === "ancestorRef" ? 16 : 32);
}

function entryOf(
  { ref, conditions }: ParentEntry,
  refField: string,
  controllerName: string,
  existing: unknown,
  at: Moment,
): Raw {
  return { [refField]: ref, controllerName, conditions: mergeConditions(existing, conditions, at) };
}

const refFields = ["group", "kind", "namespace", "name", "sectionName", "port"] as const;

function sameRef(a: unknown, b: ParentEntry["ref"]): boolean {
  if (!isRecord(a)) return false;
  return refFields.every((field) => (a[field] ?? undefined) === (b[field] ?? undefined));
}

function listOf(value: unknown): readonly Raw[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function isCondition(value: Raw): value is Raw & Condition {
  return typeof value.type === "string" && typeof value.lastTransitionTime === "string";
}
