import type { HostTable } from "../../../model/index.ts";
import type { UpstreamBackend } from "../upstream/index.ts";
import type { AccessLog } from "./access-log.ts";
import type { CompiledVirtualHost } from "./compiled-virtual-host.ts";
import type { HttpLimits } from "./limits.ts";
import type { HttpMetrics } from "./metrics.ts";
import type { SessionTokens } from "./session-persistence.ts";

/** What is configured right now. Asked for every request; what a request got from it stays its own. */
export interface HttpTables {
  virtualHosts(listenerKey: string): HostTable<CompiledVirtualHost> | undefined;
  backend(key: string): UpstreamBackend | undefined;
  /** Where a port of a Gateway is really bound: clients must be redirected there. */
  portFor(gateway: string, port: number): number;
}

/** What all requests share. */
export interface HttpContext {
  readonly tables: HttpTables;
  readonly limits: HttpLimits;
  readonly metrics: HttpMetrics;
  readonly sessions: SessionTokens;
  readonly log: AccessLog | undefined;
  /** ms since 1970. */
  readonly now: () => number;
  readonly onFault: (error: unknown) => void;
}
