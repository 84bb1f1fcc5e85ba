import { beforeAll, describe, expect, it } from "vitest";
import { dryRunOf, secretYaml, serviceYaml } from "../../../test/controller/dry-objects.ts";
import type { Controller } from "../controller.ts";
import { explain } from "./explain.ts";
import type { Explanation, Step } from "./explanation.ts";
import type { QuestionOptions } from "./question.ts";

const gateway = `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners:
    - { name: http, port: 80, protocol: HTTP }
    - { name: shop, port: 443, protocol: HTTPS, hostname: shop.example.com, tls: { certificateRefs: [{ name: tls }] } }
    - { name: api, port: 443, protocol: HTTPS, hostname: api.example.com, tls: { certificateRefs: [{ name: tls }] } }
    - { name: broken, port: 9443, protocol: HTTPS, tls: { certificateRefs: [{ name: missing }] } }
    - { name: sql, port: 5432, protocol: TCP }
    - { name: idle, port: 5433, protocol: TCP }
    - { name: dns, port: 5353, protocol: UDP }
    - { name: dns-idle, port: 5354, protocol: UDP }
    - { name: pass, port: 6443, protocol: TLS, hostname: pass.example.com, tls: { mode: Passthrough } }`;

const cart = `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: cart, namespace: shop }
spec:
  parentRefs: [{ name: web }]
  hostnames: [shop.example.com]
  rules:
    - name: canary
      matches: [{ path: { value: /cart }, headers: [{ name: x-version, value: "2" }] }]
      filters:
        - type: URLRewrite
          urlRewrite: { hostname: cart.internal, path: { type: ReplacePrefixMatch, replacePrefixMatch: /v2 } }
        - { type: RequestHeaderModifier, requestHeaderModifier: { set: [{ name: x-from, value: gw }], remove: [x-debug] } }
        - { type: RequestMirror, requestMirror: { backendRef: { name: cart, port: 80 }, percent: 10 } }
      timeouts: { request: 10s, backendRequest: 2500ms }
      backendRefs: [{ name: cart, port: 80, weight: 9 }, { name: unready, port: 80, weight: 1 }]
    - matches: [{ path: { value: /cart }, method: GET }, { path: { type: Exact, value: /basket } }]
      backendRefs: [{ name: cart, port: 80 }]
    - matches: [{ path: { value: /old } }]
      filters:
        - type: RequestRedirect
          requestRedirect: { scheme: https, statusCode: 301, path: { type: ReplacePrefixMatch, replacePrefixMatch: /new } }
    - matches: [{ path: { value: /unready } }]
      backendRefs: [{ name: unready, port: 80 }]
    - matches: [{ path: { value: /missing }, queryParams: [{ name: debug, value: "1" }] }]
      backendRefs: [{ name: nowhere, port: 80 }]
    - matches: [{ path: { value: /cors } }]
      filters: [{ type: CORS, cors: { allowOrigins: ["https://example.com"], allowMethods: [GET] } }]
      backendRefs: [{ name: cart, port: 80 }]`;

const others = `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: search, namespace: shop }
spec:
  parentRefs: [{ name: wbe }]
  hostnames: [search.example.com]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: api, namespace: shop }
spec:
  parentRefs: [{ name: web, sectionName: api }]
  hostnames: [api.example.com]
  rules: [{ backendRefs: [{ name: cart, port: 80 }] }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: costly, namespace: shop }
spec:
  parentRefs: [{ name: web }]
  hostnames: [costly.example.com]
  rules: [{ matches: [{ path: { type: RegularExpression, value: "/.*(a|b).{700}[xy]{50}z" } }] }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: UDPRoute
metadata: { name: dns, namespace: shop }
spec:
  parentRefs: [{ name: web, sectionName: dns }]
  rules: [{ backendRefs: [{ name: dns, port: 53 }] }]
---
apiVersion: v1
kind: Service
metadata: { name: dns, namespace: shop }
spec: { ports: [{ port: 53, protocol: UDP }] }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: dns, namespace: shop, labels: { kubernetes.io/service-name: dns } }
addressType: IPv4
ports: [{ port: 5300, protocol: UDP }]
endpoints: [{ addresses: [10.0.0.9] }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: TCPRoute
metadata: { name: sql, namespace: shop }
spec:
  parentRefs: [{ name: web, sectionName: sql }]
  rules: [{ backendRefs: [{ name: cart, port: 80 }] }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: TLSRoute
metadata: { name: pass, namespace: shop }
spec:
  parentRefs: [{ name: web, sectionName: pass }]
  hostnames: [pass.example.com]
  rules: [{ backendRefs: [{ name: cart, port: 80 }] }]`;

