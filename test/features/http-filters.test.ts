import { describe, expect, it } from "vitest";
import { seenHeader } from "../../src/driver-kit/traffic/seen-request.ts";
import { httpBackend } from "./support/backends.ts";
import { startGateway } from "./support/gateway-under-test.ts";
import { httpGateway, httpRoute, service } from "./support/objects.ts";

/** A gateway with the backends web, a and b, and these rules. */
async function startWith(rules: string) {
  const [web, a, b] = await Promise.all(["web", "a", "b"].map((name) => httpBackend(name)));
  const services = [web!, a!, b!].map(({ name, port }) => service(name, [port]));
  const gateway = await startGateway(
    httpGateway + httpRoute(`  rules:\n${rules.replace(/^\n/, "")}`) + services.join(""),
  );
  return { gateway, web: web!, a: a!, b: b! };
}

describe("header filters", () => {
  it("change the request of a rule, and of one backend only [HTTPRouteBackendRequestHeaderModification]", async () => {
    const { gateway } = await startWith(`
    - filters:
        - type: RequestHeaderModifier
          requestHeaderModifier:
            set: [{ name: X-Set, value: rule }]
            add: [{ name: X-Add, value: rule }]
            remove: [X-Remove]
      backendRefs:
        - name: a
          port: 80
          filters:
            - type: RequestHeaderModifier
              requestHeaderModifier: { add: [{ name: X-Add, value: backend }], set: [{ name: X-Only, value: a }] }
        - { name: b, port: 80 }`);
    const headers = { "x-set": "client", "x-add": "client", "x-remove": "client", "x-kept": "client" };
    const answers = [await gateway.get({ headers }), await gateway.get({ headers })];
    const ofA = answers.find(({ from }) => from === "a")!.seen!;
    const ofB = answers.find(({ from }) => from === "b")!.seen!;
    expect(seenHeader(ofA, "x-set")).toBe("rule");
    expect(seenHeader(ofA, "x-remove")).toBeUndefined();
    expect(seenHeader(ofA, "x-kept")).toBe("client");
    expect(seenHeader(ofA, "x-add")?.split(/, ?/)).toEqual(["client", "rule", "backend"]);
    expect(seenHeader(ofA, "x-only")).toBe("a");
    expect(seenHeader(ofB, "x-add")?.split(/, ?/)).toEqual(["client", "rule"]);
    expect(seenHeader(ofB, "x-only")).toBeUndefined();
  });

  it("change the answer [HTTPRouteResponseHeaderModification]", async () => {
    const { gateway, web } = await startWith(`
    - filters:
        - type: ResponseHeaderModifier
          responseHeaderModifier:
            set: [{ name: X-Set, value: gateway }]
            add: [{ name: X-Add, value: gateway }]
            remove: [X-Secret]
      backendRefs: [{ name: web, port: 80 }]`);
    web.answer = () => ({
      headers: { "x-set": "backend", "x-add": "backend", "x-secret": "1", "x-kept": "1" },
    });
    const answer = await gateway.get({});
    expect(answer.header("x-set")).toBe("gateway");
    expect(answer.header("x-add")?.split(/, ?/)).toEqual(["backend", "gateway"]);
    expect(answer.header("x-secret")).toBeUndefined();
    expect(answer.header("x-kept")).toBe("1");
  });
});

