import { onTestFinished } from "vitest";
import {
  kubernetesClient,
  type KubernetesClient,
  type KubernetesClientOptions,
  type ResourceType,
} from "../../src/kubernetes/index.ts";
import { ApiServer, type ApiServerOptions } from "./api-server.ts";

/** A server, which goes with the test. */
export async function startServer(
  types: readonly ResourceType[],
  options: ApiServerOptions = {},
): Promise<ApiServer> {
  const server = await ApiServer.start(types, options);
  onTestFinished(() => server.stop());
  return server;
}

export function clientOf(
  server: ApiServer,
  options: Partial<KubernetesClientOptions> = {},
): KubernetesClient {
  const client = kubernetesClient({
    credentials: server.credentials(),
    userAgent: "gatewright-test",
    fieldManager: "gatewright",
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}
