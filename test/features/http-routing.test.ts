import { describe, expect, it } from "vitest";
import type { AccessRecord } from "../../src/drivers/embedded/http/access-log.ts";
import { httpBackend } from "./support/backends.ts";
import { startGateway } from "./support/gateway-under-test.ts";
import { httpGateway, httpRoute, service } from "./support/objects.ts";

describe("a Gateway", () => {
  it("answers with 404 as long as no route is on it [Gateway]", async () => {
    const gateway = await startGateway(httpGateway);
    expect((await gateway.get({ host: "any.test" })).status).toBe(404);
    expect(gateway.condition("Gateway", "shop/web", "Accepted")).toBe("True/Accepted");
    expect(gateway.condition("Gateway", "shop/web", "Programmed")).toBe("True/Programmed");
    expect(gateway.condition("Gateway", "shop/web", "Programmed", "http")).toBe("True/Programmed");
  });

  it("sends what a route takes to its Service, as the client sent it [HTTPRoute]", async () => {
    const web = await httpBackend("web");
    const rules = `
  rules:
    - backendRefs: [{ name: web, port: 80 }]`;
    const gateway = await startGateway(httpGateway + httpRoute(rules) + service("web", [web.port]));
    const answer = await gateway.get({
      method: "POST",
      host: "shop.test",
      path: "/cart?item=1&item=2",
      headers: { "x-own": ["a", "b"] },
      body: "two of them",
    });
    expect(answer.status).toBe(200);
    expect(answer.seen).toMatchObject({
      backend: "web",
      method: "POST",
      target: "/cart?item=1&item=2",
      host: "shop.test",
      body: "two of them",
    });
    expect(gateway.condition("HTTPRoute", "shop/shop", "Accepted")).toBe("True/Accepted");
    expect(gateway.condition("HTTPRoute", "shop/shop", "ResolvedRefs")).toBe("True/ResolvedRefs");
    expect(gateway.status("Gateway", "shop/web").listeners?.[0]?.attachedRoutes).toBe(1);
  });

  it("has one port or several, and a route on one of them is on that one only [GatewayPort8080]", async () => {
    const web = await httpBackend("web");
    const gateway = await startGateway(`
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners:
    - { name: http, port: 80, protocol: HTTP }
    - { name: alternative, port: 8080, protocol: HTTP }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: shop, namespace: shop }
spec:
  parentRefs: [{ name: web, sectionName: alternative }]
  rules: [{ backendRefs: [{ name: web, port: 80 }] }]
${service("web", [web.port])}`);
    expect((await gateway.get({ port: 8080 })).from).toBe("web");
    expect((await gateway.get({ port: 80 })).status).toBe(404);
  });

  it("takes routes by the port that they name [HTTPRouteParentRefPort, HTTPRouteDestinationPortMatching]", async () => {
    const one = await httpBackend("one");
    const two = await httpBackend("two");
    const gateway = await startGateway(`
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners:
    - { name: a, port: 8080, protocol: HTTP }
    - { name: b, port: 8090, protocol: HTTP }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: one, namespace: shop }
spec:
  parentRefs: [{ name: web, port: 8080 }]
  rules: [{ backendRefs: [{ name: one, port: 80 }] }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: two, namespace: shop }
spec:
  parentRefs: [{ name: web, port: 8090 }]
  rules: [{ backendRefs: [{ name: two, port: 80 }] }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: nowhere, namespace: shop }
spec:
  parentRefs: [{ name: web, port: 8100 }]
${service("one", [one.port])}${service("two", [two.port])}`);
    expect((await gateway.get({ port: 8080 })).from).toBe("one");
    expect((await gateway.get({ port: 8090 })).from).toBe("two");
    expect(gateway.condition("HTTPRoute", "shop/nowhere", "Accepted")).toBe("False/NoMatchingParent");
  });

  it("keeps listeners of one port apart by their hostnames [GatewayHTTPListenerIsolation]", async () => {
    const web = await httpBackend("web");
    const sections = ["any", "wildcard", "narrower", "exact"];
    const routes = sections.map(
      (section) => `
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: ${section}, namespace: shop }
spec:
  parentRefs: [{ name: web, sectionName: ${section} }]
  rules:
    - matches: [{ path: { value: /${section} } }]
      backendRefs: [{ name: web, port: 80 }]`,
    );
    const gateway = await startGateway(`
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners:
    - { name: any, port: 80, protocol: HTTP }
    - { name: wildcard, port: 80, protocol: HTTP, hostname: "*.example.com" }
    - { name: narrower, port: 80, protocol: HTTP, hostname: "*.foo.example.com" }
    - { name: exact, port: 80, protocol: HTTP, hostname: abc.foo.example.com }
${routes.join("")}
${service("web", [web.port])}`);
    const owners = {
      "bar.com": "any",
      "bar.example.com": "wildcard",
      "bar.foo.example.com": "narrower",
      "abc.foo.example.com": "exact",
    };
    for (const [host, owner] of Object.entries(owners)) {
      for (const section of sections) {
        const { status } = await gateway.get({ host, path: `/${section}` });
        expect([host, section, status]).toEqual([host, section, section === owner ? 200 : 404]);
      }
    }
  });
});

