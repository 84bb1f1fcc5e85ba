/** 2.5.5: certificates that a route brings, by real handshakes. */
import { describe, expect, it } from "vitest";
import { makeCertificate } from "../certificates.ts";
import { shownCertificate } from "../tls-client.ts";
import { httpBackend } from "./support/backends.ts";
import { startGateway, type GatewayUnderTest } from "./support/gateway-under-test.ts";
import { route, secret, service } from "./support/objects.ts";

const host = "a.shop.test";

function gatewayWith({ hostname = "*.shop.test", tls }: { hostname?: string; tls: string }): string {
  return `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners:
    - { name: https, port: 443, protocol: HTTPS, hostname: "${hostname}", tls: ${tls} }
    - { name: http, port: 80, protocol: HTTP }
`;
}

function policy(name: string, { target = "shop", certificate = name, created = "2026-01-01" } = {}): string {
  return `
---
apiVersion: gatewright.dev/v1alpha1
kind: RouteCertificate
metadata: { name: ${name}, namespace: shop, creationTimestamp: ${created}T00:00:00Z }
spec:
  targetRefs: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, name: ${target} }]
  certificateRefs: [{ name: ${certificate} }]
`;
}

const pairOf = async (name: string) =>
  secret(name, await makeCertificate({ names: [host], commonName: name }));

const rules = "\n  rules: [{ backendRefs: [{ name: web, port: 80 }] }]";

/** The common name of what is shown, or `none`. */
async function shown(gateway: GatewayUnderTest, name = host): Promise<string> {
  const isOpen = gateway.driver.describe().listeners.some(({ port }) => port === 443);
  if (!isOpen) return "none";
  const certificate = await shownCertificate(gateway.at(443).port, name);
  return certificate.startsWith("E") ? "none" : certificate;
}

describe("RouteCertificate", () => {
  const both = [true, false];
  const table = both.flatMap((gatewayTls) =>
    both.flatMap((allowed) =>
      both.flatMap((routeTls) =>
        both.map((matches) => {
          const own = gatewayTls ? "gateway" : "none";
          const expected = allowed && routeTls && matches ? "route" : own;
          return { gatewayTls, allowed, routeTls, matches, expected };
        }),
      ),
    ),
  );

  it.each(table)(
    "2.5.5 gateway TLS $gatewayTls, override allowed $allowed, route TLS $routeTls, host match $matches: $expected",
    async ({ gatewayTls, allowed, routeTls, matches, expected }) => {
      const web = await httpBackend("web");
      const refs = gatewayTls ? "certificateRefs: [{ name: gateway }], " : "";
      const tls = `{ ${refs}options: { gatewright.dev/route-certificates: ${allowed ? "Allow" : "Deny"} } }`;
      const gateway = await startGateway(
        gatewayWith({ tls }) +
          route("HTTPRoute", `  hostnames: [${matches ? host : "a.elsewhere.test"}]${rules}`, "shop") +
          (routeTls ? policy("route") : "") +
          service("web", [web.port]) +
          (await pairOf("gateway")) +
          (await pairOf("route")),
      );
      expect(await shown(gateway)).toBe(expected);
      if (expected === "none") return;
      const answer = await gateway.get({
        port: 443,
        host,
        tls: { servername: host, rejectUnauthorized: false },
      });
      expect(answer.status).toBe(matches ? 200 : 404);
    },
  );

  const allowing =
    "{ certificateRefs: [{ name: gateway }], options: { gatewright.dev/route-certificates: Allow } }";

  it("2.5.5 of two for one hostname the oldest holds, and the other one's status names it", async () => {
    const web = await httpBackend("web");
    const gateway = await startGateway(
      gatewayWith({ tls: allowing }) +
        route("HTTPRoute", `  hostnames: [${host}]${rules}`, "shop") +
        route("HTTPRoute", `  hostnames: [${host}, b.shop.test]${rules}`, "second") +
        policy("young", { target: "second", created: "2026-02-01" }) +
        policy("old") +
        service("web", [web.port]) +
        (await pairOf("gateway")) +
        (await pairOf("young")) +
        (await pairOf("old")),
    );
    expect([
      await shown(gateway),
      await shown(gateway, "b.shop.test"),
      await shown(gateway, "c.shop.test"),
    ]).toEqual(["old", "young", "gateway"]);
    expect(gateway.condition("RouteCertificate", "shop/old", "Accepted")).toBe("True/Accepted");
    expect(gateway.condition("RouteCertificate", "shop/young", "Accepted")).toBe("True/Accepted");
    expect(gateway.message("RouteCertificate", "shop/young", "Accepted")).toContain(`${host} (shop/old)`);
    await gateway.apply(route("HTTPRoute", `  hostnames: [${host}]${rules}`, "second"));
    expect(gateway.condition("RouteCertificate", "shop/young", "Accepted")).toBe("False/Conflicted");
    await gateway.delete("RouteCertificate", "shop/old");
    expect(await shown(gateway)).toBe("young");
    expect(gateway.condition("RouteCertificate", "shop/young", "Accepted")).toBe("True/Accepted");
  });

  it("with a Secret that is no good shows the listener's own, and heals", async () => {
    const web = await httpBackend("web");
    const gateway = await startGateway(
      gatewayWith({ tls: allowing }) +
        route("HTTPRoute", `  hostnames: [${host}]${rules}`, "shop") +
        policy("late") +
        service("web", [web.port]) +
        (await pairOf("gateway")),
    );
    expect(await shown(gateway)).toBe("gateway");
    expect(gateway.condition("RouteCertificate", "shop/late", "ResolvedRefs")).toBe(
      "False/InvalidCertificateRef",
    );
    await gateway.apply(await pairOf("late"));
    expect(await shown(gateway)).toBe("late");
    expect(gateway.condition("RouteCertificate", "shop/late", "ResolvedRefs")).toBe("True/ResolvedRefs");
  });

  it("says that the listener does not allow it, and what can be targeted", async () => {
    const web = await httpBackend("web");
    const gateway = await startGateway(
      gatewayWith({ tls: "{ certificateRefs: [{ name: gateway }] }" }) +
        route("HTTPRoute", `  hostnames: [${host}]${rules}`, "shop") +
        policy("route") +
        service("web", [web.port]) +
        (await pairOf("gateway")) +
        (await pairOf("route")),
    );
    expect(gateway.condition("RouteCertificate", "shop/route", "Accepted")).toBe("False/NotAllowed");
    expect(gateway.message("RouteCertificate", "shop/route", "Accepted")).toContain(
      "tls.options {gatewright.dev/route-certificates: Allow}",
    );
  });
});
