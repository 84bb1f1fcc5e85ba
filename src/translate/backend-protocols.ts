// How a backend is spoken to: from the kind of route, the Service's appProtocol, and whether TLS is used.
//
// Spec: BackendRef, GEP-1911. A protocol that the route cannot speak makes the backend invalid (UnsupportedProtocol).
// Names without a prefix are service names of IANA, which have no case.

import type { Backend } from "../model/index.ts";
import type { XBackend } from "../resources/index.ts";

/** What a route sends: requests, gRPC calls, a byte stream, a byte stream that is TLS already, datagrams. */
export type Transport = "http" | "grpc" | "tcp" | "passthrough" | "udp";

export type JudgedProtocol =
  { readonly protocol: Backend["protocol"] } | { readonly protocol?: undefined; readonly problem: string };

interface ProtocolMeaning {
  readonly speaks: "http" | "h2c" | "websocket";
  readonly needsTls?: boolean;
  readonly feature?: string;
}

const h2cFeature = "HTTPRouteBackendProtocolH2C";
const webSocketFeature = "HTTPRouteBackendProtocolWebSocket";

const meanings: ReadonlyMap<string, ProtocolMeaning> = new Map<string, ProtocolMeaning>([
  ["http", { speaks: "http" }],
  ["https", { speaks: "http", needsTls: true }],
  ["kubernetes.io/h2c", { speaks: "h2c", feature: h2cFeature }],
  ["h2c", { speaks: "h2c", feature: h2cFeature }],
  ["http2", { speaks: "h2c", feature: h2cFeature }],
  ["grpc", { speaks: "h2c", feature: h2cFeature }],
  ["kubernetes.io/ws", { speaks: "websocket", feature: webSocketFeature }],
  ["ws", { speaks: "websocket", feature: webSocketFeature }],
  ["kubernetes.io/wss", { speaks: "websocket", needsTls: true, feature: webSocketFeature }],
  ["wss", { speaks: "websocket", needsTls: true, feature: webSocketFeature }],
]);

export interface ProtocolQuestion {
  readonly transport: Transport;
  readonly appProtocol: string | undefined;
  /** A BackendTLSPolicy holds for the port. */
  readonly usesTls: boolean;
  readonly features: ReadonlySet<string>;
}

export function judgeAppProtocol(question: ProtocolQuestion): JudgedProtocol {
  const { transport, appProtocol, usesTls, features } = question;
  // Bytes are bytes: whatever is spoken on top of them is none of the gateway's business.
  if (transport === "udp") return { protocol: "udp" };
  if (transport === "tcp" || transport === "passthrough") return { protocol: "tcp" };
  // Spec: without appProtocol the route's kind says it.
  if (appProtocol === undefined) return { protocol: transport === "grpc" ? "h2c" : "http" };
  const meaning = meanings.get(appProtocol.toLowerCase());
  const route = transport === "grpc" ? "GRPCRoute" : "HTTPRoute";
  if (!meaning || (transport === "grpc" && meaning.speaks === "websocket")) {
    return { problem: `appProtocol ${appProtocol} cannot be reached from ${aRoute(route)}` };
  }
  if (meaning.needsTls && !usesTls) {
    return { problem: `appProtocol ${appProtocol} needs TLS; say how with a BackendTLSPolicy` };
  }
  // gRPC is HTTP/2, whatever the port calls itself, and every proxy that takes GRPCRoutes speaks it.
  if (transport === "grpc") return { protocol: "h2c" };
  if (meaning.feature !== undefined && !features.has(meaning.feature)) {
    return {
      problem: `the Gateway's proxy cannot speak appProtocol ${appProtocol} (it lacks ${meaning.feature})`,
    };
  }
  return { protocol: meaning.speaks === "h2c" ? "h2c" : "http" };
}

/** Spec: XBackend `spec.protocol`; without it the route decides. */
export function judgeXBackendProtocol(
  transport: Transport,
  protocol: XBackend["spec"]["protocol"],
): JudgedProtocol {
  const refuse = (): JudgedProtocol => ({
    problem: `protocol ${protocol ?? "TCP"} cannot be reached from ${aRoute(routeOf[transport])}`,
  });
  if (transport === "udp") return refuse();
  if (transport === "tcp" || transport === "passthrough") return { protocol: "tcp" };
  switch (protocol) {
    case undefined:
      return { protocol: transport === "grpc" ? "h2c" : "http" };
    case "HTTP":
      return { protocol: transport === "grpc" ? "h2c" : "http" };
    case "HTTP11":
      return transport === "grpc" ? refuse() : { protocol: "http" };
    case "HTTP2":
    case "H2C":
      return { protocol: "h2c" };
    default:
      return refuse();
  }
}

const routeOf = {
  http: "HTTPRoute",
  grpc: "GRPCRoute",
  tcp: "TCPRoute",
  passthrough: "TLSRoute",
  udp: "UDPRoute",
} as const;

function aRoute(kind: string): string {
  return kind === "HTTPRoute" ? `an ${kind}` : `a ${kind}`;
}
