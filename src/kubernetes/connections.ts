/**
 * The connections to one API server. The first tells by ALPN which protocol it speaks:
 *
 *   h2          as many connections as the streams need (a server takes some hundreds on each), opened one at a time;
 *               one that ends, or that the server asks us to leave, is simply not used any more. The last that may be opened
 *               takes no watches: however many these are, there is a place to read and write. Writes go by one of a few
 *               lanes beside them (`http1-lane.ts`), if one is idle
 *   http/1.1    Node's own pool
 *
 * A proxy on the way is asked for a tunnel first; what goes through it is as without one.
 *
 * A connection that cannot be made is told to all who wait for it, and the next request tries anew, from ALPN on.
 */
import type { Socket } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import type { ConnectionSecurity, Credentials } from "./credentials.ts";
import { asKubernetesError, KubernetesError } from "./error.ts";
import type { WholeAnswer, Wire, WireAnswer, WireRequest } from "./exchange.ts";
import { Http1Lane } from "./http1-lane.ts";
import { Http1Wire } from "./http1-wire.ts";
import { Http2Wire } from "./http2-wire.ts";
import { readBody } from "./read-body.ts";
import { openTunnel } from "./tunnel.ts";

export interface ConnectionsOptions {
  readonly credentials: Credentials;
  /** ms. */
  readonly connectTimeout: number;
  readonly pingEvery: number;
}

const mostConnections = 64;
const mostWithWatches = mostConnections - 1;
const mostLanes = 8;
/** Writes before the first lane: a command that has a few does without. */
const writesBeforeLanes = 5;
/** ms after one could not be opened, or failed. */
const laneAgainAfter = 60_000;

export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #sessions = new Set<Http2Wire>();
  #http1: Http1Wire | undefined;
  readonly #lanes = new Set<Http1Lane>();
  #writes = 0;
  #isLaneOpening = false;
  #noLanesUntil = 0;
  #opening: Promise<void> | undefined;
  #isClosed = false;
  #hasCertificate = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Answers with all of their body. */
  async ask(request: WireRequest): Promise<WholeAnswer> {
    const isWrite = request.method !== "GET";
    const lane = isWrite ? this.#idleLane() : undefined;
    if (lane) return this.#askBy(lane, request);
    const answer = await this.exchange(request);
    // For those that come after this one.
    if (isWrite && ++this.#writes >= writesBeforeLanes) void this.#openLane();
    return { status: answer.status, headers: answer.headers, bytes: await readBody(answer) };
  }

  async exchange(request: WireRequest): Promise<WireAnswer> {
    const wire = await this.#wire(request);
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
    for (const lane of this.#lanes) lane.retire();
    this.#forgetHttp1();
  }

  close(): void {
    this.#isClosed = true;
    for (const session of this.#sessions) session.close();
    this.#sessions.clear();
    for (const lane of this.#lanes) lane.close();
    this.#http1?.close();
    this.#http1 = undefined;
  }

  async #wire({ signal, isLong }: WireRequest): Promise<Wire> {
    const most = isLong ? mostWithWatches : mostConnections;
    for (;;) {
      signal.throwIfAborted();
      if (this.#isClosed) throw new Error("the client was closed");
      if (this.#http1) return this.#http1;
      for (const session of [...this.#sessions].slice(0, most)) if (session.reserve()) return session;
      if (this.#sessions.size >= most) {
        throw new KubernetesError(`All ${most} connections are full`, { code: "KUBERNETES_OVERLOADED" });
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

  #idleLane(): Http1Lane | undefined {
    for (const lane of this.#lanes) {
      if (!lane.isUsable) lane.close();
      else if (lane.isIdle) return lane;
    }
    return undefined;
  }

  async #askBy(lane: Http1Lane, request: WireRequest): Promise<WholeAnswer> {
    request.signal.throwIfAborted();
    try {
      return await lane.ask(request);
    } catch (error) {
      // Whatever has become of the server, or of the way to it, has become of the others as well; they would be found out one by one.
      for (const other of this.#lanes) if (other.isIdle) other.close();
      this.#noLanesUntil = performance.now() + laneAgainAfter;
      throw error;
    }
  }

  /** Where the server has HTTP/2: without it, Node's own pool does the same. */
  async #openLane(): Promise<void> {
    if (this.#isLaneOpening || this.#lanes.size >= mostLanes || this.#sessions.size === 0) return;
    if (this.#isClosed || performance.now() < this.#noLanesUntil) return;
    this.#isLaneOpening = true;
    try {
      await this.#connect(["http/1.1"], (socket) => {
        const { host } = this.#options.credentials.server;
        const lane = new Http1Lane(socket, host, (ended) => this.#lanes.delete(ended));
        if (this.#isClosed) lane.close();
        else this.#lanes.add(lane);
      });
    } catch {
      // HTTP/2 does as well.
      this.#noLanesUntil = performance.now() + laneAgainAfter;
    } finally {
      this.#isLaneOpening = false;
    }
  }

  async #open(): Promise<void> {
    const { credentials, pingEvery } = this.#options;
    const { server } = credentials;
    if (server.protocol === "http:") {
      this.#http1 = new Http1Wire(server, {}, this.#tunnel({}));
      return;
    }
    await this.#connect(["h2", "http/1.1"], async (socket, security) => {
      if (socket.alpnProtocol !== "h2") {
        socket.destroy();
        if (!this.#isClosed) this.#http1 = new Http1Wire(server, security, this.#tunnel(security));
        return;
      }
      const session = new Http2Wire(socket, {
        origin: server.origin,
        pingEvery,
        onEnd: () => {
          this.#sessions.delete(session);
          // The server, or the way to it, is as good as gone for them too; they have no pings that would tell.
          for (const lane of this.#lanes) lane.retire();
        },
      });
      await session.ready();
      if (this.#isClosed) session.close();
      else this.#sessions.add(session);
    });
  }

  /** Until `use` has what it wants of the new connection, its time is bound. */
  async #connect(
    ALPNProtocols: string[],
    use: (socket: TLSSocket, security: ConnectionSecurity) => void | Promise<void>,
  ): Promise<void> {
    const { credentials, connectTimeout } = this.#options;
    const { server } = credentials;
    const security = await credentials.tls();
    this.#hasCertificate = security.cert !== undefined;
    const host = server.hostname.replace(/^\[|\]$/g, "");
    const through = await this.#tunnel(security)?.();
    const socket = connect({
      ...(through && { socket: through }),
      host,
      port: Number(server.port || 443),
      ALPNProtocols,
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
      await use(socket, security);
    } finally {
      clearTimeout(timer);
    }
  }

  /** A new way to the server, where there is a proxy before it. */
  #tunnel(security: ConnectionSecurity): (() => Promise<Socket>) | undefined {
    const { credentials, connectTimeout } = this.#options;
    const { proxy, server } = credentials;
    const port = Number(server.port || (server.protocol === "http:" ? 80 : 443));
    return (
      proxy && (() => openTunnel({ proxy, host: server.hostname, port, security, timeout: connectTimeout }))
    );
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
