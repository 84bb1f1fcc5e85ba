/** `listenerPolicy: contour`: the listener rules and the words of Contour's design (behaviours, part 2). */
import { describe, expect, it } from "vitest";
import { makeCertificate } from "../certificates.ts";
import { httpBackend } from "./support/backends.ts";
import { startGateway } from "./support/gateway-under-test.ts";
import { route, secret, service } from "./support/objects.ts";

const contour = (secure = 443) => ({ settings: { listenerPolicy: { ports: { insecure: 80, secure } } } });

const gatewayWith = (...listeners: readonly string[]) => `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners:
${listeners.map((listener) => `    - ${listener}`).join("\n")}
`;

const http = "{ name: http, port: 80, protocol: HTTP }";
const https = (port = 443) =>
  `{ name: https, port: ${port}, protocol: HTTPS, tls: { certificateRefs: [{ name: web }] } }`;
const rules = "\n  rules: [{ backendRefs: [{ name: web, port: 80 }] }]";

async function shop() {
  const web = await httpBackend("web");
  return service("web", [web.port]) + secret("web", await makeCertificate({ names: ["a.test"] }));
}

describe("listenerPolicy contour", () => {
  it("2.2.18, 2.3.1, 2.3.2, 2.4.5: says of what is good what Contour says", async () => {
    const gateway = await startGateway(
      gatewayWith(http, https()) + route("HTTPRoute", rules, "shop") + (await shop()),
      contour(),
    );
    const { conditions, listeners } = gateway.status("Gateway", "shop/web");
    const words = Object.fromEntries(conditions!.map(({ type, message }) => [type, message]));
    expect(words).toMatchObject({ Accepted: "Gateway is accepted", Programmed: "Valid Gateway" });
    for (const { conditions: own } of listeners!) {
      expect(Object.fromEntries(own!.map(({ type, message }) => [type, message]))).toMatchObject({
        Accepted: "Listener accepted",
        Programmed: "Valid listener",
        ResolvedRefs: "Listener references resolved",
      });
    }
    expect(gateway.message("HTTPRoute", "shop/shop", "Accepted")).toBe("Accepted HTTPRoute");
    expect(gateway.message("HTTPRoute", "shop/shop", "ResolvedRefs")).toBe("References resolved");
  });

  it.each([
    [
      "2.2.13: HTTPS without tls",
      "{ name: bad, port: 443, protocol: HTTPS }",
      'Listener.TLS is required when protocol is "HTTPS".',
    ],
    [
      "2.2.14: certificates of a listener that passes TLS through",
      "{ name: bad, port: 443, protocol: TLS, tls: { mode: Passthrough, certificateRefs: [{ name: web }] } }",
      'Listener.TLS.CertificateRefs cannot be defined when Listener.TLS.Mode is "Passthrough".',
    ],
    [
      "2.2.17: no selector",
      "{ name: bad, port: 443, protocol: HTTPS, tls: { certificateRefs: [{ name: web }] }, allowedRoutes: { namespaces: { from: Selector } } }",
      'Listener.AllowedRoutes.Namespaces.Selector is required when Listener.AllowedRoutes.Namespaces.From is set to "Selector".',
    ],
    [
      "2.2.17: an empty selector",
      "{ name: bad, port: 443, protocol: HTTPS, tls: { certificateRefs: [{ name: web }] }, allowedRoutes: { namespaces: { from: Selector, selector: {} } } }",
      "Listener.AllowedRoutes.Namespaces.Selector must specify at least one MatchLabel or MatchExpression.",
    ],
    [
      "2.2.17: a selector that cannot be read",
      "{ name: bad, port: 443, protocol: HTTPS, tls: { certificateRefs: [{ name: web }] }, allowedRoutes: { namespaces: { from: Selector, selector: { matchExpressions: [{ key: a, operator: In }] } } } }",
      "Error parsing Listener.AllowedRoutes.Namespaces.Selector: it cannot be read; see matchExpressions.",
    ],
    [
      "2.2.6, 2.2.19: a protocol that nobody knows",
      "{ name: bad, port: 443, protocol: example.com/odd }",
      "Invalid listener, see other listener conditions for details",
    ],
    [
      "2.2.11, 2.2.19: a port that the proxy's Service does not have",
      "{ name: bad, port: 8080, protocol: HTTP }",
      "Invalid listener, see other listener conditions for details",
    ],
  ])("%s", async (_name, listener, message) => {
    const gateway = await startGateway(gatewayWith(http, listener) + (await shop()), contour());
    const bad = gateway.status("Gateway", "shop/web").listeners!.find(({ name }) => name === "bad");
    const programmed = bad?.conditions?.find(({ type }) => type === "Programmed");
    expect(programmed).toMatchObject({ status: "False", reason: "Invalid", message });
    expect(gateway.condition("Gateway", "shop/web", "Programmed")).toBe("False/ListenersNotValid");
    expect(gateway.message("Gateway", "shop/web", "Programmed")).toBe("Listeners are not valid");
    expect((await gateway.get({ port: 80 })).status).toBe(404);
  });

  it("2.2.6, 2.2.11: names the protocol, and the ports that there are", async () => {
    const gateway = await startGateway(
      gatewayWith(
        http,
        "{ name: odd, port: 443, protocol: example.com/odd }",
        "{ name: far, port: 8080, protocol: HTTP }",
      ),
      contour(),
    );
    const accepted = Object.fromEntries(
      gateway
        .status("Gateway", "shop/web")
        .listeners!.map(({ name, conditions }) => [
          name,
          conditions!.find(({ type }) => type === "Accepted"),
        ]),
    );
    expect(accepted["odd"]).toMatchObject({
      reason: "UnsupportedProtocol",
      message:
        'Listener protocol "example.com/odd" is unsupported, must be one of HTTP, HTTPS, TLS, TCP or projectcontour.io/https',
    });
    expect(accepted["far"]).toMatchObject({
      reason: "PortUnavailable",
      message:
        "Listener port 8080 is not exposed by the proxy's Service for this protocol; protocol HTTP is served on port 80",
    });
  });

  it("2.2.2, 2.2.3, 2.2.4: equal hostnames with different TLS refuse both", async () => {
    const gateway = await startGateway(
      gatewayWith(
        http,
        "{ name: a, port: 443, protocol: HTTPS, hostname: a.test, tls: { certificateRefs: [{ name: web }] } }",
        "{ name: b, port: 443, protocol: TLS, hostname: a.test, tls: { mode: Passthrough } }",
      ) + (await shop()),
      contour(),
    );
    for (const listener of ["a", "b"]) {
      expect(gateway.condition("Gateway", "shop/web", "Conflicted", listener)).toBe("True/HostnameConflict");
    }
    const { listeners } = gateway.status("Gateway", "shop/web");
    const messages = listeners!.flatMap(({ conditions }) =>
      conditions!
        .filter(({ type, status }) => type === "Conflicted" && status === "True")
        .map(({ message }) => message),
    );
    expect(new Set(messages)).toEqual(new Set(["All Listener hostnames for a given port must be unique"]));
  });

  it.each([
    [443, "https://a.test/cart?x=1"],
    [8443, "https://a.test:8443/cart?x=1"],
  ])(
    "2.2.12: what is served on secure port %i is redirected to from the insecure one",
    async (port, location) => {
      const gateway = await startGateway(
        gatewayWith(https(port)) +
          route("HTTPRoute", `  hostnames: [a.test]${rules}`, "shop") +
          (await shop()),
        contour(port),
      );
      const tls = { servername: "a.test", rejectUnauthorized: false };
      expect((await gateway.get({ port, host: "a.test", tls })).from).toBe("web");
      const redirected = await gateway.get({ port: 80, host: "a.test", path: "/cart?x=1" });
      expect([redirected.status, redirected.header("location")]).toEqual([301, location]);
      expect((await gateway.get({ port: 80, host: "b.test" })).status).toBe(404);
      expect(gateway.status("Gateway", "shop/web").listeners!.map(({ name }) => name)).toEqual(["https"]);
    },
  );

  it("2.2.12: a route of the insecure port comes before the redirect", async () => {
    const gateway = await startGateway(
      gatewayWith(http, https()) +
        route("HTTPRoute", `  hostnames: [a.test]${rules}`, "shop") +
        (await shop()),
      contour(),
    );
    expect((await gateway.get({ port: 80, host: "a.test" })).from).toBe("web");
  });

  it("2.4.1, 2.4.2, 2.4.3: says why a route does not attach", async () => {
    const gateway = await startGateway(
      gatewayWith("{ name: http, port: 80, protocol: HTTP, hostname: a.test }") +
        route("HTTPRoute", rules, "nowhere", "{ name: web, sectionName: none }") +
        route("TCPRoute", rules, "kind") +
        route("HTTPRoute", `  hostnames: [b.test]${rules}`, "host") +
        (await shop()),
      contour(),
    );
    expect(gateway.message("HTTPRoute", "shop/nowhere", "Accepted")).toBe(
      "No listeners match this parent ref",
    );
    expect(gateway.message("TCPRoute", "shop/kind", "Accepted")).toBe(
      "No listeners included by this parent ref allowed this attachment.",
    );
    expect(gateway.message("HTTPRoute", "shop/host", "Accepted")).toBe(
      "No intersecting hostnames were found between the listener and the route.",
    );
  });

  const aged = (name: string, created: string, matches: string) => `
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: ${name}, namespace: shop, creationTimestamp: ${created}T00:00:00Z }
spec:
  parentRefs: [{ name: web }]
  rules: [{ matches: [${matches}], backendRefs: [{ name: ${name}, port: 80 }] }]
`;
  const path = (value: string) => `{ path: { type: PathPrefix, value: ${value} } }`;

  it("2.5.2, 2.5.3, 2.5.4: of equal matches the oldest serves, and the others hear of it", async () => {
    const [old, young, half] = await Promise.all(["old", "young", "half"].map((name) => httpBackend(name)));
    const objects =
      gatewayWith(http) +
      aged("old", "2026-01-01", path("/cart")) +
      aged("young", "2026-02-01", path("/cart")) +
      aged("half", "2026-03-01", `${path("/cart")}, ${path("/other")}`) +
      [old!, young!, half!].map(({ name, port }) => service(name, [port])).join("");
    const gateway = await startGateway(objects, contour());
    expect((await gateway.get({ port: 80, path: "/cart" })).from).toBe("old");
    expect((await gateway.get({ port: 80, path: "/other" })).from).toBe("half");
    expect(gateway.condition("HTTPRoute", "shop/old", "Accepted")).toBe("True/Accepted");
    expect(gateway.condition("HTTPRoute", "shop/young", "Accepted")).toBe("False/RuleMatchConflict");
    expect(gateway.message("HTTPRoute", "shop/young", "Accepted")).toBe(
      "HTTPRoute's Match has conflict with other HTTPRoute's Match, served instead: HTTPRoute/shop/old",
    );
    expect(gateway.condition("HTTPRoute", "shop/half", "Accepted")).toBe("True/Accepted");
    expect(gateway.condition("HTTPRoute", "shop/half", "PartiallyInvalid")).toBe(
      "True/RuleMatchPartiallyConflict",
    );
    await gateway.delete("HTTPRoute", "shop/old");
    expect(gateway.condition("HTTPRoute", "shop/young", "Accepted")).toBe("True/Accepted");

    const plain = await startGateway(objects);
    expect(plain.condition("HTTPRoute", "shop/young", "Accepted")).toBe("True/Accepted");
    expect(plain.condition("HTTPRoute", "shop/half", "PartiallyInvalid")).toBe("none");
  });

  it("2.2.7: a hostname that is an address", async () => {
    const gateway = await startGateway(
      gatewayWith(http.replace("http,", 'http, hostname: "192.0.2.1",')) + (await shop()),
      contour(),
    );
    const [bad] = gateway.status("Gateway", "shop/web").listeners!;
    expect(bad?.conditions?.find(({ type }) => type === "Programmed")).toMatchObject({
      status: "False",
      reason: "Invalid",
      message: 'invalid hostname "192.0.2.1": must be a DNS name, not an IP address',
    });
  });

  it("2.2.5: HTTPS and TLS share a port, HTTP and TLS do not, and HTTPProxies need no listener", async () => {
    const gateway = await startGateway(
      gatewayWith(
        https().replace("https,", "https, hostname: a.test,"),
        "{ name: tls, port: 443, protocol: TLS, hostname: b.test, tls: { mode: Passthrough } }",
        "{ name: proxies, port: 443, protocol: projectcontour.io/https }",
      ) + (await shop()),
      contour(),
    );
    expect(gateway.condition("Gateway", "shop/web", "Accepted", "https")).toBe("True/Accepted");
    expect(gateway.condition("Gateway", "shop/web", "Accepted", "tls")).toBe("True/Accepted");
    const proxies = gateway.status("Gateway", "shop/web").listeners!.find(({ name }) => name === "proxies");
    expect(proxies?.conditions.find(({ type }) => type === "Accepted")).toMatchObject({
      status: "False",
      message:
        'Listener protocol "projectcontour.io/https" needs no listener here: HTTPProxies bring their own',
    });
  });

  it("2.3.4: routes of a Gateway that is not accepted", async () => {
    const gateway = await startGateway(
      gatewayWith(http).replace(
        "spec:",
        "spec:\n  infrastructure: { parametersRef: { group: gatewright.dev, kind: ProxyConfig, name: none } }",
      ) +
        route("HTTPRoute", rules, "shop") +
        (await shop()),
      contour(),
    );
    expect(gateway.condition("HTTPRoute", "shop/shop", "Accepted")).toBe("False/InvalidGateway");
    expect(gateway.message("HTTPRoute", "shop/shop", "Accepted")).toBe("Invalid Gateway");
  });

  it("2.4.7, 2.5.8: a rule without backends, beside another mistake", async () => {
    const lacking = "\n  rules: [{ matches: [{ path: { value: /a } }] }]";
    const both = `${lacking.slice(0, -1)}, { backendRefs: [{ name: none, port: 80 }] }]`;
    const redirect =
      "\n  rules: [{ filters: [{ type: RequestRedirect, requestRedirect: { scheme: https } }] }]";
    const gateway = await startGateway(
      gatewayWith(http) +
        route("HTTPRoute", lacking, "lacking") +
        route("HTTPRoute", both, "both") +
        route("HTTPRoute", redirect, "redirect"),
      contour(),
    );
    const sentence = "At least one Spec.Rules.BackendRef must be specified.";
    expect(gateway.condition("HTTPRoute", "shop/lacking", "ResolvedRefs")).toBe("False/Degraded");
    expect(gateway.message("HTTPRoute", "shop/lacking", "ResolvedRefs")).toBe(sentence);
    expect(gateway.condition("HTTPRoute", "shop/both", "ResolvedRefs")).toBe("False/BackendNotFound");
    expect(gateway.message("HTTPRoute", "shop/both", "ResolvedRefs")).toMatch(/none.*, At least one Spec/);
    expect(gateway.condition("HTTPRoute", "shop/redirect", "ResolvedRefs")).toBe("True/ResolvedRefs");
  });

  it("2.1.9: nothing of it needs an annotation", async () => {
    const objects = gatewayWith(http, https()) + route("HTTPRoute", rules, "shop") + (await shop());
    expect(objects).not.toContain("annotations");
    const gateway = await startGateway(objects, contour());
    expect((await gateway.get({ port: 80, host: "a.test" })).from).toBe("web");
  });
});
