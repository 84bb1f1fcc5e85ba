/*
 * Requests that are made to meet a match of the world's routes, or to miss it by little: another case, one more letter, an escape, a
 * double slash, a second parameter of the same name.
 */
import type { Lots } from "./lots.ts";
import { lateAnswer } from "./random-behaviours.ts";
import {
  grpcMethods,
  grpcPort,
  grpcServices,
  httpsPort,
  methods,
  requestPorts,
  type GatewayPort,
  type GrpcMatch,
  type HttpMatch,
  type PathMatch,
  type RandomRoute,
  type ValueMatch,
  type World,
} from "./random-objects.ts";
import { streamPorts, tcpPort, tlsPort } from "./random-streams.ts";

export interface DifferentialRequest {
  readonly port: GatewayPort;
  readonly version: 1 | 2;
  readonly method: string;
  /** As it stands in the request line, or in `:path`. */
  readonly target: string;
  /** Of the Host header, or `:authority`. */
  readonly host: string;
  /** Of TLS. */
  readonly serverName?: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string;
  /** The backend fails the first tries. */
  readonly fail?: { readonly tries: number; readonly status: number };
  /** The backend answers so many ms later. */
  readonly delay?: number;
  /** Sent twice; the second time with what a session needs, from the first answer. */
  readonly comesBack?: true;
}

export function randomRequest(lots: Lots, world: World): DifferentialRequest {
  if (lots.chance(8)) return grpcRequest(lots, lots.pick(world.grpcRoutes));
  if (lots.chance(4)) return streamRequest(lots, world);
  const route = lots.pick(world.httpRoutes);
  const port = lots.pick(requestPorts.filter((one) => one !== grpcPort));
  const rule = lots.pick(route.rules);
  const match = lots.pick(rule.matches);
  const name = hostFor(lots, route.hostnames);
  const headers = [...headersFor(lots, match.headers ?? []), ...usual(lots)];
  const cors = lots.chance(20) ? corsHeaders(lots) : [];
  const isPreflight = cors.length > 1;
  const method = isPreflight ? "OPTIONS" : methodFor(lots, match);
  const hasBody = ["POST", "PUT", "PATCH"].includes(method) && lots.chance(50);
  return {
    port,
    version: lots.chance(15) ? 2 : 1,
    method,
    target: pathFor(lots, match.path) + searchFor(lots, match.queryParams ?? []),
    host: spelled(lots, name, port),
    ...(port === httpsPort && { serverName: serverNameFor(lots, name) }),
    headers: [...headers, ...cors, ...authFor(lots, rule.filters)],
    ...(hasBody && { body: "some body" }),
    ...(rule.retry &&
      lots.chance(40) && {
        // The second try of two endpoints is with the other one; who gets the third is anybody's guess.
        fail: {
          tries: 1 + lots.below(rule.sessionPersistence ? 1 : 3),
          status: lots.pick([500, 502, 503]),
        },
      }),
    ...(rule.timeouts && lots.chance(6) && { delay: lateAnswer }),
    ...(rule.sessionPersistence && lots.chance(80) && { comesBack: true }),
  };
}

function authFor(lots: Lots, filters: readonly Readonly<Record<string, unknown>>[]): [string, string][] {
  const isAsked = filters.some(({ type }) => type === "ExternalAuth");
  return isAsked && lots.chance(85)
    ? [["x-auth", lots.pick(["yes", "yes", "yes", "no", "login", "error"])]]
    : [];
}

/** Through a connection that no rule looks into. */
function streamRequest(lots: Lots, world: World): DifferentialRequest {
  const port = lots.pick<GatewayPort>(world.hasUdp ? streamPorts : [tlsPort, tcpPort]);
  const serverName = lots.pick([
    "a.shop.test",
    "b.shop.test",
    "c.a.shop.test",
    "x.test",
    "y.x.test",
    "other.org",
  ]);
  return {
    port,
    version: 1,
    method: "GET",
    target: `/stream/${lots.below(1000)}`,
    host: "stream.test",
    ...(port === tlsPort && { serverName }),
    headers: [["user-agent", "differential"]],
  };
}

