import { describe, expect, it } from "vitest";
import { contractCases } from "../../src/driver-kit/index.ts";
import { haproxyDriver } from "../../src/drivers/haproxy/index.ts";
import { need } from "../components/need.ts";

const createDriver = () => haproxyDriver({ limits: { grace: 2_000 } });

describe("the HAProxy driver keeps the contract", () => {
  for (const { name, run } of contractCases(createDriver().features)) {
    it(name, { timeout: 60_000 }, async (context) => {
      need(context, "haproxy");
      await expect(run({ createDriver })).resolves.toBeUndefined();
    });
  }
});
