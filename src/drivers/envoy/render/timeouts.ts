import type { Timeouts } from "../../../model/index.ts";
import type { RouteAction } from "../generated/messages.ts";

/** As long as with the embedded gateway; ms. */
const silence = 300_000;

/**
 * Envoy has a time-out of its own if it is not told another; 0 is none. Where a time-out was switched off on purpose, an exchange may also
 * be silent for as long as it likes, unless the rule says how long. (The time per try is part of the retry policy.)
 */
export function renderTimeouts({
  request,
  backendRequest,
  idle,
}: Timeouts): Pick<RouteAction, "timeout" | "idleTimeout"> {
  return {
    timeout: request ?? 0,
    idleTimeout: idle ?? (request === 0 || backendRequest === 0 ? 0 : silence),
  };
}
