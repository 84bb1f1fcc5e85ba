/**
 * The connections to one API server. The first tells by ALPN which protocol it speaks:
 *
 *   h2          as many connections as the streams need (a server takes some hundreds on each), opened one at a time;
 *               one that ends, or that the server asks us to leave, is simply not used any more
 *   http/1.1    Node's own pool
 *
 * A proxy on the way is asked for a tunnel first; what goes through it is as without one.
 *
 * A connection that cannot be made is told to all who wait for it, and the next request tries anew, from ALPN on.
 */
import { connect, type TLSSocket } from "node:tls";
import type { Credentials } from "./credentials.ts";
import { asKubernetesError } from "./error.ts";
import type { Wire, WireAnswer, WireRequest } from "./exchange.ts";
import { Http1Wire } from "./http1-wire.ts";
import { Http2Wire } from "./http2-wire.ts";
import { openTunnel } from "./tunnel.ts";

export interface ConnectionsOptions {
  readonly credentials: Credentials;
  /** ms. */
  readonly connectTimeout: number;
  readonly pingEvery: number;
}

const mostConnections = 64;

export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #sessions = new Set<Http2Wire>();
  #http1: Http1Wire | undefined;
  #opening: Promise<void> | undefined;
  #isClosed = false;
  #hasCertificate = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  async exchange(request: WireRequest): Promise<WireAnswer> {
    const wire = await this.#wire(request.signal);
    try {
      return await wire.exchange(request);
    } catch (error) {
      // The next server behind this address may speak something else.
      if (wire === this.#http1 && !request.signal.aborted) this.#forgetHttp1();
      throw error;
    }
  }

  /** The server did not know us by the certificate of the connections that there are: new requests take new ones. */
  renew(): void {
    if (!this.#hasCertificate) return;
    for (const session of this.#sessions) session.retire();
    this.#sessions.clear();
    this.#forgetHttp1();
  }

  close(): void {
    this.#isClosed = true;
    for (const session of this.#sessions) session.close();
    this.#sessions.clear();
    this.#http1?.close();
    this.#http1 = undefined;
  }

  async #wire(signal: AbortSignal): Promise<Wire> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#isClosed) throw new Error("the client was closed");
      if (this.#http1) return this.#http1;
      for (const session of this.#sessions) if (session.reserve()) return session;
      if (this.#sessions.size >= mostConnections) {
        throw new Error(`all ${mostConnections} connections are full of watches`);
      }
      this.#opening ??= this.#open().finally(() => {
        this.#opening = undefined;
      });
      try {
        await this.#opening;
      } catch (error) {
        // Not a connection that broke: trying again at once would not help.
        throw asKubernetesError(error, `No connection to ${this.#options.credentials.server.host}`);
      }
    }
  }

  async #open(): Promise<void> {
    const { credentials, connectTimeout, pingEvery } = this.#options;
    const { server, proxy } = credentials;
    const isPlain = server.protocol === "http:";
    const security = isPlain ? {} : await credentials.tls();
    const port = Number(server.port || (isPlain ? 80 : 443));
    const tunnel =
      proxy && (() => openTunnel({ proxy, host: server.hostname, port, security, timeout: connectTimeout }));
    if (isPlain) {
      this.#http1 = new Http1Wire(server, security, tunnel);
      return;
    }
    this.#hasCertificate = security.cert !== undefined;
    const host = server.hostname.replace(/^\[|\]$/g, "");
    const through = await tunnel?.();
    const socket = connect({
      ...(through && { socket: through }),
      host,
      port,
      ALPNProtocols: ["h2", "http/1.1"],
      ...(/[:]|^[\d.]+$/.test(host) ? {} : { servername: host }),
      ...security,
    });
    socket.setKeepAlive(true, 15_000);
    socket.setNoDelay(true);
    const timer = setTimeout(
      () => socket.destroy(new Error(`no connection to ${server.host} within ${connectTimeout / 1000} s`)),
      connectTimeout,
    );
    try {
      await connected(socket);
      if (socket.alpnProtocol !== "h2") {
        socket.destroy();
        if (!this.#isClosed) this.#http1 = new Http1Wire(server, security, tunnel);
        return;
      }
      const session = new Http2Wire(socket, {
        origin: server.origin,
        pingEvery,
        onEnd: () => this.#sessions.delete(session),
      });
      await session.ready();
      if (this.#isClosed) session.close();
      else this.#sessions.add(session);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Watches that are open stay; only new requests look for the protocol again. */
  #forgetHttp1(): void {
    this.#http1 = undefined;
  }
}

function connected(socket: TLSSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("secureConnect", () => {
      socket.off("error", reject);
      socket.off("close", closed);
      socket.on("error", () => undefined);
      resolve();
    });
    const closed = () => reject(new Error("the connection was closed during the TLS handshake"));
    socket.once("error", reject);
    socket.once("close", closed);
  });
}
