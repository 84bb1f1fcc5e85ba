/*
 * The HTTP/2 sessions to one endpoint. A call goes to the first session with a free stream; calls that come while a session is
 * being opened wait for it, as many as a session may be expected to take; then another is opened.
 */
import http2 from "node:http2";
import type net from "node:net";
import { connect, type Opening } from "./connector.ts";
import { Http2Call } from "./http2-call.ts";
import type { PoolOptions } from "./http1-pool.ts";
import type { UpstreamCall, UpstreamHandler, UpstreamLimits, UpstreamRequest } from "./upstream-call.ts";
import { UpstreamError } from "./upstream-error.ts";

/** Until the backend says how many it takes. */
const assumedStreams = 100;
const streamWindow = 256 * 1024;
const sessionWindow = 4 * 1024 * 1024;

export class Http2Pool {
  readonly #options: PoolOptions;
  readonly #sessions = new Set<Http2Session>();
  #retired = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get connections(): number {
    return this.#sessions.size;
  }

  call(request: UpstreamRequest, handler: UpstreamHandler): UpstreamCall {
    for (const session of this.#sessions) if (session.hasRoom) return session.start(request, handler);
    const { target, limits } = this.#options;
    if (this.#sessions.size >= limits.maxConnectionsPerEndpoint) {
      const call = new Http2Call(request, handler, { idleTimeout: 0, onOver: () => {} });
      const error = new UpstreamError("overflow", `too many connections to ${target.address}:${target.port}`);
      process.nextTick(() => call.fail(error));
      return call;
    }
    return this.#open().start(request, handler);
  }

  retire(): void {
    this.#retired = true;
    for (const session of this.#sessions) session.retire();
  }

  #open(): Http2Session {
    const { target, limits, observer } = this.#options;
    const session = new Http2Session(limits, () => {
      if (this.#sessions.delete(session)) observer.onConnections(-1);
    });
    this.#sessions.add(session);
    observer.onConnections(1);
    session.opening = connect({ ...target, protocol: "h2" }, (error, socket) => {
      session.opening = undefined;
      if (socket) {
        observer.onConnected();
        session.opened(socket);
        if (this.#retired) session.retire();
      } else {
        observer.onUnreachable();
        session.failed(error!);
      }
    });
    return session;
  }
}

class Http2Session {
  readonly #limits: Pick<UpstreamLimits, "idleTimeout" | "keptTimeout">;
  readonly #onGone: () => void;
  #session: http2.ClientHttp2Session | undefined;
  #waiting: Http2Call[] = [];
  #active = 0;
  #gone = false;
  opening: Opening | undefined;

  constructor(limits: Pick<UpstreamLimits, "idleTimeout" | "keptTimeout">, onGone: () => void) {
    this.#limits = limits;
    this.#onGone = onGone;
  }

  get hasRoom(): boolean {
    // After GOAWAY a session is closed, though calls may go on in it.
    if (this.#gone || this.#session?.closed || this.#session?.destroyed) return false;
    const streams = this.#session?.remoteSettings?.maxConcurrentStreams ?? assumedStreams;
    return this.#active < streams;
  }

  start(request: UpstreamRequest, handler: UpstreamHandler): Http2Call {
    this.#active++;
    const call = new Http2Call(request, handler, {
      idleTimeout: this.#limits.idleTimeout,
      onOver: () => this.#onCallOver(),
    });
    if (this.#session) call.send(this.#session);
    else this.#waiting.push(call);
    return call;
  }

  opened(socket: net.Socket): void {
    const session = http2.connect("http://backend.invalid", {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: streamWindow },
      peerMaxConcurrentStreams: assumedStreams,
    });
    this.#session = session;
    session.once("connect", () => session.setLocalWindowSize(sessionWindow));
    session.on("error", () => this.#leave());
    session.on("goaway", () => this.#leave());
    session.on("close", () => this.#leave());
    session.setTimeout(this.#limits.keptTimeout ?? this.#limits.idleTimeout, () => {
      if (this.#active === 0) session.close();
    });
    for (const call of this.#waiting.splice(0)) if (!call.aborted) call.send(session);
  }

  failed(error: UpstreamError): void {
    this.#leave();
    for (const call of this.#waiting.splice(0)) call.fail(error);
  }

  /** No new calls; closes when the last one is over. */
  retire(): void {
    this.#leave();
    if (this.#active === 0) this.#end();
  }

  #onCallOver(): void {
    this.#active--;
    if (this.#active === 0 && this.#gone) this.#end();
  }

  #end(): void {
    this.opening?.cancel();
    this.#session?.close();
  }

  #leave(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#onGone();
  }
}
