// The filters of a rule, or of one of its backends.
//
// Everything that is wrong is collected, and every reference is followed even when the rule will be dropped, because owners
// want to know all of it at once. Mirrors that lead nowhere are left out (the API says so); an authorisation server that leads nowhere
// refuses all; an extension that is not known answers with an error, for skipping it could skip what protects the backend.

import type { CorsPolicy, ExternalAuth, HeaderChanges, Mirror, Redirect, Rewrite } from "../model/index.ts";
import type { HTTPCORSFilter, HTTPRequestMirrorFilter, HTTPRouteFilter } from "../resources/index.ts";
import { resolveBackendRef, type ResolvedRef } from "./backend-refs.ts";
import { incompatible, lacks, unsupported, type Refusal } from "./content-problems.ts";
import { translateExternalAuth } from "./external-auth.ts";
import { translateHeaderChanges } from "./header-changes.ts";
import { joined, none } from "./lists.ts";
import { translateRedirect, translateRewrite } from "./redirects-and-rewrites.ts";
import type { RouteContext } from "./route-context.ts";

export interface FilterEffects {
  readonly requestHeaders?: HeaderChanges;
  readonly responseHeaders?: HeaderChanges;
  readonly redirect?: Redirect;
  readonly rewrite?: Rewrite;
  readonly cors?: CorsPolicy;
  readonly auth?: ExternalAuth;
  readonly mirrors: readonly Mirror[];
  /** A filter that must not be skipped is not there: the answer is an error, and this says why. */
  readonly blocked?: string;
}

export interface TranslatedFilters {
  readonly effects: FilterEffects;
  readonly refusals: readonly Refusal[];
  readonly refs: readonly ResolvedRef[];
}

export interface FilterQuestion {
  /** `spec.rules[0].filters` */
  readonly field: string;
  /** What requests are; GRPCRoutes have fewer filters of the same shapes. */
  readonly transport: "http" | "grpc";
  /** The path of the rule's one match, if it has just one and that is a prefix. */
  readonly prefix: string | undefined;
}

/** What one filter adds. */
interface Part {
  readonly effects?: Omit<FilterEffects, "mirrors">;
  readonly mirrors?: readonly Mirror[];
  readonly refusals?: readonly Refusal[];
  readonly refs?: readonly ResolvedRef[];
}

export function translateFilters(
  context: RouteContext,
  filters: readonly HTTPRouteFilter[],
  question: FilterQuestion,
): TranslatedFilters {
  const parts = filters.map((filter, index) => translateFilter(context, filter, question, index));
  const effects: FilterEffects = Object.assign({}, ...parts.map((part) => part.effects), {
    mirrors: joined(parts.map((part) => part.mirrors ?? none)),
  });
  const refusals = [
    ...judgeCombination(filters, question.field),
    ...parts.flatMap((part) => part.refusals ?? []),
  ];
  const several = filters.findIndex(
    ({ type }, index) => type === "RequestMirror" && filters.findIndex((one) => one.type === type) < index,
  );
  if (several >= 0) {
    refusals.push(...lacks(context, "HTTPRouteRequestMultipleMirrors", `${question.field}[${several}]`));
  }
  return { effects, refusals, refs: joined(parts.map((part) => part.refs ?? none)) };
}

const repeatable: ReadonlySet<string> = new Set(["RequestMirror", "ExtensionRef"]);

/** Spec: a redirect and a rewrite exclude each other, and most filters may be there only once. */
function judgeCombination(filters: readonly HTTPRouteFilter[], field: string): Refusal[] {
  const types = filters.map(({ type }) => type);
  const refusals = types.flatMap((type, index) =>
    !repeatable.has(type) && types.indexOf(type) < index
      ? [unsupported(`${field}[${index}]`, `${type} is there twice; keep one`)]
      : [],
  );
  if (types.includes("RequestRedirect") && types.includes("URLRewrite")) {
    refusals.push(incompatible(field, "RequestRedirect and URLRewrite cannot be combined; keep one"));
  }
  return refusals;
}

