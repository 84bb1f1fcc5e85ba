/*
 * Random valid Gateway API objects: one Gateway whose listeners share ports, and routes over a few hostnames and paths that overlap as
 * much as possible, so that precedence decides. All that a route does is deterministic: one backend, or one error.
 */
import type { Lots } from "./lots.ts";
import { http1Backends, http2Backend, tlsBackend } from "./echo-backends.ts";
import { randomAuth, randomBehaviour, randomSession, type Behaviour } from "./random-behaviours.ts";
import { randomIngresses } from "./random-ingresses.ts";
import { randomProxies } from "./random-proxies.ts";
import { randomStreams, streamPorts } from "./random-streams.ts";
import { worldServices } from "./world-services.ts";

export const grpcPort = 8081;
export const httpsPort = 443;
/** What clients connect to, whatever a proxy binds. */
export const requestPorts = [80, 8080, grpcPort, httpsPort] as const;
export const gatewayPorts = [...requestPorts, ...streamPorts] as const;
export type GatewayPort = (typeof gatewayPorts)[number];

type Fields = Readonly<Record<string, unknown>>;

export interface PathMatch {
  readonly type: "Exact" | "PathPrefix" | "RegularExpression";
  readonly value: string;
}

export interface ValueMatch {
  readonly name: string;
  readonly type: "Exact" | "RegularExpression";
  readonly value: string;
}

export interface HttpMatch {
  readonly path?: PathMatch;
  readonly method?: string;
  readonly headers?: readonly ValueMatch[];
  readonly queryParams?: readonly ValueMatch[];
}

export interface GrpcMatch {
  readonly method?: { readonly type: "Exact"; readonly service?: string; readonly method?: string };
  readonly headers?: readonly ValueMatch[];
}

export interface RandomRoute<Match> {
  readonly hostnames: readonly string[];
  readonly rules: readonly RandomRule<Match>[];
}

export interface RandomRule<Match> extends Behaviour {
  readonly matches: readonly Match[];
  readonly filters: readonly Fields[];
  /** None: of a rule that redirects. */
  readonly backendRefs?: readonly Fields[];
}

export interface World {
  /** Names of the features that the objects use. */
  readonly needs: ReadonlySet<string>;
  readonly objects: readonly object[];
  readonly httpRoutes: readonly RandomRoute<HttpMatch>[];
  readonly grpcRoutes: readonly RandomRoute<GrpcMatch>[];
  readonly hasUdp: boolean;
}

const api = "gateway.networking.k8s.io/v1";
const namespace = "shop";

export const hostnames = [
  "shop.test",
  "a.shop.test",
  "b.a.shop.test",
  "*.shop.test",
  "*.a.shop.test",
  "*.test",
  "other.test",
] as const;

const prefixes = [
  "/",
  "/login",
  "/login/admin",
  "/a",
  "/a/b",
  "/a/b/c",
  "/Login",
  "/v1.0",
  "/a%20b",
  "/caf%C3%A9",
  "/x;y",
  "/a/",
];
const expressions = [
  "/v[0-9]+(/.*)?",
  "/(login|logout)",
  "/a(/b)*/?",
  "/[^/]+/edit",
  "(?i)/LOGIN/.*",
  "/a\\.b",
  ".*\\.png",
];
const headerMatches: readonly ValueMatch[] = [
  { name: "env", type: "Exact", value: "canary" },
  { name: "Env", type: "Exact", value: "Canary" },
  { name: "env", type: "RegularExpression", value: "(canary|beta)" },
  { name: "x-user", type: "Exact", value: "a, b" },
  { name: "X-User", type: "RegularExpression", value: "[a-z]+[0-9]*" },
  { name: "x-version", type: "Exact", value: '1 "two" $3' },
];
const parameterMatches: readonly ValueMatch[] = [
  { name: "q", type: "Exact", value: "1" },
  { name: "q", type: "RegularExpression", value: "[0-9]+" },
  { name: "Q", type: "Exact", value: "1" },
  { name: "lang", type: "Exact", value: "a%20b" },
  { name: "lang", type: "Exact", value: "a+b" },
  { name: "lang", type: "RegularExpression", value: "(de|en)(-[A-Z]{2})?" },
];
export const methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"] as const;

