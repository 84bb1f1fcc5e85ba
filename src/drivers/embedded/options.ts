import type { AccessLog, HttpLimits } from "./http/index.ts";
import type { EmbeddedLimits } from "./limits.ts";
import type { EmbeddedBindRules } from "./listeners/wanted-sockets.ts";

export interface EmbeddedOptions extends EmbeddedBindRules {
  readonly limits?: Partial<EmbeddedLimits>;
  readonly httpLimits?: Partial<HttpLimits>;
  /** Gets one entry per request. Default: none are kept. */
  readonly accessLog?: AccessLog;
  /** Seals what clients carry for session persistence. Proxies of one Gateway share it. Default: one of this process's own. */
  readonly sessionSecret?: Buffer;
  /** Gets sentences that a user should read and that are no problems, like a port that was mapped. */
  readonly notify?: (notice: string) => void;
}
