import net from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { freePort } from "../../src/driver-kit/traffic/free-port.ts";
import { requestHttp1 } from "../../src/driver-kit/traffic/http-client.ts";
import { httpBackend } from "./support/backends.ts";
import { startGateway } from "./support/gateway-under-test.ts";
import { httpGateway, httpRoute, route, service } from "./support/objects.ts";

/** Real ports and addresses, as the driver binds them by itself. */
const byItself = { driver: { bind: undefined } } as never;

const gatewayOn = (port: number, spec = "") => `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
${spec}
  listeners: [{ name: http, port: ${port}, protocol: HTTP }]
`;

describe("addresses", () => {
  it("that a Gateway asks for are bound, all of them [GatewayStaticAddresses]", async () => {
    const port = await freePort();
    const gateway = await startGateway(
      gatewayOn(port, "  addresses: [{ value: 127.0.0.1 }, { value: 127.0.0.2 }]"),
      byItself,
    );
    for (const address of ["127.0.0.1", "127.0.0.2"]) {
      expect((await requestHttp1({ address, port }, {})).status).toBe(404);
    }
    expect(gateway.status("Gateway", "shop/web").addresses).toEqual([
      { type: "IPAddress", value: "127.0.0.1" },
      { type: "IPAddress", value: "127.0.0.2" },
    ]);
  });

  it("that this machine does not have are told, and the Gateway heals without them [GatewayStaticAddresses]", async () => {
    const port = await freePort();
    const gateway = await startGateway(
      gatewayOn(
        port,
        "  addresses: [{ type: test/fake, value: odd }, { value: 192.0.2.77 }, { value: 127.0.0.1 }]",
      ),
      byItself,
    );
    expect(gateway.condition("Gateway", "shop/web", "Accepted")).toBe("False/UnsupportedAddress");
    await gateway.apply(gatewayOn(port, "  addresses: [{ value: 192.0.2.77 }, { value: 127.0.0.1 }]"));
    expect(gateway.condition("Gateway", "shop/web", "Accepted")).toBe("True/Accepted");
    expect(gateway.condition("Gateway", "shop/web", "Programmed")).toBe("False/AddressNotUsable");
    expect(gateway.message("Gateway", "shop/web", "Programmed")).toContain("192.0.2.77");
    await gateway.apply(gatewayOn(port, "  addresses: [{ value: 127.0.0.1 }]"));
    expect(gateway.condition("Gateway", "shop/web", "Programmed")).toBe("True/Programmed");
    expect(gateway.status("Gateway", "shop/web").addresses).toEqual([
      { type: "IPAddress", value: "127.0.0.1" },
    ]);
    expect((await requestHttp1({ address: "127.0.0.1", port }, {})).status).toBe(404);
  });

  it("without a value are whatever the gateway has [GatewayAddressEmpty]", async () => {
    const port = await freePort();
    const gateway = await startGateway(gatewayOn(port, "  addresses: [{ type: IPAddress }]"), byItself);
    expect(gateway.condition("Gateway", "shop/web", "Programmed")).toBe("True/Programmed");
    expect(gateway.status("Gateway", "shop/web").addresses).toEqual([
      { type: "IPAddress", value: "127.0.0.1" },
    ]);
    expect((await requestHttp1({ address: "127.0.0.1", port }, {})).status).toBe(404);
  });

  it("that nobody asked for are not open to the network [Gateway]", async () => {
    const port = await freePort();
    await startGateway(gatewayOn(port), byItself);
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === "IPv4");
    for (const { address } of others) {
      const refused = await new Promise<boolean>((resolve) => {
        const socket = net.connect(port, address, () => resolve(false));
        socket.on("error", () => resolve(true));
      });
      expect([address, refused]).toEqual([address, true]);
    }
    expect((await requestHttp1({ address: "127.0.0.1", port }, {})).status).toBe(404);
  });
});

describe("infrastructure", () => {
  it("has labels for what is created, which on one machine is nothing: the Gateway serves as without [GatewayInfrastructure]", async () => {
    const spec = '  infrastructure: { labels: { team: shop }, annotations: { example.com/cost: "42" } }';
    const gateway = await startGateway(gatewayOn(80, spec));
    expect((await gateway.get({})).status).toBe(404);
    expect(gateway.condition("Gateway", "shop/web", "Accepted")).toBe("True/Accepted");
    const plain = await startGateway(gatewayOn(80));
    expect([...gateway.controller.model.listeners.entries()]).toEqual([
      ...plain.controller.model.listeners.entries(),
    ]);
  });

  it("with parameters of an unknown kind keeps the port closed [GatewayInfrastructure]", async () => {
    const spec = "  infrastructure: { parametersRef: { group: example.com, kind: Tuning, name: fast } }";
    const gateway = await startGateway(gatewayOn(80, spec));
    expect(gateway.condition("Gateway", "shop/web", "Accepted")).toBe("False/InvalidParameters");
    expect(gateway.driver.describe().listeners).toEqual([]);
  });
});

