import { describe, expect, it } from "vitest";
import { findingPath } from "./finding-path.ts";
import type { ShownObject } from "./shown-object.ts";

const gateway: ShownObject = {
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "Gateway",
  metadata: { name: "web" },
  spec: { listeners: [{ name: "http" }, { name: "https" }] },
};
const pathOf = (message: string, part?: string) =>
  findingPath(
    { type: "Accepted", status: "False", reason: "x", message, ...(part === undefined ? {} : { part }) },
    gateway,
  );

describe("the field that a finding is about", () => {
  it.each([
    ["spec.parentRefs[0]: Gateway shop/wbe does not exist", undefined, ["spec", "parentRefs", 0]],
    [
      "No rule can be served: spec.rules[1].matches[0].path: no",
      undefined,
      ["spec", "rules", 1, "matches", 0, "path"],
    ],
    ["tls.certificateRefs[0]: Secret a/b does not exist", "listener https", ["spec", "listeners", 1]],
    [
      "metadata.annotations[nginx.ingress.kubernetes.io/use-regex]: no",
      undefined,
      ["metadata", "annotations", "nginx.ingress.kubernetes.io/use-regex"],
    ],
    ["nothing of that kind", "listener gone", []],
    ["nothing at all", undefined, []],
  ])("%s", (message, part, path) => {
    expect(pathOf(message, part)).toEqual(path);
  });
});
