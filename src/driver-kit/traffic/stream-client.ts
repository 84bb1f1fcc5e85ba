import dgram from "node:dgram";
import net from "node:net";
import tls from "node:tls";
import type { BoundAddress } from "../../drivers/driver.ts";
import { clientPatience, within } from "./deadline.ts";

/** A connection over TCP or TLS that is read line by line. */
export interface LineClient {
  /** The next line, or `undefined` when the other side has ended. */
  readLine(): Promise<string | undefined>;
  write(text: string): void;
  /** Ends this direction only. */
  end(): void;
  close(): void;
  readonly peer: tls.PeerCertificate | undefined;
  readonly protocol: string | false | null;
}

/** Rejects if the connection, or the handshake, fails. */
export async function connectLines(at: BoundAddress, secure?: tls.ConnectionOptions): Promise<LineClient> {
  const socket = secure
    ? tls.connect({ host: at.address, port: at.port, ...secure })
    : net.connect({ host: at.address, port: at.port, allowHalfOpen: true });
  const lines: string[] = [];
  let rest = "";
  let isOver = false;
  let wake = () => {};
  socket.on("data", (chunk: Buffer) => {
    const parts = (rest + chunk.toString("utf8")).split("\n");
    rest = parts.pop()!;
    lines.push(...parts);
    wake();
  });
  const finish = () => {
    isOver = true;
    wake();
  };
  socket.on("end", finish);
  socket.on("close", finish);
  const connected = new Promise<void>((resolve, reject) => {
    socket.once(secure ? "secureConnect" : "connect", () => resolve());
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("closed before it was connected")));
  });
  try {
    await within(clientPatience, `connection to port ${at.port}`, connected);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  socket.on("error", finish);
  return {
    async readLine() {
      while (lines.length === 0 && !isOver) {
        await within(clientPatience, "a line", new Promise<void>((resolve) => (wake = resolve)));
      }
      return lines.shift();
    },
    write: (text) => void socket.write(text),
    end: () => void socket.end(),
    close: () => void socket.destroy(),
    peer: socket instanceof tls.TLSSocket ? socket.getPeerCertificate() : undefined,
    protocol: socket instanceof tls.TLSSocket ? socket.alpnProtocol : null,
  };
}

/** Whether a connection is refused, or closed without a byte. */
export async function isRefused(at: BoundAddress, secure?: tls.ConnectionOptions): Promise<boolean> {
  try {
    const client = await connectLines(at, secure);
    try {
      return (await client.readLine()) === undefined;
    } finally {
      client.close();
    }
  } catch {
    return true;
  }
}

/** A UDP socket of one's own: the gateway tells clients apart by it. */
export interface DatagramClient {
  /** Sends, again if need be (datagrams may get lost), and gives the first answer; `undefined` if there is none. */
  exchange(message: string, patience?: number): Promise<string | undefined>;
  close(): void;
}

export async function openDatagrams(at: BoundAddress): Promise<DatagramClient> {
  const socket = dgram.createSocket(net.isIPv6(at.address) ? "udp6" : "udp4");
  socket.on("error", () => {});
  await new Promise<void>((resolve) => socket.bind(0, () => resolve()));
  return {
    async exchange(message, patience = 3_000) {
      const send = () => socket.send(message, at.port, at.address);
      const repeat = setInterval(send, 500);
      try {
        return await new Promise<string | undefined>((resolve) => {
          const onMessage = (received: Buffer) => {
            const text = received.toString();
            if (!text.endsWith(message)) return;
            clearTimeout(timer);
            socket.off("message", onMessage);
            resolve(text);
          };
          const timer = setTimeout(() => {
            socket.off("message", onMessage);
            resolve(undefined);
          }, patience);
          socket.on("message", onMessage);
          send();
        });
      } finally {
        clearInterval(repeat);
      }
    },
    close: () => void socket.close(),
  };
}
