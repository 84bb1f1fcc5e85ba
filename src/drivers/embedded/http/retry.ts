/*
 * Whether and when a failed try is followed by another.
 *
 * Three kinds, in this order:
 * - The backend has not seen the request (no connection, stream refused): another endpoint may be asked at once, whatever
 *   the rule says, each endpoint once and only a few of them. It repeats nothing.
 * - A kept connection broke under a request that may be repeated: once more, on another connection (RFC 9112 9.3.1).
 * - The rule has a retry stanza: for its status codes, resets and time-outs, as often as it says and the backend's
 *   budget allows, after a wait of at least `backoff` that doubles each time, with jitter on top, never below.
 *
 * In all cases the body must still be there to be sent again, and no byte of an answer may have reached the client.
 */
import type { Retry } from "../../../model/index.ts";
import type { UpstreamBackend, UpstreamError } from "../upstream/index.ts";

const mostFailovers = 3;
const defaultBackoff = 25;
const mostDoublings = 5;

const idempotent: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

export type NextTry = { readonly type: "none" } | { readonly type: "again"; readonly after: number };

const none: NextTry = { type: "none" };
const atOnce: NextTry = { type: "again", after: 0 };

export class RetryState {
  readonly #retry: Retry | undefined;
  readonly #method: string;
  readonly #backend: UpstreamBackend;
  #retries = 0;
  #failovers = 0;
  #usedStaleRetry = false;

  constructor(retry: Retry | undefined, method: string, backend: UpstreamBackend) {
    this.#retry = retry;
    this.#method = method;
    this.#backend = backend;
  }

  /** Of an answer with one of the rule's status codes. */
  afterStatus(now: number): NextTry {
    return this.#byRule(now);
  }

  afterError(error: UpstreamError, now: number): NextTry {
    if (error.unprocessed && this.#failovers < Math.min(mostFailovers, this.#backend.endpoints.length) - 1) {
      this.#failovers++;
      return atOnce;
    }
    if (error.staleConnection && !this.#usedStaleRetry && idempotent.has(this.#method)) {
      this.#usedStaleRetry = true;
      return atOnce;
    }
    return this.#byRule(now);
  }

  #byRule(now: number): NextTry {
    const retry = this.#retry;
    if (!retry || this.#retries >= retry.attempts) return none;
    if (this.#backend.retries && !this.#backend.retries.take(now)) return none;
    this.#retries++;
    return { type: "again", after: backoffOf(retry, this.#retries) };
  }
}

/** Before the `count`-th retry, ms. */
export function backoffOf(retry: Retry, count: number): number {
  const least = retry.backoff > 0 ? retry.backoff : defaultBackoff;
  const base = least * 2 ** Math.min(count - 1, mostDoublings);
  // Rounded up: a timer may not end before the least wait.
  return Math.ceil(base * (1 + Math.random() * 0.5)) + 1;
}
