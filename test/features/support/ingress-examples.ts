/*
 * Ingresses as people have them, one for each annotation at least, with requests and what is answered to them. `ingress.test.ts` sends the requests to the Ingresses as they
 * are, and again to what `gatewright migrate` makes of them.
 */
export interface IngressExample {
  readonly title: string;
  /** Without their prefix. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Beside `ingressClassName`. The usual: host shop.test, prefix /, Service web. */
  readonly spec?: string;
  /** Another Ingress with these annotations, for Service other. */
  readonly canary?: Readonly<Record<string, string>>;
  readonly more?: string;
  /** When the Ingress was made. */
  readonly created?: string;
  /** More Ingresses. */
  readonly ingresses?: string;
  readonly requests: readonly ExampleRequest[];
  /** What is told of it when it is migrated, in part. */
  readonly lost?: readonly string[];
  /** The same of what needs more than the standard channel. */
  readonly carried?: readonly string[];
  /** It stays an Ingress, and why, in part. */
  readonly kept?: string;
}

export interface ExampleRequest {
  readonly method?: string;
  readonly host?: string;
  readonly path?: string;
  readonly https?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** `web /path` for what a backend saw, `308 https://…` for a redirect, or a status. Then the headers of `shows`. */
  readonly answer: string;
  /** Headers of the answer, or with `>` before them of what the backend saw. */
  readonly shows?: readonly string[];
  /** Not of what it is migrated to: this is what is lost. */
  readonly beforeOnly?: boolean;
}

const paths = (...list: readonly string[]) =>
  `rules: [{ host: shop.test, http: { paths: [${list.join(", ")}] } }]`;
const path = (value: string, pathType = "ImplementationSpecific", service = "web") =>
  `{ path: "${value}", pathType: ${pathType}, backend: { service: { name: ${service}, port: { number: 80 } } } }`;

/** Another Ingress, with no more than a default backend. */
const fallback = (name: string, tls = "") => `
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: ${name}, namespace: shop }
spec: { defaultBackend: { service: { name: other, port: { number: 80 } } }${tls} }
`;
const shopTls = "tls: [{ hosts: [shop.test], secretName: shop-tls }]";

const cors = { origin: "https://a.test" };
const preflight = {
  method: "OPTIONS",
  headers: { ...cors, "access-control-request-method": "PUT", "access-control-request-headers": "x-a" },
};

