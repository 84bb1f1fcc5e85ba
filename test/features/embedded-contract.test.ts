import { describe, expect, it } from "vitest";
import { contractCases } from "../../src/driver-kit/index.ts";
import { embeddedDriver } from "../../src/drivers/index.ts";

const createDriver = () => embeddedDriver({ limits: { grace: 2_000 } });

describe("the embedded driver keeps the contract", () => {
  for (const { name, run } of contractCases(embeddedDriver().features)) {
    it(name, { timeout: 60_000 }, async () => {
      await expect(run({ createDriver })).resolves.toBeUndefined();
    });
  }
});
