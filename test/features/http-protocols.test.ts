import { describe, expect, it } from "vitest";
import { allowed, denied, readCheckRequest } from "../../src/driver-kit/traffic/authorization.ts";
import { connectHttp2 } from "../../src/driver-kit/traffic/http2-client.ts";
import { seenHeader } from "../../src/driver-kit/traffic/seen-request.ts";
import { openWebSocket } from "../../src/driver-kit/traffic/websocket.ts";
import { grpcBackend, httpBackend } from "./support/backends.ts";
import { startGateway } from "./support/gateway-under-test.ts";
import { httpGateway, httpRoute, service } from "./support/objects.ts";

const toWeb = `
  rules:
    - backendRefs: [{ name: web, port: 80 }]`;

describe("backends", () => {
  it("that say h2c are spoken to in HTTP/2 [HTTPRouteBackendProtocolH2C]", async () => {
    const web = await httpBackend("web", { http2: true });
    const gateway = await startGateway(
      httpGateway + httpRoute(toWeb) + service("web", [web.port], { appProtocol: "kubernetes.io/h2c" }),
    );
    const answer = await gateway.get({ method: "POST", body: "up" });
    expect(answer.protocol).toBe("HTTP/1.1");
    expect(answer.seen).toMatchObject({ protocol: "HTTP/2", body: "up" });
    const client = await connectHttp2(gateway.at());
    expect((await client.request({ path: "/2" })).seen).toMatchObject({ protocol: "HTTP/2", target: "/2" });
    client.close();
  });

  it("that say nothing are spoken to in HTTP/1.1, whatever the client speaks [HTTPRoute]", async () => {
    const web = await httpBackend("web");
    const gateway = await startGateway(httpGateway + httpRoute(toWeb) + service("web", [web.port]));
    const client = await connectHttp2(gateway.at());
    expect((await client.request({})).seen?.protocol).toBe("HTTP/1.1");
    client.close();
  });

  it("that say ws take WebSockets [HTTPRouteBackendProtocolWebSocket]", async () => {
    const web = await httpBackend("web");
    const gateway = await startGateway(
      httpGateway + httpRoute(toWeb) + service("web", [web.port], { appProtocol: "kubernetes.io/ws" }),
    );
    const socket = await openWebSocket(gateway.at(), { host: "shop.test", path: "/chat" });
    expect(socket.head).toMatch(/^HTTP\/1\.1 101 /);
    expect(await socket.exchange("hello")).toBe("web: hello");
    expect(await socket.exchange("again")).toBe("web: again");
    socket.close();
  });

  it("that say what no HTTPRoute can speak are refused [HTTPRouteBackendProtocolWebSocket]", async () => {
    const web = await httpBackend("web");
    const gateway = await startGateway(
      httpGateway + httpRoute(toWeb) + service("web", [web.port], { appProtocol: "kubernetes.io/wss" }),
    );
    expect((await gateway.get({})).status).toBe(500);
    expect(gateway.condition("HTTPRoute", "shop/shop", "ResolvedRefs")).toBe("False/UnsupportedProtocol");
  });
});

describe("authorisation", () => {
  const rules = (auth: string) => `
  rules:
    - filters: [{ type: ExternalAuth, externalAuth: { ${auth} } }]
      backendRefs: [{ name: web, port: 80 }]`;

  it("asks a server by HTTP and passes on what it says [HTTPRouteExternalAuth]", async () => {
    const web = await httpBackend("web");
    const auth = await httpBackend("auth");
    auth.answer = ({ headers }) => {
      const token = headers.find(([name]) => name === "x-token")?.[1];
      return token === "good"
        ? { status: 200, headers: { "x-user": "ada", "x-other": "no" } }
        : { status: 401, headers: { "www-authenticate": "Token" }, body: "who are you" };
    };
    const filter =
      "protocol: HTTP, backendRef: { name: auth, port: 80 }, " +
      "http: { path: /check, allowedHeaders: [X-Token], allowedResponseHeaders: [X-User] }";
    const gateway = await startGateway(
      httpGateway + httpRoute(rules(filter)) + service("web", [web.port]) + service("auth", [auth.port]),
    );
    const refused = await gateway.get({ path: "/cart", headers: { "x-token": "bad" } });
    expect(refused.status).toBe(401);
    expect(refused.header("www-authenticate")).toBe("Token");
    expect(web.requests).toHaveLength(0);
    expect(auth.requests[0]?.target).toBe("/check/cart");

    const passed = await gateway.get({
      path: "/cart",
      headers: { "x-token": "good", "x-user": "mallory", "x-private": "1" },
    });
    expect(passed.from).toBe("web");
    expect(seenHeader(passed.seen!, "x-user")).toBe("ada");
    expect(seenHeader(auth.requests[1]!, "x-private")).toBeUndefined();
  });

  it("asks a server by gRPC [HTTPRouteExternalAuth]", async () => {
    const web = await httpBackend("web");
    const auth = await grpcBackend("auth", {
      answer: (message) =>
        readCheckRequest(message).headers.get("x-token") === "good"
          ? allowed({ "x-user": "ada" })
          : denied(403, { "x-why": "no token" }, "no"),
    });
    const filter = "protocol: GRPC, backendRef: { name: auth, port: 80 }, grpc: {}";
    const gateway = await startGateway(
      httpGateway + httpRoute(rules(filter)) + service("web", [web.port]) + service("auth", [auth.port]),
    );
    const refused = await gateway.get({});
    expect([refused.status, refused.header("x-why"), refused.body]).toEqual([403, "no token", "no"]);
    const passed = await gateway.get({ headers: { "x-token": "good" } });
    expect(seenHeader(passed.seen!, "x-user")).toBe("ada");
    expect(web.requests).toHaveLength(1);
  });

  it("lets nobody through while the server cannot be asked [HTTPRouteExternalAuth]", async () => {
    const web = await httpBackend("web");
    const auth = await httpBackend("auth", { answer: () => ({ status: 503 }) });
    const filter = "protocol: HTTP, backendRef: { name: auth, port: 80 }, http: {}";
    const objects = httpGateway + httpRoute(rules(filter)) + service("web", [web.port]);
    const gateway = await startGateway(objects + service("auth", [auth.port]));
    expect((await gateway.get({})).status).toBeGreaterThanOrEqual(400);
    await gateway.delete("EndpointSlice", "shop/auth-0");
    expect((await gateway.get({})).status).toBeGreaterThanOrEqual(400);
    await gateway.delete("Service", "shop/auth");
    expect((await gateway.get({})).status).toBeGreaterThanOrEqual(400);
    expect(gateway.condition("HTTPRoute", "shop/shop", "ResolvedRefs")).toBe("False/BackendNotFound");
    expect(web.requests).toHaveLength(0);
  });
});
