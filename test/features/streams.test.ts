import { describe, expect, it } from "vitest";
import { connectLines, isRefused, openDatagrams } from "../../src/driver-kit/traffic/stream-client.ts";
import { tcpBackend, udpBackend } from "./support/backends.ts";
import { startGateway, type GatewayUnderTest } from "./support/gateway-under-test.ts";
import { route, service } from "./support/objects.ts";

const gatewayWith = (...listeners: string[]) => `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners:
${listeners.map((listener) => `    - { ${listener} }`).join("\n")}
`;

describe("TCPRoutes", () => {
  const firstLine = async (gateway: GatewayUnderTest, port: number) => {
    const client = await connectLines(gateway.at(port));
    const line = await client.readLine();
    client.close();
    return line;
  };
  const tcpRoute = (name: string, backends: string, parent = "{ name: web }") =>
    route("TCPRoute", `  rules: [{ backendRefs: [${backends}] }]`, name, parent);

  it("send connections on, both ways, to the last byte [TCPRoute]", async () => {
    const db = await tcpBackend("db");
    const gateway = await startGateway(
      gatewayWith("name: tcp, port: 5432, protocol: TCP") +
        tcpRoute("db", "{ name: db, port: 5432 }") +
        service("db", [db.port], { port: 5432 }),
    );
    const client = await connectLines(gateway.at(5432));
    expect(await client.readLine()).toBe("db");
    client.write("select 1\n");
    expect(await client.readLine()).toBe("select 1");
    client.end();
    expect(await client.readLine()).toBe("bye");
    expect(await client.readLine()).toBeUndefined();
    expect(gateway.condition("TCPRoute", "shop/db", "Accepted")).toBe("True/Accepted");
  });

  it("share connections by weight [TCPRoute]", async () => {
    const [a, b, c] = await Promise.all(["a", "b", "c"].map((name) => tcpBackend(name)));
    const gateway = await startGateway(
      gatewayWith("name: tcp, port: 5432, protocol: TCP") +
        tcpRoute(
          "db",
          "{ name: a, port: 80, weight: 3 }, { name: b, port: 80, weight: 1 }, { name: c, port: 80, weight: 0 }",
        ) +
        [a!, b!, c!].map(({ name, port }) => service(name, [port])).join(""),
    );
    for (let connection = 0; connection < 20; connection++) await firstLine(gateway, 5432);
    expect([a!.clients, b!.clients, c!.clients]).toEqual([15, 5, 0]);
  });

  it("of one port: the oldest serves, then the next [TCPRoute]", async () => {
    const [old, young] = [await tcpBackend("old"), await tcpBackend("young")];
    const aged = (name: string, time: string) =>
      tcpRoute(name, `{ name: ${name}, port: 80 }`).replace(
        "namespace: shop",
        `namespace: shop, creationTimestamp: "${time}"`,
      );
    const gateway = await startGateway(
      gatewayWith("name: tcp, port: 5432, protocol: TCP") +
        aged("young", "2026-01-02T00:00:00Z") +
        aged("old", "2026-01-01T00:00:00Z") +
        service("old", [old.port]) +
        service("young", [young.port]),
    );
    expect(await firstLine(gateway, 5432)).toBe("old");
    expect(gateway.status("Gateway", "shop/web").listeners?.[0]?.attachedRoutes).toBe(2);
    await gateway.delete("TCPRoute", "shop/old");
    expect(await firstLine(gateway, 5432)).toBe("young");
  });

  it("without a backend that is there refuse connections [TCPRoute]", async () => {
    const gateway = await startGateway(
      gatewayWith("name: tcp, port: 5432, protocol: TCP", "name: none, port: 5433, protocol: TCP") +
        tcpRoute("db", "{ name: nowhere, port: 80 }", "{ name: web, sectionName: tcp }"),
    );
    expect(await isRefused(gateway.at(5432))).toBe(true);
    expect(await isRefused(gateway.at(5433))).toBe(true);
    expect(gateway.condition("TCPRoute", "shop/db", "ResolvedRefs")).toBe("False/BackendNotFound");
  });
});

describe("UDPRoutes", () => {
  it("send datagrams on and bring the answers back, each client its own [UDPRoute]", async () => {
    const dns = await udpBackend("dns");
    const gateway = await startGateway(
      gatewayWith("name: udp, port: 5300, protocol: UDP", "name: tcp, port: 5300, protocol: TCP") +
        route("UDPRoute", "  rules: [{ backendRefs: [{ name: dns, port: 53 }] }]", "dns") +
        service("dns", [dns.port], { port: 53, protocol: "UDP" }),
    );
    const at = gateway.at(5300, { transport: "udp" });
    const [one, two] = [await openDatagrams(at), await openDatagrams(at)];
    expect(await one.exchange("who am I")).toBe("dns 1 who am I");
    expect(await two.exchange("and I")).toBe("dns 2 and I");
    expect(await one.exchange("still")).toBe("dns 1 still");
    one.close();
    two.close();
    expect(gateway.condition("UDPRoute", "shop/dns", "Accepted")).toBe("True/Accepted");
    expect(gateway.condition("Gateway", "shop/web", "Programmed")).toBe("True/Programmed");
  });

  it("share sessions by weight, and go elsewhere when told so [UDPRoute]", async () => {
    const [a, b] = [await udpBackend("a"), await udpBackend("b")];
    const udpRoute = (weights: readonly [number, number]) =>
      route(
        "UDPRoute",
        `  rules: [{ backendRefs: [{ name: a, port: 53, weight: ${weights[0]} }, { name: b, port: 53, weight: ${weights[1]} }] }]`,
        "dns",
      );
    const gateway = await startGateway(
      gatewayWith("name: udp, port: 5300, protocol: UDP") +
        udpRoute([3, 1]) +
        service("a", [a.port], { port: 53, protocol: "UDP" }) +
        service("b", [b.port], { port: 53, protocol: "UDP" }),
    );
    const ask = async () => {
      const client = await openDatagrams(gateway.at(5300, { transport: "udp" }));
      const answer = await client.exchange("x");
      client.close();
      return answer?.split(" ")[0];
    };
    const answers = [];
    for (let session = 0; session < 8; session++) answers.push(await ask());
    expect(answers.filter((name) => name === "a")).toHaveLength(6);
    await gateway.apply(udpRoute([0, 1]));
    for (let session = 0; session < 3; session++) expect(await ask()).toBe("b");
  });
});
