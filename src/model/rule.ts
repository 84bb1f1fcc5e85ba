import type { ClientAddresses } from "./client-addresses.ts";
import type { CorsPolicy, ExternalAuth, HeaderChanges, Mirror, Redirect, Rewrite } from "./filter.ts";
import type { HttpBackend } from "./http-backend.ts";
import type { RouteRule } from "./object-name.ts";
import type { RateLimit } from "./rate-limit.ts";

/** One match of one rule of an HTTPRoute or GRPCRoute (or what another kind became). */
export interface Rule {
  /** `<Kind>/<namespace>/<name>/<rule>/<match>` */
  readonly key: string;
  readonly match: RequestMatch;
  /** Shared (the same object) by all matches of one rule of a route. */
  readonly action: RuleAction;
}

/** All parts that are given must hold. */
export interface RequestMatch {
  readonly path: PathMatch;
  readonly method?: string;
  readonly headers: readonly HeaderMatch[];
  /** The first value of a repeated parameter counts. */
  readonly queryParams: readonly ValueMatch[];
}

/**
 * `prefix` is element-wise and never ends in a slash, except for `/` itself: `/login` takes `/login` and `/login/x`,
 * not `/loginx`. `regex` must match the whole path. Paths are compared after normalisation, without the query.
 */
export type PathMatch = { readonly type: "exact" | "prefix" | "regex"; readonly value: string };

/** Names of headers are lower-case here; values are compared as they are, regular expressions in full. */
export interface ValueMatch {
  readonly name: string;
  readonly type: "exact" | "regex";
  readonly value: string;
}

/**
 * `invert`: holds where it would not otherwise, also for requests without the header. An inverted expression takes the empty value only if it takes every
 * value: `.*` inverted says that the header is absent.
 */
export interface HeaderMatch extends ValueMatch {
  readonly invert?: true;
}

export interface RuleAction {
  readonly route: RouteRule;
  /** `grpc`: answers of the gateway itself are gRPC statuses, and backends speak HTTP/2. */
  readonly protocol: "http" | "grpc";
  readonly requestHeaders?: HeaderChanges;
  readonly responseHeaders?: HeaderChanges;
  readonly redirect?: Redirect;
  readonly rewrite?: Rewrite;
  readonly cors?: CorsPolicy;
  readonly auth?: ExternalAuth;
  readonly mirrors: readonly Mirror[];
  /** Empty and no redirect: 500 (404 for a rule that never had any is not a thing in the API). */
  readonly backends: readonly HttpBackend[];
  readonly timeouts: Timeouts;
  readonly retry?: Retry;
  readonly session?: SessionPersistence;
  /** Looked at before everything else that the rule does. */
  readonly clientAddresses?: ClientAddresses;
  /** Looked at after `clientAddresses`, and before everything else. */
  readonly rateLimit?: RateLimit;
  /**
   * Bytes, 1 or more. A request whose body is larger is answered with 413: at once if its length says so; otherwise when that many have come, and
   * then the backend's request is broken off, so that it never sees a whole one. Absent: no limit of the rule's own. Bytes of upgraded connections do not count.
   */
  readonly maxBodySize?: number;
}

/** Milliseconds; 0 switches the time-out off, absent leaves the proxy's default. */
export interface Timeouts {
  /** From the last byte of the request's head to the last byte of the answer. */
  readonly request?: number;
  /** For each try on a backend. */
  readonly backendRequest?: number;
  /**
   * Without a byte in either direction: 504 if the backend keeps the answer waiting, 408 if the client does not go on with its request; an answer that has
   * begun is broken off. Upgraded connections too.
   */
  readonly idle?: number;
}

export interface Retry {
  /** Answers that are tried again, beside failures to connect and resets, which always are. */
  readonly statusCodes: readonly number[];
  /** Tries after the first. */
  readonly attempts: number;
  /** Least wait between tries, ms. */
  readonly backoff: number;
}

export interface SessionPersistence {
  readonly type: "cookie" | "header";
  /** Name of the cookie or header. */
  readonly name: string;
  /** ms; when over, the client gets a new session. */
  readonly absoluteTimeout?: number;
  /** `permanent` cookies carry Max-Age = absoluteTimeout. */
  readonly lifetime: "session" | "permanent";
  /** Path attribute of the cookie, from the rule's path match; empty: none (a header, or a session that a policy on the backend asks for). */
  readonly path: string;
}
