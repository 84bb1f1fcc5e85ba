/** HTTPProxies on the hosts of the routes: their rules and those of the Gateway API are one list, whose order decides. */
import { http1Backends } from "./echo-backends.ts";
import type { Lots } from "./lots.ts";
import type { HttpMatch, RandomRoute, RandomRule, ValueMatch } from "./random-objects.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Objects of another API than the Gateway API. */
export interface LayeredWorld {
  readonly objects: readonly object[];
  /** What requests are made after. */
  readonly routes: readonly RandomRoute<HttpMatch>[];
}

/** A wildcard stands for one label here, and each name has one root. */
const names = ["shop.test", "a.shop.test", "*.shop.test", "other.test"] as const;
const prefixes = ["/", "/login", "/a", "/a/b", "/a/b/c", "/v1.0"] as const;

interface Condition {
  readonly field: Fields;
  readonly wanted: ValueMatch;
}

const header = (name: string, operator: Fields, value: string): Condition => ({
  field: { header: { name, ...operator } },
  wanted: { name, type: "Exact", value },
});
const parameter = (name: string, operator: Fields, value: string): Condition => ({
  field: { queryParameter: { name, ...operator } },
  wanted: { name, type: "Exact", value },
});

const headerConditions: readonly Condition[] = [
  header("env", { exact: "canary" }, "canary"),
  header("Env", { notexact: "canary" }, "beta"),
  header("env", { contains: "an", ignoreCase: true }, "cAnary"),
  header("env", { notcontains: "b", treatMissingAsEmpty: true }, "canary"),
  header("x-user", { present: true }, "a"),
  header("x-user", { notpresent: true }, "a"),
  header("x-user", { regex: "[a-z]+[0-9]*" }, "abc12"),
];
const parameterConditions: readonly Condition[] = [
  parameter("q", { exact: "1" }, "1"),
  parameter("q", { prefix: "a", ignoreCase: true }, "Ab"),
  parameter("q", { suffix: "b" }, "ab"),
  parameter("lang", { contains: "n-G" }, "en-GB"),
  parameter("lang", { regex: "(de|en)(-[A-Z]{2})?" }, "de"),
  parameter("lang", { present: true }, ""),
];

export function randomProxies(lots: Lots, namespace: string): LayeredWorld {
  const objects: object[] = [];
  const routes: RandomRoute<HttpMatch>[] = [];
  for (const [position, fqdn] of lots.some(names, 3, 1).entries()) {
    const made = Array.from({ length: 1 + lots.below(3) }, () => randomRoute(lots));
    routes.push({ hostnames: [fqdn], rules: made.map(({ rule }) => rule) });
    objects.push({
      apiVersion: "projectcontour.io/v1",
      kind: "HTTPProxy",
      metadata: {
        name: `proxy-${position}`,
        namespace,
        creationTimestamp: `2025-01-01T00:00:0${position}Z`,
      },
      spec: { virtualhost: { fqdn }, routes: made.map(({ route }) => route) },
    });
  }
  return { objects, routes };
}

function randomRoute(lots: Lots): { readonly route: Fields; readonly rule: RandomRule<HttpMatch> } {
  const value = lots.pick(prefixes);
  const isExact = lots.chance(30);
  const header = lots.chance(35) ? lots.pick(headerConditions) : undefined;
  const parameter = lots.chance(25) ? lots.pick(parameterConditions) : undefined;
  const conditions = [
    { [isExact ? "exact" : "prefix"]: value },
    ...[header, parameter].flatMap((condition) => (condition ? [condition.field] : [])),
  ];
  const match: HttpMatch = {
    path: { type: isExact ? "Exact" : "PathPrefix", value },
    ...(header && { headers: [header.wanted] }),
    ...(parameter && { queryParams: [parameter.wanted] }),
  };
  return { route: { conditions, ...randomAction(lots, isExact) }, rule: { matches: [match], filters: [] } };
}

function randomAction(lots: Lots, isExact: boolean): Fields {
  if (lots.chance(15)) {
    const path = lots.pick<Fields>([{}, { path: "/moved" }, ...(isExact ? [] : [{ prefix: "/moved" }])]);
    const statusCode = lots.pick([301, 302]);
    return {
      requestRedirectPolicy: { hostname: "new.test", statusCode, ...path },
    };
  }
  const replacement = lots.pick(["/", "/new", "/new/"]);
  return {
    services: [{ name: lots.pick(http1Backends), port: 80 }],
    ...(!isExact && lots.chance(30) && { pathRewritePolicy: { replacePrefix: [{ replacement }] } }),
    ...(lots.chance(30) && { requestHeadersPolicy: randomPolicy(lots) }),
    ...(lots.chance(30) && { responseHeadersPolicy: randomPolicy(lots) }),
  };
}

function randomPolicy(lots: Lots): Fields {
  const [set, removed] = lots.some(["x-set", "X-Env", "x-multi", "x-user"], 2, 2);
  return {
    set: [{ name: set, value: lots.pick(["plain", '"quoted" $host ${x}', "100 %", "back\\slash;{}"]) }],
    ...(lots.chance(50) && { remove: [removed] }),
  };
}
