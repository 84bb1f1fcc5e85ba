/* What a rule does, as the Lua side reads it (lua/gatewright/serve.lua). */
import {
  encodeAddressRange,
  type BackendTarget,
  type ClientAddresses,
  type RateLimit,
  type CorsPolicy,
  type ExternalAuth,
  type HttpBackend,
  type Mirror,
  type PathChange,
  type Redirect,
  type Rewrite,
  type RouteRule,
  type RuleAction,
  type SessionPersistence,
  type Timeouts,
} from "../../../model/index.ts";
import { retryName, variantName, type BackendVariant, type RetryVariant } from "../backend-variant.ts";
import { identifierOf } from "../identifiers.ts";
import type { Data } from "./bencode.ts";
import { headerChangeData, headerPairs, hostOf, isFieldName } from "./header-change-data.ts";

/** HAProxy has no "never"; this is as good. */
const noTimeout = 24 * 24 * 3_600_000;

/** What a rule needs HAProxy to have. */
export interface Needs {
  /** The sections that it sends requests to. */
  readonly variants: BackendVariant[];
  readonly retries: RetryVariant[];
  /** Sections whose servers it must know by name. */
  readonly sessions: string[];
}

export function actionData(action: RuleAction, needs: Needs): Data {
  const mode = action.protocol === "grpc" ? "grpc" : "http";
  const { route, timeouts, retry, session, backends } = action;
  const { backendRequest: _, ...whole } = timeouts;
  const { idle: __, ...answer } = timeouts;
  const isWatched =
    !!timeouts.request ||
    !!timeouts.backendRequest ||
    !!timeouts.idle ||
    action.maxBodySize !== undefined ||
    backends.some(hasMirrors) ||
    hasMirrors(action);
  const sectionFor = (variant: BackendVariant): string => {
    needs.variants.push(variant);
    return variantName(variant);
  };
  const via: RetryVariant | undefined = retry && { attempts: retry.attempts, watched: isWatched };
  if (via) needs.retries.push(via);
  const forwardTo = (backend: string): string => {
    const section = sectionFor({ backend, mode, watched: isWatched && !via });
    if (session) needs.sessions.push(section);
    return section;
  };
  const copyTo = (backend: string) => sectionFor({ backend, mode });
  const ask = (auth: ExternalAuth | undefined) =>
    auth &&
    authData(auth, (backend) => sectionFor({ backend, mode: auth.protocol === "grpc" ? "grpc" : "http" }));
  const filters = (filtered: RuleAction | HttpBackend) => ({
    requestHeaders: headerChangeData(filtered.requestHeaders),
    responseHeaders: headerChangeData(filtered.responseHeaders),
    redirect: redirectData(filtered.redirect),
    rewrite: rewriteData(filtered.rewrite, hostOf(filtered.requestHeaders)),
    cors: corsData(filtered.cors),
    auth: ask(filtered.auth),
    mirrors: hasMirrors(filtered) ? filtered.mirrors!.map((mirror) => mirrorData(mirror, copyTo)) : undefined,
  });
  return {
    route: routeName(route),
    rule: ruleName(route),
    ...filters(action),
    backends: backends.map((backend) => ({
      weight: backend.weight,
      ...targetData(backend.target, forwardTo),
      ...filters(backend),
    })),
    needsBody: [action, ...backends].some(({ auth }) => auth && auth.maxBodySize > 0) || undefined,
    clientAddresses: action.clientAddresses && clientAddressData(action.clientAddresses),
    rateLimit: action.rateLimit && rateLimitData(action.rateLimit, route),
    maxBodySize: action.maxBodySize,
    serverTimeout: serverTimeout(timeouts),
    answerTimeout: serverTimeout(answer),
    wholeTimeout: serverTimeout(whole),
    idle: timeouts.idle || undefined,
    requestTimeout: timeouts.request || undefined,
    tryTimeout: timeouts.backendRequest || undefined,
    retry: retry && { ...retry },
    via: via && retryName(via),
    session: session && sessionData(session),
  };
}

function hasMirrors({ mirrors }: { readonly mirrors?: readonly Mirror[] }): boolean {
  return mirrors !== undefined && mirrors.length > 0;
}

