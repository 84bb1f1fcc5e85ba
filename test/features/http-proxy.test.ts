/** Contour's HTTPProxy with real traffic: what its routes, includes and policies do to requests. */
import { describe, expect, it } from "vitest";
import { seenHeader } from "../../src/driver-kit/traffic/seen-request.ts";
import { connectLines } from "../../src/driver-kit/traffic/stream-client.ts";
import { openWebSocket } from "../../src/driver-kit/traffic/websocket.ts";
import { makeCa, makeCertificate } from "../certificates.ts";
import { httpBackend, tcpBackend } from "./support/backends.ts";
import { startGateway, type GatewayUnderTest } from "./support/gateway-under-test.ts";
import { secret, service } from "./support/objects.ts";

const settings = {
  layers: {
    gateway: "infra/ingress",
    gatewayClass: "gatewright",
    httpProxies: { classes: ["gatewright"], withoutClass: true },
  },
} as const;

/** `spec` begins at the margin. */
function httpProxy(name: string, spec: string, namespace = "shop", more = ""): string {
  const indented = spec.replace(/^\n+/, "").replaceAll(/^(?=.)/gm, "  ");
  return `
---
apiVersion: projectcontour.io/v1
kind: HTTPProxy
metadata: { name: ${name}, namespace: ${namespace}${more} }
spec:
${indented}
`;
}

/** A root for shop.test with these routes, and the backends a and b. */
async function shop(routes: string, virtualhost = "{ fqdn: shop.test }") {
  const [a, b] = await Promise.all(["a", "b"].map((name) => httpBackend(name)));
  const root = httpProxy("shop", `virtualhost: ${virtualhost}\nroutes:\n${routes.replace(/^\n+/, "")}`);
  const gateway = await startGateway(root + service("a", [a!.port]) + service("b", [b!.port]), { settings });
  return { gateway, a: a!, b: b! };
}

const get = (gateway: GatewayUnderTest, path: string, headers: Record<string, string> = {}) =>
  gateway.get({ port: 80, host: "shop.test", path, headers });

function currentStatus(gateway: GatewayUnderTest, key: string): string {
  return (gateway.status("HTTPProxy", key) as { currentStatus?: string }).currentStatus ?? "none";
}