let controller: Controller;

beforeAll(async () => {
  const run = await dryRunOf(
    gateway,
    cart,
    others,
    await secretYaml("tls", ["shop.example.com", "api.example.com"]),
    serviceYaml("cart", "10.0.0.1", "10.0.0.2"),
    serviceYaml("unready"),
  );
  if (run.problems.length > 0) throw new Error(JSON.stringify(run.problems));
  controller = run.controller;
});

function ask(url: string, options: Partial<QuestionOptions> = {}): Explanation {
  const result = explain({ method: "GET", url, ...options }, controller);
  if (result.outcome === "malformed") throw new Error(result.message);
  return result.explanation;
}

/** Every step as a line: depth by blanks, then mark and text. */
function lines(explanation: Explanation): string[] {
  const render = (steps: readonly Step[], depth: number): string[] =>
    steps.flatMap(({ mark, text, steps: inner = [] }) => [
      `${"  ".repeat(depth)}${mark} ${text}`,
      ...render(inner, depth + 1),
    ]);
  return explanation.walks.flatMap(({ steps }) => render(steps, 0));
}

describe("a request that is forwarded", () => {
  it("tells each rule tried, filters in order, backends and their endpoints", () => {
    const headers = [["X-Version", " 2 "]] as const;
    const explanation = ask("http://shop.example.com/cart/42?x=1", { headers });
    expect(lines(explanation)).toEqual([
      "yes Gateway shop/web listens on port 80 (HTTP)",
      "yes host shop.example.com belongs to listener http of Gateway shop/web",
      "  no HTTPRoute shop/cart rule 1, match 1",
      "    no path must be exactly /basket, but is /cart/42",
      "  no HTTPRoute shop/cart rule 4",
      "    no path must be at or below /missing, but is /cart/42",
      "    no query parameter debug must be exactly 1, but is absent",
      "  no HTTPRoute shop/cart rule 3",
      "    no path must be at or below /unready, but is /cart/42",
      "  yes HTTPRoute shop/cart rule 1, match 0",
      "    yes path is at or below /cart",
      "    yes method is GET",
      "yes Service shop/cart:80",
      "  note endpoints 10.0.0.1:8080 and 10.0.0.2:8080",
    ]);
    expect(explanation.outcome).toMatchObject({
      type: "forwarded",
      route: { name: "cart", rule: 1 },
      request: { method: "GET", host: "shop.example.com", target: "/cart/42?x=1" },
      backends: [
        { backend: "Service/shop/cart/80", share: 1, endpoints: ["10.0.0.1:8080", "10.0.0.2:8080"] },
      ],
    });
  });

  it("tells what filters change, and which share of the backends fails", () => {
    const headers = [["x-version", "2"]] as const;
    const explanation = ask("http://shop.example.com/cart/42?x=1", { method: "POST", headers });
    expect(lines(explanation).slice(-10)).toEqual([
      "    yes header x-version is exactly 2",
      "note request headers: remove x-debug, set x-from: gw",
      "note rewrite: host becomes cart.internal, path /cart/42 becomes /v2/42",
      "note mirror: 10 of 100 requests to Service shop/cart:80",
      "note timeout: 10s for the whole answer",
      "note timeout: 2.5s for each try",
      "yes 90 % to Service shop/cart:80",
      "  note endpoints 10.0.0.1:8080 and 10.0.0.2:8080",
      "trouble 10 % to Service shop/unready:80, which has no ready endpoint (503)",
      "  trouble no EndpointSlice has the label kubernetes.io/service-name: unready",
    ]);
    expect(explanation.outcome).toMatchObject({
      type: "forwarded",
      request: { method: "POST", host: "cart.internal", target: "/v2/42?x=1" },
      backends: [
        { share: 0.9 },
        {
          share: 0.1,
          problem: expect.stringMatching(/^Service shop\/unready:80 has no ready endpoint: no Endp/),
        },
      ],
    });
  });
});

