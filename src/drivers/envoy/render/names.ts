/*
 * Names that several parts of the configuration must agree on. None of them contains anything that a user wrote, except
 * through `listenerId` and the keys of the model.
 */

import { hash } from "node:crypto";

/** Headers of our own. Each is removed from what a client sent before anything is read, and before anything is forwarded. */
export const internalHeaders = {
  /** What the scope of a request is found by (see `scopeKeys`), and what the request is (`refused-request.ts`). */
  scope: "x-gatewright-scope",
  /** Suffixes of the virtual hosts that are still to be tried. */
  next: "x-gatewright-next",
  /** The section that the TLS server name belongs to, where it is not the request's host. */
  section: "x-gatewright-section",
  /** The backend that a client's session belongs to. */
  session: "x-gatewright-session",
  /** Of answers: the router is to try again. */
  retry: "x-gatewright-retry",
} as const;

/** No backend is to see them: what is ours, and what Envoy says of the client beside `X-Forwarded-*`. */
export const hiddenHeaders: readonly string[] = [
  ...Object.values(internalHeaders),
  "x-envoy-external-address",
  "x-envoy-internal",
];

/** HTTP filters by the names that per-route configuration refers to. */
export const httpFilterNames = {
  /** Scripts have one name, so that one entry in a virtual host switches them all off, or on again. */
  scripts: "gatewright.scripts",
  /** On TLS, those that compare sections, which are never off. */
  sectionScripts: "gatewright.section-scripts",
  path: "gatewright.path",
  refused: "gatewright.refused",
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

/** Where the access log finds the names of route and rule. */
export const logMetadata = "gatewright";

/** A listener's key in the form that scopes are found by: without the characters that have a meaning there. */
export function listenerId(key: string): string {
  return key.replace(/[^A-Za-z0-9./_-]/g, (found) => `=${found.codePointAt(0)!.toString(16)}=`);
}

/**
 * Keys of scopes. Only the first kind can be asked for by a request's own host: the others have another character after the
 * listener, so that nobody gets at a wildcard by its name.
 */
export const scopeKeys = {
  exact: (listener: string, host: string) => `${listenerId(listener)}|${host}`,
  /** `suffix` with its leading dot, or `*`. */
  wildcard: (listener: string, suffix: string) => `${listenerId(listener)}~${suffix}`,
  /** Which wildcards there are. */
  index: (listener: string) => `${listenerId(listener)}~`,
  serverName: (listener: string, name: string) => `${listenerId(listener)}!${name}`,
} as const;

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
