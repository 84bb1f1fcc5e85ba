import type { Redirect } from "./filter.ts";
import { changePath } from "./path-change.ts";

export interface RedirectedRequest {
  readonly scheme: "http" | "https";
  /** As `normalizeHost` gives it: without port, IPv6 literals in brackets. */
  readonly host: string;
  /** The port of the API's listener that the request came in by, which need not be the one the socket is bound to. */
  readonly listenerPort: number;
  /** Normalised, without the query. */
  readonly path: string;
  /** Without the question mark; empty: none. */
  readonly query: string;
}

const portOfScheme = { http: 80, https: 443 } as const;

/** The value of `Location`. The port is left out where it is the scheme's own; the query is kept. */
export function redirectLocation(redirect: Redirect, request: RedirectedRequest): string {
  const scheme = redirect.scheme ?? request.scheme;
  const host = redirect.hostname ?? request.host;
  const port = redirect.port === "listener" ? request.listenerPort : redirect.port;
  const path = redirect.path ? changePath(request.path, redirect.path) : request.path;
  const shownPort = port === portOfScheme[scheme] ? "" : `:${port}`;
  const query = request.query === "" ? "" : `?${request.query}`;
  return `${scheme}://${host}${shownPort}${path}${query}`;
}
