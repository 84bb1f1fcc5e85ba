// The routes of one HTTPProxy, each judged by itself: all that does not depend on who includes it.
//
// Spec: a route has one of services, requestRedirectPolicy and directResponsePolicy. A mistake in one route takes the whole HTTPProxy out (a service that
// does not exist does not: its share of requests is answered with an error).

import type { Read } from "../../incremental/index.ts";
import type {
  HTTPBackendRef,
  HTTPProxy,
  HTTPProxyReplacePrefix,
  HTTPProxyRequestRedirectPolicy,
  HTTPProxyRoute,
  HTTPRouteFilter,
  HTTPRouteRetry,
  HTTPRouteTimeouts,
  SessionPersistence,
} from "../../resources/index.ts";
import type { BackendExtras, RuleExtras } from "../layers.ts";
import { judgeClientAddresses } from "./client-addresses.ts";
import { judgeBlock, type Conditions } from "./conditions.ts";
import { FindingList, type Findings } from "./findings.ts";
import { judgeHeaderPolicy } from "./header-policies.ts";
import { judgeHealthCheck } from "./health-checks.ts";
import { judgeLoadBalancing } from "./load-balancing.ts";
import { notSupported, problem } from "./proxy-problem.ts";
import { judgeRateLimit } from "./rate-limits.ts";
import { headerFilters, judgeService, weightsOf, type ServiceInputs } from "./services.ts";
import { judgeTimes } from "./timeouts-and-retries.ts";

/** A route without the conditions of those who include it. */
export interface JudgedRoute {
  /** `spec.routes[0]` */
  readonly field: string;
  readonly conditions: Conditions;
  readonly permitInsecure: boolean;
  /** Headers, Host and mirrors. */
  readonly filters: readonly HTTPRouteFilter[];
  readonly backendRefs: readonly HTTPBackendRef[];
  /** Of each backendRef, its index in `services`. */
  readonly serviceIndexes: readonly number[];
  readonly redirect: HTTPProxyRequestRedirectPolicy | undefined;
  readonly replacements: readonly HTTPProxyReplacePrefix[];
  readonly timeouts: HTTPRouteTimeouts;
  readonly retry?: HTTPRouteRetry;
  readonly session?: SessionPersistence;
  readonly extras: RuleExtras;
}

export interface JudgedRoutes extends Findings {
  readonly routes: readonly JudgedRoute[];
}

export function judgeRoutes(proxy: HTTPProxy, read: Read, inputs: ServiceInputs): JudgedRoutes {
  const findings = new FindingList();
  const routes = (proxy.spec.routes ?? []).map((route, index) =>
    judgeRoute(route, { proxy, field: `spec.routes[${index}]`, read, inputs }, findings),
  );
  return { routes, errors: findings.errors, warnings: findings.warnings };
}

interface RouteQuestion {
  readonly proxy: HTTPProxy;
  readonly field: string;
  readonly read: Read;
  readonly inputs: ServiceInputs;
}

function judgeRoute(route: HTTPProxyRoute, question: RouteQuestion, findings: FindingList): JudgedRoute {
  const { field, proxy } = question;
  judgeActions(route, field, findings);
  const block = judgeBlock(route.conditions ?? []);
  if (block) {
    const message = `${field}.conditions: ${block.wrong}`;
    findings.error(problem("RouteError", `${block.part}MatchConditionsNotValid`, message));
  }
  refuseWhatIsNotServed(route, field, findings);
  const headers = judgeRouteHeaders(route, { field, namespace: proxy.metadata.namespace }, findings);
  const times = judgeTimes(
    { timeoutPolicy: route.timeoutPolicy, retryPolicy: route.retryPolicy, field },
    findings,
  );
  const { backendRefs, serviceIndexes, mirrors, backends, session } = judgeServices(
    route,
    { ...question, host: headers.host, idleConnection: times.idleConnection },
    findings,
  );
  const clientAddresses = judgeClientAddresses(route, field, findings);
  const rateLimit = judgeRateLimit(
    route.rateLimitPolicy,
    { type: "RouteError", field: `${field}.rateLimitPolicy` },
    findings,
  );
  judgeReplacements(route, field, findings);
  return {
    field,
    conditions: route.conditions ?? [],
    permitInsecure: route.permitInsecure ?? false,
    filters: [...headers.filters, ...mirrors],
    backendRefs,
    serviceIndexes,
    redirect: route.requestRedirectPolicy,
    replacements: route.pathRewritePolicy?.replacePrefix ?? [],
    timeouts: times.timeouts,
    ...(times.retry && { retry: times.retry }),
    ...(session && { session }),
    extras: {
      ...(clientAddresses && { clientAddresses }),
      ...(rateLimit && { rateLimit }),
      ...(times.idle !== undefined && { idleTimeout: times.idle }),
      ...(backends.some((one) => one !== undefined) && { backends }),
    },
  };
}

