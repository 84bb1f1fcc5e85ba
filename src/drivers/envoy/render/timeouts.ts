import type { Timeouts } from "../../../model/index.ts";
import type { RouteAction } from "../generated/messages.ts";

/**
 * Envoy has a time-out of its own if it is not told another; 0 is none. Where a time-out was switched off on purpose, an exchange may also
 * be silent for as long as it likes. (The time per try is part of the retry policy.)
 */
export function renderTimeouts({
  request,
  backendRequest,
}: Timeouts): Pick<RouteAction, "timeout" | "idleTimeout"> {
  return { timeout: request ?? 0, ...(request === 0 || backendRequest === 0 ? { idleTimeout: 0 } : {}) };
}
