import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import type { Duplex } from "node:stream";
import { describe, expect, it } from "vitest";
import { echoBackend, httpBackend, type HttpBackendServer } from "../../../../test/http-backends.ts";
import { Http2Client, sendBytes } from "../../../../test/http-client.ts";
import { closed, opened, simpleGateway } from "../../../../test/http-gateway.ts";
import { eventually } from "../../../../test/tcp-servers.ts";

/** Switches to something that gives back everything in upper case. */
async function shoutBackend(): Promise<HttpBackendServer & { readonly seen: http.IncomingHttpHeaders[] }> {
  const seen: http.IncomingHttpHeaders[] = [];
  const server = http.createServer((_request, response) =>
    response.writeHead(426, { upgrade: "websocket" }).end("upgrade!"),
  );
  const open = new Set<Duplex>();
  server.on("upgrade", (request, socket, first) => {
    seen.push(request.headers);
    open.add(socket);
    socket.on("error", () => {});
    socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Hello: 1\r\nSec-WebSocket-Accept: abc\r\n\r\nhello ",
    );
    if (first.length > 0) socket.write(first.toString().toUpperCase());
    socket.on("data", (chunk) => socket.write(String(chunk).toUpperCase()));
    socket.on("end", () => socket.end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as net.AddressInfo).port,
    requests: [],
    connections: 0,
    seen,
    async close() {
      const over = once(server, "close");
      server.close();
      server.closeAllConnections();
      for (const socket of open) socket.destroy();
      await over;
    },
  };
}

const handshake = "GET /chat HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

async function tunnel(
  port: number,
  text = handshake,
): Promise<{ socket: net.Socket; received: () => string }> {
  const socket = net.connect(port, "127.0.0.1");
  closed(() => socket.destroy());
  socket.on("error", () => {});
  let received = "";
  socket.on("data", (chunk) => (received += chunk.toString("latin1")));
  socket.write(text);
  return { socket, received: () => received };
}

describe("Upgrade", () => {
  it("makes a tunnel when the backend agrees", async () => {
    const backend = await opened(shoutBackend());
    const gateway = await simpleGateway(backend.port);
    const { socket, received } = await tunnel(gateway.port, `${handshake}early `);
    await eventually(() => received().endsWith("hello EARLY "));
    expect(received()).toMatch(/^HTTP\/1.1 101 Switching Protocols\r\n/);
    expect(received()).toContain("upgrade: websocket\r\n");
    expect(received()).toContain("x-hello: 1\r\n");
    socket.write("later");
    await eventually(() => received().endsWith("LATER"));
    expect(backend.seen[0]).toMatchObject({
      connection: "upgrade",
      upgrade: "websocket",
      "x-forwarded-for": "127.0.0.1",
    });
    expect(gateway.service.metrics.activeRequests).toBe(1);
    socket.end();
    await eventually(() => gateway.log.length === 1);
    expect(gateway.log[0]).toMatchObject({ status: 101, bytesIn: 11, bytesOut: 17, path: "/chat" });
    expect(gateway.service.metrics.activeRequests).toBe(0);
  });

  it("passes on the answer of a backend that does not agree", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port);
    const text = await sendBytes(gateway.port, handshake);
    expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(text.toLowerCase()).toContain("connection: close");
  });

  it("closes the client's side when the backend goes away, and the other way round", async () => {
    const backend = await opened(shoutBackend());
    const gateway = await simpleGateway(backend.port);
    const first = await tunnel(gateway.port);
    await eventually(() => first.received().endsWith("hello "));
    first.socket.destroy();
    await eventually(() => gateway.backends.get("echo")!.connections === 0 && gateway.log.length === 1);
    const second = await tunnel(gateway.port);
    await eventually(() => second.received().endsWith("hello "));
    const over = once(second.socket, "close");
    await backend.close().catch(() => {});
    await over;
    await eventually(() => gateway.log.length === 2);
    expect(gateway.service.metrics.activeRequests).toBe(0);
  });

  it("closes a tunnel in which nothing moves", async () => {
    const backend = await opened(shoutBackend());
    const gateway = await simpleGateway(backend.port, {}, { limits: { tunnelIdleTimeout: 100 } });
    const { socket, received } = await tunnel(gateway.port);
    await eventually(() => received().endsWith("hello "));
    await once(socket, "close");
    expect(gateway.log[0]).toMatchObject({ status: 101 });
  });

  it("does not end a tunnel with the request's time-out", async () => {
    const backend = await opened(shoutBackend());
    const gateway = await simpleGateway(backend.port, { timeouts: { request: 60, backendRequest: 60 } });
    const { socket, received } = await tunnel(gateway.port);
    await eventually(() => received().endsWith("hello "));
    await new Promise((resolve) => setTimeout(resolve, 120));
    socket.write("still");
    await eventually(() => received().endsWith("STILL"));
    expect(gateway.log).toEqual([]);
  });

  it.each([
    ["h2c", "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABk\r\n"],
    ["an unknown protocol", "Upgrade: shout\r\nConnection: Upgrade\r\n"],
    ["one with a body", "Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"],
  ])("ignores a wish for %s and serves the request, and the next one", async (_case, headers) => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port);
    const text = await sendBytes(
      gateway.port,
      `POST /1 HTTP/1.1\r\nHost: a.test\r\n${headers}Content-Length: 5\r\n\r\nhello` +
        "GET /2 HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n",
    );
    expect(text.match(/HTTP\/1.1 200/g)).toHaveLength(2);
    expect(text).toContain('"body":"hello"');
    expect(text).toContain('"path":"/2"');
    expect(text).not.toContain('"upgrade"');
    expect(text).not.toContain("http2-settings");
  });

  it("does not let an upgrade overtake the answer before it", async () => {
    const backend = await opened(
      httpBackend((request, response) => setTimeout(() => response.end(`answer ${request.url}`), 30)),
    );
    const gateway = await simpleGateway(backend.port);
    const text = await sendBytes(gateway.port, `GET /first HTTP/1.1\r\nHost: a.test\r\n\r\n${handshake}`);
    expect(text.indexOf("answer /first")).toBeGreaterThan(0);
    expect(text.indexOf("answer /chat")).toBeGreaterThan(text.indexOf("answer /first"));
  });

  it("makes a tunnel of an HTTP/2 stream for WebSocket", async () => {
    const backend = await opened(shoutBackend());
    const gateway = await simpleGateway(backend.port);
    const client = new Http2Client(gateway.port);
    closed(() => client.close());
    await once(client.session, "remoteSettings");
    const stream = client.session.request({
      ":method": "CONNECT",
      ":protocol": "websocket",
      ":scheme": "http",
      ":path": "/chat",
      ":authority": "a.test",
      "sec-websocket-version": "13",
    });
    const [headers] = (await once(stream, "response")) as [Record<string, unknown>];
    expect(headers).toMatchObject({ ":status": 200, "x-hello": "1" });
    expect(headers).not.toHaveProperty("sec-websocket-accept");
    let received = "";
    stream.on("data", (chunk) => (received += String(chunk)));
    stream.write("word");
    await eventually(() => received === "hello WORD");
    expect(backend.seen[0]).toMatchObject({ upgrade: "websocket", "sec-websocket-version": "13" });
    expect(backend.seen[0]!["sec-websocket-key"]).toMatch(/^.{24}$/);
    stream.end();
    await eventually(() => gateway.log.length === 1);
  });
});