export function randomWorld(lots: Lots, ports: ReadonlyMap<string, number>): World {
  const needs = new Set<string>(["Gateway", "HTTPRoute", "GRPCRoute", "ReferenceGrant"]);
  const httpRoutes: RandomRoute<HttpMatch>[] = [];
  const grpcRoutes: RandomRoute<GrpcMatch>[] = [];
  const routes: object[] = [];
  const count = 6 + lots.below(5);
  for (let position = 0; position < count; position++) {
    const hosts = lots.chance(20) ? [] : lots.some(hostnames, 2, 1);
    const rules = Array.from({ length: 1 + lots.below(3) }, () => randomRule(lots, needs));
    httpRoutes.push({ hostnames: hosts, rules });
    routes.push(
      routeObject("HTTPRoute", `route-${position}`, hosts, rules, position, randomParent(lots, needs)),
    );
  }
  for (let position = 0; position < 3; position++) {
    const hosts = lots.chance(30) ? [] : [lots.pick(hostnames)];
    const rules = Array.from({ length: 1 + lots.below(2) }, () => randomGrpcRule(lots));
    grpcRoutes.push({ hostnames: hosts, rules });
    routes.push(
      routeObject("GRPCRoute", `grpc-${position}`, hosts, rules, position, {
        name: "web",
        sectionName: "grpc",
      }),
    );
  }
  const streams = randomStreams(lots, needs, namespace);
  const layered = [randomProxies(lots, namespace), randomIngresses(lots, namespace)];
  const objects = [
    gateway(lots, streams.listeners),
    ...worldServices(lots, needs, ports, namespace),
    ...routes,
    ...streams.objects,
    ...layered.flatMap((layer) => layer.objects),
  ];
  httpRoutes.push(...layered.flatMap((layer) => layer.routes));
  return { needs, objects, httpRoutes, grpcRoutes, hasUdp: streams.hasUdp };
}

function gateway(lots: Lots, streamListeners: readonly Fields[]): object {
  const http = (name: string, port: number, hostname?: string) => ({
    name,
    port,
    protocol: "HTTP",
    ...(hostname && { hostname }),
  });
  const https = (name: string, certificate: string, hostname?: string) => ({
    ...http(name, httpsPort, hostname),
    protocol: "HTTPS",
    tls: { certificateRefs: [{ name: certificate }] },
  });
  return {
    apiVersion: api,
    kind: "Gateway",
    metadata: { name: "web", namespace },
    spec: {
      gatewayClassName: "gatewright",
      listeners: [
        http("http", 80),
        http("wildcard", 8080, "*.shop.test"),
        http("exact", 8080, "a.shop.test"),
        ...(lots.chance(50) ? [http("rest", 8080)] : []),
        { ...http("grpc", grpcPort), allowedRoutes: { kinds: [{ kind: "GRPCRoute" }] } },
        https("tls-exact", "first", "a.shop.test"),
        https("tls-wildcard", "second", "*.shop.test"),
        ...(lots.chance(50) ? [https("tls-rest", "second")] : []),
        ...streamListeners,
      ],
    },
  };
}

function randomParent(lots: Lots, needs: Set<string>): object {
  if (lots.chance(60)) return { name: "web" };
  if (lots.chance(50)) return { name: "web", sectionName: lots.pick(["http", "wildcard", "tls-wildcard"]) };
  needs.add("HTTPRouteParentRefPort");
  return { name: "web", port: lots.pick([80, 443]) };
}

function routeObject(
  kind: string,
  name: string,
  hosts: readonly string[],
  rules: readonly object[],
  age: number,
  parent: object,
): object {
  const creationTimestamp = `2026-01-01T00:00:${String(age).padStart(2, "0")}Z`;
  const metadata = { name, namespace, creationTimestamp };
  return { apiVersion: api, kind, metadata, spec: { parentRefs: [parent], hostnames: hosts, rules } };
}

