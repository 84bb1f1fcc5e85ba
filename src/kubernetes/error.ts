/**
 * Why a request did not do what was asked:
 *
 *   KUBERNETES_REFUSED      the API server answered with an error; `status` and `reason` say which
 *   KUBERNETES_UNREACHABLE  no connection, or it broke before the answer was complete
 *   KUBERNETES_TIMEOUT      no complete answer in time
 *   KUBERNETES_BAD_ANSWER   an answer that no API server gives
 *   KUBERNETES_CREDENTIALS  no credentials, or they cannot be read
 *   KUBERNETES_OVERLOADED   too many requests wait already
 *   KUBERNETES_BAD_NAME     a name that no object can have
 *   KUBERNETES_CLOSED       the client was closed
 */
export type KubernetesErrorCode =
  | "KUBERNETES_REFUSED"
  | "KUBERNETES_UNREACHABLE"
  | "KUBERNETES_TIMEOUT"
  | "KUBERNETES_BAD_ANSWER"
  | "KUBERNETES_CREDENTIALS"
  | "KUBERNETES_OVERLOADED"
  | "KUBERNETES_BAD_NAME"
  | "KUBERNETES_CLOSED";

export interface KubernetesErrorFacts {
  readonly code: KubernetesErrorCode;
  /** HTTP status; 0 where there was no answer. */
  readonly status?: number;
  /** Of the answer's Status object: `NotFound`, `Conflict`, `Forbidden`, … */
  readonly reason?: string;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

export class KubernetesError extends Error {
  override readonly name = "KubernetesError";
  readonly code: KubernetesErrorCode;
  readonly status: number;
  readonly reason: string;
  /** Seconds, as the server asked for. */
  readonly retryAfter?: number;

  constructor(message: string, { code, status = 0, reason = "", retryAfter, cause }: KubernetesErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.reason = reason;
    if (retryAfter !== undefined) this.retryAfter = retryAfter;
  }

  get isNotFound(): boolean {
    return this.status === 404;
  }

  /** Somebody else changed the object in between (not: it exists already). */
  get isConflict(): boolean {
    return this.status === 409 && !this.isAlreadyExists;
  }

  get isAlreadyExists(): boolean {
    return this.status === 409 && this.reason === "AlreadyExists";
  }

  get isForbidden(): boolean {
    return this.status === 403;
  }

  get isUnauthorized(): boolean {
    return this.status === 401;
  }

  /** The resource version or the continue token is too old. */
  get isGone(): boolean {
    return this.status === 410;
  }

  /** The object itself is refused: the same request would be refused again. */
  get isInvalid(): boolean {
    return this.status === 422 || this.status === 400;
  }
}

/** Anything that was thrown, as an error of ours. */
export function asKubernetesError(error: unknown, doing: string): KubernetesError {
  if (error instanceof KubernetesError) return error;
  return new KubernetesError(`${doing}: ${messageOf(error)}`, {
    code: "KUBERNETES_UNREACHABLE",
    cause: error,
  });
}

/** Node puts what happened into `errors` when several addresses were tried, and leaves the message empty. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
