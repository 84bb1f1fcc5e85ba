/** Bounds on what clients can take up. Times are milliseconds, sizes bytes. */
export interface HttpLimits {
  /** For the head of a request to arrive, from the first byte (or from the connection, for the first request). */
  readonly headersTimeout: number;
  /** A connection without a request. */
  readonly keepAliveTimeout: number;
  /** A request of which nothing moves in either direction. */
  readonly idleTimeout: number;
  /** An upgraded connection without a byte. */
  readonly tunnelIdleTimeout: number;
  /** Request line and headers together: 431 beyond. */
  readonly maxHeadBytes: number;
  /** The target of a request: 414 beyond. */
  readonly maxTargetBytes: number;
  readonly maxHeaders: number;
  /** HTTP/2 streams of one connection at a time. */
  readonly maxConcurrentStreams: number;
  /** HTTP/2 streams that a client may take back within `resetInterval`. */
  readonly maxResets: number;
  readonly resetInterval: number;
  /** Of a request's body, kept so that it can be sent again. Longer ones are not retried. */
  readonly maxReplayBytes: number;
  /** Of a request's body that waits for a mirror; one that lags behind more is given up. */
  readonly maxMirrorLagBytes: number;
  /** For an external authorization server to answer. */
  readonly authTimeout: number;
  /** Of an authorization server's answer that is passed on. */
  readonly maxAuthBodyBytes: number;
  /** For a client to stop sending a body that nobody reads any more. */
  readonly lingerTimeout: number;
  /** While draining: how long a connection without a request stays, since one may be on its way. */
  readonly idleGrace: number;
}

export const defaultHttpLimits: HttpLimits = {
  headersTimeout: 10_000,
  keepAliveTimeout: 60_000,
  idleTimeout: 300_000,
  tunnelIdleTimeout: 300_000,
  maxHeadBytes: 65_536,
  maxTargetBytes: 16_384,
  maxHeaders: 128,
  maxConcurrentStreams: 128,
  maxResets: 200,
  resetInterval: 10_000,
  maxReplayBytes: 65_536,
  maxMirrorLagBytes: 1_048_576,
  authTimeout: 5_000,
  maxAuthBodyBytes: 65_536,
  lingerTimeout: 2_000,
  idleGrace: 0,
};
