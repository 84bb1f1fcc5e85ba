/*
 * Models that have a user's text wherever an object could bring one: in names, hostnames, paths, expressions, header values, query parameters and
 * around certificates. Which text stands where is decided by the order in which texts are asked for, so two models of the same shape differ
 * in nothing but their texts.
 */
import fc from "fast-check";
import type {
  Backend,
  Certificate,
  HeaderChanges,
  ModelChanges,
  Rule,
  RuleAction,
  VirtualHost,
} from "../../../src/model/index.ts";
import { modelChanges } from "../../model-changes.ts";
import type { MadeCertificate } from "../../certificates.ts";
import {
  backendItem,
  endpointsItem,
  listenerItem,
  rule,
  serverNameItem,
  streamRouteItem,
  to,
  virtualHostItem,
} from "../../model-items.ts";

type Texts = () => string;

/** What means something to somebody on the way: NGINX, HAProxy, njs, Lua, a file system, a reader of lines. */
const fragments = [
  "'",
  '"',
  "`",
  "\\",
  "\\'",
  '\\"',
  ";",
  "{",
  "}",
  "{ } ; #",
  "#",
  "\n",
  "\r\n",
  "\r",
  "\t",
  "\0",
  "\u007f",
  "\u2028",
  "é",
  "😀",
  "\ud800",
  "$",
  "$host",
  "${HOME}",
  "%[src]",
  "%%",
  "%{+Q}o",
  "*",
  "..",
  "/",
  "../../../../etc/passwd",
  "/var/run/secrets/kubernetes.io/serviceaccount/token",
  "__proto__",
  "constructor",
  "a\nuser root\nbackend evil",
  "} server { listen 81; }",
  '"; load_module /tmp/evil.so; #',
  "a\nproxy_pass http://evil;",
  "\r\nX-Injected: yes",
  "d5:helloe",
  "i1e",
  "]]--[[",
  "\"); os.execute('id') --",
  "-----BEGIN PRIVATE KEY-----",
  "-----END CERTIFICATE-----",
  "env(HOME)",
  "@include",
  ".*",
  "(a|b)+",
  "[^/]+",
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(fc.constantFrom(...fragments), { maxLength: 5 }).map((all) => all.join("")),
  },
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  { weight: 2, arbitrary: fc.string({ maxLength: 300 }) },
);

/** A megabyte of something. */
export const hugeText: fc.Arbitrary<string> = fc
  .constantFrom(...fragments.filter((each) => each.length < 6))
  .map((each) => each.repeat(Math.ceil(1_000_000 / each.length)));

export interface KeyPairs {
  readonly server: MadeCertificate;
  readonly authority: string;
}

const hostsPerListener = 12;

export function hostileModel(texts: Texts, keyPairs: KeyPairs): ModelChanges {
  const gateway = `${texts()}/${texts()}`;
  const http = listenerItem("http", 8080, { gateway });
  const secure = listenerItem("tls", 8443, { gateway });
  const tcp = listenerItem("tcp", 5432, { gateway });
  const certificates = [0, 1, 2].map(() => certificateWith(texts, keyPairs));
  const broken = brokenCertificate(texts, keyPairs);
  const backends = [0, 1, 2, 3].map((index) => backendWith(texts, index, certificates));
  const hosts = [http, secure].flatMap((listener) => [
    ...Array.from({ length: hostsPerListener }, (_, index) =>
      virtualHostItem(listener, `h${index}.test`, [ruleWith(texts, backends, index)], texts()),
    ),
    virtualHostItem(listener, "expressions.test", [expressionRule(texts)], texts()),
    virtualHostItem(listener, texts(), [ruleWith(texts, backends, 0)], texts()),
    virtualHostItem(listener, `a${texts()}.test`, [], texts()),
  ]);
  const own = { certificates: [certificates[0]!.key] };
  const serverNames = [
    serverNameItem(secure, "*.test", { type: "http", ...own }, texts()),
    serverNameItem(secure, texts(), { type: "http", ...own }, texts()),
    serverNameItem(
      secure,
      `a${texts()}.test`,
      { type: "passthrough", route: routeWith(texts), backends: [to(backends[0]!)] },
      texts(),
    ),
    serverNameItem(
      secure,
      "end.org",
      {
        type: "terminate",
        certificates: [certificates[1]!.key],
        route: routeWith(texts),
        backends: [to(backends[1]!)],
      },
      texts(),
    ),
  ];
  return modelChanges({
    certificates: [...certificates, broken],
    backends,
    endpoints: backends.map((backend) => endpointsItem(backend, 8081)),
    listeners: [http, secure, tcp],
    serverNames,
    virtualHosts: [...new Map(hosts.map((host): [string, VirtualHost] => [host.key, host])).values()],
    streamRoutes: [{ ...streamRouteItem(tcp, to(backends[2]!)), section: texts() }],
  });
}

