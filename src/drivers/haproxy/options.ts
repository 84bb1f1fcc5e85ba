import type { BindRules } from "../bind-rules.ts";

export interface HaproxyOptions extends BindRules {
  /** The program. Default: `haproxy` on the search path. */
  readonly executable?: string;
  /** Where sockets, keys and configuration are kept; made with mode 0700. Default: a new folder among the system's temporary ones. */
  readonly folder?: string;
  /** Default: as many as there are processors. */
  readonly threads?: number;
  readonly limits?: Partial<HaproxyLimits>;
  /** Gets one entry per request. Default: none are kept. */
  readonly accessLog?: (record: object) => void;
  /** Seals what clients carry for session persistence. Proxies of one Gateway share it. Default: one of this driver's own. */
  readonly sessionSecret?: Buffer;
  /** Gets sentences that a user should read and that are no problems. */
  readonly notify?: (notice: string) => void;
}

/** Times are milliseconds. */
export interface HaproxyLimits {
  /** How long requests and connections may go on after the driver was stopped. */
  readonly grace: number;
  /** How long connections may stay with a process that has been replaced. */
  readonly drain: number;
  /** Replaced processes that may still have connections; the oldest of more is ended. */
  readonly draining: number;
  /** First and longest wait before a port that could not be opened, or a process that died, is tried again. */
  readonly retryFirst: number;
  readonly retryMost: number;
  /** For a new process to be ready. */
  readonly start: number;
  /** Between two looks at what the names of endpoints stand for. */
  readonly resolve: number;
}

export const defaultLimits: HaproxyLimits = {
  grace: 30_000,
  drain: 3_600_000,
  draining: 20,
  retryFirst: 250,
  retryMost: 10_000,
  start: 20_000,
  resolve: 10_000,
};
