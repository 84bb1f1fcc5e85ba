/*
 * HTTP/2 for the connections of one listener: by ALPN over TLS, by prior knowledge without. Node's nghttp2 keeps to the
 * protocol and to the limits set here; what it does not count is counted here: streams that a client takes back before
 * they were answered (rapid reset). Too many in a short time end the connection.
 */
import http2, { constants } from "node:http2";
import { clientConnection, type HttpConnection } from "./client-connection.ts";
import { Http2Exchange } from "./http2-exchange.ts";
import { Http2Watch } from "./http2-watch.ts";
import type { ServerOptions } from "./http1-server.ts";
import { recordRefusal } from "./refusal-record.ts";
import { readRequestHead, RequestHead, type RawRequest } from "./request-head.ts";

const streamWindow = 256 * 1024;
const sessionWindow = 1024 * 1024;

export class Http2Server {
  readonly #options: ServerOptions;
  readonly #sessions = new Map<http2.ServerHttp2Session, SessionState>();
  readonly #watch: Http2Watch;
  #draining = false;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#watch = new Http2Watch(options.context.limits);
  }

  accept(connection: HttpConnection): void {
    const { context } = this.#options;
    const { limits } = context;
    const session = http2.performServerHandshake(connection.socket, {
      maxHeaderListPairs: limits.maxHeaders + 8,
      maxOutstandingPings: 8,
      maxSessionInvalidFrames: 64,
      maxSessionRejectedStreams: 64,
      maxSessionMemory: 8,
      maxSettings: 16,
      // Where Node can: a value with blanks around it comes to `readRequestHead`, which refuses it, instead of vanishing.
      strictFieldWhitespaceValidation: false,
      settings: {
        enableConnectProtocol: true,
        initialWindowSize: streamWindow,
        maxConcurrentStreams: limits.maxConcurrentStreams,
        maxHeaderListSize: limits.maxHeadBytes,
      },
    } as http2.ServerOptions);
    const client = clientConnection(connection);
    const state = new SessionState();
    this.#sessions.set(session, state);
    this.#watch.add({
      session,
      socket: connection.socket,
      isBusy: () => state.streams.size > 0,
      isWaitingForClient: () => state.isWaitingForClient,
    });
    session.setLocalWindowSize(sessionWindow);
    session.on("error", () => {});
    session.on("close", () => this.#sessions.delete(session));
    connection.socket.on("end", () => this.#onClientEnded(session, state));
    session.setTimeout(limits.keepAliveTimeout, () => {
      if (state.streams.size === 0) this.#close(session, state);
      // Nothing moves, though all is there for the client to read.
      else if (state.isWaitingForClient) session.destroy();
    });
    session.on("stream", (stream, _headers, _flags, ...rest) => {
      const rawHeaders = (rest as unknown[])[0] as readonly string[];
      // Whatever goes wrong with one stream stays with it: nobody else catches what is thrown here.
      try {
        this.#onStream(session, state, stream, rawHeaders, client);
      } catch {
        stream.destroy();
      }
    });
    if (this.#draining) this.#close(session, state);
  }

  /** GOAWAY; streams that are open go on to their end. */
  drain(): void {
    this.#draining = true;
    for (const [session, state] of this.#sessions) this.#close(session, state);
  }

  destroy(): void {
    this.#draining = true;
    for (const session of this.#sessions.keys()) session.destroy();
  }

  /** Without streams nothing is waited for but that the client is told: a head that it has begun and does not end would keep the session. */
  #close(session: http2.ServerHttp2Session, state: SessionState): void {
    if (session.destroyed) return;
    session.close();
    const { lingerTimeout } = this.#options.context.limits;
    const timer = setTimeout(() => {
      if (state.streams.size === 0) session.destroy();
    }, lingerTimeout).unref();
    session.on("close", () => clearTimeout(timer));
  }

  /** Nothing more can be asked for. What was asked for whole gets its answer, and the connection ends with the last of them. */
  #onClientEnded(session: http2.ServerHttp2Session, state: SessionState): void {
    if (session.destroyed) return;
    for (const stream of state.streams.keys()) {
      // The rest of its body, or of its tunnel, cannot come any more.
      if (stream.state.state === constants.NGHTTP2_STREAM_STATE_OPEN) stream.close(constants.NGHTTP2_CANCEL);
    }
    this.#close(session, state);
  }

  #onStream(
    session: http2.ServerHttp2Session,
    state: SessionState,
    stream: http2.ServerHttp2Stream,
    rawHeaders: readonly string[],
    client: ReturnType<typeof clientConnection>,
  ): void {
    const { context, open, serve } = this.#options;
    const { limits } = context;
    stream.on("error", () => {});
    // Node tells of a stream a moment after it was read: the client may have taken it back in the same packet.
    if (session.destroyed) return;
    if (stream.destroyed || stream.closed) {
      this.#onTakenBack(session, state);
      return;
    }
    const raw = rawRequest(rawHeaders, !stream.endAfterHeaders);
    const request = raw && readRequestHead(raw, limits);
    if (!(request instanceof RequestHead)) {
      const { status, reason } = request ?? { status: 400, reason: "the request is malformed" };
      recordRefusal(context, client, {
        method: raw?.method ?? "",
        target: raw?.target ?? "",
        protocol: "HTTP/2",
        status,
      });
      stream.respond({ ":status": status, "content-type": "text/plain; charset=utf-8" });
      stream.end(`${reason}\n`);
      return;
    }
    open.begin();
    const exchange = new Http2Exchange(client, request, stream);
    state.streams.set(stream, exchange);
    stream.on("close", () => {
      state.streams.delete(stream);
      open.end();
      if (session.closed && state.streams.size === 0) this.#close(session, state);
      const isOurs = exchange.answered || exchange.wasReset || exchange.tunnelled;
      if (!isOurs) this.#onTakenBack(session, state);
    });
    serve(exchange);
  }

  /** A stream that ends before its answer, and not through the gateway, whatever code the client gave for it. */
  #onTakenBack(session: http2.ServerHttp2Session, state: SessionState): void {
    const { context } = this.#options;
    const { maxResets, resetInterval } = context.limits;
    if (!state.countReset(context.now(), maxResets, resetInterval) || session.destroyed) return;
    context.metrics.abusiveConnections++;
    session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    session.destroy();
  }
}

