/*
 * What a Gateway says of its load balancer and of its names: `LoadBalancerReady` and `DNSReady`, and `DNSReady` of each listener with a hostname. On OpenShift
 * in the words that it has always had; elsewhere with what to look at.
 */
import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { DnsRecordStatus } from "../../resources/index.ts";
import type { Condition, Verdict } from "../../status/index.ts";
import type { DnsDialect, DnsSettings } from "./dns-settings.ts";
import { ingressOf } from "./load-balancer-targets.ts";
import { isManaged, keyOf } from "./record-facts.ts";

export const loadBalancerType = "LoadBalancerReady";
export const dnsType = "DNSReady";
const ownTypes = new Set([loadBalancerType, dnsType]);
/** The API takes no more. */
const mostConditions = 8;

/** Undefined: there is no load balancer to wait for. */
export function judgeLoadBalancer(
  service: KubernetesObject | undefined,
  failure: string | undefined,
  { isLaconic }: DnsDialect,
): Verdict | undefined {
  const verdict = (status: Verdict["status"], reason: string, message: string): Verdict => ({
    type: loadBalancerType,
    status,
    reason,
    message,
  });
  if (!service) return verdict("False", "ServiceNotFound", "The LoadBalancer service resource is missing");
  if (((service["spec"] ?? {}) as { type?: string }).type !== "LoadBalancer") return undefined;
  if (ingressOf(service).length > 0) {
    return verdict("True", "LoadBalancerProvisioned", "The LoadBalancer service is provisioned");
  }
  if (failure !== undefined) {
    const said = "The service-controller component is reporting SyncLoadBalancerFailed events like";
    return verdict("False", "SyncLoadBalancerFailed", `${said}: ${failure}`);
  }
  const which = isLaconic ? "" : `: Service ${keyOf(service)} has no address yet`;
  return verdict("False", "LoadBalancerPending", `The LoadBalancer service is pending${which}`);
}

/** Of a listener with this hostname. */
export function judgeListenerDns(
  hostname: string,
  record: KubernetesObject | undefined,
  settings: DnsSettings,
): Verdict {
  if (settings.zones.length === 0)
    return dns("False", "NoDNSZones", "No DNS zones are defined in the cluster dns config.");
  if (!record) {
    return dns(
      "False",
      "RecordNotFound",
      `There is no DNSRecord for ${hostname}: it is made when the load balancer has an address.`,
    );
  }
  const which = `DNSRecord ${keyOf(record)}`;
  if (!isManaged(record)) {
    const domain = settings.baseDomain ?? "";
    const why = domain === "" ? "there is no base domain" : `${hostname} is not in ${domain}`;
    return dns("Unknown", "UnmanagedDNS", `${which} is unmanaged, so ${hostname} is not published: ${why}.`);
  }
  const { zones = [] } = (record["status"] ?? {}) as DnsRecordStatus;
  if (zones.length === 0) return dns("False", "NoZones", `${which} is not present in any zone yet.`);
  const told = zones.map(({ dnsZone, conditions = [] }) => {
    const found = conditions.find(({ type }) => type === "Published");
    return {
      zone: dnsZone.id ?? JSON.stringify(dnsZone.tags ?? {}),
      status: found?.status ?? "Unknown",
      message: found?.message ?? "",
    };
  });
  const list = (status: string) =>
    told
      .filter((one) => one.status === status)
      .map(({ zone, message }) => `${zone} (${message})`)
      .join(", ");
  const [failed, unknown] = [list("False"), list("Unknown")];
  if (failed !== "")
    return dns("False", "FailedZones", `The record failed to provision in some zones: ${failed}`);
  if (unknown !== "") {
    return dns(
      "False",
      "UnknownZones",
      `Provisioning of the record is in an unknown state in some zones: ${unknown}`,
    );
  }
  return dns("True", "NoFailedZones", "The record is provisioned in all reported zones.");
}

/** Undefined: no listener has a hostname. */
export function judgeGatewayDns(
  listeners: ReadonlyMap<string, Verdict>,
  { isLaconic }: DnsDialect,
): Verdict | undefined {
  if (listeners.size === 0) return undefined;
  const missing = [...listeners].filter(([, { status }]) => status !== "True");
  if (missing.length === 0) return dns("True", "AllListenersReady", "All the listeners have DNS ready");
  const which = isLaconic ? "" : `: ${missing.map(([name, { reason }]) => `${name} (${reason})`).join(", ")}`;
  return dns("False", "SomeListenersNotReady", `One or more listeners have DNS provisioning issues${which}`);
}

export function dns(status: Verdict["status"], reason: string, message: string): Verdict {
  return { type: dnsType, status, reason, message };
}

type Raw = Readonly<Record<string, unknown>>;

export interface SaidOfGateway {
  readonly conditions: readonly Verdict[];
  /** By listener; those that are not in it say nothing of names. */
  readonly listeners: ReadonlyMap<string, Verdict>;
}

export interface Moment {
  readonly generation: number | undefined;
  readonly now: string;
}

/** Conditions of others stay as and where they are; listeners that have no entry yet get none from us. The same object if there is nothing to change. */
export function mergeGatewayStatus(status: Raw | undefined, said: SaidOfGateway, at: Moment): Raw {
  const old = status ?? {};
  const conditions = mergeOwn(old["conditions"], said.conditions, at);
  const before = Array.isArray(old["listeners"]) ? (old["listeners"] as readonly Raw[]) : undefined;
  const listeners = before?.map((entry) => {
    const verdict = said.listeners.get(String(entry["name"]));
    const merged = mergeOwn(entry["conditions"], verdict ? [verdict] : [], at);
    return merged === entry["conditions"] ? entry : { ...entry, conditions: merged };
  });
  const hasListenerNews = listeners?.some((entry, i) => entry !== before?.[i]) ?? false;
  if (conditions === old["conditions"] && !hasListenerNews) return old;
  return { ...old, conditions, ...(hasListenerNews && { listeners }) };
}

function mergeOwn(existing: unknown, verdicts: readonly Verdict[], { generation, now }: Moment): unknown {
  const old = Array.isArray(existing) ? (existing as readonly Condition[]) : [];
  const wanted = new Map(verdicts.map((verdict) => [verdict.type, verdict]));
  let isChanged = false;
  const kept = old.flatMap((condition) => {
    if (!ownTypes.has(condition.type)) return [condition];
    const verdict = wanted.get(condition.type);
    wanted.delete(condition.type);
    const next = verdict && conditionOf(verdict, condition);
    if (next && sameCondition(next, condition)) return [condition];
    isChanged = true;
    return next ? [next] : [];
  });
  const room = Math.max(mostConditions - kept.length, 0);
  const added = [...wanted.values()].slice(0, room).map((verdict) => conditionOf(verdict, undefined));
  return isChanged || added.length > 0 ? [...kept, ...added] : existing;

  function conditionOf({ type, status, reason, message }: Verdict, before: Condition | undefined): Condition {
    return {
      type,
      status,
      reason,
      message: message.slice(0, 32_768),
      observedGeneration: generation ?? 0,
      lastTransitionTime: before?.status === status ? before.lastTransitionTime : now,
    };
  }
}

function sameCondition(a: Condition, b: Condition): boolean {
  return (
    a.status === b.status &&
    a.reason === b.reason &&
    a.message === b.message &&
    a.observedGeneration === b.observedGeneration
  );
}