describe("a request that the gateway answers", () => {
  it("is redirected, with the Location that the client would get", () => {
    expect(ask("http://shop.example.com/old/thing?q=1").outcome).toMatchObject({
      type: "redirected",
      status: 301,
      location: "https://shop.example.com/new/thing?q=1",
    });
  });

  it.each([
    ["no rule fits", "http://shop.example.com/nope", 404, /^no rule takes GET \/nope of host shop/],
    [
      "no endpoint is ready",
      "http://shop.example.com/unready",
      503,
      /^Service shop\/unready:80 has no ready/,
    ],
    ["the backend does not exist", "http://shop.example.com/missing?debug=1", 500, /Service shop\/nowhere/],
    ["the path is hostile", "http://shop.example.com/a/..;/b", 400, /hides a dot segment/],
    ["the host is unknown", "http://shpo.example.com/cart", 404, /^no route takes host shpo.example.com/],
  ])("%s", (_title, url, status, reason) => {
    expect(ask(url).outcome).toMatchObject({
      type: "answered",
      status,
      reason: expect.stringMatching(reason),
    });
  });

  it("gets 421 where the host belongs to another listener than the connection", () => {
    const headers = [["Host", "api.example.com"]] as const;
    const explanation = ask("https://shop.example.com/cart", { headers });
    expect(explanation.outcome).toMatchObject({ type: "answered", status: 421 });
    expect(lines(explanation).at(-2)).toBe(
      "no host api.example.com belongs to listener api of Gateway shop/web, but the connection was made to listener shop of Gateway shop/web",
    );
    const matching = ask("https://shop.example.com/cart", { headers, serverName: "api.example.com" });
    expect(matching.outcome.type).toBe("forwarded");
  });

  it("gets 400 where its regular expressions take too long", () => {
    const path = Array.from({ length: 40_000 }, (_, index) => ((index * index) % 7 < 3 ? "a" : "b")).join("");
    const explanation = ask(`http://costly.example.com/${path}`);
    const reason = "the regular expressions of the routes take too long for this request";
    expect(explanation.outcome).toEqual({ type: "answered", status: 400, reason });
    expect(lines(explanation).slice(-2)).toEqual([
      `trouble ${reason}`,
      "  note shorten what they repeat, or match by prefix, exactly, or by fewer rules",
    ]);
  });

  it("gets the answer to a CORS pre-flight request", () => {
    const headers = [
      ["Origin", "https://evil.example"],
      ["Access-Control-Request-Method", "GET"],
    ] as const;
    const explanation = ask("http://shop.example.com/cors", { method: "OPTIONS", headers });
    expect(explanation.outcome).toMatchObject({
      type: "answered",
      reason: expect.stringContaining("not allowed"),
    });
    expect(lines(explanation).join("\n")).toContain(
      "origin https://evil.example is not among https://example.com",
    );
  });

  it("is refused as TRACE unless a rule names the method", () => {
    const { outcome } = ask("http://shop.example.com/basket", { method: "TRACE" });
    expect(outcome).toMatchObject({
      status: 404,
      reason: "TRACE is served only by a rule that names this method",
    });
  });
});