function judgeActions(route: HTTPProxyRoute, field: string, findings: FindingList): void {
  const actions = [
    (route.services ?? []).length > 0,
    route.requestRedirectPolicy !== undefined,
    route.directResponsePolicy !== undefined,
  ].filter(Boolean);
  if (actions.length !== 1) {
    const message = `${field} must have exactly one of services, requestRedirectPolicy and directResponsePolicy`;
    findings.error(problem("RouteError", "RouteActionCountNotValid", message));
  }
  const { path, prefix } = route.requestRedirectPolicy ?? {};
  if (path !== undefined && prefix !== undefined) {
    const message = `${field}.requestRedirectPolicy: path and prefix cannot both be there; keep one`;
    findings.error(problem("RouteError", "RequestRedirectPolicy", message));
  }
}

function refuseWhatIsNotServed(route: HTTPProxyRoute, field: string, findings: FindingList): void {
  if (route.directResponsePolicy) {
    const why = "answers come from backends; use requestRedirectPolicy or a service that answers";
    findings.error(notSupported("RouteError", `${field}.directResponsePolicy`, why));
  }
  if (route.internalRedirectPolicy !== undefined) {
    const why = "redirects of backends are handed to the client";
    findings.error(notSupported("RouteError", `${field}.internalRedirectPolicy`, why));
  }
  if ((route.cookieRewritePolicies ?? []).length > 0) {
    const why = "attributes of cookies are left to the backend that sets them";
    findings.error(notSupported("RouteError", `${field}.cookieRewritePolicies`, why));
  }
  // Nothing is authorised by a root here, so there is nothing that `disabled` could switch off.
  if (requiresToken(route.jwtVerificationPolicy)) {
    const why = "tokens are not verified by this gateway";
    findings.error(notSupported("JWTVerificationError", `${field}.jwtVerificationPolicy.require`, why));
  }
}

function requiresToken(policy: unknown): boolean {
  return typeof policy === "object" && policy !== null && "require" in policy && policy.require !== "";
}

function judgeRouteHeaders(
  { requestHeadersPolicy, responseHeadersPolicy }: HTTPProxyRoute,
  { field, namespace }: { readonly field: string; readonly namespace: string },
  findings: FindingList,
): { readonly filters: readonly HTTPRouteFilter[]; readonly host: string | undefined } {
  const variables = new Map([["CONTOUR_NAMESPACE", namespace]]);
  const request = judgeHeaderPolicy(requestHeadersPolicy, { of: "request", variables });
  const response = judgeHeaderPolicy(responseHeadersPolicy, { of: "response", variables });
  if ("wrong" in request) {
    const message = `${field}.requestHeadersPolicy.${request.wrong}`;
    findings.error(problem("RouteError", "RequestHeadersPolicyInvalid", message));
  }
  if ("wrong" in response) {
    const message = `${field}.responseHeadersPolicy.${response.wrong}`;
    findings.error(problem("RouteError", "ResponseHeaderPolicyInvalid", message));
  }
  const changes = "value" in request ? request.value : undefined;
  const filters = headerFilters(changes, "value" in response ? response.value : undefined);
  return { filters, host: changes?.host };
}

interface ServicesQuestion extends RouteQuestion {
  readonly host: string | undefined;
  readonly idleConnection: number | undefined;
}

