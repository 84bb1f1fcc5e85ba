import type { BackendTarget } from "./backend.ts";

/** Names are lower-case. Order of work: remove, set, add. */
export interface HeaderChanges {
  readonly set: readonly HeaderValue[];
  readonly add: readonly HeaderValue[];
  readonly remove: readonly string[];
}

export interface HeaderValue {
  readonly name: string;
  readonly value: string;
}

export type PathChange =
  | { readonly type: "full"; readonly value: string }
  /** Replaces `prefix` (the rule's own path match) by `value`; the result never has a double slash at the seam. */
  | { readonly type: "prefix"; readonly prefix: string; readonly value: string };

export interface Redirect {
  /** Absent: the request's own. */
  readonly scheme?: "http" | "https";
  readonly hostname?: string;
  /**
   * The port in Location, decided already from the API's rules: a number, or `listener`: the port the client
   * came in by. Left out of Location where it is the scheme's own (80, 443).
   */
  readonly port: number | "listener";
  readonly path?: PathChange;
  readonly statusCode: 301 | 302 | 303 | 307 | 308;
}

export interface Rewrite {
  readonly hostname?: string;
  readonly path?: PathChange;
}

export interface Mirror {
  readonly target: BackendTarget;
  /** Share of requests mirrored: numerator of denominator. */
  readonly numerator: number;
  readonly denominator: number;
}

export interface CorsPolicy {
  /** Exact origins, `*`, or with a wildcard in the host (`https://*.example.com`, any number of labels). */
  readonly allowOrigins: readonly string[];
  readonly allowCredentials: boolean;
  readonly allowMethods: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  /** Seconds. */
  readonly maxAge: number;
}

/** Asked before the request goes on; anything but a clear yes refuses it. */
export interface ExternalAuth {
  readonly protocol: "grpc" | "http";
  readonly target: BackendTarget;
  /** `http` only: put before the request's path. */
  readonly pathPrefix: string;
  /** Lower-case names of the client's headers that are sent along (beside the ones the protocol always sends); `all` for gRPC without a list. */
  readonly requestHeaders: readonly string[] | "all";
  /** `http` only: lower-case names of headers of a yes that are copied into the request to the backend. */
  readonly responseHeaders: readonly string[] | "all";
  /** Bytes of the body that are sent along; 0: none. */
  readonly maxBodySize: number;
}
