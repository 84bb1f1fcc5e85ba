import { describe, expect, it } from "vitest";
import type { Answer } from "../../src/driver-kit/traffic/answer.ts";
import { pause } from "../../src/driver-kit/traffic/deadline.ts";
import { freePort } from "../../src/driver-kit/traffic/free-port.ts";
import { seenHeader } from "../../src/driver-kit/traffic/seen-request.ts";
import { httpBackend } from "./support/backends.ts";
import { startGateway } from "./support/gateway-under-test.ts";
import { httpGateway, httpRoute, service } from "./support/objects.ts";

describe("time-outs", () => {
  it("end a request that takes too long as a whole [HTTPRouteRequestTimeout]", async () => {
    const web = await httpBackend("web", { answer: ({ target }) => ({ delay: Number(target.slice(1)) }) });
    const rules = `
  rules:
    - timeouts: { request: 200ms }
      backendRefs: [{ name: web, port: 80 }]`;
    const gateway = await startGateway(httpGateway + httpRoute(rules) + service("web", [web.port]));
    expect((await gateway.get({ path: "/0" })).status).toBe(200);
    const began = performance.now();
    expect((await gateway.get({ path: "/2000" })).status).toBe(504);
    expect(performance.now() - began).toBeLessThan(1500);
  });

  it("end a try that takes too long [HTTPRouteBackendTimeout]", async () => {
    const web = await httpBackend("web", { answer: ({ target }) => ({ delay: Number(target.slice(1)) }) });
    const rules = `
  rules:
    - timeouts: { backendRequest: 200ms }
      backendRefs: [{ name: web, port: 80 }]`;
    const gateway = await startGateway(httpGateway + httpRoute(rules) + service("web", [web.port]));
    expect((await gateway.get({ path: "/0" })).status).toBe(200);
    expect((await gateway.get({ path: "/2000" })).status).toBe(504);
    expect(web.requests).toHaveLength(2);
  });
});

describe("retries", () => {
  it("ask again after answers of these kinds, as often as it says [HTTPRouteRetry]", async () => {
    const web = await httpBackend("web");
    const rules = `
  rules:
    - retry: { codes: [503], attempts: 2, backoff: 1ms }
      backendRefs: [{ name: web, port: 80 }]`;
    const gateway = await startGateway(httpGateway + httpRoute(rules) + service("web", [web.port]));
    web.answer = (_, count) => (count < 3 ? { status: 503 } : undefined);
    const answer = await gateway.get({ method: "PUT", body: "again" });
    expect(answer.status).toBe(200);
    expect(web.requests.map(({ body }) => body)).toEqual(["again", "again", "again"]);

    web.answer = () => ({ status: 503 });
    expect((await gateway.get({})).status).toBe(503);
    expect(web.requests).toHaveLength(6);
    web.answer = () => ({ status: 500 });
    expect((await gateway.get({})).status).toBe(500);
    expect(web.requests).toHaveLength(7);
  });

  it("ask again when a try took too long [HTTPRouteRetryBackendTimeout]", async () => {
    const web = await httpBackend("web");
    web.answer = (_, count) => (count === 1 ? { delay: 2000 } : undefined);
    const rules = `
  rules:
    - retry: { codes: [504], attempts: 1, backoff: 1ms }
      timeouts: { request: 5s, backendRequest: 150ms }
      backendRefs: [{ name: web, port: 80 }]`;
    const gateway = await startGateway(httpGateway + httpRoute(rules) + service("web", [web.port]));
    expect((await gateway.get({})).status).toBe(200);
    expect(web.requests).toHaveLength(2);
  });

  it("ask another endpoint when one cannot be reached [HTTPRouteRetryConnectionError]", async () => {
    const web = await httpBackend("web");
    const closed = await freePort();
    const rules = `
  rules:
    - retry: { attempts: 3, backoff: 1ms }
      backendRefs: [{ name: web, port: 80 }]`;
    const gateway = await startGateway(httpGateway + httpRoute(rules) + service("web", [closed, web.port]));
    for (let request = 0; request < 6; request++) expect((await gateway.get({})).from).toBe("web");
  });

  it("stop when too much of the traffic is retries [RetryConstraint]", async () => {
    const web = await httpBackend("web", { answer: () => ({ status: 503 }) });
    const rules = `
  rules:
    - retry: { codes: [503], attempts: 1, backoff: 1ms }
      backendRefs: [{ name: web, port: 80 }]`;
    const policy = `
---
apiVersion: gateway.networking.x-k8s.io/v1alpha1
kind: XBackendTrafficPolicy
metadata: { name: web, namespace: shop }
spec:
  targetRefs: [{ group: "", kind: Service, name: web }]
  retryConstraint:
    budget: { percent: 20, interval: 1h }
    minRetryRate: { count: 1, interval: 1h }`;
    const gateway = await startGateway(httpGateway + httpRoute(rules) + service("web", [web.port]) + policy);
    for (let request = 0; request < 50; request++) expect((await gateway.get({})).status).toBe(503);
    const retries = web.requests.length - 50;
    expect(retries).toBeGreaterThan(5);
    expect(retries).toBeLessThanOrEqual(15);
    expect(gateway.condition("XBackendTrafficPolicy", "shop/web", "Accepted")).toBe("True/Accepted");
  });
});

