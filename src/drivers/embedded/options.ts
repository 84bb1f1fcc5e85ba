import type { AccessLog } from "./http/access-log.ts";
import type { HttpLimits } from "./http/limits.ts";
import type { EmbeddedLimits } from "./limits.ts";
import type { BindRules } from "./listeners/bind-rules.ts";

export interface EmbeddedOptions extends BindRules {
  readonly limits?: Partial<EmbeddedLimits>;
  readonly httpLimits?: Partial<HttpLimits>;
  /** Gets one entry per request. Default: none are kept. */
  readonly accessLog?: AccessLog;
  /** Gets sentences that a user should read and that are no problems, like a port that was mapped. */
  readonly notify?: (notice: string) => void;
}
