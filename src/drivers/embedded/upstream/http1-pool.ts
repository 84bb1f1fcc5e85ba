/*
 * The HTTP/1.1 connections to one endpoint. A call takes the connection that became idle last (the warmest one), so that
 * the others can grow old and be closed; without an idle one it opens a new one.
 */
import { connect, type ConnectOptions } from "./connector.ts";
import { Http1Connection, type ConnectionOwner } from "./http1-connection.ts";
import type { UpstreamCall, UpstreamHandler, UpstreamLimits, UpstreamRequest } from "./upstream-call.ts";
import { UpstreamError } from "./upstream-error.ts";

/** What a pool tells its endpoint. */
export interface PoolObserver {
  onConnected(): void;
  onUnreachable(): void;
  /** Number of connections, up or down by one. */
  onConnections(change: 1 | -1): void;
}

export interface PoolOptions {
  readonly target: Omit<ConnectOptions, "protocol">;
  readonly limits: UpstreamLimits;
  readonly observer: PoolObserver;
}

/** A backend that closes idle connections after N seconds may do so while a request is on its way: stop a bit earlier. */
const keepAliveMargin = 1_000;

export class Http1Pool implements ConnectionOwner {
  readonly #options: PoolOptions;
  readonly #idle: Http1Connection[] = [];
  readonly #all = new Set<Http1Connection>();
  #retired = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get maxHeadBytes(): number {
    return this.#options.limits.maxHeadBytes;
  }

  get idleTimeout(): number {
    return this.#options.limits.idleTimeout;
  }

  get keptTimeout(): number | undefined {
    return this.#options.limits.keptTimeout;
  }

  get connections(): number {
    return this.#all.size;
  }

  call(request: UpstreamRequest, handler: UpstreamHandler): UpstreamCall {
    return (this.#takeIdle() ?? this.#open()).start(request, handler);
  }

  /** No new calls; connections close as their calls end. */
  retire(): void {
    this.#retired = true;
    for (const connection of this.#idle.splice(0)) connection.destroy();
  }

  onIdle(connection: Http1Connection): void {
    if (this.#retired) {
      connection.destroy();
      return;
    }
    connection.idleSince = Date.now();
    this.#idle.push(connection);
  }

  onGone(connection: Http1Connection): void {
    if (!this.#all.delete(connection)) return;
    this.#options.observer.onConnections(-1);
    const index = this.#idle.lastIndexOf(connection);
    if (index >= 0) this.#idle.splice(index, 1);
  }

  #takeIdle(): Http1Connection | undefined {
    for (let connection = this.#idle.pop(); connection; connection = this.#idle.pop()) {
      const { keepAliveTimeout } = connection;
      const isFresh =
        keepAliveTimeout === 0 || Date.now() - connection.idleSince < keepAliveTimeout - keepAliveMargin;
      if (isFresh && connection.usable) return connection;
      connection.destroy();
    }
    return undefined;
  }

  #open(): Http1Connection {
    const { target, limits, observer } = this.#options;
    const connection = new Http1Connection(this);
    if (this.#all.size >= limits.maxConnectionsPerEndpoint) {
      const error = new UpstreamError("overflow", `too many connections to ${target.address}:${target.port}`);
      process.nextTick(() => connection.openingFailed(error));
      return connection;
    }
    this.#all.add(connection);
    observer.onConnections(1);
    connection.opening = connect({ ...target, protocol: "http/1.1" }, (error, socket) => {
      connection.opening = undefined;
      if (socket) {
        observer.onConnected();
        connection.opened(socket);
      } else {
        observer.onUnreachable();
        connection.openingFailed(error!);
      }
    });
    return connection;
  }
}
