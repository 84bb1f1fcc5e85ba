/*
 * Spec: each listener must be distinct: connections and requests must belong to exactly one.
 *
 * Among a Gateway's own listeners all that cannot be told apart are refused: none is picked as the winner. ListenerSets come
 * after the Gateway, oldest first, and their listeners one by one: what came before stays, the newcomer is refused.
 *
 * Listeners of one port run in lanes, by what the port speaks and (for protocol TLS) the TLS mode. Within a lane only the same hostname
 * collides; other lanes collide as a whole, unless they may be mixed. So the usual port, with one lane, costs one look-up per listener.
 */
import { findProtocol } from "./listener-protocols.ts";
import type { Conflict, Section } from "./section.ts";

interface Lane {
  readonly family: string;
  readonly mode: string | undefined;
  readonly byHostname: Map<string, number[]>;
}

/** By position in the list. Sections that are refused for other reasons take part in no conflict. */
export function judgeConflicts(
  sections: readonly Section[],
  features: ReadonlySet<string>,
): ReadonlyMap<number, Conflict> {
  const conflicts = new Map<number, Conflict>();
  const ports = new Map<string, Map<string, Lane>>();
  for (const [index, section] of sections.entries()) {
    if (section.refusal) continue;
    const lanes = ports.get(section.listener) ?? new Map<string, Lane>();
    ports.set(section.listener, lanes);
    const own = laneOf(section, lanes, features);
    for (const rival of rivalsOf(section, own, lanes)) {
      const other = sections[rival];
      if (!other) continue;
      const amongGatewayListeners = section.ownerKind === "Gateway" && other.ownerKind === "Gateway";
      // A refused listener of a ListenerSet leaves its place to others. One of the Gateway does not: nobody may take what its
      // owner has claimed, and it takes its neighbours down with it.
      if (conflicts.has(rival) && other.ownerKind === "ListenerSet") continue;
      const conflict = describePair(section, other, features);
      if (!conflict) continue;
      if (!conflicts.has(index)) conflicts.set(index, conflict);
      const mirrored = amongGatewayListeners ? describePair(other, section, features) : undefined;
      if (mirrored && !conflicts.has(rival)) conflicts.set(rival, mirrored);
    }
    const peers = own.byHostname.get(section.hostname);
    if (peers) peers.push(index);
    else own.byHostname.set(section.hostname, [index]);
  }
  return conflicts;
}

function laneOf(section: Section, lanes: Map<string, Lane>, features: ReadonlySet<string>): Lane {
  const family = findProtocol(section.spec.protocol, features)?.family ?? "";
  const mode = section.spec.protocol === "TLS" ? section.spec.tls?.mode : undefined;
  const key = `${family}/${mode ?? ""}`;
  const lane = lanes.get(key) ?? { family, mode, byHostname: new Map<string, number[]>() };
  lanes.set(key, lane);
  return lane;
}

function* rivalsOf(section: Section, own: Lane, lanes: ReadonlyMap<string, Lane>): Iterable<number> {
  for (const lane of lanes.values()) {
    const isMixed = lane.mode !== undefined && own.mode !== undefined && lane.mode !== own.mode;
    if (lane.family === own.family && !isMixed) yield* lane.byHostname.get(section.hostname) ?? [];
    else for (const indexes of lane.byHostname.values()) yield* indexes;
  }
}

function describePair(section: Section, other: Section, features: ReadonlySet<string>): Conflict | undefined {
  const { protocol: name, port, tls } = section.spec;
  const protocol = findProtocol(name, features);
  if (protocol?.family !== findProtocol(other.spec.protocol, features)?.family) {
    return {
      reason: "ProtocolConflict",
      message: `port ${port}: protocol ${name} cannot share the port with ${other.spec.protocol} of ${nameOf(other, section)}`,
    };
  }
  if (!protocol?.byHostname) {
    return { reason: "ListenerConflict", message: `port ${port} is taken by ${nameOf(other, section)}` };
  }
  if (section.hostname === other.hostname) {
    const hostname = section.hostname === "*" ? "no hostname" : `hostname ${section.hostname}`;
    return {
      reason: "HostnameConflict",
      message: `port ${port}: ${nameOf(other, section)} has ${hostname} too; give each listener its own`,
    };
  }
  if (features.has("TLSRouteModeMixed") || name !== "TLS" || other.spec.protocol !== "TLS") return undefined;
  return {
    reason: "ProtocolConflict",
    isUnsupported: true,
    message: `port ${port}: tls.mode ${tls?.mode} cannot share the port with ${other.spec.tls?.mode} of ${nameOf(other, section)}`,
  };
}

/** Spec: a ListenerSet must not learn what its siblings are; the Gateway it knows. */
function nameOf(other: Section, reader: Section): string {
  if (other.owner === reader.owner) return `listener ${other.spec.name}`;
  return other.ownerKind === "Gateway"
    ? `listener ${other.spec.name} of its Gateway`
    : "a listener of another ListenerSet";
}