function hostFor(lots: Lots, hostnames: readonly string[]): string {
  if (hostnames.length === 0 || lots.chance(10)) {
    return lots.pick([
      "shop.test",
      "a.shop.test",
      "b.a.shop.test",
      "x.test",
      "ashop.test",
      "test",
      "other.org",
      "10.0.0.1",
    ]);
  }
  const hostname = lots.pick(hostnames);
  return hostname.startsWith("*.")
    ? lots.pick(["x", "a", "x.y", "b.a", "z.y.x"]) + hostname.slice(1)
    : hostname;
}

/** As clients may write the name. */
function spelled(lots: Lots, name: string, port: number): string {
  const way = lots.below(20);
  if (way === 0) return name.toUpperCase();
  if (way === 1) return name[0]!.toUpperCase() + name.slice(1);
  if (way === 2) return `${name}.`;
  if (way < 6) return `${name}:${port}`;
  if (way === 6) return `${name}:9999`;
  return name;
}

function serverNameFor(lots: Lots, name: string): string {
  const isName = /[a-z]$/.test(name);
  return isName && lots.chance(85) ? name : lots.pick(["a.shop.test", "b.shop.test", "other.test"]);
}

function methodFor(lots: Lots, match: HttpMatch): string {
  if (match.method && lots.chance(80)) return match.method;
  return lots.chance(75) ? "GET" : lots.pick(methods);
}

const instances = new Map<string, readonly string[]>([
  ["/v[0-9]+(/.*)?", ["/v1", "/v22/x", "/v", "/v1x"]],
  ["/(login|logout)", ["/login", "/logout", "/log", "/login/"]],
  ["/a(/b)*/?", ["/a", "/a/b/b", "/a/", "/a/c"]],
  ["/[^/]+/edit", ["/x/edit", "/x/y/edit", "/x%2Fy/edit"]],
  ["(?i)/LOGIN/.*", ["/login/x", "/Login/", "/login"]],
  ["/a\\.b", ["/a.b", "/axb", "/a%2Eb"]],
  [".*\\.png", ["/x.png", "/a/b.png", "/x.PNG"]],
  ["(canary|beta)", ["canary", "beta", "Beta", "canary2"]],
  ["[a-z]+[0-9]*", ["abc12", "abc", "12", "Abc"]],
  ["[0-9]+", ["12", "1", "a", ""]],
  ["(de|en)(-[A-Z]{2})?", ["de", "en-GB", "en-gb", "fr"]],
]);