function randomRule(lots: Lots, needs: Set<string>): RandomRule<HttpMatch> {
  const matches = Array.from({ length: 1 + lots.below(2) }, () => randomMatch(lots, needs));
  const onlyPrefixes = matches.length === 1 && (matches[0]!.path?.type ?? "PathPrefix") === "PathPrefix";
  if (lots.chance(15)) {
    return {
      matches,
      filters: [
        randomRedirect(lots, needs, onlyPrefixes),
        ...(lots.chance(30) ? [headers(lots, "Response", needs)] : []),
      ],
    };
  }
  const filters: Fields[] = [];
  if (lots.chance(30)) filters.push(headers(lots, "Request", needs));
  if (lots.chance(30)) filters.push(headers(lots, "Response", needs));
  if (lots.chance(30)) filters.push(randomRewrite(lots, needs, onlyPrefixes));
  if (lots.chance(25)) filters.push(randomCors(lots, needs));
  if (lots.chance(5)) {
    needs.add("HTTPRouteRequestMirror");
    filters.push({ type: "RequestMirror", requestMirror: { backendRef: { name: "mirror", port: 80 } } });
  }
  if (lots.chance(10)) filters.push(randomAuth(lots, needs));
  const behaviour = randomBehaviour(lots, needs);
  if (lots.chance(8)) return { matches, filters, ...behaviour, ...randomSession(lots, needs) };
  return { matches, filters, ...behaviour, backendRefs: randomBackends(lots, needs) };
}

function randomMatch(lots: Lots, needs: Set<string>): HttpMatch {
  const path: PathMatch = lots.chance(15)
    ? { type: "RegularExpression", value: lots.pick(expressions) }
    : { type: lots.chance(35) ? "Exact" : "PathPrefix", value: lots.pick(prefixes) };
  const match: { -readonly [Part in keyof HttpMatch]: HttpMatch[Part] } = lots.chance(90) ? { path } : {};
  if (lots.chance(20)) {
    needs.add("HTTPRouteMethodMatching");
    match.method = lots.pick(methods);
  }
  if (lots.chance(30)) match.headers = unlike(lots.some(headerMatches, 2, 1), (name) => name.toLowerCase());
  if (lots.chance(20)) {
    needs.add("HTTPRouteQueryParamMatching");
    match.queryParams = unlike(lots.some(parameterMatches, 2, 1), (name) => name);
  }
  return match;
}

function unlike(matches: readonly ValueMatch[], nameOf: (name: string) => string): ValueMatch[] {
  return [...new Map(matches.map((match) => [nameOf(match.name), match])).values()];
}

export const changedHeaders = ["x-set", "X-Added", "env", "x-env", "x-multi", "x-user", "User-Agent"];
const newValues = [
  "plain",
  "with space, and comma",
  '"quoted" $host ${x} %[x] %{y}',
  "back\\slash;semi{}#",
  "%REQ(x)%",
];

function headers(lots: Lots, direction: "Request" | "Response", needs: Set<string>): Fields {
  if (direction === "Response") needs.add("HTTPRouteResponseHeaderModification");
  const names = lots.some(changedHeaders, 4, 1);
  const set: object[] = [];
  const add: object[] = [];
  const remove: string[] = [];
  for (const name of names) {
    const way = lots.below(3);
    if (way === 0) set.push({ name, value: lots.pick(newValues) });
    else if (way === 1) add.push({ name, value: lots.pick(newValues) });
    else remove.push(name);
  }
  const changes = {
    ...(set.length > 0 && { set }),
    ...(add.length > 0 && { add }),
    ...(remove.length > 0 && { remove }),
  };
  return direction === "Request"
    ? { type: "RequestHeaderModifier", requestHeaderModifier: changes }
    : { type: "ResponseHeaderModifier", responseHeaderModifier: changes };
}

function randomPathChange(lots: Lots, mayReplacePrefix: boolean): Fields {
  return mayReplacePrefix && lots.chance(70)
    ? { type: "ReplacePrefixMatch", replacePrefixMatch: lots.pick(["/", "/new", "/new/", "/a%20b", "/$1"]) }
    : { type: "ReplaceFullPath", replaceFullPath: lots.pick(["/full", "/full/", "/f%20x"]) };
}