export const ingressExamples: readonly IngressExample[] = [
  {
    title: "hosts: a name, a wildcard for one label, and all others",
    spec: `rules:
    - { host: shop.test, http: { paths: [${path("/", "Prefix")}] } }
    - { host: "*.shop.test", http: { paths: [${path("/", "Prefix", "other")}] } }`,
    requests: [
      { answer: "web /" },
      { host: "a.shop.test", answer: "other /" },
      { host: "a.b.shop.test", answer: "404" },
      { host: "elsewhere.test", answer: "404" },
    ],
  },
  {
    title: "path types: Exact, Prefix by elements, ImplementationSpecific",
    spec: paths(path("/exact", "Exact"), path("/prefix/", "Prefix"), path("/own")),
    requests: [
      { path: "/exact", answer: "web /exact" },
      { path: "/exact/x", answer: "404" },
      { path: "/prefix", answer: "web /prefix" },
      { path: "/prefix/x?y=1", answer: "web /prefix/x?y=1" },
      { path: "/prefixed", answer: "404" },
      { path: "/own/x", answer: "web /own/x" },
    ],
  },
  {
    title: "the longest path first, and Exact before Prefix",
    spec: paths(path("/", "Prefix"), path("/a", "Prefix", "other"), path("/a", "Exact")),
    requests: [
      { path: "/x", answer: "web /x" },
      { path: "/a/x", answer: "other /a/x" },
      { path: "/a", answer: "web /a" },
    ],
  },
  {
    title: "a default backend",
    spec: `defaultBackend: { service: { name: other, port: { number: 80 } } }
  ${paths(path("/a", "Prefix"))}`,
    requests: [
      { path: "/a", answer: "web /a" },
      { path: "/b", answer: "other /b" },
      { host: "elsewhere.test", answer: "other /" },
    ],
  },
  {
    title: "a port by its name",
    spec: `rules: [{ host: shop.test, http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: named, port: { name: http } } } }] } }]`,
    requests: [{ answer: "web /" }],
  },
  {
    title: "TLS: plain HTTP is sent there",
    spec: `tls: [{ hosts: [shop.test], secretName: shop-tls }]
  ${paths(path("/", "Prefix"))}`,
    requests: [
      { path: "/a?b=1", answer: "308 https://shop.test/a?b=1" },
      { path: "/a", https: true, answer: "web /a" },
    ],
  },
  {
    title: "TLS for all hosts",
    spec: `tls: [{ secretName: shop-tls }]
  ${paths(path("/", "Prefix"))}`,
    requests: [
      { path: "/a", answer: "308 https://shop.test/a" },
      { path: "/a", https: true, answer: "web /a" },
    ],
  },
  {
    title: "TLS for one host, and a default backend that comes before it by name",
    spec: `${shopTls}
  ${paths(path("/", "Prefix"))}`,
    ingresses: fallback("a-default"),
    requests: [
      { path: "/a", https: true, answer: "web /a" },
      { path: "/a", answer: "308 https://shop.test/a" },
      { host: "elsewhere.test", path: "/a", answer: "other /a" },
    ],
  },
  {
    title: "TLS for one host, and a default backend that comes after it by name",
    spec: `${shopTls}
  ${paths(path("/", "Prefix"))}`,
    ingresses: fallback("z-default"),
    requests: [
      { path: "/a", https: true, answer: "web /a" },
      { host: "elsewhere.test", path: "/a", answer: "other /a" },
    ],
  },
  {
    title: "TLS for one path of a host, and a default backend for what comes without TLS",
    spec: `${shopTls}
  ${paths(path("/api", "Prefix"))}`,
    ingresses: fallback("a-default"),
    requests: [
      { path: "/api/a", https: true, answer: "web /api/a" },
      { path: "/a", https: true, answer: "404" },
      { path: "/a", answer: "other /a" },
    ],
  },
  {
    title: "TLS for one host and for all, and a default backend",
    spec: `${shopTls}
  ${paths(path("/", "Prefix"))}`,
    ingresses: fallback("a-default", ", tls: [{ secretName: shop-tls }]"),
    requests: [
      { path: "/a", https: true, answer: "web /a" },
      { host: "elsewhere.test", path: "/a", https: true, answer: "other /a" },
      { host: "elsewhere.test", path: "/a", answer: "308 https://elsewhere.test/a" },
    ],
  },
  {
    title: "TLS for a name, and for a wildcard, and a longer path for all",
    annotations: { "ssl-redirect": "false" },
    spec: `tls: [{ hosts: [a.shop.test], secretName: shop-tls }, { hosts: ["*.shop.test"], secretName: shop-tls }]
  rules:
    - { host: a.shop.test, http: { paths: [${path("/", "Prefix")}] } }
    - { host: b.shop.test, http: { paths: [${path("/b", "Prefix")}] } }
    - { host: "*.shop.test", http: { paths: [${path("/", "Prefix", "named")}, ${path("/w", "Prefix", "other")}] } }
    - { http: { paths: [${path("/w/all", "Prefix", "h2c")}] } }`,
    requests: [
      ...[true, false].flatMap((https) => [
        { host: "a.shop.test", path: "/w/all", https, answer: "web /w/all" },
        { host: "b.shop.test", path: "/b", https, answer: "web /b" },
        { host: "b.shop.test", path: "/w/all", https, answer: "other /w/all" },
        { host: "c.shop.test", path: "/w/all", https, answer: "other /w/all" },
      ]),
      { host: "elsewhere.test", path: "/w/all", answer: "h2c /w/all" },
    ],
  },
  {
    title: "two Ingresses with the same host and path: the oldest gets the requests",
    created: "2026-02-01T00:00:00Z",
    ingresses: `
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: z-older, namespace: shop, creationTimestamp: "2026-01-01T00:00:00Z" }
spec:
  ${paths(path("/", "Prefix", "other"))}
`,
    requests: [{ answer: "other /" }],
    lost: ["Ingress shop/z-older comes first"],
  },
  {
    title: "ssl-redirect",
    annotations: { "ssl-redirect": "false" },
    spec: `tls: [{ hosts: [shop.test], secretName: shop-tls }]
  ${paths(path("/", "Prefix"))}`,
    requests: [
      { path: "/a", answer: "web /a" },
      { path: "/a", https: true, answer: "web /a" },
    ],
  },
  {
    title: "force-ssl-redirect",
    annotations: { "force-ssl-redirect": "true" },
    requests: [{ path: "/a", answer: "308 https://shop.test/a" }],
    lost: ["default certificate"],
  },
  {
    title: "rewrite-target: one path for all",
    annotations: { "rewrite-target": "/index" },
    spec: paths(path("/a")),
    requests: [
      { path: "/a/b?c=1", answer: "web /index?c=1" },
      { path: "/b", answer: "404" },
    ],
  },
  {
    title: "rewrite-target: what is behind a prefix",
    annotations: { "rewrite-target": "/$2" },
    spec: paths(path("/app(/|$)(.*)")),
    requests: [
      { path: "/app", answer: "web /" },
      { path: "/app/", answer: "web /" },
      { path: "/app/a/b?c=1", answer: "web /a/b?c=1" },
      { path: "/apple", answer: "404" },
    ],
  },
  {
    title: "rewrite-target: another prefix",
    annotations: { "rewrite-target": "/v1/$1", "use-regex": "true" },
    spec: paths(path("/api/(.*)"), path("/plain(/.*)?")),
    requests: [{ path: "/api/a", answer: "web /v1/a" }],
  },
  {
    title: "rewrite-target: what the Gateway API has no words for",
    annotations: { "rewrite-target": "/$2/$1" },
    spec: paths(path("/a/([a-z]+)/([0-9]+)")),
    requests: [{ path: "/a/b/1", answer: "500" }],
    kept: "cannot be honoured",
  },
  {
    title: "use-regex",
    annotations: { "use-regex": "true" },
    spec: paths(path("/a/[0-9]+"), path("/b/.*[.]png$", "ImplementationSpecific", "other")),
    requests: [
      { path: "/a/12/x", answer: "web /a/12/x" },
      { path: "/A/1", answer: "web /A/1" },
      { path: "/a/x", answer: "404" },
      { path: "/b/x.png", answer: "other /b/x.png" },
      { path: "/b/x.pngs", answer: "404" },
    ],
  },
  {
    title: "app-root",
    annotations: { "app-root": "/app" },
    requests: [{ answer: "302 http://shop.test/app" }, { path: "/a", answer: "web /a" }],
  },
  {
    title: "permanent-redirect",
    annotations: { "permanent-redirect": "https://new.test/home" },
    requests: [{ path: "/a", answer: "301 https://new.test/home" }],
  },
  {
    title: "permanent-redirect with the path, and permanent-redirect-code",
    annotations: {
      "permanent-redirect": "https://new.test:8443$request_uri",
      "permanent-redirect-code": "308",
    },
    requests: [{ path: "/a?b=1", answer: "308 https://new.test:8443/a?b=1" }],
  },
  {
    title: "temporal-redirect",
    annotations: { "temporal-redirect": "http://new.test/home" },
    requests: [{ path: "/a", answer: "302 http://new.test/home" }],
  },
  {
    title: "temporal-redirect-code",
    annotations: { "temporal-redirect": "http://new.test/home", "temporal-redirect-code": "307" },
    requests: [{ path: "/a", answer: "307 http://new.test/home" }],
  },
  {
    title: "canary-by-header",
    canary: { canary: "true", "canary-by-header": "x-canary" },
    requests: [
      { answer: "web /" },
      { headers: { "x-canary": "always" }, answer: "other /" },
      { headers: { "x-canary": "never" }, answer: "web /" },
      { headers: { "x-canary": "perhaps" }, answer: "web /" },
    ],
  },
  {
    title: "canary-by-header-value",
    canary: { canary: "true", "canary-by-header": "x-canary", "canary-by-header-value": "blue" },
    requests: [
      { headers: { "x-canary": "blue" }, answer: "other /" },
      { headers: { "x-canary": "always" }, answer: "web /" },
    ],
  },
  {
    title: "canary-by-header-pattern",
    canary: { canary: "true", "canary-by-header": "x-canary", "canary-by-header-pattern": "^v[0-9]+" },
    requests: [
      { headers: { "x-canary": "v12-beta" }, answer: "other /" },
      { headers: { "x-canary": "rev1" }, answer: "web /" },
    ],
  },
  {
    title: "canary-by-cookie, after the header",
    canary: { canary: "true", "canary-by-header": "x-canary", "canary-by-cookie": "try" },
    requests: [
      { headers: { cookie: "a=1; try=always" }, answer: "other /" },
      { headers: { cookie: "try=never" }, answer: "web /" },
      { headers: { cookie: "retry=always" }, answer: "web /" },
      { headers: { cookie: "try=always", "x-canary": "never" }, answer: "web /" },
    ],
  },
  {
    title: "canary-weight",
    canary: { canary: "true", "canary-by-header": "x-canary", "canary-weight": "100" },
    requests: [{ answer: "other /" }, { headers: { "x-canary": "never" }, answer: "web /" }],
  },
  {
    title: "canary-weight-total",
    canary: { canary: "true", "canary-weight": "7", "canary-weight-total": "7" },
    requests: [{ answer: "other /" }],
  },
  {
    title: "enable-cors: all origins, and no credentials for them",
    annotations: { "enable-cors": "true" },
    requests: [
      {
        headers: cors,
        answer: "web / https://a.test -",
        shows: ["access-control-allow-origin", "access-control-allow-credentials"],
      },
      { ...preflight, answer: "200 1728000", shows: ["access-control-max-age"] },
    ],
  },
  {
    title: "cors-allow-origin",
    annotations: { "enable-cors": "true", "cors-allow-origin": "https://*.b.test, https://a.test" },
    requests: [
      {
        headers: cors,
        answer: "web / https://a.test true",
        shows: ["access-control-allow-origin", "access-control-allow-credentials"],
      },
      { headers: { origin: "https://evil.test" }, answer: "web / -", shows: ["access-control-allow-origin"] },
    ],
  },
  {
    title: "cors-allow-credentials",
    annotations: {
      "enable-cors": "true",
      "cors-allow-origin": "https://a.test",
      "cors-allow-credentials": "false",
    },
    requests: [{ headers: cors, answer: "web / -", shows: ["access-control-allow-credentials"] }],
  },
  {
    title: "cors-allow-methods",
    annotations: { "enable-cors": "true", "cors-allow-methods": "GET, PUT" },
    requests: [{ ...preflight, answer: "200 GET, PUT", shows: ["access-control-allow-methods"] }],
  },
  {
    title: "cors-allow-headers",
    annotations: { "enable-cors": "true", "cors-allow-headers": "x-a, x-b" },
    requests: [{ ...preflight, answer: "200 x-a, x-b", shows: ["access-control-allow-headers"] }],
  },
  {
    title: "cors-expose-headers",
    annotations: { "enable-cors": "true", "cors-expose-headers": "x-c" },
    requests: [{ headers: cors, answer: "web / x-c", shows: ["access-control-expose-headers"] }],
  },
  {
    title: "cors-max-age",
    annotations: { "enable-cors": "true", "cors-max-age": "60" },
    requests: [{ ...preflight, answer: "200 60", shows: ["access-control-max-age"] }],
  },
  {
    title: "proxy-connect-timeout",
    annotations: { "proxy-connect-timeout": "5" },
    requests: [{ answer: "web /" }],
    lost: ["proxy-connect-timeout"],
  },
  {
    title: "proxy-read-timeout",
    annotations: { "proxy-read-timeout": "1" },
    requests: [{ answer: "web /" }, { path: "/never", answer: "504", beforeOnly: true }],
    lost: ["proxy-read-timeout"],
  },
  {
    title: "proxy-send-timeout",
    annotations: { "proxy-send-timeout": "1s" },
    requests: [{ answer: "web /" }, { path: "/never", answer: "504", beforeOnly: true }],
    lost: ["proxy-send-timeout"],
  },
  {
    title: "proxy-body-size",
    annotations: { "proxy-body-size": "1k" },
    requests: [
      { method: "POST", body: "x".repeat(1024), answer: "web /" },
      { method: "POST", body: "x".repeat(1025), answer: "413", beforeOnly: true },
    ],
    lost: ["proxy-body-size"],
  },
  {
    title: "proxy-body-size: none",
    annotations: { "proxy-body-size": "0" },
    requests: [{ method: "POST", body: "x".repeat(4096), answer: "web /" }],
  },
  {
    title: "whitelist-source-range",
    annotations: { "whitelist-source-range": "192.0.2.0/24" },
    requests: [{ answer: "403" }, { headers: { "x-forwarded-for": "192.0.2.1" }, answer: "403" }],
    kept: "client addresses",
  },
  {
    title: "allowlist-source-range",
    annotations: { "allowlist-source-range": "192.0.2.0/24, 127.0.0.0/8" },
    requests: [{ answer: "web /" }],
    kept: "client addresses",
  },
  {
    title: "denylist-source-range",
    annotations: { "denylist-source-range": "127.0.0.1" },
    requests: [{ answer: "403" }],
    kept: "client addresses",
  },
  {
    title: "a list of addresses that cannot be read opens nothing",
    annotations: { "whitelist-source-range": "127.0.0.1, office" },
    requests: [{ answer: "500" }],
    kept: "cannot be read",
  },
  {
    title: "backend-protocol GRPC",
    annotations: { "backend-protocol": "GRPC" },
    spec: paths(path("/", "Prefix", "h2c")),
    requests: [{ answer: "h2c /" }],
  },
  {
    title: "backend-protocol HTTPS, with a BackendTLSPolicy",
    annotations: { "backend-protocol": "HTTPS" },
    spec: paths(path("/", "Prefix", "secure")),
    more: `
---
apiVersion: gateway.networking.k8s.io/v1
kind: BackendTLSPolicy
metadata: { name: secure, namespace: shop }
spec:
  targetRefs: [{ group: "", kind: Service, name: secure }]
  validation: { hostname: secure.test, caCertificateRefs: [{ group: "", kind: ConfigMap, name: secure-ca }] }
`,
    requests: [{ answer: "secure /" }],
  },
  {
    title: "backend-protocol HTTPS, and nothing to verify with",
    annotations: { "backend-protocol": "HTTPS" },
    spec: paths(path("/", "Prefix", "secure")),
    requests: [{ answer: "500" }],
    kept: "BackendTLSPolicy",
  },
  {
    title: "affinity with session-cookie-name",
    annotations: { affinity: "cookie", "affinity-mode": "persistent", "session-cookie-name": "stay" },
    requests: [{ answer: "web / stay", shows: ["set-cookie"] }],
    carried: ["as sessionPersistence"],
  },
  {
    title: "session-cookie-max-age",
    annotations: { affinity: "cookie", "session-cookie-max-age": "172800" },
    requests: [{ answer: "web / INGRESSCOOKIE 172800", shows: ["set-cookie"] }],
    carried: ["as sessionPersistence"],
  },
  {
    title: "session-cookie-expires",
    annotations: { affinity: "cookie", "session-cookie-expires": "60" },
    requests: [{ answer: "web / INGRESSCOOKIE 60", shows: ["set-cookie"] }],
    carried: ["as sessionPersistence"],
  },
  {
    title: "upstream-vhost",
    annotations: { "upstream-vhost": "inner.test" },
    requests: [{ answer: "web / inner.test", shows: [">host"] }],
  },
  {
    title: "x-forwarded-prefix",
    annotations: { "x-forwarded-prefix": "/app" },
    requests: [{ answer: "web / /app", shows: [">x-forwarded-prefix"] }],
  },
  {
    title: "load-balance",
    annotations: { "load-balance": "ewma" },
    requests: [{ answer: "web /" }],
    lost: ["load-balance"],
  },
  {
    title: "upstream-hash-by",
    annotations: { "upstream-hash-by": "$http_x_user" },
    requests: [{ headers: { "x-user": "a" }, answer: "web /" }],
    lost: ["upstream-hash-by"],
  },
  {
    title: "server-alias",
    annotations: { "server-alias": "www.shop.test" },
    requests: [{ answer: "web /" }, { host: "www.shop.test", answer: "web /" }],
  },
  {
    title: "a snippet is never honoured",
    annotations: { "configuration-snippet": "return 200 owned;" },
    requests: [{ answer: "500" }],
    kept: "snippets",
  },
  {
    title: "what protects and cannot be honoured",
    annotations: { "auth-url": "https://auth.test/" },
    requests: [{ answer: "500" }],
    kept: "auth-url",
  },
  {
    title: "a backend that is no Service",
    spec: `rules: [{ host: shop.test, http: { paths: [{ path: /, pathType: Prefix, backend: { resource: { kind: Bucket, name: icons } } }] } }]`,
    requests: [{ answer: "500" }],
    kept: "Bucket icons",
  },
];
