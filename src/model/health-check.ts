/**
 * Each endpoint is asked every `interval` whether it is well, and gets traffic only while it is. The first check alone decides at first: an endpoint that was
 * never asked gets none, so a backend's endpoints are asked at once when they come. Later `unhealthyThreshold` checks in a row must fail, or `healthyThreshold` succeed.
 * Endpoints that stay when others come or go keep what is known of them. No endpoint is well: requests are answered with 503 and
 * connections closed, as for a backend without endpoints. Sessions of an endpoint that is not well go to another one.
 *
 * Checks go where requests go: with the backend's TLS, and over HTTP/2 where it speaks that. Backends of UDP are not checked.
 */
export interface HealthCheck {
  /** Path and query of a GET. Absent: opening a connection is enough. */
  readonly path?: string;
  /** The Host header. Absent: the endpoint's address and port. */
  readonly host?: string;
  /** ms, from the end of a check to the next. */
  readonly interval: number;
  /** ms; a check that takes longer has failed. */
  readonly timeout: number;
  readonly unhealthyThreshold: number;
  readonly healthyThreshold: number;
  /** Answers that mean that it is well, both ends included. Empty: 200 alone. */
  readonly expectedStatuses: readonly StatusRange[];
}

export interface StatusRange {
  readonly start: number;
  readonly end: number;
}