describe("sessions", () => {
  const cookieOf = (answer: Answer, name: string) =>
    answer.headers.find(([header, value]) => header === "set-cookie" && value.startsWith(`${name}=`))?.[1];

  async function startWith(session: string, policy = "") {
    const backends = await Promise.all(["one", "two", "three"].map((name) => httpBackend(name)));
    const rules = `
  rules:
    - matches: [{ path: { value: /shop } }]${session === "" ? "" : `\n      sessionPersistence: ${session}`}
      backendRefs: [{ name: web, port: 80 }]`;
    const objects = httpGateway + httpRoute(rules) + policy;
    const ports = backends.map(({ port }) => port);
    return await startGateway(objects + service("web", ports));
  }

  it("keep a client with its endpoint by a cookie [SessionPersistence]", async () => {
    const gateway = await startWith(
      "{ sessionName: cart, absoluteTimeout: 1h, cookieConfig: { lifetimeType: Permanent } }",
    );
    const first = await gateway.get({ path: "/shop" });
    const cookie = cookieOf(first, "cart")!;
    expect(cookie.toLowerCase()).toContain("path=/shop");
    expect(cookie.toLowerCase()).toContain("max-age=3600");
    expect(cookie.toLowerCase()).toContain("httponly");
    for (let request = 0; request < 9; request++) {
      const answer = await gateway.get({ path: "/shop/on", headers: { cookie: cookie.split(";")[0]! } });
      expect(answer.from).toBe(first.from);
    }
  });

  it("keep a client with its endpoint by a header [SessionPersistence]", async () => {
    const gateway = await startWith("{ type: Header, sessionName: X-Cart }");
    const first = await gateway.get({ path: "/shop" });
    const session = first.header("x-cart")!;
    for (let request = 0; request < 9; request++) {
      expect((await gateway.get({ path: "/shop", headers: { "x-cart": session } })).from).toBe(first.from);
    }
  });

  it("are what a policy says, and forged ones mean nothing [SessionPersistence]", async () => {
    const policy = `
---
apiVersion: gateway.networking.x-k8s.io/v1alpha1
kind: XBackendTrafficPolicy
metadata: { name: web, namespace: shop }
spec:
  targetRefs: [{ group: "", kind: Service, name: web }]
  sessionPersistence: { sessionName: policy }
`;
    const gateway = await startWith("", policy);
    const first = await gateway.get({ path: "/shop" });
    const [, given = ""] = first.headers.find(([header]) => header === "set-cookie") ?? [];
    expect(given).toMatch(/^policy-[0-9a-f]{12}=/);
    expect(given.toLowerCase()).not.toContain("path=");
    const cookie = given.split(";")[0]!;
    const [name = ""] = cookie.split("=");
    const answers = [];
    for (let request = 0; request < 3; request++) {
      answers.push((await gateway.get({ path: "/shop", headers: { cookie } })).from);
    }
    expect(new Set(answers).size).toBe(1);
    const forged = await gateway.get({ path: "/shop", headers: { cookie: `${name}=127.0.0.1:22` } });
    expect(forged.status).toBe(200);
    expect(cookieOf(forged, name)).toBeDefined();
  });

  it("end when their time is over [SessionPersistence]", async () => {
    const gateway = await startWith("{ sessionName: cart, absoluteTimeout: 1s }");
    const first = await gateway.get({ path: "/shop" });
    const cookie = cookieOf(first, "cart")!.split(";")[0]!;
    expect(cookieOf(await gateway.get({ path: "/shop", headers: { cookie } }), "cart")).toBeUndefined();
    await pause(2100);
    expect(cookieOf(await gateway.get({ path: "/shop", headers: { cookie } }), "cart")).toBeDefined();
  });

  it("do not pass the session's cookie value on as something to trust [SessionPersistence]", async () => {
    const gateway = await startWith("{ sessionName: cart }");
    const first = await gateway.get({ path: "/shop" });
    const cookie = cookieOf(first, "cart")!.split(";")[0]!;
    expect(cookie).not.toMatch(/127\.0\.0\.1|:[0-9]{4,5}/);
    const again = await gateway.get({ path: "/shop", headers: { cookie: `a=1; ${cookie}; b=2` } });
    expect(seenHeader(again.seen!, "cookie")).toContain("a=1");
    expect(seenHeader(again.seen!, "cookie")).toContain("b=2");
  });
});
