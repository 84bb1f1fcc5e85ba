import { describe, expect, it } from "vitest";
import { toyDriver } from "../../examples/toy-driver.ts";
import { contractCases } from "../../src/driver-kit/index.ts";

describe("the toy driver keeps the contract as far as its claims go", () => {
  for (const { name, run } of contractCases(toyDriver().features)) {
    it(name, { timeout: 60_000 }, async () => {
      await expect(run({ createDriver: toyDriver })).resolves.toBeUndefined();
    });
  }
});
