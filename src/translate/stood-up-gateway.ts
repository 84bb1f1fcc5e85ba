/*
 * The Gateway that serves layers where nobody has made it: plain HTTP on port 80, and with a default certificate HTTPS on port 443 for names
 * that have none of their own. It exists while something asks for it, is written nowhere, and takes no routes of the Gateway API.
 */
import type { Collection, Graph } from "../incremental/index.ts";
import { parseResource, type Gateway } from "../resources/index.ts";
import type { LayerRoute } from "./layers.ts";
import type { LayerSettings } from "./settings.ts";

/** By the Gateway's key: at most the one of the settings. */
export function stoodUpGateways(
  graph: Graph,
  gateways: Collection<Gateway>,
  routes: Collection<LayerRoute>,
  settings: LayerSettings | undefined,
): Collection<Gateway> {
  const counts = graph.count("layer routes by gateway", routes, ({ gateway }) => [gateway]);
  const asked = graph.map("gateways of layers", counts, () => true as const);
  return graph.map("stood-up gateways", asked, (_asked, read, key) =>
    settings && key === settings.gateway && !read.one(gateways, key) ? standUp(settings) : undefined,
  );
}

function standUp({ gateway, gatewayClass, defaultCertificate }: LayerSettings): Gateway | undefined {
  const [namespace, name] = gateway.split("/");
  const http = { name: "http", port: 80, protocol: "HTTP" };
  const https = defaultCertificate && {
    name: "https",
    port: 443,
    protocol: "HTTPS",
    tls: { certificateRefs: [defaultCertificate] },
  };
  const parsed = parseResource({
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "Gateway",
    metadata: { namespace, name },
    spec: { gatewayClassName: gatewayClass, listeners: https ? [http, https] : [http] },
  });
  return parsed.outcome === "resource" && parsed.resource.kind === "Gateway" ? parsed.resource : undefined;
}
