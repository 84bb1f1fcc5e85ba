import { normalizePath, type PathChange, type Redirect, type Rewrite } from "../model/index.ts";
import {
  judgeHostname,
  type HTTPPathModifier,
  type HTTPRequestRedirectFilter,
  type HTTPURLRewriteFilter,
} from "../resources/index.ts";
import { lacks, unsupported, type Refusal } from "./content-problems.ts";
import type { RouteContext } from "./route-context.ts";

export interface PathQuestion {
  /** Of the filter. */
  readonly field: string;
  /** The path of the rule's one match, if it has just one and that is a prefix. */
  readonly prefix: string | undefined;
}

export interface Translated<T> {
  readonly value: T;
  readonly refusals: readonly Refusal[];
}

const ownFeature: ReadonlyMap<number, string> = new Map([
  [303, "HTTPRoute303RedirectStatusCode"],
  [307, "HTTPRoute307RedirectStatusCode"],
  [308, "HTTPRoute308RedirectStatusCode"],
]);

const portOfScheme = { http: 80, https: 443 } as const;

export function translateRedirect(
  context: RouteContext,
  filter: HTTPRequestRedirectFilter,
  { field, prefix }: PathQuestion,
): Translated<Redirect> {
  const { scheme, hostname, port, path, statusCode } = filter;
  const change = path && translatePathModifier(path, { field: `${field}.path`, prefix });
  const codeFeature = ownFeature.get(statusCode);
  const refusals = [
    ...(scheme !== undefined ? lacks(context, "HTTPRouteSchemeRedirect", `${field}.scheme`) : []),
    ...(port !== undefined ? lacks(context, "HTTPRoutePortRedirect", `${field}.port`) : []),
    ...(path ? lacks(context, "HTTPRoutePathRedirect", `${field}.path`) : []),
    ...(codeFeature !== undefined ? lacks(context, codeFeature, `${field}.statusCode`) : []),
    ...judgeHost(hostname, field),
    ...(change?.refusals ?? []),
  ];
  const value: Redirect = {
    ...(scheme !== undefined && { scheme }),
    ...(hostname !== undefined && { hostname }),
    // Spec: the port that is given, or else the scheme's own if a scheme is given, or else the listener's.
    port: port ?? (scheme === undefined ? "listener" : portOfScheme[scheme]),
    ...(change && { path: change.value }),
    statusCode,
  };
  return { value, refusals };
}

export function translateRewrite(
  context: RouteContext,
  { hostname, path }: HTTPURLRewriteFilter,
  { field, prefix }: PathQuestion,
): Translated<Rewrite> {
  const change = path && translatePathModifier(path, { field: `${field}.path`, prefix });
  const refusals = [
    ...(hostname !== undefined ? lacks(context, "HTTPRouteHostRewrite", `${field}.hostname`) : []),
    ...(path ? lacks(context, "HTTPRoutePathRewrite", `${field}.path`) : []),
    ...judgeHost(hostname, field),
    ...(change?.refusals ?? []),
  ];
  const value: Rewrite = {
    ...(hostname !== undefined && { hostname }),
    ...(change && { path: change.value }),
  };
  return { value, refusals };
}

function judgeHost(hostname: string | undefined, field: string): Refusal[] {
  if (hostname === undefined) return [];
  const problem = hostname.startsWith("*") ? "must not have a wildcard" : judgeHostname(hostname);
  return problem === undefined ? [] : [unsupported(`${field}.hostname`, problem)];
}

function translatePathModifier(
  { type, replaceFullPath, replacePrefixMatch }: HTTPPathModifier,
  { field, prefix }: PathQuestion,
): Translated<PathChange> {
  if (type === "ReplaceFullPath") {
    const value = replaceFullPath || "/";
    return { value: { type: "full", value }, refusals: judgePath(value, `${field}.replaceFullPath`) };
  }
  if (type !== "ReplacePrefixMatch") {
    const problem = `${String(type)} is not a known type of path modifier`;
    return { value: { type: "full", value: "/" }, refusals: [unsupported(`${field}.type`, problem)] };
  }
  const value = withoutTrailingSlashes(replacePrefixMatch ?? "");
  const refusals = judgePath(value, `${field}.replacePrefixMatch`);
  if (prefix === undefined) {
    refusals.push(
      unsupported(
        `${field}.type`,
        "ReplacePrefixMatch needs a rule with exactly one match, of type PathPrefix",
      ),
    );
  }
  return { value: { type: "prefix", prefix: prefix ?? "/", value }, refusals };
}

/** Spec: a trailing slash is ignored. The empty text is the root. */
function withoutTrailingSlashes(path: string): string {
  return path.replace(/\/+$/, "") || "/";
}

/** What is put into a request or a Location must be a path already in the form in which paths are compared. */
function judgePath(path: string, field: string): Refusal[] {
  const target = normalizePath(path);
  const shown = JSON.stringify(path);
  if (!path.startsWith("/")) return [unsupported(field, `${shown} must begin with /`)];
  if ("refused" in target) return [unsupported(field, `${shown} is not a path: ${target.refused}`)];
  if (target.search !== "") return [unsupported(field, `${shown} must not have a query`)];
  return target.path === path ? [] : [unsupported(field, `write ${shown} as ${JSON.stringify(target.path)}`)];
}
