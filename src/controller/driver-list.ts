/** The one list of drivers that can be chosen by name. */
import type { ChosenDriver, LocalDriverOptions } from "./chosen-driver.ts";
import { embeddedDriver, nginxDriver } from "../drivers/index.ts";
import { embeddedMetrics } from "./embedded-metrics.ts";
import { localEnvoy } from "./local-envoy.ts";
import { localHaproxy } from "./local-haproxy.ts";
import { nginxMetrics } from "./nginx-metrics.ts";
import type { DriverName } from "./names/index.ts";

export function chooseDriver(name: DriverName, options: LocalDriverOptions = {}): ChosenDriver {
  switch (name) {
    case "embedded": {
      const { idleGrace = 0 } = options;
      const driver = embeddedDriver({ ...options, httpLimits: { idleGrace } });
      return {
        driver,
        metrics: () => embeddedMetrics(driver.describe()),
        connections: async () =>
          driver.describe().listeners.reduce((sum, { counters }) => sum + counters.active, 0),
      };
    }
    case "envoy":
      return localEnvoy(options);
    case "haproxy":
      return localHaproxy(options);
    case "nginx": {
      const driver = nginxDriver(options);
      return {
        driver,
        metrics: () => nginxMetrics(driver.describe()),
        connections: () => driver.connections(),
      };
    }
  }
}
