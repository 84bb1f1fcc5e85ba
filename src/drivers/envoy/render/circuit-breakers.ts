import type { RetryBudget } from "../../../model/index.ts";
import type { CircuitBreakers } from "../generated/messages.ts";
import { constant } from "../messages/index.ts";

/** Load is the business of whoever sizes the backend: Envoy's own bounds are for meshes, and turn away at 1,024 connections. */
const unbounded = 1_000_000;
/** Senders of datagrams can be made up, and each has a socket of its own for a minute. */
const mostSessions = 16_384;

export function renderCircuitBreakers(budget?: RetryBudget): CircuitBreakers {
  return {
    thresholds: [
      {
        maxConnections: unbounded,
        maxPendingRequests: unbounded,
        maxRequests: unbounded,
        // Bounds what is under way; how many there are is counted by the backend's own filter (`retry.ts`).
        ...(budget
          ? {
              retryBudget: {
                budgetPercent: { value: budget.percent },
                budgetInterval: budget.interval,
                minRetryConcurrency: Math.max(1, budget.minRetries),
              },
            }
          : { maxRetries: unbounded }),
      },
    ],
  };
}

export const noBounds = constant(renderCircuitBreakers());
export const boundedSessions: CircuitBreakers = constant({ thresholds: [{ maxConnections: mostSessions }] });