/** What is around PEM blocks is anybody's. */
function certificateWith(texts: Texts, { server }: KeyPairs): Certificate {
  return {
    key: `Secret/${texts()}/${texts()}`,
    certificates: `${texts()}\n${server.certificates}\n${texts()}`,
    privateKey: `${texts()}\n${server.privateKey}\n${texts()}`,
  };
}

function brokenCertificate(texts: Texts, { authority }: KeyPairs): Certificate {
  return { key: `Secret/${texts()}/broken`, certificates: authority, privateKey: texts() };
}

function backendWith(texts: Texts, index: number, certificates: readonly Certificate[]): Backend {
  const key = `Service/${texts()}/${texts()}/${index}`;
  const trusted = [certificates[2]!.key];
  const tls = [
    undefined,
    { hostname: "backend.test", trusted, subjectAltNames: [], clientCertificate: certificates[1]!.key },
    { hostname: texts(), trusted, subjectAltNames: [] },
    undefined,
  ][index];
  return {
    ...backendItem("web"),
    key,
    protocol: index === 3 ? "h2c" : "http",
    ...(tls && { tls }),
    loadBalancing: {
      type: "hash",
      on: [{ type: "header", name: texts() }, { type: "query", name: texts() }, { type: "source" }],
    },
  };
}

function routeWith(texts: Texts): RuleAction["route"] {
  return { kind: "HTTPRoute", namespace: texts(), name: texts(), rule: 0, ruleName: texts() };
}

function changesWith(texts: Texts): HeaderChanges {
  return {
    set: [
      { name: "x-set", value: texts() },
      { name: texts(), value: "1" },
    ],
    add: [{ name: texts(), value: texts() }],
    remove: [texts()],
  };
}

function ruleWith(texts: Texts, backends: readonly Backend[], index: number): Rule {
  const target = { type: "backend", backend: backends[index % backends.length]!.key } as const;
  const match = {
    path: { type: index % 2 === 0 ? "exact" : "prefix", value: `/${texts()}` },
    method: index % 5 === 0 ? texts() : "GET",
    headers: [{ name: texts(), type: "exact", value: texts() }],
    queryParams: [{ name: texts(), type: "exact", value: texts() }],
  } as const;
  return rule(match, {
    route: routeWith(texts),
    protocol: index % 3 === 0 ? "grpc" : "http",
    requestHeaders: changesWith(texts),
    responseHeaders: changesWith(texts),
    rewrite: { hostname: texts(), path: { type: "full", value: texts() } },
    ...(index % 4 === 3 && {
      redirect: {
        hostname: texts(),
        port: 80,
        path: { type: "prefix", prefix: "/", value: texts() },
        statusCode: 302,
      },
    }),
    cors: {
      allowOrigins: [texts()],
      allowCredentials: true,
      allowMethods: [texts()],
      allowHeaders: [texts()],
      exposeHeaders: [texts()],
      maxAge: 1,
    },
    session: {
      type: index % 2 === 0 ? "cookie" : "header",
      name: texts(),
      lifetime: "session",
      path: texts(),
    },
    auth: {
      protocol: index % 2 === 0 ? "http" : "grpc",
      target,
      pathPrefix: texts(),
      requestHeaders: [texts()],
      responseHeaders: [texts()],
      maxBodySize: 0,
    },
    clientAddresses: {
      source: "forwarded",
      allow: [texts(), "10.0.0.0/8"],
      deny: [texts()],
      trustedProxies: [texts()],
    },
    rateLimit: {
      requests: 1,
      interval: 1_000,
      burst: 0,
      statusCode: 429,
      responseHeaders: [
        { name: "x-limit", value: texts() },
        { name: texts(), value: texts() },
      ],
    },
    backends: [to(backends[index % backends.length]!, { requestHeaders: changesWith(texts) })],
    mirrors: [{ target, numerator: 1, denominator: 1 }],
  });
}

/** By itself: most of them are no expressions, and their virtual host is refused as a whole. */
function expressionRule(texts: Texts): Rule {
  return rule(
    {
      path: { type: "regex", value: `/${texts()}` },
      headers: [{ name: "x", type: "regex", value: texts() }],
      queryParams: [{ name: "x", type: "regex", value: texts() }],
    },
    { redirect: { statusCode: 302, port: 80 } },
  );
}
