import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { describe, expect, it } from "vitest";
import { echoBackend, echoOf, http2Backend, httpBackend } from "../../../../test/http-backends.ts";
import { answerOf, ask, Http2Client, sendBytes } from "../../../../test/http-client.ts";
import { action, closed, httpGateway, opened, rule, simpleGateway } from "../../../../test/http-gateway.ts";
import { HttpService } from "./http-service.ts";
import { eventually } from "../../../../test/tcp-servers.ts";

/** A backend whose answers are given by the test. */
async function waitingBackend() {
  const waiting: http.ServerResponse[] = [];
  const server = await opened(httpBackend((_request, response) => waiting.push(response)));
  return { port: server.port, waiting };
}

describe("draining a listener", () => {
  it("answers a request on a kept connection for a while, and closes it with the answer", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port, {}, { limits: { idleGrace: 5_000 } });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    closed(() => agent.destroy());
    const request = { port: gateway.port, host: "127.0.0.1", headers: { host: "a.test" }, agent };
    const send = async () => {
      const [answer] = (await once(http.get(request), "response")) as [http.IncomingMessage];
      await once(answer.resume(), "end");
      return answer;
    };
    expect((await send()).headers.connection).not.toBe("close");
    const draining = gateway.service.drain(gateway.listener.key, 10_000);
    expect(await send()).toMatchObject({ statusCode: 200, headers: { connection: "close" } });
    await draining;
    expect(gateway.service.metrics.clientConnections).toBe(0);
  });

  it("lets HTTP/1.1 requests finish, says close, and closes idle connections", async () => {
    const { port, waiting } = await waitingBackend();
    const gateway = await simpleGateway(port);
    const idle = net.connect(gateway.port, "127.0.0.1");
    closed(() => idle.destroy());
    idle.write("GET /first HTTP/1.1\r\nHost: a.test\r\n\r\n");
    await eventually(() => waiting.length === 1);
    waiting.pop()!.end("done");
    await once(idle, "data");
    const silent = net.connect(gateway.port, "127.0.0.1");
    closed(() => silent.destroy());
    const busy = ask(gateway.port, "/busy", { agent: new http.Agent({ keepAlive: true }) });
    await eventually(() => waiting.length === 1);
    const begun = sendBytes(gateway.port, "GET /begun HTTP/1.1\r\nHost: a.test\r\n\r\n", { silence: 2_000 });
    await eventually(() => waiting.length === 2);
    waiting[1]!.write("part ");

    let drained = false;
    const draining = gateway.service.drain(gateway.listener.key, 5_000).then(() => (drained = true));
    await Promise.all([once(idle, "close"), once(silent, "close")]);
    expect(drained).toBe(false);
    waiting[0]!.end("busy");
    expect(await busy).toMatchObject({ text: "busy", headers: { connection: "close" } });
    waiting[1]!.end("begun");
    expect(await begun).toContain("begun");
    await draining;
    expect(gateway.service.metrics.activeRequests).toBe(0);
  });

  it("says GOAWAY and lets HTTP/2 streams finish", async () => {
    const { port, waiting } = await waitingBackend();
    const gateway = await simpleGateway(port);
    const client = new Http2Client(gateway.port);
    closed(() => client.close());
    const stream = client.stream("/");
    stream.end();
    const answer = answerOf(stream);
    await eventually(() => waiting.length === 1);
    const draining = gateway.service.drain(gateway.listener.key, 5_000);
    await eventually(() => client.session.closed);
    expect(client.session.destroyed).toBe(false);
    waiting[0]!.end("done");
    expect((await answer).text).toBe("done");
    await draining;
    await eventually(() => client.session.destroyed);
  });

  it("cuts off what is left after the grace", async () => {
    const { port, waiting } = await waitingBackend();
    const gateway = await simpleGateway(port);
    const cut = ask(gateway.port, "/");
    const outcome = cut.then(
      () => "answered",
      (error: Error) => error.message,
    );
    await eventually(() => waiting.length === 1);
    const start = performance.now();
    await gateway.service.drain(gateway.listener.key, 60);
    expect(performance.now() - start).toBeGreaterThanOrEqual(50);
    expect(await outcome).toMatch(/hang up|ECONNRESET/);
  });

  it("does not hinder a listener that comes back", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port);
    await ask(gateway.port, "/");
    await gateway.service.drain(gateway.listener.key, 100);
    expect((await ask(gateway.port, "/")).status).toBe(200);
    await gateway.service.drain("unknown", 100);
  });
});

