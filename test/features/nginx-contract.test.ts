import { describe, expect, it } from "vitest";
import { contractCases } from "../../src/driver-kit/index.ts";
import { nginxDriver } from "../../src/drivers/nginx/index.ts";
import { need } from "../components/need.ts";

const createDriver = () => nginxDriver({ grace: 2_000, workers: 2 });

describe("the NGINX driver keeps the contract", () => {
  for (const { name, run } of contractCases(nginxDriver().features)) {
    it(name, { timeout: 60_000 }, async (context) => {
      need(context, "nginx");
      await expect(run({ createDriver })).resolves.toBeUndefined();
    });
  }
});
