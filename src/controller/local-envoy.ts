/** Envoy on this machine, as a choice. It is loaded when it is started: who runs without it does not pay for it. */
import { envoyFeatures } from "../drivers/envoy/features.ts";
import type { Driver } from "../drivers/index.ts";
import type { HostedEnvoy } from "../infrastructure/host/index.ts";
import type { ChosenDriver, LocalDriverOptions } from "./chosen-driver.ts";
import { EnvironmentError } from "./environment-error.ts";
import { envoyMetrics } from "./envoy-metrics.ts";

export function localEnvoy(options: LocalDriverOptions): ChosenDriver {
  let running: HostedEnvoy | undefined;
  const driver: Driver = {
    name: "envoy",
    features: envoyFeatures,
    async start(report) {
      const { hostedEnvoy, HostError } = await import("../infrastructure/host/index.ts");
      running = hostedEnvoy(options);
      try {
        await running.start(report);
      } catch (error) {
        if (!(error instanceof HostError)) throw error;
        throw new EnvironmentError(error.code, error.message, { cause: error });
      }
    },
    apply: (changes) => running!.apply(changes),
    stop: async () => running?.stop(),
  };
  return {
    driver,
    metrics: () => (running ? envoyMetrics([[{}, running.describe()]]) : []),
    connections: async () => (await running?.connections()) ?? 0,
  };
}