describe("the match of a rule", () => {
  /** One backend per rule, named a, b, c, …; `matches` is what stands in each rule's `matches`. */
  async function startWith(matches: readonly string[], spec = "") {
    const names = matches.map((_, index) => String.fromCharCode(97 + index));
    const backends = await Promise.all(names.map((name) => httpBackend(name)));
    const rules = matches.map(
      (match, index) => `
    - matches: [${match}]
      backendRefs: [{ name: ${names[index]}, port: 80 }]`,
    );
    const services = backends.map(({ name, port }) => service(name, [port]));
    return await startGateway(
      httpGateway + httpRoute(`${spec}\n  rules:${rules.join("")}`) + services.join(""),
    );
  }

  it("takes the most specific path, element by element [HTTPRoute]", async () => {
    const gateway = await startWith([
      "{ path: { type: PathPrefix, value: / } }",
      "{ path: { type: PathPrefix, value: /login } }",
      "{ path: { type: Exact, value: /login/exact } }",
      '{ path: { type: RegularExpression, value: "/l[a-z]+/[0-9]+" } }',
    ]);
    const from = async (path: string) => (await gateway.get({ path })).from;
    expect(await from("/")).toBe("a");
    expect(await from("/loginx")).toBe("a");
    expect(await from("/login")).toBe("b");
    expect(await from("/login/")).toBe("b");
    expect(await from("/login/in?next=/login/exact")).toBe("b");
    expect(await from("/login/exact")).toBe("c");
    expect(await from("/login/exact/")).toBe("b");
    expect(await from("/login/42")).toBe("d");
    expect(await from("/LOGIN")).toBe("a");
  });

  it("is refused where the expressions of its route would take too long, and others are served", async () => {
    const web = await httpBackend("web");
    const matches = (first: number, length: number) =>
      Array.from(
        { length },
        (_, index) =>
          `{ path: { type: RegularExpression, value: "/.*(a|b).{700}[xy]{50}z${first + index}" } }`,
      );
    const hostile = `
  hostnames: [hostile.test]
  rules:
    - { matches: [${matches(0, 64).join()}], backendRefs: [{ name: web, port: 80 }] }
    - { matches: [${matches(64, 63).join()}], backendRefs: [{ name: web, port: 80 }] }
    - { backendRefs: [{ name: web, port: 80 }] }`;
    const other = `
  hostnames: [other.test]
  rules: [{ backendRefs: [{ name: web, port: 80 }] }]`;
    const gateway = await startGateway(
      httpGateway + httpRoute(hostile, "hostile") + httpRoute(other, "other") + service("web", [web.port]),
    );
    const path = `/${"abbabaab".repeat(900)}`;
    const [refused, served] = await Promise.all([
      gateway.get({ host: "hostile.test", path }),
      gateway.get({ host: "other.test", path }),
    ]);
    // None of the rules was passed over: one that was not asked might have forbidden the request.
    expect([refused.status, refused.body]).toEqual([400, "the request takes too long to match\n"]);
    expect(served.from).toBe("web");
    expect((await gateway.get({ host: "hostile.test", path: "/short" })).from).toBe("web");
  });

  it("counts headers by name without case, and values with [HTTPRoute]", async () => {
    const gateway = await startWith([
      "{ path: { value: / } }",
      "{ headers: [{ name: Version, value: two }] }",
      "{ headers: [{ name: version, value: two }, { name: color, value: orange }] }",
      '{ headers: [{ name: tier, type: RegularExpression, value: "gold|silver" }] }',
    ]);
    const from = async (headers: Record<string, string | string[]>) => (await gateway.get({ headers })).from;
    expect(await from({})).toBe("a");
    expect(await from({ VERSION: "two" })).toBe("b");
    expect(await from({ version: "Two" })).toBe("a");
    expect(await from({ version: "two", color: "orange" })).toBe("c");
    expect(await from({ tier: "gold" })).toBe("d");
    expect(await from({ tier: "golden" })).toBe("a");
  });

  it("takes requests by method [HTTPRouteMethodMatching]", async () => {
    const gateway = await startWith([
      "{ method: GET }",
      "{ method: POST }",
      "{ method: DELETE, path: { value: /deep } }",
    ]);
    expect((await gateway.get({ method: "GET" })).from).toBe("a");
    expect((await gateway.get({ method: "POST" })).from).toBe("b");
    expect((await gateway.get({ method: "DELETE" })).status).toBe(404);
    expect((await gateway.get({ method: "DELETE", path: "/deep/er" })).from).toBe("c");
    expect((await gateway.get({ method: "PATCH" })).status).toBe(404);
  });

  it("takes requests by query parameters, the first value of each [HTTPRouteQueryParamMatching]", async () => {
    const gateway = await startWith([
      "{ path: { value: / } }",
      "{ queryParams: [{ name: animal, value: whale }] }",
      "{ queryParams: [{ name: animal, value: whale }, { name: color, value: blue }] }",
    ]);
    const from = async (path: string) => (await gateway.get({ path })).from;
    expect(await from("/?animal=dog")).toBe("a");
    expect(await from("/?animal=whale")).toBe("b");
    expect(await from("/?Animal=whale")).toBe("a");
    expect(await from("/?animal=dog&animal=whale")).toBe("a");
    expect(await from("/?color=blue&animal=whale")).toBe("c");
    // Compared as they are written, which is what all proxies do.
    expect(await from("/?animal=wh%61le")).toBe("a");
  });

  it("takes the hosts of its route, by name or by wildcard [HTTPRoute]", async () => {
    const gateway = await startWith(
      ["{ path: { value: / } }"],
      '  hostnames: [example.com, "*.example.org"]',
    );
    const from = async (host: string) => (await gateway.get({ host })).from;
    expect(await from("example.com")).toBe("a");
    expect(await from("EXAMPLE.com:8080")).toBe("a");
    expect(await from("www.example.com")).toBe(404);
    expect(await from("www.example.org")).toBe("a");
    expect(await from("a.b.example.org")).toBe("a");
    expect(await from("example.org")).toBe(404);
  });

  it("is logged by the name of its rule [HTTPRouteNamedRouteRule]", async () => {
    const web = await httpBackend("web");
    const records: AccessRecord[] = [];
    const rules = `
  rules:
    - { name: front-page, matches: [{ path: { type: Exact, value: / } }], backendRefs: [{ name: web, port: 80 }] }
    - { matches: [{ path: { value: /rest } }], backendRefs: [{ name: web, port: 80 }] }`;
    const gateway = await startGateway(httpGateway + httpRoute(rules) + service("web", [web.port]), {
      driver: { accessLog: (record) => void records.push(record) },
    });
    for (const path of ["/", "/rest", "/none/at/all"]) await gateway.get({ host: "shop.test", path });
    await expect.poll(() => records.length).toBe(3);
    expect(records.map(({ route, rule, status, path }) => ({ route, rule, status, path }))).toEqual([
      { route: "HTTPRoute/shop/shop", rule: "0/front-page", status: 200, path: "/" },
      { route: "HTTPRoute/shop/shop", rule: "1", status: 200, path: "/rest" },
      { status: 404, path: "/none/at/all" },
    ]);
  });
});

