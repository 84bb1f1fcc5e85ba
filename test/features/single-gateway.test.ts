/** Single-Gateway mode (behaviours 2.1): one Gateway whatever its class, and nothing of any other. */
import { describe, expect, it } from "vitest";
import { EnvironmentError } from "../../src/controller/index.ts";
import { followGateway, kindsInMode } from "../../src/controller/single-gateway.ts";
import { httpBackend } from "./support/backends.ts";
import { startGateway } from "./support/gateway-under-test.ts";
import { service } from "./support/objects.ts";

const gateway = (name: string, className: string, more = "") => `
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: ${name}, namespace: shop, generation: 7 }
spec:
  gatewayClassName: ${className}
${more}
  listeners: [{ name: http, port: 80, protocol: HTTP }]
`;
const gatewayClass = (name: string, controller: string) => `
---
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: ${name} }
spec: { controllerName: ${controller} }
`;
const routeTo = (parent: string) => `
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: to-${parent}, namespace: shop, generation: 3 }
spec: { parentRefs: [{ name: ${parent} }], rules: [{ backendRefs: [{ name: web, port: 80 }] }] }
`;

const single = (key?: string) => ({
  settings: { singleGateway: key === undefined ? {} : { gateway: key } },
});

async function shop(): Promise<string> {
  const web = await httpBackend("web");
  return (
    gatewayClass("ours", "gatewright.dev/gateway-controller") +
    gatewayClass("theirs", "example.com/other") +
    gateway("web", "theirs", "  addresses: [{ type: example.com/odd, value: somewhere }]") +
    gateway("other", "ours") +
    routeTo("web") +
    routeTo("other") +
    service("web", [web.port])
  );
}

describe("single-Gateway mode", () => {
  it("2.1.1, 2.1.6, 2.1.10, 2.1.11: serves the one, whatever its class, and writes nothing elsewhere", async () => {
    const running = await startGateway(await shop(), single("shop/web"));
    expect((await running.get({ port: 80 })).from).toBe("web");
    expect(running.driver.describe().listeners.map(({ gateway: of }) => of)).toEqual(["shop/web"]);
    const written = [...running.controller.statuses.keys()].map((key) => key.split("|")[0]);
    expect(written.map(String).toSorted()).toEqual(["Gateway/shop/web", "HTTPRoute/shop/to-web"]);
    const { conditions } = running.status("Gateway", "shop/web");
    expect(new Set(conditions!.map(({ observedGeneration }) => observedGeneration))).toEqual(new Set([7]));
  });

  it("2.3.3: leaves addresses alone", async () => {
    const running = await startGateway(await shop(), single("shop/web"));
    expect(running.condition("Gateway", "shop/web", "Accepted")).toBe("True/Accepted");
    expect(running.status("Gateway", "shop/web")).not.toHaveProperty("addresses");
  });

  it("2.1.2: without a Gateway nothing of the Gateway API is processed", async () => {
    const running = await startGateway(await shop(), single());
    expect(running.driver.describe().listeners).toEqual([]);
    expect([...running.controller.statuses.keys()]).toEqual([]);
    expect(kindsInMode({})).not.toContain("HTTPRoute");
    expect(kindsInMode({})).toContain("Service");
  });

  it("2.1.6: does not even look at GatewayClasses", () => {
    const read = kindsInMode({ gateway: "shop/web" });
    expect(read).toContain("Gateway");
    expect(read).not.toContain("GatewayClass");
  });

  it("2.1.3: a Gateway that is not there at the start is fatal", async () => {
    const running = await startGateway(await shop(), single("shop/none"));
    const follow = () => followGateway(running.controller, { gateway: "shop/none" }, () => undefined);
    expect(follow).toThrow(EnvironmentError);
    expect(follow).toThrow(/Gateway shop\/none does not exist.*--gateway/);
  });

  it("2.1.4: a Gateway that goes is told, and all that it served is withdrawn; it may come back", async () => {
    const running = await startGateway(await shop(), single("shop/web"));
    const lost: string[] = [];
    followGateway(running.controller, { gateway: "shop/web" }, (message) => lost.push(message));
    await running.delete("Gateway", "shop/web");
    expect(lost).toEqual([expect.stringContaining("Gateway shop/web was deleted")]);
    expect(running.driver.describe().listeners).toEqual([]);
    await running.apply(gateway("web", "theirs"));
    expect((await running.get({ port: 80 })).from).toBe("web");
    expect(lost).toHaveLength(1);
  });
});
