import type { Driver } from "../drivers/index.ts";
import type { Metric } from "./admin/index.ts";

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
  /** While stopping: how long connections without a request stay open, ms, since one may be on its way. */
  readonly idleGrace?: number;
  /** Gets one record per request; what is in it is for the log. */
  readonly accessLog?: (record: object) => void;
  /** Gets sentences that a user should read. */
  readonly notify?: (notice: string) => void;
}

export interface ChosenDriver {
  readonly driver: Driver;
  metrics(): readonly Metric[];
  /** How many are open now. */
  connections(): Promise<number>;
}