describe("ListenerSets", () => {
  it("add listeners to a Gateway, with routes of their own [ListenerSet]", async () => {
    const [own, set] = [await httpBackend("own"), await httpBackend("set")];
    const gateway = await startGateway(`
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
  allowedListeners: { namespaces: { from: All } }
  listeners: [{ name: http, port: 80, protocol: HTTP, hostname: own.test }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: ListenerSet
metadata: { name: extra, namespace: shop }
spec:
  parentRef: { name: web }
  listeners:
    - { name: same-port, port: 80, protocol: HTTP, hostname: set.test }
    - { name: other-port, port: 8080, protocol: HTTP }
    - { name: taken, port: 80, protocol: HTTP, hostname: own.test }
${route("HTTPRoute", "  rules: [{ backendRefs: [{ name: own, port: 80 }] }]", "own")}
${route("HTTPRoute", "  rules: [{ backendRefs: [{ name: set, port: 80 }] }]", "set", "{ kind: ListenerSet, name: extra }")}
${service("own", [own.port])}${service("set", [set.port])}`);
    expect((await gateway.get({ port: 80, host: "own.test" })).from).toBe("own");
    expect((await gateway.get({ port: 80, host: "set.test" })).from).toBe("set");
    expect((await gateway.get({ port: 8080, host: "any.test" })).from).toBe("set");
    expect(gateway.condition("ListenerSet", "shop/extra", "Accepted")).toBe("True/ListenersNotValid");
    expect(gateway.condition("ListenerSet", "shop/extra", "Conflicted", "taken")).toBe(
      "True/HostnameConflict",
    );
    expect(gateway.status("Gateway", "shop/web").attachedListenerSets).toBe(1);
    await gateway.delete("ListenerSet", "shop/extra");
    expect((await gateway.get({ port: 80, host: "set.test" })).status).toBe(404);
    expect(() => gateway.at(8080)).toThrow("no open port");
    expect(gateway.status("Gateway", "shop/web").attachedListenerSets).toBe(0);
  });

  it("are not let in unless the Gateway says so [ListenerSet]", async () => {
    const gateway = await startGateway(`${httpGateway}
---
apiVersion: gateway.networking.k8s.io/v1
kind: ListenerSet
metadata: { name: extra, namespace: blog }
spec:
  parentRef: { name: web, namespace: shop }
  listeners: [{ name: http, port: 8080, protocol: HTTP }]
`);
    expect(gateway.condition("ListenerSet", "blog/extra", "Accepted")).toBe("False/NotAllowed");
    expect(() => gateway.at(8080)).toThrow("no open port");
  });
});

describe("default Gateways", () => {
  it("serve routes that ask for one, as long as they are one [DefaultGateways]", async () => {
    const web = await httpBackend("web");
    const asking = httpRoute("  rules: [{ backendRefs: [{ name: web, port: 80 }] }]").replace(
      "parentRefs: [{ name: web }]",
      "useDefaultGateways: All",
    );
    const isDefault = httpGateway.replace("  listeners:", "  defaultScope: All\n  listeners:");
    const gateway = await startGateway(httpGateway + asking + service("web", [web.port]));
    expect((await gateway.get({})).status).toBe(404);
    await gateway.apply(isDefault);
    expect((await gateway.get({})).from).toBe("web");
    expect(gateway.condition("Gateway", "shop/web", "DefaultGateway")).toBe("True/DefaultGateway");
    expect(gateway.status("HTTPRoute", "shop/shop").parents?.[0]?.parentRef).toMatchObject({
      name: "web",
      namespace: "shop",
    });
    await gateway.apply(httpGateway);
    expect((await gateway.get({})).status).toBe(404);
    expect(gateway.condition("Gateway", "shop/web", "DefaultGateway")).toBe("none");
    expect(gateway.status("HTTPRoute", "shop/shop").parents ?? []).toEqual([]);
  });
});

describe("grants", () => {
  it("let a route reach a Service of another namespace, until they are taken away [ReferenceGrant]", async () => {
    const api = await httpBackend("api");
    const gateway = await startGateway(
      httpGateway +
        httpRoute("  rules: [{ backendRefs: [{ name: api, namespace: backend, port: 80 }] }]") +
        service("api", [api.port], { namespace: "backend" }),
    );
    expect((await gateway.get({})).status).toBe(500);
    expect(gateway.condition("HTTPRoute", "shop/shop", "ResolvedRefs")).toBe("False/RefNotPermitted");
    await gateway.apply(`
apiVersion: gateway.networking.k8s.io/v1
kind: ReferenceGrant
metadata: { name: from-shop, namespace: backend }
spec:
  from: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: shop }]
  to: [{ group: "", kind: Service, name: api }]`);
    expect((await gateway.get({})).from).toBe("api");
    await gateway.delete("ReferenceGrant", "backend/from-shop");
    expect((await gateway.get({})).status).toBe(500);
    expect(api.requests).toHaveLength(1);
  });
});

describe("the namespaces that a listener allows", () => {
  it("are those that have the labels now: a route comes and goes with them [Gateway]", async () => {
    const web = await httpBackend("web");
    const selecting = httpGateway.replace(
      "from: All",
      'from: Selector, selector: { matchLabels: { public: "yes" } }',
    );
    const labelled = (value: string) => `
---
apiVersion: v1
kind: Namespace
metadata: { name: blog, labels: { public: "${value}" } }
`;
    const ofBlog = httpRoute("  rules: [{ backendRefs: [{ name: web, port: 80 }] }]")
      .replace("namespace: shop", "namespace: blog")
      .replace("{ name: web }", "{ name: web, namespace: shop }");
    const gateway = await startGateway(
      selecting + labelled("no") + ofBlog + service("web", [web.port], { namespace: "blog" }),
    );
    const attached = () => gateway.status("Gateway", "shop/web").listeners?.[0]?.attachedRoutes;
    for (let turn = 0; turn < 3; turn++) {
      expect([(await gateway.get({})).from, attached()]).toEqual([404, 0]);
      expect(gateway.condition("HTTPRoute", "blog/shop", "Accepted")).toBe("False/NotAllowedByListeners");
      await gateway.apply(labelled("yes"));
      expect([(await gateway.get({})).from, attached()]).toEqual(["web", 1]);
      await gateway.apply(labelled("no"));
    }
  });
});
