import type { ResourceType } from "../../kubernetes/index.ts";

export const secrets: ResourceType = {
  group: "",
  version: "v1",
  plural: "secrets",
  kind: "Secret",
  namespaced: true,
};