function routeName({ kind, namespace, name }: RouteRule): string {
  return `${kind}/${namespace}/${name}`;
}

function ruleName({ rule, ruleName: name }: RouteRule): string {
  return name === undefined ? String(rule) : `${rule}/${name}`;
}

/** How long HAProxy waits for an answer to begin, and then for it to go on. */
function serverTimeout({ request, backendRequest, idle }: Timeouts): number | undefined {
  const least = Math.min(request || Infinity, backendRequest || Infinity, idle || Infinity);
  if (least !== Infinity) return least;
  return request === 0 || backendRequest === 0 || idle === 0 ? noTimeout : undefined;
}

function clientAddressData({ allow, deny, source, trustedProxies }: ClientAddresses): Data {
  return {
    allow: allow?.map(encodeAddressRange),
    deny: (deny ?? []).map(encodeAddressRange),
    trusted: source === "forwarded" ? (trustedProxies ?? []).map(encodeAddressRange) : [],
  };
}

/** Other numbers are another bucket. */
function rateLimitData(limit: RateLimit, route: RouteRule): Data {
  const { requests, interval, burst, statusCode, responseHeaders } = limit;
  const bucket = [routeName(route), route.rule, requests, interval, burst].join(" ");
  return {
    bucket: identifierOf(bucket),
    requests,
    interval,
    burst,
    statusCode,
    responseHeaders: headerPairs(responseHeaders),
  };
}

function targetData(
  target: BackendTarget,
  sectionOf: (backend: string) => string,
): { readonly backend: string } | { readonly status: number } {
  return target.type === "backend" ? { backend: sectionOf(target.backend) } : { status: target.status };
}

function mirrorData(
  { target, numerator, denominator }: Mirror,
  sectionOf: (backend: string) => string,
): Data {
  return {
    numerator,
    denominator,
    backend: target.type === "backend" ? sectionOf(target.backend) : undefined,
  };
}

function authData(auth: ExternalAuth, sectionOf: (backend: string) => string): Data {
  const { target, protocol, pathPrefix, requestHeaders, responseHeaders, maxBodySize } = auth;
  return {
    protocol,
    backend: target.type === "backend" ? sectionOf(target.backend) : undefined,
    pathPrefix: safePrefix(pathPrefix),
    requestHeaders,
    responseHeaders,
    maxBodySize,
    authority: "authorization",
  };
}

/** Only what a path may have, without a slash at its end. */
function safePrefix(prefix: string): string {
  const safe = prefix.replace(/[^-A-Za-z0-9/._~!$&'()*+,;=:@%]/g, "").replace(/\/$/, "");
  return safe === "" || safe.startsWith("/") ? safe : `/${safe}`;
}

function sessionData(session: SessionPersistence): Data | undefined {
  const { type, name, absoluteTimeout, lifetime, path } = session;
  if (!isFieldName(name.toLowerCase())) return undefined;
  return {
    type,
    name: type === "header" ? name.toLowerCase() : name,
    absoluteTimeout: absoluteTimeout || undefined,
    path: /^(\/[\u0021-\u003a\u003c-\u007e]*)?$/.test(path) ? path || undefined : "/",
    maxAge:
      lifetime === "permanent" && absoluteTimeout !== undefined
        ? Math.floor(absoluteTimeout / 1000)
        : undefined,
  };
}

function redirectData(redirect: Redirect | undefined): Data | undefined {
  if (!redirect) return undefined;
  return {
    scheme: redirect.scheme,
    hostname: redirect.hostname,
    port: redirect.port === "listener" ? 0 : redirect.port,
    path: redirect.path && pathData(redirect.path),
    statusCode: redirect.statusCode,
  };
}

function rewriteData(rewrite: Rewrite | undefined, host: string | undefined): Data | undefined {
  const hostname = host ?? rewrite?.hostname;
  if (!rewrite?.path && hostname === undefined) return undefined;
  return { hostname, path: rewrite?.path && pathData(rewrite.path) };
}

function pathData(change: PathChange): Data {
  return { ...change };
}

function corsData(cors: CorsPolicy | undefined): Data | undefined {
  return cors && { ...cors };
}
