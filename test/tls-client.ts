import { once } from "node:events";
import net from "node:net";
import { Duplex } from "node:stream";
import tls from "node:tls";

export interface TlsAnswer {
  /** What the server sent until it ended. */
  readonly text: string;
  /** Common name of the certificate that was shown. */
  readonly certificate: string;
  readonly protocol: string | false | null;
  readonly reused: boolean;
  readonly session: Buffer | undefined;
}

/** Connects, sends `x`, ends its own direction and reads to the end. Rejects if that fails at any point. */
export async function tlsExchange(port: number, options: tls.ConnectionOptions = {}): Promise<TlsAnswer> {
  const socket = await tlsConnect(port, options);
  // Before TLS 1.3 the session is part of the handshake; from then on it comes some time later.
  let session: Buffer | undefined = socket.getProtocol() === "TLSv1.3" ? undefined : socket.getSession();
  socket.on("session", (ticket: Buffer) => (session = ticket));
  const { protocol, certificate, reused } = {
    protocol: socket.alpnProtocol,
    certificate: String(socket.getPeerCertificate().subject?.CN),
    reused: socket.isSessionReused(),
  };
  socket.end("x");
  let text = "";
  try {
    for await (const chunk of socket) text += String(chunk);
  } finally {
    socket.destroy();
  }
  return { text, certificate, protocol, reused, session };
}

/** The certificate that is shown, or the code of the error. What the server sends is not awaited. */
export async function shownCertificate(port: number, servername?: string): Promise<string> {
  try {
    const socket = await tlsConnect(port, servername === undefined ? {} : { servername });
    const name = String(socket.getPeerCertificate().subject?.CN);
    socket.destroy();
    return name;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

export async function tlsConnect(port: number, options: tls.ConnectionOptions = {}): Promise<tls.TLSSocket> {
  const socket = tls.connect({
    host: "127.0.0.1",
    port,
    rejectUnauthorized: false,
    allowHalfOpen: true,
    ...options,
  } as tls.ConnectionOptions);
  await once(socket, "secureConnect");
  socket.on("error", () => {});
  return socket;
}

/** What happens to raw bytes: the code of the error, `end`, or what came back first. */
export async function rawExchange(port: number, pieces: Iterable<Buffer>, pause = 0): Promise<string> {
  const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
  const outcome = new Promise<string>((resolve) => {
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(String(error.code)));
    socket.once("end", () => resolve("end"));
    socket.once("data", (data) => resolve(data.toString("latin1")));
  });
  for (const piece of pieces) {
    if (socket.destroyed) break;
    socket.write(piece);
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  const result = await outcome;
  socket.destroy();
  return result;
}

/** The first bytes of Node's own client, asking for this server. */
export function clientHello(
  servername: string | undefined,
  options: tls.ConnectionOptions = {},
): Promise<Buffer> {
  return new Promise((resolve) => {
    const stream = new Duplex({ read() {}, write: (chunk: Buffer) => resolve(chunk) });
    tls.connect({ socket: stream, ...(servername === undefined ? {} : { servername }), ...options });
  });
}