describe("routes of an HTTPProxy", () => {
  it("take requests by path, headers and query parameters", async () => {
    const { gateway } = await shop(`
- { conditions: [{ exact: /exact }, { queryParameter: { name: q, prefix: yes } }], services: [{ name: a, port: 80 }] }
- { conditions: [{ prefix: /api }, { header: { name: x-beta, notexact: "no" } }], services: [{ name: a, port: 80 }] }
- { conditions: [{ prefix: /api }], services: [{ name: b, port: 80 }] }
- { conditions: [{ regex: "/[0-9]+" }, { header: { name: x-old, notpresent: true } }], services: [{ name: a, port: 80 }] }`);
    expect((await get(gateway, "/exact?q=yes-please")).from).toBe("a");
    expect((await get(gateway, "/exact/more?q=yes")).from).toBe(404);
    expect((await get(gateway, "/exact?q=no")).from).toBe(404);
    expect((await get(gateway, "/api/x", { "x-beta": "maybe" })).from).toBe("a");
    expect((await get(gateway, "/api/x", { "x-beta": "no" })).from).toBe("b");
    // Negative conditions want the header to be there.
    expect((await get(gateway, "/api/x")).from).toBe("b");
    expect((await get(gateway, "/17")).from).toBe("a");
    expect((await get(gateway, "/17", { "x-old": "1" })).from).toBe(404);
    expect(currentStatus(gateway, "shop/shop")).toBe("valid");
  });

  it("have weights, and mirrors that get copies", async () => {
    const { gateway, b } = await shop(`
- { conditions: [{ prefix: /a }], services: [{ name: a, port: 80, weight: 1 }, { name: b, port: 80 }] }
- { conditions: [{ prefix: /m }], services: [{ name: a, port: 80 }, { name: b, port: 80, mirror: true }] }`);
    const answers = await Promise.all(Array.from({ length: 8 }, () => get(gateway, "/a")));
    expect(new Set(answers.map(({ from }) => from))).toEqual(new Set(["a"]));
    expect((await get(gateway, "/m?copy")).from).toBe("a");
    await expect.poll(() => b.requests.map(({ target }) => target), { timeout: 20_000 }).toEqual(["/m?copy"]);
  });

  it("change headers, the host and the path", async () => {
    const { gateway } = await shop(`
- conditions: [{ prefix: /old }]
  pathRewritePolicy: { replacePrefix: [{ replacement: /new }] }
  requestHeadersPolicy: { set: [{ name: Host, value: inner.test }, { name: X-From, value: "%CONTOUR_NAMESPACE%" }], remove: [X-Secret] }
  responseHeadersPolicy: { set: [{ name: X-Via, value: gateway }] }
  services:
    - { name: a, port: 80, requestHeadersPolicy: { set: [{ name: X-Service, value: "%CONTOUR_SERVICE_NAME%" }] } }`);
    const answer = await get(gateway, "/old/page?x=1", { "x-secret": "1" });
    const seen = answer.seen!;
    expect(seen.target).toBe("/new/page?x=1");
    expect(seen.host).toBe("inner.test");
    expect(seenHeader(seen, "x-from")).toBe("shop");
    expect(seenHeader(seen, "x-service")).toBe("a");
    expect(seenHeader(seen, "x-secret")).toBeUndefined();
    expect(answer.header("x-via")).toBe("gateway");
  });

  it("redirect", async () => {
    const { gateway } = await shop(`
- { conditions: [{ prefix: /a }], requestRedirectPolicy: { scheme: https, hostname: new.test, prefix: /b, statusCode: 308 } }`);
    const answer = await get(gateway, "/a/page");
    expect([answer.status, answer.header("location")]).toEqual([308, "https://new.test/b/page"]);
  });

  it("give up on backends that are slow, and try again", async () => {
    const { gateway, a } = await shop(`
- { conditions: [{ prefix: /slow }], timeoutPolicy: { response: 300ms }, services: [{ name: a, port: 80 }] }
- { conditions: [{ prefix: /again }], retryPolicy: { count: 2, retryOn: [gateway-error] }, services: [{ name: a, port: 80 }] }`);
    a.answer = () => ({ delay: 30_000 });
    expect((await get(gateway, "/slow")).status).toBe(504);
    let tries = 0;
    a.answer = () => (++tries === 1 ? { status: 503 } : undefined);
    expect((await get(gateway, "/again")).from).toBe("a");
    expect(tries).toBe(2);
  });

  it("let WebSockets through", async () => {
    const { gateway } = await shop(`
- { enableWebsockets: true, services: [{ name: a, port: 80 }] }`);
    const socket = await openWebSocket(gateway.at(80), { host: "shop.test", path: "/chat" });
    expect(await socket.exchange("hello")).toBe("a: hello");
    socket.close();
  });
});

