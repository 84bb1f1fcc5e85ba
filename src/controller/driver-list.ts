/** The one list of drivers that can be chosen by name. */
import { embeddedDriver, haproxyDriver, nginxDriver, type Driver } from "../drivers/index.ts";
import type { Metric } from "./admin/index.ts";
import { embeddedMetrics } from "./embedded-metrics.ts";
import { haproxyMetrics } from "./haproxy-metrics.ts";
import { localEnvoy } from "./local-envoy.ts";
import { nginxMetrics } from "./nginx-metrics.ts";
import { driverNames, type DriverName } from "./names/index.ts";

/** What a driver on one machine may want to know. */
export interface LocalDriverOptions {
  /** Where listeners are bound whose Gateway asks for no address; the driver's own choice if absent. */
  readonly address?: string;
  /** Ports below 1024 are opened 8000 higher, privileges or not. */
  readonly mapPrivilegedPorts?: boolean;
  /** `ignore`: addresses that Gateways ask for belong to something in front of this machine, like a load balancer. */
  readonly listenerAddresses?: "bind" | "ignore";
  /** What proxies of one Gateway seal sessions with; one of this process's own if absent. */
  readonly sessionSecret?: Buffer;
  /** Gets one record per request; what is in it is for the log. */
  readonly accessLog?: (record: object) => void;
  /** Gets sentences that a user should read. */
  readonly notify?: (notice: string) => void;
}

export interface ChosenDriver {
  readonly driver: Driver;
  metrics(): readonly Metric[];
  /** How many are open now. */
  connections(): number;
}

export function chooseDriver(name: DriverName, options: LocalDriverOptions = {}): ChosenDriver {
  switch (name) {
    case "embedded": {
      const driver = embeddedDriver(options);
      return {
        driver,
        metrics: () => embeddedMetrics(driver.describe()),
        connections: () =>
          driver.describe().listeners.reduce((sum, { counters }) => sum + counters.active, 0),
      };
    }
    case "envoy":
      return localEnvoy(options);
    case "haproxy": {
      const driver = haproxyDriver(options);
      return {
        driver,
        metrics: () => haproxyMetrics(driver.describe()),
        connections: () => driver.describe().connections,
      };
    }
    case "nginx": {
      const driver = nginxDriver(options);
      return {
        driver,
        metrics: () => nginxMetrics(driver.describe()),
        connections: () =>
          driver.describe().listeners.reduce((sum, { connections }) => sum + connections.active, 0),
      };
    }
  }
}

/**
 * What each driver states that it can do.
 * @public for scripts/feature-table.mjs
 */
export function driverFeatures(): ReadonlyMap<DriverName, ReadonlySet<string>> {
  return new Map(driverNames.map((name) => [name, chooseDriver(name).driver.features]));
}