describe("a change of configuration", () => {
  it("does not touch requests under way", async () => {
    const { port, waiting } = await waitingBackend();
    const backend = await opened(echoBackend("new"));
    const gateway = await simpleGateway(port, {
      responseHeaders: { set: [{ name: "x-version", value: "old" }], add: [], remove: [] },
    });
    const first = ask(gateway.port, "/");
    await eventually(() => waiting.length === 1);
    waiting[0]!.write("begun ");
    gateway.setHosts([{ hostname: "*", rules: [rule("/", action({ to: ["new"] }))] }]);
    gateway.setBackend("new", { ports: [backend.port] });
    gateway.backends.get("echo")!.close();
    expect(echoOf(await ask(gateway.port, "/")).backend).toBe("new");
    waiting[0]!.end("done");
    expect(await first).toMatchObject({ text: "begun done", headers: { "x-version": "old" } });
    await eventually(() => gateway.backends.get("echo")!.connections === 0);
  });

  it("does not touch HTTP/2 calls to an endpoint that goes", async () => {
    let finish = (): void => {};
    const backend = await opened(
      http2Backend((stream) => {
        stream.respond({ ":status": 200 });
        stream.write("begun ");
        finish = () => stream.end("done");
      }),
    );
    const gateway = await simpleGateway(
      0,
      {},
      { backends: { echo: { ports: [backend.port], protocol: "h2c" } } },
    );
    const client = new Http2Client(gateway.port);
    closed(() => client.close());
    const stream = client.stream("/");
    stream.end();
    await once(stream, "response");
    gateway.backends.get("echo")!.setEndpoints([]);
    expect((await ask(gateway.port, "/")).status).toBe(503);
    finish();
    let text = "";
    for await (const chunk of stream) text += String(chunk);
    expect(text).toBe("begun done");
    await eventually(() => gateway.backends.get("echo")!.connections === 0);
  });
});

describe("the access log", () => {
  it("has one record per request", async () => {
    const backend = await opened(echoBackend());
    const gateway = await opened(
      httpGateway({
        hosts: [
          {
            hostname: "*",
            rules: [
              rule(
                "/",
                action({
                  to: ["echo"],
                  route: { kind: "HTTPRoute", namespace: "shop", name: "web", rule: 2, ruleName: "main" },
                }),
              ),
            ],
          },
        ],
        backends: { echo: { ports: [backend.port] } },
      }),
    );
    const answer = await ask(gateway.port, "/a?secret=1", {
      method: "POST",
      body: "hello",
      headers: { "x-request-id": "id-1" },
    });
    expect(gateway.log).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
        gateway: "default/gateway",
        listener: "default/gateway/tcp/80",
        route: "HTTPRoute/shop/web",
        rule: "2/main",
        method: "POST",
        host: "a.test",
        path: "/a",
        protocol: "HTTP/1.1",
        status: 200,
        bytesIn: 5,
        bytesOut: answer.text.length,
        durationMs: expect.any(Number) as number,
        backend: "echo",
        endpoint: `127.0.0.1:${backend.port}`,
        clientAddress: "127.0.0.1",
        requestId: "id-1",
      },
    ]);
  });

  it("agrees with the counters", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port);
    await ask(gateway.port, "/");
    await ask(gateway.port, "/", { host: "a.test" });
    gateway.setHosts([]);
    await ask(gateway.port, "/");
    const { metrics } = gateway.service;
    const routes = metrics.requests.get(gateway.listener.key)!;
    expect(routes.get("HTTPRoute/default/route")).toEqual([0, 0, 2, 0, 0, 0]);
    expect(routes.get("")).toEqual([0, 0, 0, 0, 1, 0]);
    expect(metrics.activeRequests).toBe(0);
    expect(gateway.backends.get("echo")!.connections).toBe(1);
    metrics.prune((_listener, route) => route !== "HTTPRoute/default/route");
    expect([...routes.keys()]).toEqual([""]);
  });
});

describe("a fault of the gateway itself", () => {
  it("costs one request, not the process", async () => {
    const faults: unknown[] = [];
    const listener = (await simpleGateway(1)).listener;
    const service = new HttpService({
      tables: {
        virtualHosts: () => {
          throw new Error("broken table");
        },
        backend: () => undefined,
        portFor: (_gateway, port) => port,
      },
      onFault: (error) => faults.push(error),
    });
    const server = net.createServer((socket) => service.accept({ socket, listener, scheme: "http" }));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    closed(() => server.close());
    await expect(ask((server.address() as net.AddressInfo).port, "/")).rejects.toThrow(/hang up|ECONNRESET/);
    expect(faults).toHaveLength(1);
    await service.stop();
  });
});

describe("client addresses", () => {
  it("of IPv4 are shown as such on a socket for both families", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port);
    const server = net.createServer((socket) =>
      gateway.service.accept({ socket, listener: gateway.listener, scheme: "http" }),
    );
    server.listen(0, "::");
    await once(server, "listening");
    closed(() => server.close());
    const answer = await ask((server.address() as net.AddressInfo).port, "/");
    expect(echoOf(answer).headers["x-forwarded-for"]).toBe("127.0.0.1");
  });
});
