import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { need } from "../test/components/need.ts";
import { readCrdBundle, writeCrdBundle } from "./crd-bundle.mjs";

describe("the bundle of CRDs", () => {
  it("has both channels of the pinned release, with its own policy", (context) => {
    const { version, channels } = readCrdBundle(need(context, "gateway-api"));
    expect(version).toBe("v1.6.3");
    expect(channels.standard.crds).toHaveLength(10);
    expect(channels.experimental.crds).toHaveLength(13);
    for (const [channel, { crds, safeUpgrades }] of Object.entries(channels)) {
      expect([safeUpgrades.policy.kind, safeUpgrades.binding.kind]).toEqual([
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
      ]);
      for (const crd of crds) {
        expect(crd.metadata.annotations).toMatchObject({
          "gateway.networking.k8s.io/bundle-version": "v1.6.3",
          "gateway.networking.k8s.io/channel": channel,
        });
      }
    }
  });

  it("is written beside what reads it", (context) => {
    need(context, "gateway-api");
    const folder = mkdtempSync(join(tmpdir(), "bundle-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    expect(writeCrdBundle(folder)).toBe(true);
    const written = JSON.parse(readFileSync(join(folder, "operator", "crds", "bundle.json"), "utf8"));
    expect(written).toEqual(readCrdBundle());
  });
});
