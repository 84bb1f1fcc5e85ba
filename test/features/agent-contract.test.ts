import { describe, expect, it } from "vitest";
import { contractCases } from "../../src/driver-kit/index.ts";
import { embeddedDriver } from "../../src/drivers/index.ts";
import { driverBehindChannel } from "../agent/agent-in-process.ts";

const createDriver = () => driverBehindChannel(() => embeddedDriver({ limits: { grace: 2_000 } }));

describe("an agent keeps the contract of the driver that it runs", () => {
  for (const { name, run } of contractCases(embeddedDriver().features)) {
    it(name, { timeout: 60_000 }, async () => {
      await expect(run({ createDriver })).resolves.toBeUndefined();
    });
  }
});
