/*
 * Tries after the first. Which answers are tried again, and when, is decided by a script between router and backend (`lua/retries.ts`), which marks
 * them; tries without an answer are up to the router. The backend's time-out per try is part of Envoy's retry policy, so every rule has
 * one. Failures to connect are tried again on another endpoint whatever the rule says: the backend has not seen the request.
 */
import type { Retry, RetryBudget, RuleAction } from "../../../model/index.ts";
import type { HttpFilter, JsonObject, RetryPolicy } from "../generated/messages.ts";
import { constant } from "../messages/index.ts";
import { luaFilter } from "./lua/lua-filter.ts";
import { retriesScript } from "./lua/retries.ts";
import { httpFilterNames, internalHeaders } from "./names.ts";

const failures = "connect-failure,refused-stream,reset,retriable-headers";
const unseen = "connect-failure,refused-stream";
const failovers = 2;
const defaultBackoff = 25;

const failover: RetryPolicy = constant({ retryOn: unseen, numRetries: failovers });

/** Another endpoint than the one that just failed, if there is one. */
const elsewhere: RetryPolicy = {
  retryHostPredicate: [
    {
      name: "envoy.retry_host_predicates.previous_hosts",
      typedConfig: {
        type: "envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate",
        value: {},
      },
    },
  ],
  hostSelectionRetryMaxAttempts: 3,
};

export function renderRetry({ retry, timeouts }: RuleAction): RetryPolicy {
  const perTryTimeout = timeouts.backendRequest ? { perTryTimeout: timeouts.backendRequest } : {};
  if (!isRetried(retry)) return timeouts.backendRequest ? { ...failover, ...perTryTimeout } : failover;
  const backoff = backoffOf(retry);
  return {
    retryOn: failures,
    retriableHeaders: [{ name: internalHeaders.retry, presentMatch: true }],
    numRetries: retry.attempts,
    // For tries without an answer: the script has waited already for the others.
    retryBackOff: { baseInterval: backoff, maxInterval: backoff * 32 },
    ...perTryTimeout,
    ...elsewhere,
  };
}

export function isRetried(retry: Retry | undefined): retry is Retry {
  return retry !== undefined && retry.attempts > 0;
}

/** For the script. */
export function retryMetadata(retry: Retry): JsonObject {
  return {
    retryCodes: ` ${retry.statusCodes.join(" ")} `,
    retryAttempts: retry.attempts,
    retryBackoff: backoffOf(retry),
  };
}

function backoffOf({ backoff }: Retry): number {
  return backoff > 0 ? backoff : defaultBackoff;
}

/** What an answer passes between backend and router. Backends with a budget have filters of their own, which know it. */
export function renderUpstreamFilters(budget?: RetryBudget): readonly HttpFilter[] {
  return [
    {
      name: httpFilterNames.retries,
      // Routes with retries switch it on; a budget counts all requests.
      ...(budget ? {} : { disabled: true }),
      typedConfig: luaFilter(retriesScript, budget && { ...budget }),
    },
    {
      name: "gatewright.codec",
      typedConfig: { type: "envoy.extensions.filters.http.upstream_codec.v3.UpstreamCodec", value: {} },
    },
  ];
}
