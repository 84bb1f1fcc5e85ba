/*
 * Cross-origin requests, as the comments on the API's HTTPCORSFilter say. The client enforces; the gateway answers
 * pre-flight requests itself and marks the answers of backends.
 *
 * - Without Origin a request has nothing to do with CORS. OPTIONS with Origin and Access-Control-Request-Method is a
 *   pre-flight request, which the gateway answers. Everything else goes to the backend and its answer gets headers.
 * - An origin that is not allowed gets no CORS header; refusing it is the client's work.
 * - `*` for origins, methods and headers is never sent: what was asked for is sent back. The API leaves the choice
 *   where credentials are not allowed, and demands this where they are; Envoy does it always.
 * - `*` for exposed headers has nothing to echo: it is sent, but not with credentials, where it would have no meaning.
 * - `Vary: Origin` is sent to allowed and refused origins alike, so that no cache serves one with the other's answer.
 */
import type { CorsPolicy, HeaderValue } from "./filter.ts";

export interface CorsRequest {
  readonly method: string;
  /** Of the headers Origin, Access-Control-Request-Method and -Headers; `undefined` where there is none. */
  readonly origin: string | undefined;
  readonly requestMethod: string | undefined;
  readonly requestHeaders: string | undefined;
}

export type CorsVerdict =
  | { readonly type: "not applicable" }
  /** The gateway answers, with an empty body. */
  | {
      readonly type: "preflight";
      readonly allowed: boolean;
      readonly status: 200;
      readonly headers: readonly HeaderValue[];
    }
  /** The request goes on. The headers replace those of the same name in the answer, but `vary` is added to the backend's. */
  | { readonly type: "actual"; readonly allowed: boolean; readonly headers: readonly HeaderValue[] };

const notApplicable: CorsVerdict = { type: "not applicable" };
const vary: HeaderValue = { name: "vary", value: "Origin" };

export function judgeCors(policy: CorsPolicy, request: CorsRequest): CorsVerdict {
  const { origin, requestMethod } = request;
  if (!origin) return notApplicable;
  const allowed = policy.allowOrigins.some((pattern) => allowsOrigin(pattern, origin));
  const isPreflight = request.method === "OPTIONS" && !!requestMethod;
  const headers: HeaderValue[] = [];
  const add = (name: string, value: string | undefined) => {
    if (value) headers.push({ name: `access-control-${name}`, value });
  };
  if (allowed) {
    add("allow-origin", origin);
    if (policy.allowCredentials) add("allow-credentials", "true");
    if (isPreflight) {
      add("allow-methods", listOf(policy.allowMethods, requestMethod));
      add("allow-headers", listOf(policy.allowHeaders, request.requestHeaders));
      add("max-age", String(policy.maxAge));
    }
    add("expose-headers", listOf(policy.exposeHeaders, policy.allowCredentials ? undefined : "*"));
  }
  headers.push(vary);
  return isPreflight
    ? { type: "preflight", allowed, status: 200, headers }
    : { type: "actual", allowed, headers };
}

/** As a header value, with `instead` for a list that allows everything. */
function listOf(values: readonly string[], instead: string | undefined): string | undefined {
  return values.includes("*") ? instead : values.join(", ");
}

/** Schemes and hosts have no case. A port that is the scheme's own may be left out on either side. */
function allowsOrigin(pattern: string, origin: string): boolean {
  if (pattern === "*" || pattern === origin) return true;
  const wanted = parseOrigin(pattern);
  const given = parseOrigin(origin);
  if (!wanted || !given || wanted.scheme !== given.scheme || wanted.port !== given.port) return false;
  const star = wanted.host.indexOf("*");
  if (star < 0) return wanted.host === given.host;
  const before = wanted.host.slice(0, star);
  const after = wanted.host.slice(star + 1);
  return (
    given.host.length > before.length + after.length &&
    given.host.startsWith(before) &&
    given.host.endsWith(after)
  );
}

const originForm = /^(https?):\/\/([a-z0-9._*-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?$/;

function parseOrigin(origin: string): { scheme: string; host: string; port: string } | undefined {
  const parts = originForm.exec(origin.toLowerCase());
  if (!parts) return undefined;
  const scheme = parts[1]!;
  return { scheme, host: parts[2]!, port: parts[3] ?? (scheme === "https" ? "443" : "80") };
}
