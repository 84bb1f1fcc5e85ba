/** HAProxy on this machine, as a choice. It is loaded when it is started: who runs without it does not pay for it. */
import { haproxyFeatures } from "../drivers/haproxy/features.ts";
import type { Driver, HaproxyDriver } from "../drivers/index.ts";
import type { ChosenDriver, LocalDriverOptions } from "./chosen-driver.ts";
import { EnvironmentError } from "./environment-error.ts";
import { haproxyMetrics } from "./haproxy-metrics.ts";

export function localHaproxy(options: LocalDriverOptions): ChosenDriver {
  let running: HaproxyDriver | undefined;
  const driver: Driver = {
    name: "haproxy",
    features: haproxyFeatures,
    async start(report) {
      const { haproxyDriver, HaproxyDriverError } = await import("../drivers/haproxy/index.ts");
      running = haproxyDriver(options);
      try {
        await running.start(report);
      } catch (error) {
        if (!(error instanceof HaproxyDriverError)) throw error;
        const isMissing = error.code === "GATEWRIGHT_HAPROXY_MISSING";
        const code = isMissing ? "GATEWRIGHT_PROXY_MISSING" : "GATEWRIGHT_PROXY_FAILED";
        throw new EnvironmentError(code, error.message, { cause: error });
      }
    },
    apply: (changes) => running!.apply(changes),
    stop: async () => running?.stop(),
  };
  return {
    driver,
    metrics: () => (running ? haproxyMetrics(running.describe()) : []),
    connections: async () => (await running?.connections()) ?? 0,
  };
}
