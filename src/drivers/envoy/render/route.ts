/*
 * A rule as routes. Most rules are one route. More are needed
 *
 * - for CORS: one for requests with an Origin, one for the others;
 * - for a session among several backends: one for each, that takes the requests of its sessions;
 * - where one of several backends has a redirect, a path rewrite or a mirror of its own, which Envoy has only on routes: one for each, with
 *   its share of the requests. All routes that a request is compared with see the same random number, so shares are cut off one after the other:
 *   the first takes a/N, the second (a+b)/N of what is left of the whole, the last all that remains;
 * - for a limit of the body's size: by how the size is told (`admission.ts`);
 * - for redirects that must not show a port: one for requests whose Host has one, with a script that takes it away.
 */
import type { HttpBackend, Redirect, Rule, RuleAction } from "../../../model/index.ts";
import type { Any, HeaderMatcher, HeaderMutation, JsonObject, Route } from "../generated/messages.ts";
import { keptPath } from "./access-log.ts";
import { bodyVariants, renderAdmission, renderBodySize, type BodyKind } from "./admission.ts";
import { corsResponseHeaders, hasOrigin, renderCors, varyByOrigin } from "./cors.ts";
import { directResponse, localTexts } from "./direct-response.ts";
import { headersOfClient, headersOfServer, renderExternalAuth } from "./external-auth.ts";
import { noFault } from "./fault.ts";
import { switchedOn } from "./filter-switch.ts";
import { millionths } from "./fraction.ts";
import type { HashOf } from "./hash-policy.ts";
import { renderRequestHeaders, renderResponseHeaders } from "./header-changes.ts";
import { httpFilterNames, internalHeaders, logMetadata } from "./names.ts";
import { renderRedirect, stripsPort, type RedirectedListener } from "./redirect.ts";
import { isRetried, retryMetadata } from "./retry.ts";
import { renderRouteAction } from "./route-action.ts";
import { renderMatch } from "./route-match.ts";
import { renderSession, sessionIs, sessionMetadata, withSessionsScript } from "./session.ts";
import { hasOwnHeaders } from "./weighted-clusters.ts";

/** Where a rule is rendered for. */
export interface RouteSite extends RedirectedListener {
  /** Requests are logged, with the rule that took them and the path that it saw. */
  readonly isLogged: boolean;
}

/** A route on its way: what it matches beyond the rule, and what it does. */
interface Variant {
  readonly headers: readonly HeaderMatcher[];
  readonly fraction?: readonly [numerator: number, denominator: number];
  readonly withCors: boolean;
  readonly backends: readonly HttpBackend[];
  readonly body?: BodyKind;
}

const hasPort: HeaderMatcher = { name: ":authority", stringMatch: { safeRegex: { regex: ".*:[0-9]*" } } };

export function renderRule(rule: Rule, site: RouteSite, hashOf: HashOf = () => undefined): readonly Route[] {
  const { maxBodySize } = rule.action;
  return variantsOf(rule.action)
    .flatMap((variant) => (maxBodySize === undefined ? [variant] : byBody(variant, maxBodySize)))
    .flatMap((variant) => renderVariant(rule, variant, site, hashOf));
}

/** Shares are cut off one after the other, so those that a variant leaves to the next must be the same for each kind of body. */
function byBody(variant: Variant, maxBodySize: number): Variant[] {
  return bodyVariants(maxBodySize).map(({ kind, headers }) => ({
    ...variant,
    headers: [...variant.headers, ...headers],
    body: kind,
  }));
}

function variantsOf(action: RuleAction): readonly Variant[] {
  const { backends, session } = action;
  const hasCors = action.cors !== undefined || backends.some(({ cors }) => cors);
  const byOrigin: readonly Variant[] = hasCors
    ? [
        { headers: [hasOrigin], withCors: true, backends },
        { headers: [], withCors: false, backends },
      ]
    : [{ headers: [], withCors: false, backends }];
  if (action.redirect || backends.length < 2) return byOrigin;
  return byOrigin.flatMap((variant) => [
    ...(session
      ? backends.filter(({ target }) => target.type === "backend").map((backend) => pinned(variant, backend))
      : []),
    ...(needsRoutesOfTheirOwn(backends) ? shares(variant) : [variant]),
  ]);
}

