import type { BindRules } from "../bind-rules.ts";

export interface NginxOptions extends BindRules {
  /** The program; found where distributions put it by default. */
  readonly program?: string;
  /** Everything that NGINX reads and writes is kept in a new folder here. Default: the system's folder for temporary files. */
  readonly folder?: string;
  /** Workers of the NGINX of each listener. Default: as many as there are processors, at most 4. */
  readonly workers?: number;
  /** How long connections may go on after their listener was removed, or the driver stopped, ms. Default: 30 s. */
  readonly grace?: number;
  /** Gets one record per request. Default: none are kept. */
  readonly accessLog?: (record: object) => void;
  /** Signs what clients carry for session persistence. Proxies of one Gateway share it. Default: one of this process's own. */
  readonly sessionSecret?: Buffer;
  /** Gets sentences that a user should read and that are no problems, like a port that was mapped. */
  readonly notify?: (notice: string) => void;
}
