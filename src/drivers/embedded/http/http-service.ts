/*
 * The HTTP data path: connections in, answers out. Listeners hand over connections (after TLS, if there is any); every
 * request is served by what the tables hold at that moment. Draining a listener lets its requests come to their end.
 */
import { randomBytes } from "node:crypto";
import type { AccessLog } from "./access-log.ts";
import type { HttpConnection } from "./client-connection.ts";
import type { Exchange } from "./exchange.ts";
import type { HttpContext, HttpTables } from "./http-context.ts";
import { Http1Server, type ServerOptions } from "./http1-server.ts";
import { Http2Server } from "./http2-server.ts";
import { defaultHttpLimits, type HttpLimits } from "./limits.ts";
import { HttpMetrics } from "./metrics.ts";
import { OpenRequests } from "./open-requests.ts";
import { detectProtocol } from "./protocol-detection.ts";
import { serveRequest } from "./serve-request.ts";
import { SessionTokens } from "./session-persistence.ts";

export interface HttpServiceOptions {
  readonly tables: HttpTables;
  /** Called once per request. Absent: nothing is gathered for it. */
  readonly log?: AccessLog | undefined;
  /** ms since 1970. */
  readonly now?: (() => number) | undefined;
  readonly limits?: Partial<HttpLimits> | undefined;
  /** Shared by gateways that serve the same sessions. Absent: one of this process's own. */
  readonly sessionSecret?: Buffer | undefined;
  /** Told of faults of the gateway itself, which cost one request each. Absent: a warning of the process. */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

export class HttpService {
  readonly metrics = new HttpMetrics();
  readonly #context: HttpContext;
  readonly #listeners = new Map<string, ListenerConnections>();

  constructor(options: HttpServiceOptions) {
    this.#context = {
      tables: options.tables,
      limits: { ...defaultHttpLimits, ...options.limits },
      metrics: this.metrics,
      sessions: new SessionTokens(options.sessionSecret ?? randomBytes(32)),
      log: options.log,
      now: options.now ?? Date.now,
      onFault:
        options.onFault ?? ((error) => process.emitWarning(error instanceof Error ? error : String(error))),
    };
  }

  accept(connection: HttpConnection): void {
    const { key } = connection.listener;
    let listener = this.#listeners.get(key);
    if (!listener) this.#listeners.set(key, (listener = new ListenerConnections(this.#context)));
    listener.accept(connection);
  }

  /**
   * No new requests on this listener's connections: GOAWAY, or Connection: close with the next answer. Resolves when the
   * last request in flight is over, or after `grace` ms, when what is left is cut off.
   */
  async drain(listenerKey: string, grace: number): Promise<void> {
    const listener = this.#listeners.get(listenerKey);
    if (!listener) return;
    // Connections that come from now on belong to a new listener of this key.
    this.#listeners.delete(listenerKey);
    await listener.drain(grace);
  }

  /** Ends everything at once. */
  async stop(): Promise<void> {
    const listeners = [...this.#listeners.values()];
    this.#listeners.clear();
    await Promise.all(listeners.map((listener) => listener.drain(0)));
  }
}

class ListenerConnections {
  readonly #context: HttpContext;
  readonly #http1: Http1Server;
  readonly #http2: Http2Server;
  readonly #open = new OpenRequests();
  /** Connections whose protocol is not known yet. */
  readonly #silent = new Set<HttpConnection["socket"]>();

  constructor(context: HttpContext) {
    this.#context = context;
    const options: ServerOptions = {
      context,
      open: this.#open,
      serve: (exchange) => serveGuarded(context, exchange),
    };
    this.#http1 = new Http1Server(options);
    this.#http2 = new Http2Server(options);
  }

  accept(connection: HttpConnection): void {
    const { socket } = connection;
    const { metrics, limits } = this.#context;
    if (socket.destroyed) return;
    metrics.clientConnections++;
    socket.once("close", () => metrics.clientConnections--);
    socket.setNoDelay(true);
    if (connection.scheme === "https") {
      (connection.alpn === "h2" ? this.#http2 : this.#http1).accept(connection);
      return;
    }
    this.#silent.add(socket);
    const forget = (): boolean => this.#silent.delete(socket);
    socket.once("close", forget);
    detectProtocol(socket, limits.headersTimeout, (protocol) => {
      forget();
      socket.removeListener("close", forget);
      (protocol === "h2" ? this.#http2 : this.#http1).accept(connection);
    });
  }

  async drain(grace: number): Promise<void> {
    const idle = Math.min(this.#context.limits.idleGrace, grace);
    this.#http1.beginDraining();
    this.#http2.drain();
    await this.#untilNoneIsIdle(idle);
    for (const socket of this.#silent) socket.destroy();
    this.#http1.drain();
    await this.#open.drained(grace - idle);
    this.#http1.destroy();
    this.#http2.destroy();
  }

  /** Clients notice by the next answer, or when their own patience is over. */
  async #untilNoneIsIdle(patience: number): Promise<void> {
    const end = this.#context.now() + patience;
    while (this.#http1.connections + this.#silent.size > 0 && this.#context.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(100, patience)));
    }
  }
}

/** A fault that one request brings to light must not take the others down. */
function serveGuarded(context: HttpContext, exchange: Exchange): void {
  try {
    serveRequest(context, exchange);
  } catch (error) {
    context.onFault(error);
    exchange.reset();
  }
}

export type { HttpConnection } from "./client-connection.ts";
export type { HttpTables } from "./http-context.ts";
