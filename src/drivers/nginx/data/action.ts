/*
 * What happens to the requests of a rule, as `scripts/requests.js` reads it. Header names and values are checked here once more: what could end a
 * line of a head does not get into the data, and so into no message.
 */
import {
  connectionHeaders,
  encodeAddressRange,
  type ClientAddresses,
  type ExternalAuth,
  type HeaderChanges,
  type HeaderValue,
  type HttpBackend,
  type Mirror,
  type PathChange,
  type RateLimit,
  type Redirect,
  type Rewrite,
  type RuleAction,
} from "../../../model/index.ts";
import { nameOfAction, profileOfAction } from "../config/profile.ts";
import { identifierOf } from "./identifier.ts";

export interface ActionContext {
  /** The port by which clients reach the listener, or another one of its Gateway. */
  readonly portFor: (port: number | "listener") => number;
}

export function renderAction(action: RuleAction, context: ActionContext): object {
  const { kind, namespace, name, rule, ruleName } = action.route;
  return {
    route: `${kind}/${namespace}/${name}`,
    rule: ruleName === undefined ? String(rule) : `${rule}/${ruleName}`,
    isGrpc: action.protocol === "grpc",
    profile: nameOfAction(profileOfAction(action)),
    timeouts: { request: action.timeouts.request ?? 0, backendRequest: action.timeouts.backendRequest ?? 0 },
    requestHeaders: renderHeaderChanges(action.requestHeaders),
    responseHeaders: renderHeaderChanges(action.responseHeaders),
    redirect: renderRedirect(action.redirect, context),
    rewrite: renderRewrite(action.rewrite),
    cors: action.cors,
    auth: renderAuth(action.auth),
    mirrors: action.mirrors.map(renderMirror),
    backends: action.backends.map((backend) => renderBackend(backend, context)),
    retry: action.retry,
    session: renderSession(action.session),
    clientAddresses: renderClientAddresses(action.clientAddresses),
    rateLimit: renderRateLimit(action.rateLimit, [kind, namespace, name, rule].join("/")),
    maxBodySize: action.maxBodySize,
  };
}

function renderClientAddresses(given: ClientAddresses | undefined) {
  if (!given) return undefined;
  const { allow, deny = [], source, trustedProxies = [] } = given;
  return {
    allow: allow?.map(encodeAddressRange),
    deny: deny.map(encodeAddressRange),
    trusted: source === "forwarded" ? trustedProxies.map(encodeAddressRange) : [],
  };
}

/** Other numbers are another bucket. */
function renderRateLimit(limit: RateLimit | undefined, rule: string) {
  if (!limit) return undefined;
  const { requests, interval, burst, statusCode, responseHeaders } = limit;
  return {
    bucket: identifierOf([rule, requests, interval, burst].join(" ")),
    requests,
    interval,
    burst,
    statusCode,
    responseHeaders: responseHeaders.filter(isUsable).map(({ name, value }) => [name, value]),
  };
}

function renderBackend(backend: HttpBackend, context: ActionContext) {
  const { target } = backend;
  return {
    weight: backend.weight,
    ...(target.type === "error" ? { status: target.status } : { backend: identifierOf(target.backend) }),
    requestHeaders: renderHeaderChanges(backend.requestHeaders),
    responseHeaders: renderHeaderChanges(backend.responseHeaders),
    redirect: renderRedirect(backend.redirect, context),
    rewrite: renderRewrite(backend.rewrite),
    cors: backend.cors,
    auth: renderAuth(backend.auth),
    mirrors: (backend.mirrors ?? []).map(renderMirror),
  };
}

/** What frames a message or belongs to the connection is nobody's to change but the gateway's. */
const untouchable: ReadonlySet<string> = new Set([...connectionHeaders, "content-length", "host"]);

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// eslint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0008\u000a-\u001f\u007f]/;

function isUsable({ name, value }: HeaderValue): boolean {
  return !untouchable.has(name) && token.test(name) && !forbidden.test(value);
}

function renderHeaderChanges(changes: HeaderChanges | undefined) {
  if (!changes) return undefined;
  const set = changes.set.filter(isUsable);
  const host = changes.set.findLast(({ name, value }) => name === "host" && !forbidden.test(value))?.value;
  return {
    drop: [...changes.remove.filter((name) => !untouchable.has(name)), ...set.map(({ name }) => name)],
    append: [...set, ...changes.add.filter(isUsable)].map(({ name, value }) => [name, value]),
    ...(host === undefined ? {} : { host }),
  };
}

/** Names that filters of the rule change on requests: gRPC's have to be in the configuration. */
export function changedRequestHeaders(action: RuleAction): readonly string[] {
  return [action, ...action.backends].flatMap(({ requestHeaders }) => {
    const changes = renderHeaderChanges(requestHeaders);
    return changes ? [...changes.drop, ...changes.append.map(([name]) => name!)] : [];
  });
}

function renderPathChange(change: PathChange) {
  const value = asPath(change.value);
  return change.type === "full" ? { full: value } : { prefix: change.prefix, value };
}

/** What could end a path, or the line that it stands in, is escaped. */
function asPath(value: string): string {
  return value.replace(/[^\u0021-\u007e]+|[?#\\"<>^`{|}]/g, (found) =>
    /^[\u0021-\u007e]$/.test(found)
      ? `%${found.charCodeAt(0).toString(16).toUpperCase()}`
      : encodeURIComponent(found.replaceAll(/[\ud800-\udfff]/gu, "\ufffd")),
  );
}

function renderRewrite(rewrite: Rewrite | undefined) {
  if (!rewrite) return undefined;
  const { hostname, path } = rewrite;
  return {
    ...(hostname === undefined || forbidden.test(hostname) ? {} : { hostname }),
    ...(path ? { path: renderPathChange(path) } : {}),
  };
}

function renderRedirect(redirect: Redirect | undefined, { portFor }: ActionContext) {
  if (!redirect) return undefined;
  const { scheme, hostname, port, path, statusCode } = redirect;
  return {
    scheme,
    hostname,
    port: portFor(port),
    statusCode,
    ...(path ? { path: renderPathChange(path) } : {}),
  };
}

function renderMirror({ target, numerator, denominator }: Mirror) {
  return {
    ...(target.type === "backend" ? { backend: identifierOf(target.backend) } : {}),
    numerator,
    denominator,
  };
}

function renderAuth(auth: ExternalAuth | undefined) {
  if (!auth) return undefined;
  const { target, ...rest } = auth;
  const prefix = asPath(auth.pathPrefix).replace(/\/$/, "");
  return {
    ...rest,
    pathPrefix: prefix === "" || prefix.startsWith("/") ? prefix : `/${prefix}`,
    ...(target.type === "backend" ? { backend: identifierOf(target.backend) } : { isUnusable: true }),
  };
}

function renderSession(session: RuleAction["session"]) {
  return session && token.test(session.name)
    ? { ...session, absoluteTimeout: session.absoluteTimeout ?? 0 }
    : undefined;
}