function pinned(variant: Variant, backend: HttpBackend): Variant {
  return { ...variant, headers: [...variant.headers, sessionIs(backend)], backends: [backend] };
}

function shares(variant: Variant): Variant[] {
  const { backends } = variant;
  const total = backends.reduce((sum, { weight }) => sum + weight, 0);
  let sum = 0;
  return backends.map((backend, index) => {
    sum += backend.weight;
    const isLast = index === backends.length - 1;
    return { ...variant, backends: [backend], ...(isLast ? {} : { fraction: [sum, total] as const }) };
  });
}

function needsRoutesOfTheirOwn(backends: readonly HttpBackend[]): boolean {
  const statuses = new Set(
    backends.flatMap(({ target }) => (target.type === "error" ? [target.status] : [])),
  );
  return (
    statuses.size > 1 ||
    backends.some(
      ({ redirect, rewrite, mirrors, auth }) =>
        redirect || rewrite?.path || (mirrors && mirrors.length > 0) || auth?.target.type === "error",
    )
  );
}

function renderVariant(rule: Rule, variant: Variant, site: RouteSite, hashOf: HashOf): readonly Route[] {
  const { action } = rule;
  if (variant.body === "too large") {
    return [renderRoute(rule, variant, site, directResponse(413, localTexts.tooLarge))];
  }
  const only = variant.backends.length === 1 ? variant.backends[0] : undefined;
  const redirect = action.redirect ?? only?.redirect;
  if (action.auth?.target.type === "error" || (only?.auth && only.auth.target.type === "error")) {
    return [renderRoute(rule, variant, site, directResponse(500, localTexts.misconfiguredAuth))];
  }
  if (redirect) return renderRedirects(rule, variant, site, redirect);
  if (!isJudgedFirst(action, variant)) {
    const answer =
      variant.backends.length === 0
        ? directResponse(500, localTexts.noBackends)
        : only?.target.type === "error" && directResponse(only.target.status, localTexts.unusableBackend);
    if (answer) return [renderRoute(rule, variant, site, answer)];
  }
  const route = renderRouteAction(action, variant.backends, { ...variant, hashOf });
  return [renderRoute(rule, variant, site, { route })];
}

/** Envoy's filters for CORS and authorization ignore routes that lead to no cluster, be it one that does not exist. */
function isJudgedFirst(action: RuleAction, { withCors, backends }: Variant): boolean {
  return withCors || action.auth !== undefined || backends.some(({ auth }) => auth);
}

function renderRedirects(
  rule: Rule,
  variant: Variant,
  site: RouteSite,
  redirect: Redirect,
): readonly Route[] {
  const rendered = { redirect: renderRedirect(redirect, site) };
  const plain = renderRoute(rule, variant, site, rendered);
  if (!stripsPort(redirect, site)) return [plain];
  const ported = { ...variant, headers: [...variant.headers, hasPort] };
  return [renderRoute(rule, ported, site, rendered, { stripPort: true }), plain];
}