describe("policies of an HTTPProxy", () => {
  it("answer for other origins", async () => {
    const { gateway } = await shop(
      "- services: [{ name: a, port: 80 }]",
      '{ fqdn: shop.test, corsPolicy: { allowOrigin: ["https://a.test"], allowMethods: [GET], maxAge: 1m } }',
    );
    const ask = (origin: string) =>
      gateway.get({
        port: 80,
        host: "shop.test",
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "GET" },
      });
    const allowed = await ask("https://a.test");
    expect(allowed.header("access-control-allow-origin")).toBe("https://a.test");
    expect(allowed.header("access-control-max-age")).toBe("60");
    expect((await ask("https://b.test")).header("access-control-allow-origin")).toBeUndefined();
  });

  it("keep addresses out, of a virtual host or of one route", async () => {
    const { gateway } = await shop(
      `
- services: [{ name: a, port: 80 }]
- { conditions: [{ prefix: /here }], ipAllowPolicy: [{ source: Peer, cidr: 127.0.0.0/8 }], services: [{ name: a, port: 80 }] }`,
      "{ fqdn: shop.test, ipDenyPolicy: [{ source: Peer, cidr: 127.0.0.1 }] }",
    );
    expect((await get(gateway, "/")).status).toBe(403);
    expect((await get(gateway, "/here")).from).toBe("a");
  });

  it("limit how many requests come", async () => {
    const { gateway } = await shop(`
- conditions: [{ prefix: /few }]
  rateLimitPolicy: { local: { requests: 2, unit: hour, responseStatusCode: 503, responseHeadersToAdd: [{ name: X-Limited, value: "yes" }] } }
  services: [{ name: a, port: 80 }]
- services: [{ name: a, port: 80 }]`);
    expect((await get(gateway, "/few")).from).toBe("a");
    expect((await get(gateway, "/few")).from).toBe("a");
    const limited = await get(gateway, "/few");
    expect([limited.status, limited.header("x-limited")]).toEqual([503, "yes"]);
    expect((await get(gateway, "/")).from).toBe("a");
  });

  it("keep a client at its endpoint, by a cookie or by what it sends", async () => {
    const endpoints = await Promise.all(["x", "y", "z"].map((name) => httpBackend(name)));
    const gateway = await startGateway(
      httpProxy(
        "shop",
        `
virtualhost: { fqdn: shop.test }
routes:
  - { loadBalancerPolicy: { strategy: Cookie }, services: [{ name: all, port: 80 }] }
  - conditions: [{ prefix: /hash }]
    loadBalancerPolicy: { strategy: RequestHash, requestHashPolicies: [{ headerHashOptions: { headerName: X-User } }] }
    services: [{ name: all, port: 80 }]`,
      ) +
        service(
          "all",
          endpoints.map(({ port }) => port),
        ),
      { settings },
    );
    const first = await get(gateway, "/");
    const cookie = first.header("set-cookie")!.split(";")[0]!;
    expect(cookie).toMatch(/^X-Contour-Session-Affinity=/);
    for (let i = 0; i < 5; i++) expect((await get(gateway, "/", { cookie })).from).toBe(first.from);
    for (const user of ["ann", "bob", "eve"]) {
      const { from } = await get(gateway, "/hash", { "x-user": user });
      for (let i = 0; i < 3; i++) expect((await get(gateway, "/hash", { "x-user": user })).from).toBe(from);
    }
  });

  it("take endpoints out that do not answer health checks", async () => {
    const [well, ill] = await Promise.all(["well", "ill"].map((name) => httpBackend(name)));
    ill!.answer = ({ target }) => (target === "/health" ? { status: 500 } : undefined);
    const gateway = await startGateway(
      httpProxy(
        "shop",
        `
virtualhost: { fqdn: shop.test }
routes:
  - healthCheckPolicy: { path: /health, intervalSeconds: 1, unhealthyThresholdCount: 1 }
    services: [{ name: all, port: 80 }]`,
      ) + service("all", [well!.port, ill!.port]),
      { settings },
    );
    const answered = async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => get(gateway, "/")));
      return [...new Set(answers.map(({ from }) => from))];
    };
    await expect.poll(answered, { timeout: 30_000 }).toEqual(["well"]);
    expect(well!.requests.find(({ target }) => target === "/health")?.host).toBe("contour-envoy-healthcheck");
  });
});

