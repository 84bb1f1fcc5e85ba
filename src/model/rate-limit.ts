import type { HeaderValue } from "./filter.ts";

/**
 * A bucket of tokens, of which each request takes one; a request that finds none is answered with `statusCode`. The bucket holds `requests + burst` tokens, is full
 * at first, and gets `requests` of them back per `interval`: one by one or all at the end of it, as the proxy does. Each rule has a bucket of its own in each
 * proxy: nothing is counted across proxies. Where it has several matches or hostnames, a proxy may keep one for each. A change of the virtual host may fill it again.
 */
export interface RateLimit {
  /** 1 or more. */
  readonly requests: number;
  /** ms; 100 or more. */
  readonly interval: number;
  readonly burst: number;
  /** From 400 to 599, and registered; others may become 429. */
  readonly statusCode: number;
  /** Set on the answers to requests that are over the limit. Ten at most. */
  readonly responseHeaders: readonly HeaderValue[];
}

/** The bucket itself, with the time told to it, ms. Tokens come back one by one. */
export class TokenBucket {
  readonly #capacity: number;
  readonly #perMillisecond: number;
  #tokens: number;
  #time: number;

  constructor({ requests, interval, burst }: RateLimit, time: number) {
    this.#capacity = requests + burst;
    this.#perMillisecond = requests / interval;
    this.#tokens = this.#capacity;
    this.#time = time;
  }

  take(time: number): boolean {
    const passed = Math.max(0, time - this.#time);
    this.#tokens = Math.min(this.#capacity, this.#tokens + passed * this.#perMillisecond);
    this.#time = time;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