function renderRoute(
  { match, action }: Rule,
  { headers, fraction, withCors, backends, body }: Variant,
  { scheme, isLogged }: RouteSite,
  content: Route,
  forScripts: JsonObject = {},
): Route {
  const session = content.route && action.session;
  const retry = content.route && isRetried(action.retry) ? action.retry : undefined;
  const told = { ...forScripts, ...(session ? sessionMetadata(session) : {}) };
  const isTold = Object.keys(told).length > 0;
  const only = backends.length === 1 ? backends[0] : undefined;
  const isAtCluster = content.route !== undefined && hasOwnHeaders(action);
  const removed = [
    ...(withCors && action.cors ? corsResponseHeaders : []),
    ...(retry ? [internalHeaders.retry] : []),
  ];
  const filters = new Map<string, Any>();
  if (isTold) filters.set(httpFilterNames.sessions, withSessionsScript);
  if (retry) filters.set(httpFilterNames.retries, switchedOn.scripts);
  const admission = renderAdmission(action, body);
  if (admission) filters.set(httpFilterNames.admission, admission);
  const bodySize = renderBodySize(action, body);
  if (bodySize) filters.set(httpFilterNames.bodySize, bodySize);
  if (isLogged && content.route?.regexRewrite) filters.set(httpFilterNames.path, keptPath);
  if (match.method === "TRACE") filters.set(httpFilterNames.trace, noFault);
  if (withCors && action.cors) filters.set(httpFilterNames.cors, renderCors(action.cors));
  setHeaderMutations(filters, headersOfServer(action.auth), [
    ...(withCors ? [varyByOrigin] : []),
    ...headersOfClient([action.auth, ...backends.map(({ auth: own }) => own)]),
  ]);
  const isAuthorized = action.auth !== undefined || backends.some(({ auth: own }) => own);
  if (isAuthorized && !filters.has(httpFilterNames.headers))
    filters.set(httpFilterNames.headers, switchedOn.headers);
  const auth = action.auth && renderExternalAuth(action.auth);
  if (auth) filters.set(httpFilterNames.ruleAuth, auth);
  // A backend's own filters stand at its cluster, which cannot switch them on; a redirect or an answer of our own has none.
  if (content.route) switchOnForBackends(filters, backends, withCors);
  else if (only) setBackendFilters(filters, only, withCors);
  if (session) filters.set(httpFilterNames.sessionEndpoint, renderSession(session, scheme));
  // The filter of headers takes away what the route is found by. The one of CORS, before it, looks at the route, which scripts may have left open.
  if (filters.has(httpFilterNames.headers) && !filters.has(httpFilterNames.cors)) {
    filters.set(httpFilterNames.cors, switchedOn.cors);
  }
  const metadata = renderMetadata({
    ...(isLogged && { [logMetadata]: { rule: ruleForLog(action) } }),
    ...(isTold && { [httpFilterNames.sessions]: told }),
    ...(retry && { [httpFilterNames.retries]: retryMetadata(retry) }),
  });
  const { kind, namespace, name } = action.route;
  return {
    // As the access log has it.
    name: `${kind}/${namespace}/${name}`,
    match: {
      ...renderMatch(match, headers),
      ...(fraction ? { runtimeFraction: { defaultValue: millionths(...fraction) } } : {}),
    },
    ...content,
    ...(content.route && !isAtCluster ? renderRequestHeaders(action.requestHeaders) : {}),
    ...renderResponseHeaders(isAtCluster ? undefined : action.responseHeaders, removed),
    ...metadata,
    ...(filters.size > 0 ? { typedPerFilterConfig: filters } : {}),
  };
}

function switchOnForBackends(
  filters: Map<string, Any>,
  backends: readonly HttpBackend[],
  withCors: boolean,
): void {
  const { cors, backendAuth } = httpFilterNames;
  if (withCors && !filters.has(cors) && backends.some((backend) => backend.cors)) {
    filters.set(cors, switchedOn.cors);
  }
  if (backends.some(({ auth }) => auth)) filters.set(backendAuth, switchedOn.composite);
}

function setBackendFilters(filters: Map<string, Any>, { cors, auth }: HttpBackend, withCors: boolean): void {
  if (cors && withCors) filters.set(httpFilterNames.cors, renderCors(cors));
  const rendered = auth && renderExternalAuth(auth);
  if (rendered) filters.set(httpFilterNames.backendAuth, rendered);
}

function setHeaderMutations(
  filters: Map<string, Any>,
  requestMutations: readonly HeaderMutation[],
  responseMutations: readonly HeaderMutation[],
): void {
  if (requestMutations.length === 0 && responseMutations.length === 0) return;
  filters.set(httpFilterNames.headers, {
    type: "envoy.extensions.filters.http.header_mutation.v3.HeaderMutationPerRoute",
    value: {
      mutations: {
        ...(requestMutations.length > 0 ? { requestMutations } : {}),
        ...(responseMutations.length > 0 ? { responseMutations } : {}),
      },
    },
  });
}

function renderMetadata(values: Readonly<Record<string, JsonObject>>): Pick<Route, "metadata"> {
  const filterMetadata = new Map(Object.entries(values));
  return filterMetadata.size > 0 ? { metadata: { filterMetadata } } : {};
}

function ruleForLog({ route: { rule, ruleName } }: RuleAction): string {
  return ruleName === undefined ? String(rule) : `${rule}/${ruleName}`;
}
