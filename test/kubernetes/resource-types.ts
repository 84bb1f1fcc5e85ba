import type { ResourceType } from "../../src/kubernetes/index.ts";

export const configMaps: ResourceType = {
  group: "",
  version: "v1",
  plural: "configmaps",
  kind: "ConfigMap",
  namespaced: true,
};

export const leases: ResourceType = {
  group: "coordination.k8s.io",
  version: "v1",
  plural: "leases",
  kind: "Lease",
  namespaced: true,
};

export const events: ResourceType = {
  group: "events.k8s.io",
  version: "v1",
  plural: "events",
  kind: "Event",
  namespaced: true,
};

export const httpRoutes: ResourceType = {
  group: "gateway.networking.k8s.io",
  version: "v1",
  plural: "httproutes",
  kind: "HTTPRoute",
  namespaced: true,
};
