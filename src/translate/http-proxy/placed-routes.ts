// A route at one place in an inclusion tree: its conditions together with those of the includes above it, as a rule of an HTTPRoute.

import type { RequestMatch } from "../../model/index.ts";
import type { HTTPCORSFilter, HTTPPathMatch, HTTPRouteFilter, HTTPRouteRule } from "../../resources/index.ts";
import type { RuleExtras } from "../layers.ts";
import { mergeConditions, type Conditions, type MergedConditions } from "./conditions.ts";
import type { FindingList } from "./findings.ts";
import { problem } from "./proxy-problem.ts";
import type { JudgedRoute } from "./routes.ts";

/** What a virtual host gives to all of its routes that have none of their own. */
export interface VirtualHostPolicies {
  readonly cors?: HTTPCORSFilter;
  readonly clientAddresses?: RuleExtras["clientAddresses"];
  readonly rateLimit?: RuleExtras["rateLimit"];
}

export interface PlacedRule {
  /** `spec.routes[0]` */
  readonly field: string;
  /** Of each backendRef, its index in `services`. */
  readonly serviceIndexes: readonly number[];
  readonly rule: HTTPRouteRule;
  readonly extras: RuleExtras;
  readonly permitInsecure: boolean;
}

export function placeRoute(
  route: JudgedRoute,
  inherited: Conditions,
  policies: VirtualHostPolicies,
  findings: FindingList,
): PlacedRule | undefined {
  const conditions = mergeConditions([...inherited, ...route.conditions]);
  if ("problem" in conditions) {
    const { part, wrong } = conditions.problem;
    const message = `${route.field}.conditions, with those of the includes above: ${wrong}`;
    return findings.error(problem("RouteError", `${part}MatchConditionsNotValid`, message));
  }
  const { merged } = conditions;
  const path = pathFilters(route, merged, findings);
  if (!path) return undefined;
  const { session, retry, timeouts, backendRefs } = route;
  const { clientAddresses, rateLimit } = policies;
  return {
    field: route.field,
    serviceIndexes: route.serviceIndexes,
    permitInsecure: route.permitInsecure,
    rule: {
      matches: [{ path: pathOf(merged) }],
      filters: joinRewrites([...route.filters, ...path, ...corsFilters(policies)]),
      backendRefs,
      timeouts,
      ...(retry && { retry }),
      ...(session && { sessionPersistence: session }),
    },
    extras: {
      ...(clientAddresses && { clientAddresses }),
      ...(rateLimit && { rateLimit }),
      ...route.extras,
      ...matchExtras(merged),
    },
  };
}

/** A rule for what an include would have taken, if there were something to include. */
export function brokenInclude(conditions: Conditions, field: string, why: string): PlacedRule | undefined {
  const result = mergeConditions(conditions);
  if ("problem" in result) return undefined;
  const { merged } = result;
  return {
    field,
    serviceIndexes: [],
    permitInsecure: false,
    rule: { matches: [{ path: pathOf(merged) }] },
    extras: { ...matchExtras(merged), blocked: `${field}: ${why}` },
  };
}

/** The rule that sends clients of plain HTTP to HTTPS. Who may not come in is told so before. */
export function secureRule({ field, rule, extras }: PlacedRule): PlacedRule {
  const { clientAddresses, match } = extras;
  return {
    field,
    serviceIndexes: [],
    permitInsecure: false,
    rule: {
      matches: rule.matches,
      filters: [{ type: "RequestRedirect", requestRedirect: { scheme: "https", statusCode: 301 } }],
    },
    extras: { toSecurePort: true, ...(clientAddresses && { clientAddresses }), ...(match && { match }) },
  };
}

const pathTypes = { exact: "Exact", prefix: "PathPrefix", regex: "RegularExpression" } as const;

function pathOf({ path }: MergedConditions): HTTPPathMatch {
  return { type: pathTypes[path.type], value: path.value };
}

function matchExtras({ headers, queryParams }: MergedConditions): {
  readonly match?: Pick<RequestMatch, "headers" | "queryParams">;
} {
  return headers.length + queryParams.length > 0 ? { match: { headers, queryParams } } : {};
}

function corsFilters({ cors }: VirtualHostPolicies): readonly HTTPRouteFilter[] {
  return cors ? [{ type: "CORS", cors }] : [];
}

/**
 * Spec: the replacement whose prefix is exactly that of the route, in the whole tree, or else the one without a prefix. Both kinds, and a redirect to another prefix, need a
 * route whose path is a prefix.
 */
function pathFilters(
  { field, redirect, replacements }: JudgedRoute,
  { path }: MergedConditions,
  findings: FindingList,
): readonly HTTPRouteFilter[] | undefined {
  const filters: HTTPRouteFilter[] = [];
  if (replacements.length > 0) {
    if (path.type !== "prefix") {
      const message = `${field}.pathRewritePolicy: a prefix can be replaced only where the path is a prefix`;
      return findings.error(problem("PrefixReplaceError", "MustHavePrefix", message));
    }
    const found =
      replacements.find(({ prefix = "" }) => prefix !== "" && withoutTrailingSlash(prefix) === path.value) ??
      replacements.find(({ prefix = "" }) => prefix === "");
    if (found) {
      const replacePrefixMatch = found.replacement;
      filters.push({
        type: "URLRewrite",
        urlRewrite: { path: { type: "ReplacePrefixMatch", replacePrefixMatch } },
      });
    }
  }
  if (redirect) {
    const { scheme, hostname, port, statusCode = 302 } = redirect;
    if (redirect.prefix !== undefined && path.type !== "prefix") {
      const message = `${field}.requestRedirectPolicy.prefix: a prefix can be replaced only where the path is a prefix`;
      return findings.error(problem("RouteError", "RequestRedirectPolicy", message));
    }
    filters.push({
      type: "RequestRedirect",
      requestRedirect: {
        ...(scheme !== undefined && { scheme }),
        ...(hostname !== undefined && { hostname }),
        ...(port !== undefined && { port }),
        statusCode,
        ...(redirect.path !== undefined && {
          path: { type: "ReplaceFullPath", replaceFullPath: redirect.path } as const,
        }),
        ...(redirect.prefix !== undefined && {
          path: { type: "ReplacePrefixMatch", replacePrefixMatch: redirect.prefix } as const,
        }),
      },
    });
  }
  return filters;
}

function withoutTrailingSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, "") : path;
}

/** The Host and the path are rewritten by one filter of an HTTPRoute. */
function joinRewrites(filters: readonly HTTPRouteFilter[]): readonly HTTPRouteFilter[] {
  const rewrites = filters.flatMap(({ urlRewrite }) => urlRewrite ?? []);
  if (rewrites.length < 2) return filters;
  const rest = filters.filter(({ type }) => type !== "URLRewrite");
  return [
    ...rest,
    { type: "URLRewrite", urlRewrite: Object.assign({}, ...rewrites) as (typeof rewrites)[number] },
  ];
}