function randomRedirect(lots: Lots, needs: Set<string>, mayReplacePrefix: boolean): Fields {
  const redirect: Record<string, unknown> = {};
  if (lots.chance(40)) {
    needs.add("HTTPRouteSchemeRedirect");
    redirect["scheme"] = lots.pick(["http", "https"]);
  }
  if (lots.chance(40)) redirect["hostname"] = lots.pick(["new.test", "shop.test"]);
  if (lots.chance(30)) {
    needs.add("HTTPRoutePortRedirect");
    redirect["port"] = lots.pick([80, 443, 8443]);
  }
  if (lots.chance(50)) {
    needs.add("HTTPRoutePathRedirect");
    redirect["path"] = randomPathChange(lots, mayReplacePrefix);
  }
  const statusCode = lots.pick([301, 302, 303, 307, 308]);
  if (![301, 302].includes(statusCode)) needs.add(`HTTPRoute${statusCode}RedirectStatusCode`);
  return { type: "RequestRedirect", requestRedirect: { ...redirect, statusCode } };
}

function randomRewrite(lots: Lots, needs: Set<string>, mayReplacePrefix: boolean): Fields {
  const urlRewrite: Record<string, unknown> = {};
  if (lots.chance(40)) {
    needs.add("HTTPRouteHostRewrite");
    urlRewrite["hostname"] = "inner.test";
  }
  if (lots.chance(80)) {
    needs.add("HTTPRoutePathRewrite");
    urlRewrite["path"] = randomPathChange(lots, mayReplacePrefix);
  }
  return { type: "URLRewrite", urlRewrite };
}

function randomCors(lots: Lots, needs: Set<string>): Fields {
  needs.add("HTTPRouteCORS");
  const allowMethods = lots.chance(30) ? ["*"] : lots.some(["GET", "POST", "PUT", "DELETE"], 3);
  const allowHeaders = lots.chance(30) ? ["*"] : lots.some(["X-One", "x-two", "Content-Type"], 3);
  const exposeHeaders = lots.chance(20) ? ["*"] : lots.some(["X-Env", "x-multi"], 2);
  return {
    type: "CORS",
    cors: {
      allowOrigins: lots.chance(20)
        ? ["*"]
        : lots.some(["https://app.test", "https://*.shop.test", "http://app.test:8080"], 3, 1),
      ...(lots.chance(40) && { allowCredentials: true }),
      ...(allowMethods.length > 0 && { allowMethods }),
      ...(allowHeaders.length > 0 && { allowHeaders }),
      ...(exposeHeaders.length > 0 && { exposeHeaders }),
      ...(lots.chance(50) && { maxAge: 60 }),
    },
  };
}

function randomBackends(lots: Lots, needs: Set<string>): Fields[] {
  const way = lots.below(100);
  if (way < 4) return [];
  if (way < 8) return [{ name: "gone", port: 80 }];
  if (way < 11) return [{ name: "empty", port: 80 }];
  if (way < 14) return [{ name: "one", port: 80, weight: 0 }];
  if (way < 17) return [{ name: "one", namespace: "elsewhere", port: 80 }];
  if (way < 24) {
    needs.add("HTTPRouteBackendProtocolH2C");
    return [{ name: http2Backend, port: 80 }];
  }
  if (way < 30) return [{ name: tlsBackend, port: 80 }];
  const valid = {
    name: lots.pick(http1Backends),
    port: 80,
    ...(lots.chance(30) && { weight: 1 + lots.below(9) }),
  };
  if (way < 46) {
    needs.add("HTTPRouteBackendRequestHeaderModification");
    const filters = [
      headers(lots, "Request", needs),
      ...(lots.chance(40) ? [headers(lots, "Response", needs)] : []),
    ];
    return [{ ...valid, filters }];
  }
  return way < 62 ? [valid, { name: lots.pick(["gone", "two"]), port: 80, weight: 0 }] : [valid];
}

export const grpcServices = ["pkg.Shop", "pkg.shop", "pkg.Cart"] as const;
export const grpcMethods = ["Get", "Put", "get"] as const;

function randomGrpcRule(lots: Lots) {
  const service = lots.pick(grpcServices);
  const method = lots.pick(grpcMethods);
  const name = lots.pick([{ service }, { method }, { service, method }, undefined]);
  const match: GrpcMatch = {
    ...(name && { method: { type: "Exact", ...name } }),
    ...(lots.chance(30) && { headers: [lots.pick(headerMatches)] }),
  };
  const filters = lots.chance(30) ? [headers(lots, "Request", new Set())] : [];
  const backendRefs = lots.chance(15) ? [{ name: "gone", port: 80 }] : [{ name: http2Backend, port: 80 }];
  return { matches: [match], filters, backendRefs };
}
