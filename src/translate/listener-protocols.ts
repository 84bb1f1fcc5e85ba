import { gatewayGroup } from "./settings.ts";

export type RouteKind = "HTTPRoute" | "GRPCRoute" | "TLSRoute" | "TCPRoute" | "UDPRoute";

interface Protocol {
  readonly transport: "tcp" | "udp";
  /** What the proxy speaks on the port; listeners of one port must agree. */
  readonly family: "http" | "tls" | "tcp" | "udp";
  /** Kinds of routes that can attach, as far as the driver claims them. */
  readonly kinds: readonly RouteKind[];
  /** Whether hostnames tell listeners of one port apart. */
  readonly byHostname: boolean;
}

const protocols: ReadonlyMap<string, Protocol> = new Map<string, Protocol>([
  ["HTTP", { transport: "tcp", family: "http", kinds: ["HTTPRoute", "GRPCRoute"], byHostname: true }],
  ["HTTPS", { transport: "tcp", family: "tls", kinds: ["HTTPRoute", "GRPCRoute"], byHostname: true }],
  ["TLS", { transport: "tcp", family: "tls", kinds: ["TLSRoute"], byHostname: true }],
  ["TCP", { transport: "tcp", family: "tcp", kinds: ["TCPRoute"], byHostname: false }],
  ["UDP", { transport: "udp", family: "udp", kinds: ["UDPRoute"], byHostname: false }],
]);

/** The protocol, or `undefined` where neither we nor the driver know it. */
export function findProtocol(name: string, features: ReadonlySet<string>): Protocol | undefined {
  const protocol = protocols.get(name);
  return protocol?.kinds.some((kind) => features.has(kind)) ? protocol : undefined;
}

export function knownProtocols(features: ReadonlySet<string>): string[] {
  return [...protocols.keys()].filter((name) => findProtocol(name, features) !== undefined);
}

export interface KindSelection {
  readonly kinds: readonly RouteKind[];
  /** As the user wrote them: what this listener cannot serve. */
  readonly refused: readonly string[];
}

/** Spec: `allowedRoutes.kinds`, or all kinds that fit the protocol. */
export function selectKinds(
  asked: readonly { readonly group: string; readonly kind: string }[] | undefined,
  protocol: Protocol | undefined,
  features: ReadonlySet<string>,
): KindSelection {
  const possible = (protocol?.kinds ?? []).filter((kind) => features.has(kind));
  if (asked === undefined || asked.length === 0) return { kinds: possible, refused: [] };
  const kinds = new Set<RouteKind>();
  const refused: string[] = [];
  for (const { group, kind } of asked) {
    const found = group === gatewayGroup ? possible.find((candidate) => candidate === kind) : undefined;
    if (found) kinds.add(found);
    else refused.push(group === gatewayGroup ? kind : `${group || "core"}/${kind}`);
  }
  return { kinds: [...kinds], refused };
}
