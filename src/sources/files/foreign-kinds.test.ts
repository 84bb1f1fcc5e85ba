import { expect, it } from "vitest";
import { describeForeignKind, judgeForeignKind } from "./foreign-kinds.ts";

it("passes over what Kubernetes itself has without a word", () => {
  expect(judgeForeignKind({ apiVersion: "apps/v1", kind: "Deployment" })).toBeUndefined();
  expect(judgeForeignKind({ apiVersion: "extensions/v1beta1", kind: "DaemonSet" })).toBeUndefined();
});

it("knows a kind of ours by the group that it was in before", () => {
  const foreign = judgeForeignKind({ apiVersion: "extensions/v1beta1", kind: "Ingress" });
  expect(foreign).toMatchObject({ mayBeOurs: true });
  expect(foreign && describeForeignKind(foreign)).toBe(
    "extensions/v1beta1 Ingress is not a kind that Gatewright reads (did you mean networking.k8s.io/v1 Ingress?)",
  );
});
