/** Objects as they stand in an API server. */
import type { ResourceType } from "../../src/kubernetes/index.ts";
import type { ObjectBody } from "./api-server.ts";
import { kinds, type ResourceKind } from "../../src/resources/index.ts";

/** The type of a kind, in its newest version unless said otherwise. */
export function typeOf(kind: ResourceKind, version?: string): ResourceType {
  const definition = kinds.get(kind);
  if (!definition) throw new Error(kind);
  const { group, plural, namespaced } = definition;
  return { group, version: version ?? definition.version, plural, kind, namespaced };
}

export const allTypes: readonly ResourceType[] = [...kinds.keys()].map((kind) => typeOf(kind));

export const httpRoute = (name: string, path = "/", namespace = "shop"): ObjectBody => ({
  metadata: { name, namespace },
  spec: {
    parentRefs: [{ group: "gateway.networking.k8s.io", kind: "Gateway", name: "main" }],
    rules: [
      {
        matches: [{ path: { type: "PathPrefix", value: path } }],
        backendRefs: [{ group: "", kind: "Service", name: "web", port: 8080, weight: 1 }],
      },
    ],
  },
});

export const secret = (name: string, namespace = "shop"): ObjectBody => ({
  metadata: { name, namespace },
  type: "Opaque",
  data: { key: "dmFsdWU=" },
});

export const namespace = (name: string): ObjectBody => ({
  metadata: { name, labels: { "kubernetes.io/metadata.name": name } },
});