describe("redirects", () => {
  const location = async (rule: string, request: { host?: string; path?: string } = {}) => {
    const { gateway } = await startWith(`
    - matches: [{ path: { value: /old } }]
      filters: [{ type: RequestRedirect, requestRedirect: { ${rule} } }]`);
    const answer = await gateway.get({ host: "shop.test", path: "/old/page?q=1", ...request });
    return `${answer.status} ${answer.header("location")}`;
  };

  it("go to another scheme, at its own port [HTTPRouteSchemeRedirect]", async () => {
    expect(await location("scheme: https")).toBe("302 https://shop.test/old/page?q=1");
    expect(await location("scheme: https, hostname: other.test")).toBe("302 https://other.test/old/page?q=1");
  });

  it("go to another port [HTTPRoutePortRedirect]", async () => {
    expect(await location("port: 8443")).toBe("302 http://shop.test:8443/old/page?q=1");
    expect(await location("port: 8443, scheme: https")).toBe("302 https://shop.test:8443/old/page?q=1");
    expect(await location("port: 443, scheme: https")).toBe("302 https://shop.test/old/page?q=1");
  });

  it("go to another path, in whole or its prefix [HTTPRoutePathRedirect]", async () => {
    expect(await location("path: { type: ReplaceFullPath, replaceFullPath: /new }")).toBe(
      "302 http://shop.test/new?q=1",
    );
    expect(await location("path: { type: ReplacePrefixMatch, replacePrefixMatch: /new }")).toBe(
      "302 http://shop.test/new/page?q=1",
    );
    expect(
      await location("path: { type: ReplacePrefixMatch, replacePrefixMatch: / }", { path: "/old/page" }),
    ).toBe("302 http://shop.test/page");
  });

  it("carry the status 303 [HTTPRoute303RedirectStatusCode]", async () => {
    expect(await location("hostname: a.test, statusCode: 303")).toBe("303 http://a.test/old/page?q=1");
  });

  it("carry the status 307 [HTTPRoute307RedirectStatusCode]", async () => {
    expect(await location("hostname: a.test, statusCode: 307")).toBe("307 http://a.test/old/page?q=1");
  });

  it("carry the status 308 [HTTPRoute308RedirectStatusCode]", async () => {
    expect(await location("hostname: a.test, statusCode: 308")).toBe("308 http://a.test/old/page?q=1");
  });

  it("to a host keep the port that the client came in by, which is the Gateway's own [HTTPRoutePortRedirect]", async () => {
    const gateway = await startGateway(`
${httpGateway.replace("port: 80,", "port: 8080,")}
${httpRoute(`
  rules:
    - filters: [{ type: RequestRedirect, requestRedirect: { hostname: a.test, statusCode: 301 } }]`)}`);
    const answer = await gateway.get({ port: 8080, path: "/x" });
    expect(`${answer.status} ${answer.header("location")}`).toBe("301 http://a.test:8080/x");
  });
});

describe("rewrites", () => {
  it("change the host that the backend sees [HTTPRouteHostRewrite]", async () => {
    const { gateway } = await startWith(`
    - matches: [{ path: { value: /all } }]
      filters: [{ type: URLRewrite, urlRewrite: { hostname: internal.test } }]
      backendRefs: [{ name: web, port: 80 }]
    - matches: [{ path: { value: /one } }]
      backendRefs:
        - { name: a, port: 80, filters: [{ type: URLRewrite, urlRewrite: { hostname: a.internal.test } }] }
        - { name: b, port: 80 }`);
    expect((await gateway.get({ host: "shop.test", path: "/all" })).seen?.host).toBe("internal.test");
    const both = [
      await gateway.get({ host: "shop.test", path: "/one" }),
      await gateway.get({ host: "shop.test", path: "/one" }),
    ];
    const hosts = new Map(both.map((answer) => [answer.from, answer.seen?.host]));
    expect(hosts).toEqual(
      new Map([
        ["a", "a.internal.test"],
        ["b", "shop.test"],
      ]),
    );
  });

  it("change the path that the backend sees, never to a double slash [HTTPRoutePathRewrite]", async () => {
    const { gateway } = await startWith(`
    - matches: [{ path: { value: /full } }]
      filters: [{ type: URLRewrite, urlRewrite: { path: { type: ReplaceFullPath, replaceFullPath: /one } } }]
      backendRefs: [{ name: web, port: 80 }]
    - matches: [{ path: { value: /prefix } }]
      filters: [{ type: URLRewrite, urlRewrite: { path: { type: ReplacePrefixMatch, replacePrefixMatch: /new/ } } }]
      backendRefs: [{ name: web, port: 80 }]
    - matches: [{ path: { value: /strip } }]
      filters: [{ type: URLRewrite, urlRewrite: { path: { type: ReplacePrefixMatch, replacePrefixMatch: / } } }]
      backendRefs: [{ name: web, port: 80 }]`);
    const target = async (path: string) => (await gateway.get({ path })).seen?.target;
    expect(await target("/full/of/it?q=1")).toBe("/one?q=1");
    expect(await target("/prefix/a/b?q=1")).toBe("/new/a/b?q=1");
    expect(await target("/prefix")).toBe("/new");
    expect(await target("/prefix/")).toBe("/new/");
    expect(await target("/strip/a")).toBe("/a");
    expect(await target("/strip")).toBe("/");
    expect(await target("/strip///a")).toBe("/a");
    expect((await gateway.get({ path: "/prefixed" })).status).toBe(404);
  });
});

