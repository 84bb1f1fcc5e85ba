import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../kubernetes/index.ts";
import { isGateNamed } from "./openshift-feature-gate.ts";

const gate = "GatewayExtraMinimalOCG";
const featureGate = (spec: object, status: object = {}): KubernetesObject => ({
  apiVersion: "config.openshift.io/v1",
  kind: "FeatureGate",
  metadata: { name: "cluster" },
  spec,
  status,
});

describe("an experiment's gate on OpenShift", () => {
  it.each<[string, KubernetesObject | undefined, boolean]>([
    ["no object", undefined, false],
    ["a set of previews", featureGate({ featureSet: "DevPreviewNoUpgrade" }), false],
    ["named", featureGate({ featureSet: "CustomNoUpgrade", customNoUpgrade: { enabled: [gate] } }), true],
    [
      "named, and disabled by the platform",
      featureGate(
        { featureSet: "CustomNoUpgrade", customNoUpgrade: { enabled: [gate] } },
        { featureGates: [{ disabled: [{ name: gate }] }] },
      ),
      false,
    ],
    ["named without the set", featureGate({ customNoUpgrade: { enabled: [gate] } }), false],
  ])("4.16: %s", (_, object, isOn) => {
    expect(isGateNamed(object, gate)).toBe(isOn);
  });
});
