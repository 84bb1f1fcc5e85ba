/* What a rule does, as the Lua side reads it (lua/gatewright/serve.lua). */
import type {
  BackendTarget,
  CorsPolicy,
  HttpBackend,
  PathChange,
  Redirect,
  Rewrite,
  RouteRule,
  RuleAction,
  Timeouts,
} from "../../../model/index.ts";
import { variantName, type BackendVariant } from "../backend-variant.ts";
import type { Data } from "./bencode.ts";
import { headerChangeData, hostOf } from "./header-change-data.ts";

/** HAProxy has no "never"; this is as good. */
const noTimeout = 24 * 24 * 3_600_000;

export interface ActionData {
  readonly data: Data;
  /** The sections that it sends requests to. */
  readonly variants: readonly BackendVariant[];
}

export function actionData(action: RuleAction): ActionData {
  const variants: BackendVariant[] = [];
  const mode = action.protocol === "grpc" ? "grpc" : "http";
  const nameOf = (backend: string) => {
    const variant: BackendVariant = { backend, mode };
    variants.push(variant);
    return variantName(variant);
  };
  const { route } = action;
  const data: Data = {
    route: routeName(route),
    rule: ruleName(route),
    requestHeaders: headerChangeData(action.requestHeaders),
    responseHeaders: headerChangeData(action.responseHeaders),
    redirect: redirectData(action.redirect),
    rewrite: rewriteData(action.rewrite, hostOf(action.requestHeaders)),
    cors: corsData(action.cors),
    serverTimeout: serverTimeout(action.timeouts),
    backends: action.backends.map((backend) => backendData(backend, nameOf)),
  };
  return { data, variants };
}

export function routeName({ kind, namespace, name }: RouteRule): string {
  return `${kind}/${namespace}/${name}`;
}

function ruleName({ rule, ruleName: name }: RouteRule): string {
  return name === undefined ? String(rule) : `${rule}/${name}`;
}

function serverTimeout({ request, backendRequest }: Timeouts): number | undefined {
  const least = Math.min(request || Infinity, backendRequest || Infinity);
  if (least !== Infinity) return least;
  return request === 0 || backendRequest === 0 ? noTimeout : undefined;
}

function backendData(backend: HttpBackend, nameOf: (backend: string) => string): Data {
  return {
    weight: backend.weight,
    ...targetData(backend.target, nameOf),
    requestHeaders: headerChangeData(backend.requestHeaders),
    responseHeaders: headerChangeData(backend.responseHeaders),
    rewrite: rewriteData(backend.rewrite, hostOf(backend.requestHeaders)),
    redirect: redirectData(backend.redirect),
    cors: corsData(backend.cors),
  };
}

export function targetData(
  target: BackendTarget,
  nameOf: (backend: string) => string,
): { readonly backend: string } | { readonly status: number } {
  return target.type === "backend" ? { backend: nameOf(target.backend) } : { status: target.status };
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