describe("TLS of an HTTPProxy", () => {
  it("has its certificate, delegated from another namespace, and redirects plain HTTP", async () => {
    const pair = await makeCertificate({ names: ["shop.test"] });
    const web = await httpBackend("web");
    const delegation = `
---
apiVersion: projectcontour.io/v1
kind: TLSCertificateDelegation
metadata: { name: shared, namespace: certificates }
spec: { delegations: [{ secretName: shared, targetNamespaces: [shop] }] }
`;
    const gateway = await startGateway(
      httpProxy(
        "shop",
        `
virtualhost: { fqdn: shop.test, tls: { secretName: certificates/shared } }
routes:
  - services: [{ name: web, port: 80 }]
  - { conditions: [{ prefix: /plain }], permitInsecure: true, services: [{ name: web, port: 80 }] }`,
      ) +
        secret("shared", pair, "certificates") +
        service("web", [web.port]),
      { settings },
    );
    expect(currentStatus(gateway, "shop/shop")).toBe("invalid");
    expect(() => gateway.at(443)).toThrow(/no open port/);

    await gateway.apply(delegation);
    expect(currentStatus(gateway, "shop/shop")).toBe("valid");
    const tls = { servername: "shop.test", ca: pair.certificates, rejectUnauthorized: true };
    expect((await gateway.get({ port: 443, host: "shop.test", tls })).from).toBe("web");
    const redirected = await get(gateway, "/page?x=1");
    expect([redirected.status, redirected.header("location")]).toEqual([301, "https://shop.test/page?x=1"]);
    expect((await get(gateway, "/plain")).from).toBe("web");

    await gateway.delete("TLSCertificateDelegation", "certificates/shared");
    expect(currentStatus(gateway, "shop/shop")).toBe("invalid");
    expect(() => gateway.at(443)).toThrow(/no open port/);
  });

  it("is passed to a TCP proxy, or ended before it", async () => {
    const pair = await makeCertificate({ names: ["passed.test", "ended.test"] });
    const inner = await httpBackend("inner", { tls: pair });
    const plain = await tcpBackend("plain");
    const gateway = await startGateway(
      httpProxy(
        "passed",
        `
virtualhost: { fqdn: passed.test, tls: { passthrough: true } }
tcpproxy: { services: [{ name: inner, port: 80 }] }`,
      ) +
        httpProxy(
          "ended",
          `
virtualhost: { fqdn: ended.test, tls: { secretName: pair } }
tcpproxy: { include: { name: services, namespace: data } }`,
        ) +
        httpProxy("services", "tcpproxy: { services: [{ name: plain, port: 80 }] }", "data") +
        secret("pair", pair) +
        service("inner", [inner.port]) +
        service("plain", [plain.port], { namespace: "data" }),
      { settings },
    );
    const tlsFor = (servername: string) => ({ servername, ca: pair.certificates, rejectUnauthorized: true });
    const passed = await gateway.get({ port: 443, host: "passed.test", tls: tlsFor("passed.test") });
    expect(passed.from).toBe("inner");
    expect(passed.seen?.tls?.serverName).toBe("passed.test");
    const client = await connectLines(gateway.at(443), tlsFor("ended.test"));
    expect(await client.readLine()).toContain("plain");
    client.close();
    expect(["shop/passed", "shop/ended", "data/services"].map((key) => currentStatus(gateway, key))).toEqual([
      "valid",
      "valid",
      "valid",
    ]);
  });

  it("of backends is verified", async () => {
    const ca = await makeCa();
    const good = await makeCertificate({ names: ["inner.test"], ca });
    const web = await httpBackend("web", { tls: good });
    const proxyTo = (subject: string) =>
      httpProxy(
        "shop",
        `
virtualhost: { fqdn: shop.test }
routes:
  - services: [{ name: web, port: 80, protocol: tls, validation: { caSecret: ca, subjectName: ${subject} } }]`,
      );
    const gateway = await startGateway(
      proxyTo("inner.test") +
        service("web", [web.port]) +
        `
---
apiVersion: v1
kind: Secret
metadata: { name: ca, namespace: shop }
data: { ca.crt: ${Buffer.from(ca.certificate).toString("base64")} }
`,
      { settings },
    );
    expect((await get(gateway, "/")).from).toBe("web");
    await gateway.apply(proxyTo("other.test"));
    expect((await get(gateway, "/")).status).toBe(503);
  });
});

