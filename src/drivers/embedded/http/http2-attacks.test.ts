import { once } from "node:events";
import http2 from "node:http2";
import net from "node:net";
import { describe, expect, it } from "vitest";
import { echoBackend } from "../../../../test/http-backends.ts";
import { ask } from "../../../../test/http-client.ts";
import { opened, simpleGateway } from "../../../../test/http-gateway.ts";

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** HPACK without its tables: each field as a literal. */
function headers(stream: number, fields: Readonly<Record<string, string>>): Buffer {
  const literals = Object.entries(fields).map(([name, value]) =>
    Buffer.concat([
      Buffer.from([0, name.length]),
      Buffer.from(name),
      Buffer.from([value.length]),
      Buffer.from(value),
    ]),
  );
  return frame(1, 0x5, stream, Buffer.concat(literals));
}

function request(stream: number, path: string): Buffer {
  return headers(stream, { ":method": "GET", ":scheme": "http", ":path": path, ":authority": "a.test" });
}

function reset(stream: number, code: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(code);
  return frame(3, 0, stream, payload);
}

async function send(port: number, ...frames: readonly Buffer[]): Promise<net.Socket> {
  const socket = net.connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.on("error", () => {});
  socket.resume();
  socket.write(Buffer.concat([preface, frame(4, 0, 0), ...frames]));
  return socket;
}

describe("HTTP/2 clients that mean harm", () => {
  it.each([
    ["a bad path", [request(1, "/%"), reset(1, 8)]],
    ["a backslash", [request(1, "/a\\b"), reset(1, 8)]],
    ["CONNECT without a path", [headers(1, { ":method": "CONNECT", ":authority": "a.test" }), reset(1, 8)]],
    ["a window that does not grow", [request(1, "/%"), frame(8, 0, 1, Buffer.alloc(4))]],
  ])("%s, taken back in the same packet, harms nobody else (attack 32)", async (_name, frames) => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port);
    const socket = await send(gateway.port, ...frames);
    const answer = await ask(gateway.port, "/fine");
    expect(answer.status).toBe(200);
    socket.destroy();
  });

  it.each([0, 2, 8])(
    "ends a connection of rapid resets, whatever their code: %i (attack 32)",
    async (code) => {
      const backend = await opened(echoBackend());
      const gateway = await simpleGateway(backend.port);
      const frames: Buffer[] = [];
      for (let index = 0; index < 1_000; index++) {
        const stream = index * 2 + 1;
        frames.push(request(stream, "/x"), reset(stream, code));
      }
      const socket = await send(gateway.port, ...frames);
      await once(socket, "close");
      const answer = await ask(gateway.port, "/fine");
      expect(answer.status).toBe(200);
    },
  );
});

describe("HTTP/2 connections that ask for nothing", () => {
  const limits = { headersTimeout: 100, lingerTimeout: 100 };
  /** `:method GET`, `:scheme http` and no more: END_HEADERS is missing. */
  const unfinished = frame(1, 0, 1, Buffer.from([0x82, 0x86]));
  const ping = frame(6, 0, 0, Buffer.alloc(8));

  it("end when a head has begun and does not end", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port, {}, { limits });
    const socket = await send(gateway.port, unfinished);
    await expect(once(socket, "close")).resolves.toBeDefined();
  });

  it("end when the rest of a head comes byte by byte", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port, {}, { limits });
    const head = Buffer.from([0, 0, 200, 1, 4, 0, 0, 0, 1]);
    const socket = await send(gateway.port, head);
    const timer = setInterval(() => socket.write(Buffer.alloc(1, "a")), 20);
    await expect(once(socket, "close")).resolves.toBeDefined();
    clearInterval(timer);
  });

  it("end when they are idle, whatever has begun", async () => {
    const backend = await opened(echoBackend());
    const idle = { keepAliveTimeout: 100, lingerTimeout: 100, headersTimeout: 60_000 };
    const gateway = await simpleGateway(backend.port, {}, { limits: idle });
    const socket = await send(gateway.port, unfinished);
    await expect(once(socket, "close")).resolves.toBeDefined();
  });

  it("end when their client has gone in the middle of a head", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(
      backend.port,
      {},
      { limits: { headersTimeout: 60_000, lingerTimeout: 100 } },
    );
    const socket = net.connect({ port: gateway.port, host: "127.0.0.1", allowHalfOpen: true });
    socket.on("error", () => {});
    socket.resume();
    socket.end(Buffer.concat([preface, frame(4, 0, 0), unfinished]));
    await expect(once(socket, "close")).resolves.toBeDefined();
  });

  it("end when frames go on to come after the GOAWAY for one that is not allowed", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port, {}, { limits: { ...limits, idleTimeout: 200 } });
    // DATA after END_STREAM: nghttp2 ends the session by itself.
    const socket = await send(gateway.port, request(1, "/x"), frame(0, 0, 1, Buffer.alloc(1)));
    const timer = setInterval(() => socket.write(ping), 20);
    await expect(once(socket, "close")).resolves.toBeDefined();
    clearInterval(timer);
  });

  it("stay as long as their client answers", { timeout: 30_000 }, async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port, {}, { limits: { headersTimeout: 1_000 } });
    const session = http2.connect(`http://127.0.0.1:${gateway.port}`);
    let asked = 0;
    session.on("ping", () => asked++);
    const get = async (path: string) => {
      const stream = session.request({ ":path": path, ":authority": "a.test" });
      stream.resume();
      const [headers] = (await once(stream, "response")) as [http2.IncomingHttpHeaders];
      await once(stream, "close");
      return headers[":status"];
    };
    expect(await get("/one")).toBe(200);
    while (asked < 2) {
      await new Promise((resolve, reject) =>
        session.ping((error) => (error ? reject(error) : setTimeout(resolve, 20))),
      );
    }
    expect(await get("/two")).toBe(200);
    session.close();
  });
});

describe("HTTP/1.1 clients that ask for HTTP/2 by Upgrade", () => {
  it("are served as they are, but not for ever on one connection", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port);
    const socket = net.connect(gateway.port, "127.0.0.1");
    const closed = once(socket, "close");
    let answers = 0;
    const ask = () =>
      socket.write("GET /x HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n");
    socket.on("data", (chunk: Buffer) => {
      if (!chunk.includes("HTTP/1.1 200")) return;
      answers++;
      ask();
    });
    socket.on("error", () => {});
    ask();
    await closed;
    expect(answers).toBe(4);
  });
});
