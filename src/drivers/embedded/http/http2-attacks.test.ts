import { once } from "node:events";
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