interface JudgedServices {
  readonly backendRefs: readonly HTTPBackendRef[];
  readonly serviceIndexes: readonly number[];
  readonly mirrors: readonly HTTPRouteFilter[];
  readonly backends: readonly (BackendExtras | undefined)[];
  readonly session: SessionPersistence | undefined;
}

function judgeServices(
  route: HTTPProxyRoute,
  question: ServicesQuestion,
  findings: FindingList,
): JudgedServices {
  const { field, proxy, read, inputs, host, idleConnection } = question;
  const { namespace } = proxy.metadata;
  const healthCheck = judgeHealthCheck(route.healthCheckPolicy, `${field}.healthCheckPolicy`, findings);
  const balancing = judgeLoadBalancing(route.loadBalancerPolicy, `${field}.loadBalancerPolicy`, findings);
  const all = (route.services ?? []).map((service, index) => ({ service, index }));
  const plain = all.filter(({ service }) => service.mirror !== true);
  const mirrored = all.filter(({ service }) => service.mirror === true);
  if (mirrored.length > 1) {
    const message = `${field}.services: only one can be a mirror, and there are ${mirrored.length}`;
    findings.error(problem("ServiceError", "OnlyOneMirror", message));
  }
  const judge = ({ service, index }: (typeof all)[number]) =>
    judgeService(
      service,
      {
        namespace,
        field: `${field}.services[${index}]`,
        read,
        inputs,
        loadBalancing: balancing.loadBalancing,
        healthCheck,
        idleConnection,
        host,
      },
      findings,
    );
  const weights = weightsOf(plain.map(({ service }) => service));
  const judged = plain.map((one, i) => ({ index: one.index, weight: weights[i] ?? 0, made: judge(one) }));
  const usable = judged.flatMap(({ index, weight, made }) => (made ? [{ index, weight, made }] : []));
  return {
    backendRefs: usable.map(({ weight, made }) => ({ ...made.ref, weight })),
    serviceIndexes: usable.map(({ index }) => index),
    mirrors: mirrored.flatMap((one) =>
      mirrorFilter(one.service, judge(one), `${field}.services[${one.index}]`, findings),
    ),
    backends: usable.map(({ made }) => made.extras),
    session: balancing.session,
  };
}

function mirrorFilter(
  { weight = 0 }: NonNullable<HTTPProxyRoute["services"]>[number],
  judged: ReturnType<typeof judgeService>,
  field: string,
  findings: FindingList,
): readonly HTTPRouteFilter[] {
  if (!judged) return [];
  if (weight > 100) {
    findings.error(
      problem(
        "ServiceError",
        "MirrorWeightInvalid",
        `${field}.weight: of a mirror it is a percentage, from 1 to 100`,
      ),
    );
    return [];
  }
  if (judged.extras?.tls !== undefined || (judged.ref.filters ?? []).length > 0) {
    const what = judged.extras?.tls === undefined ? "header policies" : "TLS";
    findings.error(
      notSupported("ServiceError", `${field} with mirror and ${what}`, "mirrors get requests as they are"),
    );
    return [];
  }
  const { group, kind, namespace, name, port } = judged.ref;
  const backendRef = {
    group,
    kind,
    name,
    ...(namespace !== undefined && { namespace }),
    ...(port !== undefined && { port }),
  };
  // Spec: a share of zero is all, because zero and nothing cannot be told apart.
  return [
    {
      type: "RequestMirror",
      requestMirror: { backendRef, ...(weight > 0 && weight < 100 && { percent: weight }) },
    },
  ];
}

function judgeReplacements(
  { pathRewritePolicy }: HTTPProxyRoute,
  field: string,
  findings: FindingList,
): void {
  const seen = new Set<string>();
  for (const { prefix = "" } of pathRewritePolicy?.replacePrefix ?? []) {
    if (seen.has(prefix)) {
      const [reason, what] =
        prefix === ""
          ? ["AmbiguousReplacement", "two replacements have no prefix"]
          : ["DuplicateReplacement", `two replacements have the prefix ${prefix}`];
      const message = `${field}.pathRewritePolicy.replacePrefix: ${what}; keep one`;
      findings.error(problem("PrefixReplaceError", reason ?? "", message));
    }
    seen.add(prefix);
  }
}