describe("the backends of a rule", () => {
  it("share the requests by weight, exactly [HTTPRoute]", async () => {
    const backends = await Promise.all(["a", "b", "c"].map((name) => httpBackend(name)));
    const rules = `
  rules:
    - backendRefs:
        - { name: a, port: 80, weight: 7 }
        - { name: b, port: 80, weight: 3 }
        - { name: c, port: 80, weight: 0 }`;
    const services = backends.map(({ name, port }) => service(name, [port]));
    const gateway = await startGateway(httpGateway + httpRoute(rules) + services.join(""));
    for (let request = 0; request < 50; request++) await gateway.get({});
    expect(backends.map(({ requests }) => requests.length)).toEqual([35, 15, 0]);
  });

  it("that cannot be had keep their share, as errors [HTTPRoute]", async () => {
    const web = await httpBackend("web");
    const rules = `
  rules:
    - matches: [{ path: { value: /half } }]
      backendRefs: [{ name: web, port: 80 }, { name: nowhere, port: 80 }]
    - matches: [{ path: { value: /kind } }]
      backendRefs: [{ group: example.com, kind: Bucket, name: web, port: 80 }]
    - matches: [{ path: { value: /zero } }]
      backendRefs: [{ name: web, port: 80, weight: 0 }]
    - matches: [{ path: { value: /none } }]
    - matches: [{ path: { value: /empty } }]
      backendRefs: [{ name: empty, port: 80 }]`;
    const gateway = await startGateway(
      httpGateway + httpRoute(rules) + service("web", [web.port]) + service("empty", []),
    );
    const halves = await Promise.all(Array.from({ length: 10 }, () => gateway.get({ path: "/half" })));
    expect(halves.filter(({ status }) => status === 500)).toHaveLength(5);
    expect((await gateway.get({ path: "/kind" })).status).toBe(500);
    expect((await gateway.get({ path: "/zero" })).status).toBe(500);
    expect((await gateway.get({ path: "/none" })).status).toBe(500);
    expect((await gateway.get({ path: "/empty" })).status).toBe(503);
    expect(gateway.condition("HTTPRoute", "shop/shop", "Accepted")).toBe("True/Accepted");
    expect(gateway.condition("HTTPRoute", "shop/shop", "ResolvedRefs")).toBe("False/BackendNotFound");
    expect(gateway.message("HTTPRoute", "shop/shop", "ResolvedRefs")).toContain(
      "spec.rules[0].backendRefs[1]: Service shop/nowhere does not exist",
    );
  });

  it("follow their endpoints without touching anything else [HTTPRoute]", async () => {
    const [one, two] = [await httpBackend("one"), await httpBackend("two")];
    const rules = `
  rules:
    - backendRefs: [{ name: web, port: 80 }]`;
    const gateway = await startGateway(httpGateway + httpRoute(rules) + service("web", [one.port]));
    expect((await gateway.get({})).from).toBe("one");
    await gateway.apply(service("web", [two.port]));
    expect((await gateway.get({})).from).toBe("two");
    await gateway.delete("EndpointSlice", "shop/web-0");
    expect((await gateway.get({})).status).toBe(503);
  });
});