describe("advice where the way ends", () => {
  it("names the host that was meant, and the hosts there are", () => {
    expect(lines(ask("http://shpo.example.com/cart")).slice(-2)).toEqual([
      "  note did you mean shop.example.com?",
      "  note hosts that are served there: costly.example.com and shop.example.com",
    ]);
  });

  it("names routes that would take the host but were refused", () => {
    expect(lines(ask("http://search.example.com/")).at(-1)).toBe(
      "  trouble HTTPRoute shop/search was refused: NoMatchingParent: spec.parentRefs[0]: Gateway shop/wbe does not exist; did you mean Gateway shop/web?",
    );
  });

  it("names no host that has only its domain in common with what was asked for", () => {
    expect(lines(ask("http://y.example.com/")).join("\n")).not.toContain("did you mean");
  });

  it("names HTTPProxies and Ingresses that were refused, are invalid, or of another class", async () => {
    const { controller: state } = await dryRunOf(
      gateway,
      `apiVersion: projectcontour.io/v1
kind: HTTPProxy
metadata: { name: refused, namespace: shop }
spec: { virtualhost: { fqdn: a.example.com }, includes: [{ name: nowhere }] }`,
      `apiVersion: projectcontour.io/v1
kind: HTTPProxy
metadata: { name: inner, namespace: shop }
spec: { ingressClassName: inner, virtualhost: { fqdn: a.example.com }, routes: [] }`,
      `apiVersion: projectcontour.io/v1
kind: HTTPProxy
metadata: { name: invalid, namespace: shop }
spec: { virtualhots: { fqdn: a.example.com } }`,
      `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: ingress, namespace: shop }
spec: { rules: [{ host: a.example.com, http: { paths: [{ path: "/(", pathType: Exact, backend: {} }] } }] }`,
    );
    const result = explain({ method: "GET", url: "http://a.example.com/" }, state);
    if (result.outcome !== "explained") throw new Error(result.message);
    const told = lines(result.explanation).join("\n");
    expect(told).toContain("trouble HTTPProxy shop/refused is invalid: IncludeNotFound: spec.includes[0]");
    expect(told).toContain(
      "note HTTPProxy shop/inner is not served here: class inner is not ours; --httpproxy",
    );
    expect(told).toContain("trouble HTTPProxy shop/invalid is invalid and not read");
    expect(told).toContain("trouble Ingress shop/ingress ");
  });

  it("names other ports that serve the host", () => {
    expect(lines(ask("http://api.example.com/"))).toContain(
      "  note the host is served on https port 443 (Gateway shop/web)",
    );
  });

  it("names invalid routes first, and no other port that would take any host", async () => {
    const { controller: state } = await dryRunOf(
      `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners:
    - { name: http, port: 80, protocol: HTTP }
    - { name: other, port: 81, protocol: HTTP }
    - { name: third, port: 82, protocol: HTTP }`,
      `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: any, namespace: shop }
spec: { parentRefs: [{ name: web, sectionName: other }], rules: [{}] }`,
      `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: named, namespace: shop }
spec: { parentRefs: [{ name: web, sectionName: third }], hostnames: [a.example.com], rules: [{}] }`,
      `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: cart, namespace: shop }
spec: { parentRefs: [{ name: web }], rulez: [] }`,
    );
    const result = explain({ method: "GET", url: "http://a.example.com/", headers: [] }, state);
    if (result.outcome !== "explained") throw new Error(result.message);
    expect(lines(result.explanation).slice(-2)).toEqual([
      expect.stringMatching(/^ {2}trouble HTTPRoute shop\/cart is invalid and not read \(-:\d+\)$/),
      "  note the host is served on http port 82 (Gateway shop/web)",
    ]);
  });

  it("says why a listener with that port is not served", () => {
    const explanation = ask("https://shop.example.com:9443/");
    expect(explanation.outcome.type).toBe("not connected");
    expect(lines(explanation)[1]).toMatch(
      /^ {2}trouble listener broken of Gateway shop\/web has port 9443 but is not served: InvalidCertificateRef: .*Secret shop\/missing does not exist/,
    );
  });
});

describe("a request to an HTTPProxy or an Ingress", () => {
  it.each([
    [
      "http://contour.example.com/bad",
      "spec.routes[1].services[1]: Service shop/cart has no port 81; it has 80",
    ],
    [
      "http://ingress.example.com/bad",
      "spec.rules[0].http.paths[1].backend: Service shop/cart has no port 81; it has 80",
    ],
    ["http://other.example.com/", "spec.defaultBackend: Service shop/cart has no port 82; it has 80"],
  ])("is told in the words of the object: %s", async (url, reason) => {
    const { controller: state } = await dryRunOf(
      `apiVersion: projectcontour.io/v1
kind: HTTPProxy
metadata: { name: proxy, namespace: shop }
spec:
  virtualhost: { fqdn: contour.example.com }
  routes:
    - { conditions: [{ prefix: / }], services: [{ name: cart, port: 80 }] }
    - conditions: [{ prefix: /bad }]
      services: [{ name: cart, port: 80, mirror: true, weight: 5 }, { name: cart, port: 81 }]`,
      `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: ingress, namespace: shop }
spec:
  defaultBackend: { service: { name: cart, port: { number: 82 } } }
  rules:
    - host: ingress.example.com
      http:
        paths:
          - { path: /, pathType: Prefix, backend: { service: { name: cart, port: { number: 80 } } } }
          - { path: /bad, pathType: Prefix, backend: { service: { name: cart, port: { number: 81 } } } }`,
      serviceYaml("cart", "10.0.0.1"),
    );
    const result = explain({ method: "GET", url }, state);
    expect(result).toMatchObject({ explanation: { outcome: { status: 500, reason } } });
  });
});

