/*
 * As much of WebSocket (RFC 6455) as a gateway can be asked to pass on: the handshake, and text messages of up to 64 KiB in
 * one frame each. The backend's side answers every message with its own name and the message.
 */
import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import net from "node:net";
import type { Duplex } from "node:stream";
import tls from "node:tls";
import type { BoundAddress } from "../../drivers/driver.ts";
import { clientPatience, within } from "./deadline.ts";

const magic = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

function acceptKey(key: string): string {
  return createHash("sha1").update(`${key}${magic}`).digest("base64");
}

/** For a server's `upgrade` event. A request for `/refused` is refused. */
export function acceptWebSocket(name: string) {
  return (request: IncomingMessage, socket: Duplex, first: Buffer): void => {
    socket.on("error", () => {});
    if (request.url === "/refused") {
      socket.end(
        "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\nx-seen: " + name + "\r\n\r\n",
      );
      return;
    }
    const key = String(request.headers["sec-websocket-key"]);
    socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
        `Sec-WebSocket-Accept: ${acceptKey(key)}\r\nx-seen: ${name}\r\n` +
        `x-seen-upgrade: ${String(request.headers.upgrade)}\r\n\r\n`,
    );
    readMessages(socket, first, (message) => socket.write(encodeFrame(`${name}: ${message}`, false)));
  };
}

export interface WebSocketClient {
  /** The head of the gateway's answer. */
  readonly head: string;
  /** Sends and waits for the answer. */
  exchange(message: string): Promise<string>;
  close(): void;
}

export async function openWebSocket(
  at: BoundAddress,
  options: { readonly host: string; readonly path: string; readonly tls?: tls.ConnectionOptions },
): Promise<WebSocketClient> {
  const socket = options.tls
    ? tls.connect({ host: at.address, port: at.port, ALPNProtocols: ["http/1.1"], ...options.tls })
    : net.connect(at.port, at.address);
  socket.on("error", () => {});
  const key = randomBytes(16).toString("base64");
  socket.write(
    `GET ${options.path} HTTP/1.1\r\nHost: ${options.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  const { head, rest } = await within(clientPatience, "WebSocket handshake", readHead(socket));
  if (head.startsWith("HTTP/1.1 101") && !head.includes(acceptKey(key))) {
    throw new Error(`the handshake was not passed on as it is: ${head}`);
  }
  const received: string[] = [];
  let wake = () => {};
  readMessages(socket, rest, (message) => {
    received.push(message);
    wake();
  });
  return {
    head,
    async exchange(message) {
      socket.write(encodeFrame(message, true));
      if (received.length === 0) {
        await within(clientPatience, "WebSocket message", new Promise<void>((resolve) => (wake = resolve)));
      }
      return received.shift()!;
    },
    close: () => void socket.destroy(),
  };
}

function readHead(socket: net.Socket): Promise<{ readonly head: string; readonly rest: Buffer }> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf("\r\n\r\n");
      if (end < 0) return;
      socket.off("data", onData);
      resolve({ head: received.subarray(0, end).toString("latin1"), rest: received.subarray(end + 4) });
    };
    socket.on("data", onData);
    socket.on("close", () =>
      reject(new Error(`closed during the handshake: ${received.toString("latin1")}`)),
    );
  });
}

function encodeFrame(message: string, isMasked: boolean): Buffer {
  const payload = Buffer.from(message);
  const isShort = payload.length < 126;
  const mask = isMasked ? randomBytes(4) : Buffer.alloc(0);
  const head = Buffer.alloc(isShort ? 2 : 4);
  head[0] = 0x81;
  head[1] = (isMasked ? 0x80 : 0) | (isShort ? payload.length : 126);
  if (!isShort) head.writeUInt16BE(payload.length, 2);
  if (isMasked) for (let index = 0; index < payload.length; index++) payload[index]! ^= mask[index % 4]!;
  return Buffer.concat([head, mask, payload]);
}

function readMessages(socket: Duplex, first: Buffer, onMessage: (message: string) => void): void {
  let received = Buffer.from(first);
  const take = () => {
    for (let frame = decodeFrame(received); frame; frame = decodeFrame(received)) {
      received = received.subarray(frame.length);
      onMessage(frame.message);
    }
  };
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    take();
  });
  take();
}

function decodeFrame(bytes: Buffer): { readonly message: string; readonly length: number } | undefined {
  if (bytes.length < 4) return undefined;
  const isMasked = (bytes[1]! & 0x80) !== 0;
  const isShort = (bytes[1]! & 0x7f) < 126;
  const size = isShort ? bytes[1]! & 0x7f : bytes.readUInt16BE(2);
  const maskAt = isShort ? 2 : 4;
  const start = maskAt + (isMasked ? 4 : 0);
  if (bytes.length < start + size) return undefined;
  const payload = Buffer.from(bytes.subarray(start, start + size));
  if (isMasked) for (let index = 0; index < size; index++) payload[index]! ^= bytes[maskAt + (index % 4)]!;
  return { message: payload.toString("utf8"), length: start + size };
}