class SessionState {
  #resets = 0;
  #since = 0;
  /** Those that are open. */
  readonly streams = new Map<http2.ServerHttp2Stream, Http2Exchange>();

  get isWaitingForClient(): boolean {
    for (const exchange of this.streams.values()) if (!exchange.answered) return false;
    return true;
  }

  /** True: more than `most` within `interval`. */
  countReset(now: number, most: number, interval: number): boolean {
    if (now - this.#since > interval) {
      this.#since = now;
      this.#resets = 0;
    }
    return ++this.#resets > most;
  }
}

/** Pseudo-headers apart from the rest. `undefined`: one is missing. */
function rawRequest(rawHeaders: readonly string[], hasBody: boolean): RawRequest | undefined {
  let method: string | undefined;
  let path: string | undefined;
  let authority: string | undefined;
  let protocol: string | undefined;
  let at = 0;
  for (; at < rawHeaders.length && rawHeaders[at]!.charCodeAt(0) === 0x3a; at += 2) {
    const value = rawHeaders[at + 1]!;
    if (rawHeaders[at] === ":method") method = value;
    else if (rawHeaders[at] === ":path") path = value;
    else if (rawHeaders[at] === ":authority") authority = value;
    else if (rawHeaders[at] === ":protocol") protocol = value;
  }
  if (method === undefined || path === undefined) return undefined;
  // RFC 8441: what a GET with Upgrade is in HTTP/1.1, and routed like one.
  const isTunnel = method === "CONNECT" && protocol === "websocket";
  if (method === "CONNECT" && !isTunnel) return undefined;
  return {
    version: "HTTP/2.0",
    method: isTunnel ? "GET" : method,
    target: path,
    rawHeaders: rawHeaders.slice(at),
    authority,
    protocol: isTunnel ? protocol : undefined,
    hasBody,
  };
}