function translateFilter(
  context: RouteContext,
  filter: HTTPRouteFilter,
  { field: list, transport, prefix }: FilterQuestion,
  index: number,
): Part {
  const field = `${list}[${index}]`;
  switch (filter.type) {
    case "RequestHeaderModifier": {
      const { changes, refusals } = translateHeaderChanges(
        filter.requestHeaderModifier ?? {},
        `${field}.requestHeaderModifier`,
      );
      return { effects: { requestHeaders: changes }, refusals };
    }
    case "ResponseHeaderModifier": {
      const { changes, refusals } = translateHeaderChanges(
        filter.responseHeaderModifier ?? {},
        `${field}.responseHeaderModifier`,
      );
      // Core in GRPCRoute, extended in HTTPRoute.
      const missing =
        transport === "http" ? lacks(context, "HTTPRouteResponseHeaderModification", field) : [];
      return { effects: { responseHeaders: changes }, refusals: [...refusals, ...missing] };
    }
    case "RequestMirror":
      return filter.requestMirror
        ? translateMirror(context, filter.requestMirror, field, transport)
        : withoutMember(field, "requestMirror");
    case "RequestRedirect": {
      if (!filter.requestRedirect) return withoutMember(field, "requestRedirect");
      const question = { field: `${field}.requestRedirect`, prefix };
      const { value, refusals } = translateRedirect(context, filter.requestRedirect, question);
      return { effects: { redirect: value }, refusals };
    }
    case "URLRewrite": {
      if (!filter.urlRewrite) return withoutMember(field, "urlRewrite");
      const question = { field: `${field}.urlRewrite`, prefix };
      const { value, refusals } = translateRewrite(context, filter.urlRewrite, question);
      return { effects: { rewrite: value }, refusals };
    }
    case "CORS": {
      if (!filter.cors) return withoutMember(field, "cors");
      const refusals = [
        ...lacks(context, "HTTPRouteCORS", field),
        ...judgeCors(filter.cors, `${field}.cors`),
      ];
      return { effects: { cors: translateCors(filter.cors) }, refusals };
    }
    case "ExternalAuth": {
      if (!filter.externalAuth) return withoutMember(field, "externalAuth");
      const { auth, ref, refusals } = translateExternalAuth(
        context,
        filter.externalAuth,
        `${field}.externalAuth`,
      );
      const missing = lacks(context, "HTTPRouteExternalAuth", field);
      const all = [...missing, ...refusals];
      // What cannot be asked for permission is not let through, even when the rule is dropped.
      const blocked = all.length === 0 ? {} : { blocked: `${field}: requests cannot be authorised` };
      return { effects: { auth, ...blocked }, refusals: all, refs: [ref] };
    }
    case "ExtensionRef":
      return blockedBy(filter.extensionRef, field);
    default:
      return {
        refusals: [unsupported(`${field}.type`, `${String(filter.type)} is not a known type of filter`)],
      };
  }
}

function withoutMember(field: string, member: string): Part {
  return { refusals: [unsupported(field, `${member} is missing`)] };
}

/** Spec: a custom filter that cannot be resolved must not be skipped; its requests are answered with an error. */
function blockedBy(ref: HTTPRouteFilter["extensionRef"], field: string): Part {
  const named = ref ? `${ref.kind} ${ref.name} of group ${ref.group || "core"}` : "nothing";
  const problem = `${named} is not a filter that is known here; remove it`;
  const at = `${field}.extensionRef`;
  const target = { type: "error", status: 500, reason: `${at}: ${problem}` } as const;
  return {
    effects: { blocked: target.reason },
    refs: [
      { target, use: undefined, object: undefined, problem: { reason: "InvalidKind", field: at, problem } },
    ],
  };
}

function translateMirror(
  context: RouteContext,
  { backendRef, percent, fraction }: HTTPRequestMirrorFilter,
  field: string,
  transport: "http" | "grpc",
): Part {
  const at = `${field}.requestMirror`;
  const ref = resolveBackendRef(context, { ref: backendRef, field: `${at}.backendRef`, transport });
  const share = percent !== undefined || fraction !== undefined;
  const refusals = [
    ...lacks(context, "HTTPRouteRequestMirror", field),
    ...(share ? lacks(context, "HTTPRouteRequestPercentageMirror", at) : []),
  ];
  const numerator = fraction?.numerator ?? percent ?? 100;
  const denominator = fraction?.denominator ?? 100;
  const isUsed = ref.target.type === "backend" && numerator > 0;
  const unused = { ...ref, use: undefined };
  return isUsed
    ? { mirrors: [{ target: ref.target, numerator, denominator }], refusals, refs: [ref] }
    : { refusals, refs: [unused] };
}

function translateCors(filter: HTTPCORSFilter): CorsPolicy {
  const { allowOrigins, allowCredentials, allowMethods, allowHeaders, exposeHeaders, maxAge } = filter;
  return {
    allowOrigins: allowOrigins ?? [],
    allowCredentials: allowCredentials ?? false,
    allowMethods: allowMethods ?? [],
    allowHeaders: allowHeaders ?? [],
    exposeHeaders: exposeHeaders ?? [],
    maxAge,
  };
}

/** The API's pattern lets ports through that are none. */
function judgeCors({ allowOrigins = [] }: HTTPCORSFilter, field: string): Refusal[] {
  return allowOrigins.flatMap((origin, index) => {
    const port = Number(/:([0-9]+)$/.exec(origin)?.[1] ?? 1);
    const isPort = port >= 1 && port <= 65_535;
    return isPort ? [] : [unsupported(`${field}.allowOrigins[${index}]`, `${port} is not a port`)];
  });
}
