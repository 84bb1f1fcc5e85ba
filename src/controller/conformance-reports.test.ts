/** The reports of the official suite that are published, beside what the drivers claim. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { expect, it } from "vitest";
import { driverFeatures } from "./driver-features.ts";
import { driverNames } from "./names/index.ts";

interface Level {
  readonly result: string;
  readonly statistics: { readonly Passed: number; readonly Failed: number; readonly Skipped: number };
  readonly supportedFeatures?: readonly string[];
  readonly unsupportedFeatures?: readonly string[];
}

interface ConformanceReport {
  readonly gatewayAPIVersion: string;
  readonly profiles: readonly { readonly name: string; readonly core: Level; readonly extended: Level }[];
}

const folder = join(import.meta.dirname, "../../conformance/reports");
const fileOf = (driver: string) => `experimental-v0.1.0-${driver}-report.yaml`;

it("there is a report for each driver", () => {
  expect(readdirSync(folder).toSorted()).toEqual(driverNames.map(fileOf).toSorted());
});

it.each(Object.entries(driverFeatures))("the report of %s says what the driver claims", (driver, claimed) => {
  const { gatewayAPIVersion, profiles } = load(
    readFileSync(join(folder, fileOf(driver)), "utf8"),
  ) as ConformanceReport;
  expect(gatewayAPIVersion).toBe("v1.6.3");
  const routes = ["HTTP", "GRPC", "TLS", "TCP", "UDP"].filter((kind) => claimed.has(`${kind}Route`));
  expect(profiles.map(({ name }) => name).toSorted()).toEqual(
    routes.map((kind) => `GATEWAY-${kind}`).toSorted(),
  );
  for (const { core, extended } of profiles) {
    for (const { result, statistics } of [core, extended]) {
      expect(result).toBe("success");
      expect(statistics).toMatchObject({ Failed: 0, Skipped: 0 });
    }
    expect(extended.supportedFeatures!.filter((feature) => !claimed.has(feature))).toEqual([]);
    expect((extended.unsupportedFeatures ?? []).filter((feature) => claimed.has(feature))).toEqual([]);
  }
});
