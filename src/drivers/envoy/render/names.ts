/*
 * Names that several parts of the configuration must agree on. None of them contains anything that a user wrote, except
 * through `listenerId` and the keys of the model.
 */

import { hash } from "node:crypto";
import type { Listener } from "../../../model/index.ts";
import { constant } from "../messages/index.ts";

/** What the names of our own headers begin with. What a client sent under such a name is removed before anything is read. */
export const internalPrefix = "x-gatewright-";

/** Headers of our own. None is forwarded. */
export const internalHeaders = {
  /** What the scope of a request is found by (see `scopeKeys`), and what the request is (`refused-request.ts`). */
  scope: `${internalPrefix}scope`,
  /** Suffixes of the virtual hosts that are still to be tried. */
  next: `${internalPrefix}next`,
  /** The section that the TLS server name belongs to, where it is not the request's host. */
  section: `${internalPrefix}section`,
  /** The backend that a client's session belongs to. */
  session: `${internalPrefix}session`,
  /** Of answers: the router is to try again. */
  retry: `${internalPrefix}retry`,
} as const;

/** What is about the client's own connection, and what Envoy says of the client beside `X-Forwarded-*`. */
const othersHeaders = ["http2-settings", "x-envoy-external-address", "x-envoy-internal"] as const;

/** No backend is to see them. */
export const hiddenHeaders: readonly string[] = constant([
  ...Object.values(internalHeaders),
  ...othersHeaders,
]);

/**
 * What there may be of them when an exact virtual host without sessions takes a request: the script that found it has removed `next`, and nothing of
 * the others is ever set there. Envoy looks for each of them in every request.
 */
export const hiddenHeadersOfExact: Readonly<Record<"http" | "tls", readonly string[]>> = {
  http: constant([internalHeaders.scope, ...othersHeaders]),
  tls: constant([internalHeaders.scope, internalHeaders.section, ...othersHeaders]),
};

/** HTTP filters by the names that per-route configuration refers to. */
export const httpFilterNames = {
  /** Scripts that look for the virtual host have one name, so that one entry in a virtual host switches them all off. */
  scripts: "gatewright.scripts",
  path: "gatewright.path",
  malformed: "gatewright.malformed",
  trace: "gatewright.trace",
  sessions: "gatewright.sessions",
  admission: "gatewright.admission",
  bodySize: "gatewright.body-size",
  headers: "gatewright.headers",
  cors: "gatewright.cors",
  ruleAuth: "gatewright.rule-auth",
  backendAuth: "gatewright.backend-auth",
  sessionEndpoint: "gatewright.session-endpoint",
  /** Between router and backend. */
  retries: "gatewright.retries",
  router: "gatewright.router",
} as const;

/** Where the access log finds the name of the rule. */
export const logMetadata = "gatewright";

/** A listener's key in the form that scopes are found by: without the characters that have a meaning there. */
export function listenerId(key: string): string {
  return key.replace(/[^A-Za-z0-9./_-]/g, (found) => `=${found.codePointAt(0)!.toString(16)}=`);
}

type ScopeListener = Pick<Listener, "key" | "protocol" | "port">;

/** The listener in a scope's key, with the port that clients name with the host (`:8080`), if it is one that they name. */
export function scopeListener(listener: ScopeListener): string {
  return `${listenerId(listener.key)}${namedPort(listener)}`;
}

function namedPort({ protocol, port }: ScopeListener): string {
  return port === (protocol === "tls" ? 443 : 80) ? "" : `:${port}`;
}

/**
 * Keys of scopes. Only the first kind can be asked for by a request's own host: the others have another character after the
 * listener, so that nobody gets at a wildcard by its name.
 */
export const scopeKeys = {
  /**
   * The host as clients write it who write it plainly: others are looked at first (`lua/hosts.ts`). On TLS with the connection's server name: a
   * request for another host is looked at first, too (`lua/server-names.ts`).
   */
  exact: (listener: ScopeListener, host: string) =>
    `${scopeListener(listener)}|${listener.protocol === "tls" ? `${host}|` : ""}${host}${namedPort(listener)}`,
  /** `suffix` with its leading dot, or `*`. */
  wildcard: (listener: ScopeListener, suffix: string) => `${scopeListener(listener)}~${suffix}`,
  /** Which wildcards there are. */
  index: (listener: ScopeListener) => `${scopeListener(listener)}~`,
  serverName: (listener: ScopeListener, name: string) => `${scopeListener(listener)}!${name}`,
} as const;

/**
 * What a scope is found by: its key, and that nothing in the request's path needs a closer look (a `%`, or a dot at the beginning of a segment). Each is what
 * stands at one place of the scope's header; the question marks make sure that nothing in the path is ever taken for it, which ends before the
 * first of them. They are as few as can be: Envoy looks for the header and cuts it for each of them, twice for every request.
 */
export function scopeFragments(key: string): readonly string[] {
  return [`?${key}${scopeHeaderEnd}`, "?"];
}

/** How the scope's header is cut into these. */
export const scopeSeparators = [
  { elementSeparator: "%", index: 1 },
  { elementSeparator: "/.", index: 1 },
] as const;

/** What stands in the scope's header before the key, behind the path, and what after it; a path without `%` and `/.` leaves these the only places where they are. */
export const scopeHeaderStart = "%?";
export const scopeHeaderEnd = " /.?";

/**
 * The name of the scope with this key: short, because Envoy copies the names of all scopes at every change of one, and those of up to 22 bytes
 * at a fraction of the cost.
 */
export function scopeName(key: string): string {
  return hash("sha256", key, "base64url").slice(0, 20);
}

/** `.example.com` of `*.example.com`; `*` of `*`. */
export function suffixOf(hostname: string): string {
  return hostname === "*" ? "*" : hostname.slice(1);
}

export const secretNames = {
  /** A certificate with its key. */
  certificate: (key: string) => `certificate/${key}`,
  /** The authorities in all of these together. */
  trust: (keys: readonly string[]) => `trust/${keys.toSorted().join(" ")}`,
  /** What is shown to those who ask for a server name. */
  serverName: (key: string) => `server-name/${key}`,
} as const;

/** The cluster of a TCP or UDP listener, or of a server name that is no HTTP: see `stream-cluster.ts`. */
export function streamCluster(key: string): string {
  return `streams/${key}`;
}

/** No cluster has this name: what goes there is answered with the route's status for that. */
export const noCluster = "none";