describe("mirrors", () => {
  it("get a copy of each request, and nobody waits for them [HTTPRouteRequestMirror]", async () => {
    const { gateway, a } = await startWith(`
    - filters: [{ type: RequestMirror, requestMirror: { backendRef: { name: a, port: 80 } } }]
      backendRefs: [{ name: web, port: 80 }]`);
    a.answer = () => ({ status: 500, delay: 200 });
    const answer = await gateway.get({ method: "POST", path: "/copy?q=1", body: "both of us" });
    expect(answer.from).toBe("web");
    await expect.poll(() => a.requests.length).toBe(1);
    expect(a.requests[0]).toMatchObject({ method: "POST", target: "/copy?q=1", body: "both of us" });
  });

  it("can be several [HTTPRouteRequestMultipleMirrors]", async () => {
    const { gateway, a, b } = await startWith(`
    - filters:
        - { type: RequestMirror, requestMirror: { backendRef: { name: a, port: 80 } } }
        - { type: RequestMirror, requestMirror: { backendRef: { name: b, port: 80 } } }
      backendRefs: [{ name: web, port: 80 }]`);
    expect((await gateway.get({ path: "/twice" })).from).toBe("web");
    await expect.poll(() => [a.requests.length, b.requests.length]).toEqual([1, 1]);
  });

  it("get a share of the requests [HTTPRouteRequestPercentageMirror]", async () => {
    const { gateway, web, a, b } = await startWith(`
    - filters:
        - { type: RequestMirror, requestMirror: { backendRef: { name: a, port: 80 }, percent: 20 } }
        - { type: RequestMirror, requestMirror: { backendRef: { name: b, port: 80 }, fraction: { numerator: 1, denominator: 2 } } }
      backendRefs: [{ name: web, port: 80 }]`);
    for (let request = 0; request < 200; request++) await gateway.get({});
    expect(web.requests).toHaveLength(200);
    await expect.poll(() => b.requests.length).toBeGreaterThan(60);
    expect(b.requests.length).toBeLessThan(140);
    expect(a.requests.length).toBeGreaterThan(15);
    expect(a.requests.length).toBeLessThan(70);
  });
});

describe("CORS", () => {
  const cors = `
    - filters:
        - type: CORS
          cors:
            allowOrigins: ["https://*.shop.test", "http://localhost:3000"]
            allowMethods: [GET, PUT]
            allowHeaders: [X-Token]
            exposeHeaders: [X-Total]
            allowCredentials: true
            maxAge: 600
      backendRefs: [{ name: web, port: 80 }]`;
  const preflight = (origin: string) => ({
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "PUT", "access-control-request-headers": "x-token" },
  });

  it("answers preflight requests itself [HTTPRouteCORS]", async () => {
    const { gateway, web } = await startWith(cors);
    const answer = await gateway.get(preflight("https://a.b.shop.test"));
    expect(answer.status).toBe(200);
    expect(answer.header("access-control-allow-origin")).toBe("https://a.b.shop.test");
    expect(answer.header("access-control-allow-credentials")).toBe("true");
    expect(answer.header("access-control-allow-methods")).toBe("GET, PUT");
    expect(answer.header("access-control-allow-headers")?.toLowerCase()).toBe("x-token");
    expect(answer.header("access-control-max-age")).toBe("600");
    expect(web.requests).toHaveLength(0);
  });

  it("gives nothing to origins that are not allowed [HTTPRouteCORS]", async () => {
    const { gateway } = await startWith(cors);
    for (const origin of ["https://shop.test", "https://evil.test", "http://a.shop.test", "null"]) {
      const answer = await gateway.get(preflight(origin));
      expect([origin, answer.header("access-control-allow-origin")]).toEqual([origin, undefined]);
    }
  });

  it("marks the answers of backends, in place of what they say [HTTPRouteCORS]", async () => {
    const { gateway, web } = await startWith(cors);
    web.answer = () => ({ headers: { "access-control-allow-origin": "*" } });
    const answer = await gateway.get({ headers: { origin: "http://localhost:3000" } });
    expect(answer.from).toBe("web");
    expect(answer.header("access-control-allow-origin")).toBe("http://localhost:3000");
    expect(answer.header("access-control-expose-headers")?.toLowerCase()).toBe("x-total");
    expect(answer.header("vary")?.toLowerCase()).toContain("origin");
  });
});
