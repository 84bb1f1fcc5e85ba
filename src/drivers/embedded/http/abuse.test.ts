import { once } from "node:events";
import net from "node:net";
import { describe, expect, it } from "vitest";
import { bytesBackend, echoBackend, httpBackend } from "../../../../test/http-backends.ts";
import { ask, Http2Client, sendBytes } from "../../../../test/http-client.ts";
import { closed, opened, simpleGateway } from "../../../../test/http-gateway.ts";
import { frame, headersFrame, http2Bytes, literal, requestFields } from "../../../../test/http2-frames.ts";
import { eventually } from "../../../../test/tcp-servers.ts";

function connection(port: number): net.Socket {
  const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
  socket.on("error", () => {});
  closed(() => socket.destroy());
  return socket;
}

describe("limits of HTTP/1.1", () => {
  it.each([
    ["a target that is too long", `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 414],
    ["headers that are too long", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(70_000)}\r\n\r\n`, 431],
    ["too many headers", `GET / HTTP/1.1\r\nHost: a\r\n${"X: 1\r\n".repeat(5_000)}\r\n`, 431],
    ["too many headers, very many", `GET / HTTP/1.1\r\nHost: a\r\n${"X: 1\r\n".repeat(100_000)}\r\n`, 431],
  ])("refuse %s", async (_case, text, status) => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port);
    expect(await sendBytes(gateway.port, text)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(backend.requests).toHaveLength(0);
    await eventually(() => gateway.log.length === 1);
    expect(gateway.log[0]).toMatchObject({ status, clientAddress: "127.0.0.1" });
  });

  it("close connections that say nothing", async () => {
    const gateway = await simpleGateway(1, {}, { limits: { headersTimeout: 80 } });
    const socket = connection(gateway.port);
    await once(socket, "close");
    await eventually(() => gateway.service.metrics.clientConnections === 0);
    expect(gateway.log).toEqual([]);
  });

  it("close connections whose heads take too long, and leave others alone", async () => {
    const backend = await opened(
      httpBackend((_request, response) => setTimeout(() => response.end("ok"), 400)),
    );
    const gateway = await simpleGateway(backend.port, {}, { limits: { headersTimeout: 150 } });
    const served = ask(gateway.port, "/");
    const socket = connection(gateway.port);
    let received = "";
    socket.on("data", (bytes) => (received += String(bytes)));
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n");
    const drip = setInterval(() => socket.write("X: y\r\n"), 20);
    await once(socket, "close");
    clearInterval(drip);
    expect(received).toMatch(/^HTTP\/1.1 408 /);
    expect((await served).text).toBe("ok");
  });

  it("close kept connections after a while", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port, {}, { limits: { keepAliveTimeout: 80 } });
    const socket = connection(gateway.port);
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    socket.resume();
    await once(socket, "close");
    expect(backend.requests).toHaveLength(1);
  });

  it("end a request whose body stops coming", async () => {
    const backend = await opened(bytesBackend(() => {}));
    const gateway = await simpleGateway(backend.port, {}, { upstreamLimits: { idleTimeout: 100 } });
    const text = await sendBytes(
      gateway.port,
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nstart",
    );
    expect(text).toMatch(/^HTTP\/1.1 504 /);
  });

  it("end an answer that the client does not read", async () => {
    const backend = await opened(
      httpBackend((_request, response) => response.end(Buffer.alloc(20 * 1024 * 1024))),
    );
    const gateway = await simpleGateway(
      backend.port,
      {},
      { limits: { idleTimeout: 200 }, upstreamLimits: { idleTimeout: 150 } },
    );
    const socket = connection(gateway.port);
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await eventually(() => gateway.service.metrics.activeRequests === 1);
    await eventually(() => gateway.service.metrics.clientConnections === 0);
    expect(gateway.service.metrics.activeRequests).toBe(0);
  });
});

describe("limits of HTTP/2", () => {
  it("end a connection that takes back stream after stream", async () => {
    const backend = await opened(httpBackend(() => {}));
    const gateway = await simpleGateway(backend.port, {}, { limits: { maxResets: 50 } });
    const other = new Http2Client(gateway.port);
    closed(() => other.close());
    const socket = connection(gateway.port);
    socket.write(http2Bytes);
    await once(socket, "data");
    // What is written after the end may fail, which is an end as well.
    const over = new Promise((resolve) => socket.on("error", resolve).once("close", resolve));
    socket.resume();
    const cancel = Buffer.from([0, 0, 0, 8]);
    for (let index = 0; index < 2_000 && !socket.destroyed; index++) {
      const stream = 2 * index + 1;
      socket.write(Buffer.concat([headersFrame(stream, requestFields()), frame(3, 0, stream, cancel)]));
      if (index % 20 === 19) await new Promise((resolve) => setImmediate(resolve));
    }
    await over;
    expect(backend.requests.length).toBeLessThan(300);
    await eventually(() => gateway.service.metrics.activeRequests === 0);
    expect((await other.ask("/%")).status).toBe(400);
  });

  it.each([
    [
      "endless CONTINUATION frames",
      () => [
        headersFrame(1, requestFields(), 0),
        ...Array.from({ length: 5_000 }, () => frame(9, 0, 1, literal("x-a", "y".repeat(100)))),
      ],
    ],
    [
      "a flood of SETTINGS",
      () => Array.from({ length: 50_000 }, () => frame(4, 0, 0, Buffer.from([0, 3, 0, 0, 0, 100]))),
    ],
    ["a flood of PING", () => Array.from({ length: 50_000 }, () => frame(6, 0, 0, Buffer.alloc(8)))],
    ["SETTINGS with very many entries", () => [frame(4, 0, 0, Buffer.alloc(6 * 2_000, 1))]],
    [
      "frames on streams that do not exist",
      () => Array.from({ length: 5_000 }, () => frame(0, 0, 1001, Buffer.alloc(10))),
    ],
    [
      "very many headers",
      () => [
        headersFrame(1, [...requestFields(), ...Array.from({ length: 1_500 }, () => literal("x", "1"))]),
      ],
    ],
  ])("withstand %s", async (_case, frames) => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port);
    const socket = connection(gateway.port);
    const before = process.memoryUsage().rss;
    socket.write(http2Bytes);
    socket.write(Buffer.concat(frames()));
    // Never reading what comes back is part of the attack.
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect((await ask(gateway.port, "/")).status).toBe(200);
    expect(backend.requests).toHaveLength(1);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });

  it("hold for streams at a time", async () => {
    const backend = await opened(httpBackend(() => {}));
    const gateway = await simpleGateway(backend.port, {}, { limits: { maxConcurrentStreams: 10 } });
    const client = new Http2Client(gateway.port);
    closed(() => client.close());
    await once(client.session, "remoteSettings");
    for (let index = 0; index < 30; index++)
      client
        .stream("/")
        .on("error", () => {})
        .end();
    await eventually(() => backend.requests.length === 10);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(backend.requests).toHaveLength(10);
  });

  it("refuse a target that is too long", async () => {
    const gateway = await simpleGateway(1);
    const client = new Http2Client(gateway.port);
    closed(() => client.close());
    expect((await client.ask(`/${"x".repeat(17_000)}`)).status).toBe(414);
  });

  it("close idle sessions", async () => {
    const gateway = await simpleGateway(1, {}, { limits: { keepAliveTimeout: 80 } });
    const client = new Http2Client(gateway.port);
    closed(() => client.close());
    await once(client.session, "close");
    await eventually(() => gateway.service.metrics.clientConnections === 0);
    expect(gateway.log).toEqual([]);
  });
});
