/** The Services of a world, the endpoints behind them, and how they are spoken to. */
import { grpcAuthServer, httpAuthServer } from "./auth-servers.ts";
import { http1Backends, http2Backend, pairBackend, tlsBackend, udpBackend } from "./echo-backends.ts";
import type { Lots } from "./lots.ts";

/** Names of the certificate that the backend with TLS shows. */
export const tlsBackendName = "secure.internal.test";
/** Name of the ConfigMap with the authority that signed it. */
export const authorities = "authorities";

const speaksHttp2: readonly string[] = [http2Backend, grpcAuthServer];

export function worldServices(
  lots: Lots,
  needs: Set<string>,
  ports: ReadonlyMap<string, number>,
  namespace: string,
): object[] {
  const names = [
    "empty",
    "mirror",
    ...http1Backends,
    http2Backend,
    pairBackend,
    tlsBackend,
    httpAuthServer,
    grpcAuthServer,
  ];
  const service = (name: string, inNamespace: string, fields: object = {}) => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace: inNamespace },
    spec: { ports: [{ port: 80, ...fields }] },
  });
  const services = names.map((name) =>
    service(name, namespace, speaksHttp2.includes(name) ? { appProtocol: "kubernetes.io/h2c" } : {}),
  );
  const slices = [...ports].map(([name, port]) => ({
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      name: `${name}-1`,
      namespace,
      labels: { "kubernetes.io/service-name": name.startsWith(`${pairBackend}-`) ? pairBackend : name },
    },
    addressType: "IPv4",
    ports: [{ port, ...(name === udpBackend && { protocol: "UDP" }) }],
    endpoints: [{ addresses: ["127.0.0.1"] }],
  }));
  needs.add("BackendTLSPolicy");
  return [
    ...services,
    service("one", "elsewhere"),
    service(udpBackend, namespace, { protocol: "UDP" }),
    ...slices,
    {
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "BackendTLSPolicy",
      metadata: { name: tlsBackend, namespace },
      spec: {
        targetRefs: [{ group: "", kind: "Service", name: tlsBackend }],
        validation: {
          // The certificate of another is no certificate.
          hostname: lots.chance(75) ? tlsBackendName : "other.internal.test",
          caCertificateRefs: [{ group: "", kind: "ConfigMap", name: authorities }],
        },
      },
    },
  ];
}
