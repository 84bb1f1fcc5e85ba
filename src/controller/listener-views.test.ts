import { describe, expect, it } from "vitest";
import { dryRunOf, secretYaml } from "../../test/controller/dry-objects.ts";
import { viewListeners } from "./listener-views.ts";

const gateway = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners:
    - { name: http, port: 80, protocol: HTTP }
    - { name: dns, port: 53, protocol: UDP }
    - { name: idle, port: 81, protocol: HTTP, hostname: "*.example.com" }
    - { name: https, port: 443, protocol: HTTPS, hostname: "*.example.com", tls: { certificateRefs: [{ name: tls }] } }`;
const route = `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: shop, namespace: shop }
spec:
  parentRefs: [{ name: web, port: 80 }, { name: web, port: 443 }]
  hostnames: [shop.example.com]
  rules: [{ filters: [{ type: RequestRedirect, requestRedirect: { hostname: a.example.com } }] }]`;

describe("listeners for people", () => {
  it("show the hosts that routes serve, and their own only where there is no route", async () => {
    const { controller } = await dryRunOf(gateway, route, await secretYaml("tls", ["*.example.com"]));
    const hosts = viewListeners(controller).flatMap(({ sections }) =>
      sections.map(({ section, hostnames }) => [section.split("/").at(-1), hostnames]),
    );
    expect(hosts).toEqual([
      ["dns", []],
      ["http", ["shop.example.com"]],
      ["idle", ["*.example.com"]],
      ["https", ["shop.example.com"]],
    ]);
  });
});
