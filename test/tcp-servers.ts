import { once } from "node:events";
import net from "node:net";
import tls from "node:tls";

export interface TestServer {
  readonly port: number;
  /** Connections accepted so far. */
  readonly accepted: readonly net.Socket[];
  close(): Promise<void>;
}

/** A TCP (or, with options, TLS) server on a free port of 127.0.0.1. */
export async function tcpServer(
  serve: (socket: net.Socket) => void,
  tlsOptions?: tls.TlsOptions,
): Promise<TestServer> {
  const accepted: net.Socket[] = [];
  const onConnection = (socket: net.Socket): void => {
    accepted.push(socket);
    socket.on("error", () => {});
    serve(socket);
  };
  const server = tlsOptions
    ? tls.createServer({ allowHalfOpen: true, ...tlsOptions } as tls.TlsOptions, onConnection)
    : net.createServer({ allowHalfOpen: true }, onConnection);
  const raw = new Set<net.Socket>();
  server.on("connection", (socket: net.Socket) => raw.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as net.AddressInfo).port,
    accepted,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of raw) socket.destroy();
      await closed;
    },
  };
}

/** Says its name first, then gives back what it gets; ends when the client does. */
export function namedEcho(name: string, tlsOptions?: tls.TlsOptions): Promise<TestServer> {
  return tcpServer((socket) => {
    socket.write(`${name}:`);
    socket.pipe(socket);
  }, tlsOptions);
}

/** Everything until the other side ends. Rejects if the connection breaks. */
export async function readAll(socket: net.Socket): Promise<string> {
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text;
}

/** Connects, sends, ends its own direction and reads to the end; the text, or the error's code. */
export async function exchange(port: number, text: string): Promise<string> {
  const socket = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  try {
    socket.end(text);
    return await readAll(socket);
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  } finally {
    socket.destroy();
  }
}

/** Waits until it holds; tests that need to see something happen elsewhere use it instead of a fixed pause. */
export async function eventually(holds: () => boolean, within = 4000): Promise<void> {
  const end = Date.now() + within;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`did not come true within ${within} ms: ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
