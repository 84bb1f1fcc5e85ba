import { describe, expect, it } from "vitest";
import { contractCases } from "../../../src/driver-kit/index.ts";
import type { Driver } from "../../../src/drivers/index.ts";
import { hostedEnvoy } from "../../../src/infrastructure/host/index.ts";
import { need } from "../../components/need.ts";

/** Envoy joins folded lines and drops a bare CR before it reads a field. */
const repairs = ["a folded header", "a bare CR in a header"];

/** One test for each case of the contract; `wrap` may stand between the case and the driver. */
export function describeEnvoyContract(title: string, wrap: (driver: Driver) => Driver): void {
  describe(title, () => {
    for (const { name, run } of contractCases(hostedEnvoy().features)) {
      it(name, { timeout: 60_000 }, async (context) => {
        const binary = need(context, "envoy");
        const createDriver = () => wrap(hostedEnvoy({ binary, concurrency: 2, grace: 2_000 }));
        await expect(run({ createDriver, repairs })).resolves.toBeUndefined();
      });
    }
  });
}
