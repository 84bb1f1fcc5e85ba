/*
 * Each folder of fleet/ has a fleet.yaml, what differs from the fleet of a plain Gateway, and objects.yaml, all that must run for it.
 * `npm run golden -- --update` writes the objects anew.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dump, load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { renderFleet } from "../../src/infrastructure/kubernetes/fleet-objects.ts";
import { standardNames } from "../../src/infrastructure/kubernetes/fleet-names.ts";
import { fleetOf } from "../infrastructure/fleets.ts";

const root = join(import.meta.dirname, "fleet");
const context = {
  names: standardNames,
  images: { envoy: "example.com/envoy:v1", gatewright: "example.com/gatewright:v1" },
  channel: "gatewright.gatewright-system.svc:18000",
  networkPolicy: true,
};

describe.each(readdirSync(root))("fleet %s", (name) => {
  it("5.10: becomes the objects that are written down", async () => {
    const given = load(readFileSync(join(root, name, "fleet.yaml"), "utf8")) as Parameters<typeof fleetOf>[0];
    const objects = renderFleet(fleetOf(given), context).map(({ object }) => object);
    const text = objects.map((object) => dump(shown(object), { lineWidth: 140, noRefs: true })).join("---\n");
    await expect(text).toMatchFileSnapshot(join(root, name, "objects.yaml"));
  });
});

/** What Envoy's files say is for the driver's tests. */
function shown(object: object): unknown {
  return JSON.parse(
    JSON.stringify(object, (key, value: unknown) => {
      if (key === "gatewright.dev/bootstrap") return "(hash)";
      return key.endsWith(".json") ? "(content)" : value;
    }),
  );
}