function pathFor(lots: Lots, match: PathMatch | undefined): string {
  const value = match?.value ?? "/";
  const base = match?.type === "RegularExpression" ? lots.pick(instances.get(value)!) : value;
  const below = base.endsWith("/") ? base : `${base}/`;
  switch (lots.below(22)) {
    case 0:
      return `${base}x`;
    case 1:
      return `${base}/`;
    case 2:
    case 3:
      return `${below}more`;
    case 4:
      return `${below}/more//`;
    case 5:
      return `/${base}`;
    case 6:
      return `/x/..${base}`;
    case 7:
      return `${below}./more/../end`;
    case 8:
      return `${below}..`;
    case 9:
      return base.toUpperCase();
    case 10:
      return base.replace(/[a-z](?!.*%)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
    case 11:
      return base.replace(/%[0-9A-F]{2}/g, (found) => found.toLowerCase());
    case 12:
      return `${below}${lots.pick(["%2e%2e/x", "a%2Fb", "a%2fb", "%7Euser", "%41", "a%20b", "a+b", "x;y=1", "a:b@c", "$1", "%C3%A9", "..x", "~", "'()*,!&="])}`;
    case 13:
      return `${below}${lots.pick(["..;/x", "..%2Fx", "%2e%2e%2fx", "%5c..%5c", "%", "%4", "%zz", "%00", "\\x", "|x{}", '"x"', "<x>", "^`"])}`;
    case 14:
      return lots.pick(["/", "/none", "/../a", "/.", "//", "/a/../../login"]);
    default:
      return base;
  }
}

function searchFor(lots: Lots, matches: readonly ValueMatch[]): string {
  const pairs: string[] = [];
  for (const match of matches) {
    const value = valueFor(lots, match);
    if (lots.chance(8)) pairs.push(`${match.name}=other`);
    if (lots.chance(92)) pairs.push(`${lots.chance(5) ? match.name.toUpperCase() : match.name}=${value}`);
    if (lots.chance(15)) pairs.push(`${match.name}=again`);
  }
  if (lots.chance(15))
    pairs.push(
      lots.pick([
        "x",
        "x=",
        "q=1",
        "q",
        "lang=a%20b",
        "lang=a+b",
        "u=/../x//y",
        "%71=1",
        "q=%31",
        "a=b?c=d",
        "$host=${x}",
      ]),
    );
  if (pairs.length === 0) return lots.chance(4) ? "?" : "";
  return `?${pairs.join("&")}`;
}

function headersFor(lots: Lots, matches: readonly ValueMatch[]): [string, string][] {
  return matches
    .filter(() => lots.chance(92))
    .flatMap((match): [string, string][] => {
      const name = lots.chance(20) ? match.name.toUpperCase() : match.name;
      const value = valueFor(lots, match);
      const parts = value.split(", ");
      if (parts.length > 1 && lots.chance(40)) return parts.map((part) => [name, part]);
      return lots.chance(5)
        ? [
            [name, value],
            [name, "again"],
          ]
        : [[name, value]];
    });
}

function valueFor(lots: Lots, { type, value }: ValueMatch): string {
  if (type === "RegularExpression") return lots.pick(instances.get(value)!);
  if (lots.chance(10)) return value.toUpperCase();
  return lots.chance(5) ? `${value}x` : value;
}

function usual(lots: Lots): [string, string][] {
  const headers: [string, string][] = [["user-agent", "differential"]];
  if (lots.chance(15)) headers.push(["X-Multi", "1"], ["x-multi", "2"]);
  if (lots.chance(15)) headers.push(["x-set", "from the client"]);
  if (lots.chance(10)) headers.push(["env", "beta"]);
  if (lots.chance(10)) headers.push(["cookie", "a=1; b=2"]);
  if (lots.chance(5))
    headers.push(
      ["x-forwarded-for", "10.1.2.3"],
      ["x-forwarded-proto", "gopher"],
      ["x-forwarded-host", "evil.test"],
    );
  if (lots.chance(5)) headers.push(["x_under", "score"], ["x-empty", ""]);
  if (lots.chance(5))
    headers.push(["accept-encoding", "gzip"], ["range", "bytes=0-3"], ["if-none-match", '"x"']);
  if (lots.chance(12)) headers.push(["x-answer", lots.pick(["201", "302", "404", "500", "503"])]);
  if (lots.chance(5)) headers.push(["x-answer-cors", "1"]);
  return headers;
}

function corsHeaders(lots: Lots): [string, string][] {
  const origin = lots.pick([
    "https://app.test",
    "https://x.shop.test",
    "https://a.b.shop.test",
    "HTTPS://APP.TEST",
    "https://app.test:443",
    "http://app.test:8080",
    "http://app.test",
    "null",
    "https://shop.test",
  ]);
  const headers: [string, string][] = [["origin", origin]];
  if (lots.chance(50)) {
    headers.push(["access-control-request-method", lots.pick(["GET", "PUT", "PATCH"])]);
    if (lots.chance(60))
      headers.push(["access-control-request-headers", lots.pick(["x-one", "x-one, x-two", "X-Other"])]);
  }
  return headers;
}

function grpcRequest(lots: Lots, route: RandomRoute<GrpcMatch>): DifferentialRequest {
  const { method, headers = [] } = lots.pick(lots.pick(route.rules).matches);
  const service = method?.service && lots.chance(80) ? method.service : lots.pick(grpcServices);
  const called = method?.method && lots.chance(80) ? method.method : lots.pick(grpcMethods);
  return {
    port: grpcPort,
    version: 2,
    method: "POST",
    target: `/${service}/${called}`,
    host: spelled(lots, hostFor(lots, route.hostnames), grpcPort),
    headers: [["content-type", "application/grpc"], ["te", "trailers"], ...headersFor(lots, headers)],
    body: "",
  };
}