describe("HTTPProxies that include others", () => {
  it("serve their routes below their own conditions, and follow them as they come and go", async () => {
    const [web, blog] = await Promise.all(["web", "blog"].map((name) => httpBackend(name)));
    const gateway = await startGateway(
      httpProxy(
        "posts",
        "routes: [{ conditions: [{ prefix: /posts }], services: [{ name: blog, port: 80 }] }]",
        "blog",
      ) +
        service("web", [web!.port]) +
        service("blog", [blog!.port], { namespace: "blog" }),
      { settings },
    );
    expect(currentStatus(gateway, "blog/posts")).toBe("orphaned");
    await gateway.apply(
      httpProxy(
        "root",
        `
virtualhost: { fqdn: shop.test }
includes: [{ name: posts, namespace: blog, conditions: [{ prefix: /blog }] }]
routes: [{ services: [{ name: web, port: 80 }] }]`,
      ),
    );
    expect(currentStatus(gateway, "blog/posts")).toBe("valid");
    expect((await get(gateway, "/blog/posts/1")).from).toBe("blog");
    expect((await get(gateway, "/blog")).from).toBe("web");
    await gateway.delete("HTTPProxy", "blog/posts");
    expect((await get(gateway, "/blog/posts/1")).status).toBe(500);
    expect((await get(gateway, "/")).from).toBe("web");
    expect(currentStatus(gateway, "shop/root")).toBe("invalid");
  });
});

describe("an HTTPProxy beside the Gateway API", () => {
  const ingress = `
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: ingress, namespace: infra }
spec:
  gatewayClassName: gatewright
  listeners: [{ name: http, port: 80, protocol: HTTP, allowedRoutes: { namespaces: { from: All } } }]
`;
  const proxy = httpProxy(
    "shop",
    `
virtualhost: { fqdn: shop.test }
routes: [{ services: [{ name: a, port: 80 }] }, { conditions: [{ prefix: /proxy }], services: [{ name: a, port: 80 }] }]`,
    "shop",
    ', creationTimestamp: "2020-01-01T00:00:00Z"',
  );
  const route = `
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: shop, namespace: shop, creationTimestamp: "2026-01-01T00:00:00Z" }
spec:
  parentRefs: [{ name: ingress, namespace: infra }]
  hostnames: [shop.test]
  rules: [{ backendRefs: [{ name: b, port: 80 }] }]
`;

  it.each([
    ["first", [proxy, route]],
    ["last", [route, proxy]],
  ])("2.1.8: yields where both ask for the same, also if it came %s", async (_when, order) => {
    const [a, b] = await Promise.all(["a", "b"].map((name) => httpBackend(name)));
    const gateway = await startGateway(ingress + service("a", [a!.port]) + service("b", [b!.port]), {
      settings,
    });
    for (const yaml of order) await gateway.apply(yaml);
    expect((await get(gateway, "/")).from).toBe("b");
    expect((await get(gateway, "/proxy")).from).toBe("a");
    expect(currentStatus(gateway, "shop/shop")).toBe("valid");
    expect(gateway.status("Gateway", "infra/ingress").listeners![0]!.attachedRoutes).toBe(1);
    await gateway.delete("HTTPRoute", "shop/shop");
    expect((await get(gateway, "/")).from).toBe("a");
  });

  it("2.1.4: goes on when the one Gateway of single-Gateway mode goes", async () => {
    const [a, b] = await Promise.all(["a", "b"].map((name) => httpBackend(name)));
    const gateway = await startGateway(
      ingress + proxy + route + service("a", [a!.port]) + service("b", [b!.port]),
      { settings: { ...settings, singleGateway: { gateway: "infra/ingress" } } },
    );
    expect((await get(gateway, "/")).from).toBe("b");
    await gateway.delete("Gateway", "infra/ingress");
    expect((await get(gateway, "/")).from).toBe("a");
    expect((await get(gateway, "/proxy")).from).toBe("a");
    await gateway.apply(ingress);
    expect((await get(gateway, "/")).from).toBe("b");
  });
});
