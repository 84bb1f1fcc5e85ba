/*
 * Cross-origin requests, as the comments on the API's HTTPCORSFilter say. The client enforces; the gateway answers
 * pre-flight requests itself and marks the backend's answers.
 *
 * - No Origin: nothing to do with CORS. OPTIONS with Origin and Access-Control-Request-Method: a pre-flight request, which
 *   the gateway answers with 204. Everything else with an Origin goes to the backend and gets headers on its answer.
 * - An origin that is not allowed gets no CORS headers: 204 without them, or the backend's answer without them.
 * - `*` in a list is echoed, never sent, once credentials are allowed.
 * - `Vary: Origin` goes wherever the answer depends on the origin, also when it was refused, so that caches keep them apart.
 */
import type { CorsPolicy, HeaderValue } from "./filter.ts";

export interface CorsRequest {
  readonly method: string;
  /** The request's headers of these names; absent: `undefined`. */
  readonly origin: string | undefined;
  readonly requestMethod: string | undefined;
  readonly requestHeaders: string | undefined;
}

export type CorsVerdict =
  | { readonly type: "not applicable" }
  /** The gateway answers, with 204 and these headers. */
  | { readonly type: "preflight"; readonly allowed: boolean; readonly headers: readonly HeaderValue[] }
  /**
   * The request goes on; these headers replace those of the same names in the answer, any other `access-control-`
   * header of the backend is dropped, and `vary` is appended to the backend's own.
   */
  | { readonly type: "actual"; readonly allowed: boolean; readonly headers: readonly HeaderValue[] };

export function judgeCors(policy: CorsPolicy, request: CorsRequest): CorsVerdict {
  const { origin } = request;
  if (origin === undefined) return { type: "not applicable" };
  const allowed = policy.allowOrigins.some((pattern) => allowsOrigin(pattern, origin));
  if (request.method === "OPTIONS" && request.requestMethod !== undefined) {
    return { type: "preflight", allowed, headers: preflightHeaders(policy, request, origin, allowed) };
  }
  return { type: "actual", allowed, headers: actualHeaders(policy, origin, allowed) };
}

function preflightHeaders(
  policy: CorsPolicy,
  request: CorsRequest,
  origin: string,
  allowed: boolean,
): HeaderValue[] {
  const headers = originHeaders(policy, origin, allowed);
  if (!allowed) return headers;
  const methods = listed(policy.allowMethods, policy.allowCredentials, request.requestMethod);
  if (methods) headers.push({ name: "access-control-allow-methods", value: methods });
  const names = listed(policy.allowHeaders, policy.allowCredentials, request.requestHeaders);
  if (names) headers.push({ name: "access-control-allow-headers", value: names });
  headers.push({ name: "access-control-max-age", value: String(policy.maxAge) });
  return headers;
}

function actualHeaders(policy: CorsPolicy, origin: string, allowed: boolean): HeaderValue[] {
  const headers = originHeaders(policy, origin, allowed);
  if (!allowed) return headers;
  // The API: with credentials `*` cannot be used here, and there is nothing to echo.
  const exposed = listed(policy.exposeHeaders, policy.allowCredentials, undefined);
  if (exposed) headers.push({ name: "access-control-expose-headers", value: exposed });
  return headers;
}

function originHeaders(policy: CorsPolicy, origin: string, allowed: boolean): HeaderValue[] {
  const answersAnyone = policy.allowOrigins.includes("*") && !policy.allowCredentials;
  if (answersAnyone) return [{ name: "access-control-allow-origin", value: "*" }];
  const headers: HeaderValue[] = [];
  if (allowed) {
    headers.push({ name: "access-control-allow-origin", value: origin });
    if (policy.allowCredentials) headers.push({ name: "access-control-allow-credentials", value: "true" });
  }
  headers.push({ name: "vary", value: "Origin" });
  return headers;
}

/** The list as a header value; a `*` in it is echoed as `asked` where credentials forbid it. */
function listed(
  values: readonly string[],
  credentials: boolean,
  asked: string | undefined,
): string | undefined {
  if (values.length === 0) return undefined;
  if (!values.includes("*")) return values.join(", ");
  return credentials ? asked : "*";
}

/** Schemes and hosts have no case; a port that is the scheme's own may be left out on either side. */
function allowsOrigin(pattern: string, origin: string): boolean {
  if (pattern === "*" || pattern === origin) return true;
  const wanted = originParts(pattern);
  const given = originParts(origin);
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

const originForm = /^(https?):\/\/([^/?#@\s:]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?$/;

function originParts(origin: string): { scheme: string; host: string; port: string } | undefined {
  const parts = originForm.exec(origin.toLowerCase());
  if (!parts) return undefined;
  const scheme = parts[1]!;
  return { scheme, host: parts[2]!, port: parts[3] ?? (scheme === "https" ? "443" : "80") };
}