describe("connections", () => {
  it.each([
    ["nothing listens", "http://shop.example.com:9999/", /^no Gateway listens on port 9999/],
    ["TLS on a plain port", "https://shop.example.com:80/", /speaks plain HTTP/],
    ["plain HTTP on a TLS port", "http://shop.example.com:443/", /begins with TLS/],
    ["an unknown server name", "https://other.example.com/", /^nobody serves server name other.example.com/],
    ["no server name", "https://10.0.0.1/", /^nobody serves a connection without a server name/],
    ["a port without a route", "http://shop.example.com:5433/", /^no route takes these connections/],
    ["a UDP port without a route", "udp://shop.example.com:5354", /^no route takes these datagrams/],
    ["a request to a UDP port", "http://shop.example.com:5353/", /^no Gateway listens on port 5353/],
    ["datagrams to a TCP port", "udp://shop.example.com:5432", /^no Gateway listens on UDP port 5432/],
    ["a bare connection to an HTTP port", "tcp://shop.example.com:80", /speaks plain HTTP; ask with http/],
    ["a bare connection to a TLS port", "tcp://shop.example.com:443/", /begins with TLS; ask with https/],
  ])("%s", (_title, url, reason) => {
    expect(ask(url).outcome).toMatchObject({ type: "not connected", reason: expect.stringMatching(reason) });
  });

  it("is relayed by a TCP listener, whatever is in it", () => {
    expect(ask("http://db.example.com:5432/").outcome).toMatchObject({
      type: "relayed",
      route: { kind: "TCPRoute", name: "sql" },
    });
  });

  it("can be a bare connection, or datagrams", () => {
    expect(ask("tcp://db.example.com:5432").outcome).toMatchObject({ type: "relayed", transport: "tcp" });
    const datagrams = ask("udp://dns.example.com:5353");
    expect(datagrams.outcome).toMatchObject({ transport: "udp", route: { kind: "UDPRoute", name: "dns" } });
    expect(lines(datagrams)).toEqual([
      "yes Gateway shop/web listens on port 5353 (UDP)",
      "yes UDPRoute shop/dns rule 0 takes the datagrams",
      "yes Service shop/dns:53",
      "  note endpoints 10.0.0.9:5300",
    ]);
  });

  it("is told by which transport the port is open", () => {
    expect(lines(ask("http://dns.example.com:5353/"))[1]).toBe(
      "  note Gateway shop/web has it for UDP; ask with udp://dns.example.com:5353",
    );
  });

  it("is passed through by a TLS listener", () => {
    expect(ask("https://pass.example.com:6443/").outcome).toMatchObject({
      type: "relayed",
      route: { kind: "TLSRoute", name: "pass" },
    });
  });

  it("finds port 80 behind the port that it is mapped to", () => {
    const explanation = ask("http://shop.example.com:8080/basket");
    expect(explanation.outcome.type).toBe("forwarded");
    expect(lines(explanation)[1]).toBe(
      "  note port 8080 is where port 80 is opened by a user without privileges",
    );
  });

  it("can be asked of one Gateway only", () => {
    expect(ask("http://shop.example.com/", { gateway: "shop/other" }).outcome).toEqual({
      type: "not connected",
      reason: "there is no Gateway shop/other of ours",
    });
  });
});

describe("what cannot be sent", () => {
  it.each([
    ["a URL without a scheme", { url: "shop.example.com" }, /is not a URL/],
    ["a bare connection without a port", { url: "udp://shop.example.com" }, /write udp:..HOST:PORT/],
    ["a bare connection with a path", { url: "tcp://shop.example.com:1/a" }, /is not a URL/],
    ["a host that is none", { url: "http://a b/" }, /is not a host/],
    ["a method that is none", { method: "G T" }, /is not a method/],
    ["a header that is none", { headers: [["a b", "c"]] as const }, /is not the name of a header/],
  ])("%s", (_title, options, message) => {
    const result = explain({ method: "GET", url: "http://shop.example.com/", ...options }, controller);
    expect(result).toMatchObject({ outcome: "malformed", message: expect.stringMatching(message) });
  });
});
