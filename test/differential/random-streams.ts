/*
 * Listeners whose routes take connections, not requests: TLS by server name, ended here or passed on, TCP, and UDP. Through all of
 * them but the last, clients send the same HTTP/1.1 requests as elsewhere, so that the answer tells where they went.
 */
import { http1Backends, tlsBackend, udpBackend } from "./echo-backends.ts";
import type { Lots } from "./lots.ts";

export const tlsPort = 8443;
export const tcpPort = 9000;
export const udpPort = 5353;
export const streamPorts = [tlsPort, tcpPort, udpPort] as const;

type Fields = Readonly<Record<string, unknown>>;

export interface StreamWorld {
  readonly listeners: readonly Fields[];
  readonly objects: readonly object[];
  readonly hasUdp: boolean;
}

const sections = [
  { name: "tls-passed", hostname: "*.shop.test", mode: "Passthrough" },
  { name: "tls-ended", hostname: "a.shop.test", mode: "Terminate" },
  { name: "tls-others", hostname: "*.test", mode: "Passthrough" },
] as const;

export function randomStreams(lots: Lots, needs: Set<string>, namespace: string): StreamWorld {
  for (const feature of ["TLSRoute", "TLSRouteModeTerminate", "TLSRouteModeMixed", "TCPRoute"])
    needs.add(feature);
  const hasUdp = lots.chance(25);
  if (hasUdp) needs.add("UDPRoute");
  const object = (kind: string, name: string, spec: Fields) => ({
    apiVersion: kind === "TLSRoute" ? "gateway.networking.k8s.io/v1" : "gateway.networking.k8s.io/v1alpha2",
    kind,
    metadata: { name, namespace },
    spec,
  });
  const backend = (section: string) => {
    if (lots.chance(15)) return { name: "gone", port: 80 };
    return {
      name: section === "tls-ended" || section === "tcp" ? lots.pick(http1Backends) : tlsBackend,
      port: 80,
    };
  };
  const parent = (sectionName: string) => [{ name: "web", sectionName }];
  const routes = sections
    .filter(() => lots.chance(85))
    .map(({ name, hostname }) =>
      object("TLSRoute", name, {
        parentRefs: parent(name),
        hostnames: lots.chance(60)
          ? [hostname]
          : [lots.pick(["a.shop.test", "b.shop.test", "*.a.shop.test", "x.test"])],
        rules: [{ backendRefs: [backend(name)] }],
      }),
    );
  if (lots.chance(85))
    routes.push(
      object("TCPRoute", "tcp", { parentRefs: parent("tcp"), rules: [{ backendRefs: [backend("tcp")] }] }),
    );
  if (hasUdp)
    routes.push(
      object("UDPRoute", "udp", {
        parentRefs: parent("udp"),
        rules: [{ backendRefs: [{ name: udpBackend, port: 80 }] }],
      }),
    );
  const listeners = [
    ...sections.map(({ name, hostname, mode }) => ({
      name,
      port: tlsPort,
      protocol: "TLS",
      hostname,
      tls: { mode, ...(mode === "Terminate" && { certificateRefs: [{ name: "first" }] }) },
    })),
    { name: "tcp", port: tcpPort, protocol: "TCP" },
    ...(hasUdp ? [{ name: "udp", port: udpPort, protocol: "UDP" }] : []),
  ];
  return { listeners, objects: routes, hasUdp };
}
