import { identifierOf } from "./identifiers.ts";

/**
 * One way in which requests or connections go to a backend of the model. HAProxy decides many things per backend section, so a
 * backend has a section for each way that is in use.
 */
export interface BackendVariant {
  /** Key of the model's backend. */
  readonly backend: string;
  /** `grpc`: HTTP/2 always, and HAProxy's own answers are gRPC statuses. `tcp`: bytes. */
  readonly mode: "http" | "grpc" | "tcp";
  /** A Lua filter watches the request: it is mirrored, or has a time by which it must be over. */
  readonly watched?: boolean;
}

/** The section's name. */
export function variantName({ backend, mode, watched }: BackendVariant): string {
  return `b-${identifierOf(backend)}-${mode}${watched ? "-watched" : ""}`;
}

/** A section through which requests go that may be tried again; what it sends them to is another section. */
export interface RetryVariant {
  /** After the first. */
  readonly attempts: number;
  readonly watched: boolean;
}

export function retryName({ attempts, watched }: RetryVariant): string {
  return `r-${attempts}${watched ? "-watched" : ""}`;
}
