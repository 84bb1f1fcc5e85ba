import { Readable } from "node:stream";
import { dryRun, type DryRun, type DryRunOptions } from "../../src/controller/index.ts";
import { makeCertificate } from "../certificates.ts";

/** What would become of objects that are given as YAML. */
export function dryRunOf(...texts: readonly string[]): Promise<DryRun> {
  const stdin = Readable.from([texts.join("\n---\n")]);
  return dryRun({ paths: ["-"], stdin, driver: "embedded", layers });
}

/** As the command line sets them for files. */
const layers: NonNullable<DryRunOptions["layers"]> = {
  gateway: "default/ingress",
  gatewayClass: "gatewright",
  ingresses: {
    controllers: ["gatewright.dev/ingress"],
    names: ["gatewright"],
    byName: false,
    withoutClass: true,
    ignoreClass: false,
  },
  httpProxies: { classes: ["gatewright", "contour"], withoutClass: true },
};

/** A Secret in namespace shop with a certificate for `names`. */
export async function secretYaml(name: string, names: readonly string[]): Promise<string> {
  const { certificates, privateKey } = await makeCertificate({ names });
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace: "shop" },
    type: "kubernetes.io/tls",
    stringData: { "tls.crt": certificates, "tls.key": privateKey },
  });
}

/** A Service with one endpoint for each address, or with none. */
export function serviceYaml(name: string, ...addresses: readonly string[]): string {
  const service = `apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: shop }
spec: { ports: [{ name: http, port: 80 }] }
`;
  if (addresses.length === 0) return service;
  return `${service}---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: ${name}, namespace: shop, labels: { kubernetes.io/service-name: ${name} } }
addressType: IPv4
ports: [{ name: http, port: 8080 }]
endpoints: [${addresses.map((address) => `{ addresses: [${address}] }`).join(", ")}]
`;
}
