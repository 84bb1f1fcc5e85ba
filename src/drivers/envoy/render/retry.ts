/*
 * Tries after the first. The backend's time-out per try is part of Envoy's retry policy, so a rule with that time-out has a policy without
 * tries. Failures to connect are tried again on another endpoint whatever the rule says: the backend has not seen the request.
 */
import type { RuleAction } from "../../../model/index.ts";
import type { RetryPolicy } from "../generated/messages.ts";

/** What the API's retry stanza always retries, beside the codes it lists. */
const failures = "connect-failure,refused-stream,reset,retriable-status-codes";
const unseen = "connect-failure,refused-stream";
const failovers = 2;
const defaultBackoff = 25;

export function renderRetry({ retry, timeouts }: RuleAction): RetryPolicy {
  const perTryTimeout = timeouts.backendRequest ? { perTryTimeout: timeouts.backendRequest } : {};
  // Another endpoint than the one that just failed, if there is one.
  const elsewhere = {
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
  } as const;
  if (!retry || retry.attempts === 0) {
    return { retryOn: unseen, numRetries: failovers, ...perTryTimeout, ...elsewhere };
  }
  const backoff = Math.max(1, retry.backoff || defaultBackoff);
  return {
    retryOn: failures,
    retriableStatusCodes: retry.statusCodes,
    numRetries: retry.attempts,
    retryBackOff: { baseInterval: backoff, maxInterval: backoff * 32 },
    ...perTryTimeout,
    ...elsewhere,
  };
}
