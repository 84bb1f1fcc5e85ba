/**
 * How a call to a backend failed before its answer was whole.
 * `connect`: no usable connection (refused, unreachable, TLS not trusted). `overflow`: too many connections already.
 * `reset`: the connection ended in the middle. `timeout`: nothing moved for too long. `protocol`: bytes that are no HTTP.
 */
export type UpstreamFailure = "connect" | "overflow" | "reset" | "timeout" | "protocol";

export class UpstreamError extends Error {
  readonly code: string;
  readonly failure: UpstreamFailure;
  /** The backend has certainly not begun to work on the request, so trying again repeats nothing. */
  readonly unprocessed: boolean;
  /**
   * A kept connection ended before a byte of the answer: most likely the backend closed it while the request was
   * under way, which says nothing about the request (RFC 9112 9.3.1).
   */
  readonly staleConnection: boolean;

  constructor(
    failure: UpstreamFailure,
    message: string,
    options: {
      readonly unprocessed?: boolean;
      readonly staleConnection?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "UpstreamError";
    this.code = `GATEWRIGHT_UPSTREAM_${failure.toUpperCase()}`;
    this.failure = failure;
    this.unprocessed = options.unprocessed ?? (failure === "connect" || failure === "overflow");
    this.staleConnection = options.staleConnection ?? false;
  }
}
