import { describe, expect, it, onTestFinished } from "vitest";
import { callGrpc, type GrpcRequest } from "../../src/driver-kit/traffic/grpc.ts";
import { connectHttp2 } from "../../src/driver-kit/traffic/http2-client.ts";
import type { AccessRecord } from "../../src/drivers/embedded/http/access-log.ts";
import { grpcBackend, httpBackend } from "./support/backends.ts";
import { startGateway, type GatewayUnderTest } from "./support/gateway-under-test.ts";
import { httpGateway, httpRoute, route, service } from "./support/objects.ts";

const grpcRoute = (spec: string, name = "calls") => route("GRPCRoute", spec, name);

async function call(gateway: GatewayUnderTest, request: GrpcRequest) {
  const client = await connectHttp2(gateway.at());
  onTestFinished(() => client.close());
  return await callGrpc(client, request);
}

describe("GRPCRoutes", () => {
  it("take calls by service and method, and by headers [GRPCRoute]", async () => {
    const backends = await Promise.all(["rest", "cart", "add", "two"].map((name) => grpcBackend(name)));
    const rules = `
  rules:
    - backendRefs: [{ name: rest, port: 80 }]
    - { matches: [{ method: { service: shop.Cart } }], backendRefs: [{ name: cart, port: 80 }] }
    - { matches: [{ method: { service: shop.Cart, method: Add } }], backendRefs: [{ name: add, port: 80 }] }
    - matches: [{ method: { service: shop.Cart, method: Add }, headers: [{ name: version, value: two }] }]
      backendRefs: [{ name: two, port: 80 }]`;
    const gateway = await startGateway(
      httpGateway + grpcRoute(rules) + backends.map(({ name, port }) => service(name, [port])).join(""),
    );
    const answer = async (path: string, headers: Record<string, string> = {}) => {
      const { status, messages } = await call(gateway, { path, headers, messages: ["hi"] });
      return [status, ...messages];
    };
    expect(await answer("/other.Service/Method")).toEqual([0, "rest: hi"]);
    expect(await answer("/shop.Cart/Remove")).toEqual([0, "cart: hi"]);
    expect(await answer("/shop.Cart/Add")).toEqual([0, "add: hi"]);
    expect(await answer("/shop.Cart/Add", { version: "two" })).toEqual([0, "two: hi"]);
    expect(await answer("/shop.Cart/Remove", { "x-want-status": "5" })).toEqual([5, "cart: hi"]);
    expect(gateway.condition("GRPCRoute", "shop/calls", "Accepted")).toBe("True/Accepted");
  });

  it("carry calls that talk back and forth [GRPCRoute]", async () => {
    const chat = await grpcBackend("chat");
    const gateway = await startGateway(
      httpGateway +
        grpcRoute("  rules: [{ backendRefs: [{ name: chat, port: 80 }] }]") +
        service("chat", [chat.port]),
    );
    const { messages } = await call(gateway, {
      path: "/shop.Chat/Talk",
      messages: ["one", "two", "three"],
      inTurns: true,
    });
    expect(messages).toEqual(["chat: one", "chat: two", "chat: three"]);
  });

  it("answer in gRPC's own words where nobody takes a call [GRPCRoute]", async () => {
    const gateway = await startGateway(
      httpGateway +
        grpcRoute(
          "  rules: [{ matches: [{ method: { service: shop.Cart } }], backendRefs: [{ name: nowhere, port: 80 }] }]",
        ),
    );
    const unimplemented = 12;
    const unavailable = 14;
    expect((await call(gateway, { path: "/shop.Other/Add" })).status).toBe(unimplemented);
    expect((await call(gateway, { path: "/shop.Cart/Add" })).status).toBe(unavailable);
  });

  it("are logged by the names of their rules [GRPCRouteNamedRouteRule]", async () => {
    const cart = await grpcBackend("cart");
    const records: AccessRecord[] = [];
    const rules = `
  rules:
    - { name: adding, matches: [{ method: { method: Add } }], backendRefs: [{ name: cart, port: 80 }] }`;
    const gateway = await startGateway(httpGateway + grpcRoute(rules) + service("cart", [cart.port]), {
      driver: { accessLog: (record) => void records.push(record) },
    });
    await call(gateway, { path: "/shop.Cart/Add" });
    await expect
      .poll(() => records.map(({ route: taken, rule }) => `${taken} ${rule}`))
      .toEqual(["GRPCRoute/shop/calls 0/adding"]);
  });

  it("yield a hostname to an older HTTPRoute, and take it when that one goes [GRPCRoute]", async () => {
    const [cart, pages] = [await grpcBackend("cart"), await httpBackend("pages")];
    const aged = (yaml: string, time: string) =>
      yaml.replace("namespace: shop", `namespace: shop, creationTimestamp: "${time}"`);
    const gateway = await startGateway(
      httpGateway +
        aged(
          httpRoute(
            "  hostnames: [shop.test]\n  rules: [{ backendRefs: [{ name: pages, port: 80 }] }]",
            "pages",
          ),
          "2026-01-01T00:00:00Z",
        ) +
        aged(
          grpcRoute("  hostnames: [shop.test]\n  rules: [{ backendRefs: [{ name: cart, port: 80 }] }]"),
          "2026-01-02T00:00:00Z",
        ) +
        service("cart", [cart.port]) +
        service("pages", [pages.port]),
    );
    expect((await gateway.get({ host: "shop.test" })).from).toBe("pages");
    expect(gateway.condition("GRPCRoute", "shop/calls", "Accepted")).toBe("False/HostnameConflict");
    await gateway.delete("HTTPRoute", "shop/pages");
    const { messages } = await call(gateway, { host: "shop.test", path: "/shop.Cart/Add" });
    expect(messages).toEqual(["cart: hello"]);
    expect(gateway.condition("GRPCRoute", "shop/calls", "Accepted")).toBe("True/Accepted");
  });
});
