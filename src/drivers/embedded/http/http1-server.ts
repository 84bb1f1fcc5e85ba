/*
 * HTTP/1.1 for the connections of one listener. Node's own server parses (llhttp, strict); connections are handed to it,
 * it never listens itself.
 *
 * Upgrade: Node stops parsing behind any request with an Upgrade header. A wish that is not for a tunnel (`h2c`, or one
 * with a body, which a tunnel cannot have) is ignored, as RFC 9110 7.8 allows: the request is put back in front of the
 * connection without it, and parsed again as an ordinary one.
 */
import http from "node:http";
import type net from "node:net";
import type { Duplex } from "node:stream";
import { clientConnection, type ClientConnection, type HttpConnection } from "./client-connection.ts";
import type { Exchange } from "./exchange.ts";
import { detachedResponse, GatewayResponse, Http1Exchange, type Http1Host } from "./http1-exchange.ts";
import type { HttpContext } from "./http-context.ts";
import type { OpenRequests } from "./open-requests.ts";
import { recordRefusal } from "./refusal-record.ts";
import { readRequestHead, RequestHead, type RefusedRequest } from "./request-head.ts";

export interface ServerOptions {
  readonly context: HttpContext;
  readonly open: OpenRequests;
  readonly serve: (exchange: Exchange) => void;
}

interface Http1Connection {
  readonly socket: Duplex;
  readonly client: ClientConnection;
  readonly unfinished: Set<http.ServerResponse>;
  readonly onOver: (response: GatewayResponse) => void;
  /** Requests behind the one that is being served. */
  readonly waiting: Waiting[];
  busy: boolean;
  /** What came last could not be read, so nothing behind it can be either. */
  isUnreadable: boolean;
  /** Heads that were read once more, without a wish for an upgrade that is not granted. */
  rereadHeads: number;
}

interface Waiting {
  readonly start: () => void;
  /** Of an ordinary request. */
  readonly response?: http.ServerResponse;
}

const mostRereadHeads = 4;
const mostWaiting = 8;

export class Http1Server implements Http1Host {
  readonly #options: ServerOptions;
  readonly #server: http.Server;
  readonly #connections = new Map<Duplex, Http1Connection>();
  readonly lingerTimeout: number;
  readonly idleTimeout: number;
  isDraining = false;
  #closesIdle = false;

  constructor(options: ServerOptions) {
    this.#options = options;
    const { limits } = options.context;
    this.lingerTimeout = limits.lingerTimeout;
    this.idleTimeout = limits.idleTimeout;
    const server = http.createServer<typeof http.IncomingMessage, typeof GatewayResponse>({
      ServerResponse: GatewayResponse,
      insecureHTTPParser: false,
      maxHeaderSize: limits.maxHeadBytes,
      // Answered by `readRequestHead`, like all other refusals.
      requireHostHeader: false,
      headersTimeout: limits.headersTimeout,
      // Bodies may take their time, as long as something moves.
      requestTimeout: 0,
      keepAliveTimeout: limits.keepAliveTimeout,
      connectionsCheckingInterval: Math.max(50, Math.min(1_000, limits.headersTimeout / 4)),
    });
    this.#server = server as unknown as http.Server;
    // Node would drop headers beyond its limit without a word; `readRequestHead` refuses the request instead.
    server.maxHeadersCount = 0;
    server.on("timeout", (socket: net.Socket) => this.#onSilence(socket));
    server.on("request", (incoming, response) => this.#onRequest(incoming, response));
    server.on("checkContinue", (incoming, response) => this.#onRequest(incoming, response));
    // Any other expectation than this one. Node would answer by itself, before there is a route and a record of it.
    server.on("checkExpectation", (incoming, response) => this.#onRequest(incoming, response));
    server.on("upgrade", (incoming, socket, first) => this.#onUpgrade(incoming, socket, first));
    server.on("connect", (incoming, socket) => this.#onConnect(incoming, socket));
    server.on("clientError", (error: NodeJS.ErrnoException, socket) => this.#onClientError(error, socket));
    // Starts Node's check for heads that take too long, which would otherwise wait for `listen`.
    server.emit("listening");
  }

  accept(connection: HttpConnection): void {
    const { socket } = connection;
    const state: Http1Connection = {
      socket,
      client: clientConnection(connection),
      unfinished: new Set(),
      onOver: (response) => this.#onResponseClosed(state, response),
      waiting: [],
      busy: false,
      isUnreadable: false,
      rereadHeads: 0,
    };
    this.#connections.set(socket, state);
    socket.once("close", () => this.#connections.delete(socket));
    this.#server.emit("connection", socket);
  }

  /** Every answer from now on closes its connection. Idle ones stay: a request may be on its way to them. */
  beginDraining(): void {
    this.isDraining = true;
  }

  get connections(): number {
    return this.#connections.size;
  }

  /** Idle connections close; the others after the answers that are under way. */
  drain(): void {
    this.isDraining = true;
    this.#closesIdle = true;
    this.#server.closeIdleConnections();
  }

  destroy(): void {
    this.isDraining = true;
    this.#server.close(() => {});
    for (const socket of this.#connections.keys()) socket.destroy();
  }

  #onRequest(incoming: http.IncomingMessage, response: GatewayResponse): void {
    const connection = this.#connections.get(incoming.socket);
    // RFC 9112 9.6: nothing is served behind an answer that closes the connection.
    if (!connection || connection.isUnreadable || !connection.socket.writable) return;
    connection.unfinished.add(response);
    if (!connection.busy) {
      connection.busy = true;
      this.#begin(connection, response);
      return;
    }
    this.#wait(connection, { response, start: () => this.#begin(connection, response) });
  }

  #begin(connection: Http1Connection, response: GatewayResponse): void {
    this.#options.open.begin();
    response.onOver = connection.onOver;
    response.watch();
    const request = this.#readHead(response.req);
    if (request instanceof RequestHead) {
      this.#options.serve(new Http1Exchange(this, connection.client, request, response));
    } else {
      this.#refuse(connection.client, response, request);
    }
  }

  #onUpgrade(incoming: http.IncomingMessage, socket: Duplex, first: Buffer): void {
    const connection = this.#connections.get(socket);
    if (!connection) return;
    if (connection.rereadHeads === 0) socket.on("error", () => socket.destroy());
    if (connection.busy) {
      this.#wait(connection, { start: () => this.#beginUpgrade(connection, incoming, first) });
    } else {
      connection.busy = true;
      this.#beginUpgrade(connection, incoming, first);
    }
  }

  #beginUpgrade(connection: Http1Connection, incoming: http.IncomingMessage, first: Buffer): void {
    const { socket, client } = connection;
    const request = this.#readHead(incoming);
    if (request instanceof RequestHead && (request.body !== "none" || request.upgrade === undefined)) {
      connection.busy = false;
      // Each reading of a head again leaves listeners of Node's on the socket, so a connection has only a few of them.
      const isLast = ++connection.rereadHeads >= mostRereadHeads;
      socket.unshift(Buffer.concat([withoutUpgrade(incoming, isLast), first]));
      this.#server.emit("connection", socket as net.Socket);
      return;
    }
    const response = detachedResponse(incoming, socket);
    connection.unfinished.add(response);
    response.assignSocket(socket as net.Socket);
    response.watch();
    if (!(request instanceof RequestHead)) {
      this.#refuse(client, response, request);
      return;
    }
    this.#options.open.begin();
    socket.once("close", () => this.#options.open.end());
    this.#options.serve(new Http1Exchange(this, client, request, response, { stream: socket, first }));
  }

  /** Requests that a client sends ahead wait for the answers of those before; too many of them stay unread. */
  #wait(connection: Http1Connection, waiting: Waiting): void {
    connection.waiting.push(waiting);
    if (connection.waiting.length >= mostWaiting) connection.socket.pause();
  }

  #onResponseClosed(connection: Http1Connection, response: http.ServerResponse): void {
    connection.unfinished.delete(response);
    this.#options.open.end();
    const { socket, waiting } = connection;
    const next = waiting.shift();
    if (next && socket.writable) {
      if (waiting.length === 0) socket.resume();
      next.start();
      return;
    }
    connection.busy = false;
    if (next) {
      // The answer was the last one (RFC 9112 9.6). What waits gets none, and holds up nothing.
      waiting.length = 0;
      connection.unfinished.clear();
      return;
    }
    // The head may have promised to keep the connection before draining began.
    if (this.#closesIdle) setImmediate(() => this.#server.closeIdleConnections());
  }

  /** A gateway is no forward proxy: CONNECT has no path that a rule could match. */
  #onConnect(incoming: http.IncomingMessage, socket: Duplex): void {
    socket.on("error", () => socket.destroy());
    const connection = this.#connections.get(socket);
    if (!connection) {
      socket.destroy();
      return;
    }
    const start = () => {
      const response = detachedResponse(incoming, socket);
      response.assignSocket(socket as net.Socket);
      this.#refuse(connection.client, response, { status: 405, reason: "CONNECT is not served here" });
    };
    if (connection.busy) {
      this.#wait(connection, { start });
    } else {
      connection.busy = true;
      start();
    }
  }

  #refuse(client: ClientConnection, response: http.ServerResponse, refusal: Refusal): void {
    const { method = "", url = "", httpVersion } = response.req;
    const { context } = this.#options;
    recordRefusal(context, client, {
      method,
      target: url,
      protocol: `HTTP/${httpVersion}`,
      status: refusal.status,
    });
    refuse(response, refusal);
  }

  #readHead(incoming: http.IncomingMessage): RequestHead | RefusedRequest {
    const { httpVersion } = incoming;
    if (httpVersion !== "1.1" && httpVersion !== "1.0") {
      return { status: 400, reason: "the version of HTTP is not one that is served here" };
    }
    return readRequestHead(
      {
        version: httpVersion === "1.1" ? "HTTP/1.1" : "HTTP/1.0",
        method: incoming.method!,
        target: incoming.url!,
        rawHeaders: incoming.rawHeaders,
      },
      this.#options.context.limits,
    );
  }

  /** Nothing moved for long. Requests that wait for a backend have limits of their own; all else ends here. */
  #onSilence(socket: net.Socket): void {
    for (const response of this.#connections.get(socket)?.unfinished ?? []) {
      if (!response.writableEnded) return;
    }
    socket.destroy();
  }

  #onClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
    const connection = this.#connections.get(socket);
    // Each further piece that arrives is the same error again.
    if (connection?.isUnreadable) return;
    this.#options.context.metrics.abusiveConnections++;
    if (error.code === "ECONNRESET" || !socket.writable || !connection) {
      socket.destroy();
      return;
    }
    connection.isUnreadable = true;
    dropIncomplete(connection);
    // Whole requests before these bytes have a right to their answers.
    const current = connection.unfinished.values().next().value;
    if (current?.req.complete) {
      connection.waiting.push({ start: () => this.#refuseUnreadable(connection, error) });
    } else if (current?.headersSent) {
      socket.destroy();
    } else {
      this.#refuseUnreadable(connection, error);
    }
  }

  #refuseUnreadable({ socket, client }: Http1Connection, error: NodeJS.ErrnoException): void {
    const [status, reason] = clientErrors.get(error.code ?? "") ?? [
      "400 Bad Request",
      "the request is malformed",
    ];
    recordRefusal(this.#options.context, client, { status: Number(status.slice(0, 3)) });
    const text = `${reason}\n`;
    socket.end(
      `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\n` +
        `content-length: ${text.length}\r\n\r\n${text}`,
      () => socket.destroy(),
    );
  }
}

/** A request that waits and cannot be read to its end is never begun. It is the last one, if there is one. */
function dropIncomplete({ waiting, unfinished }: Http1Connection): void {
  const response = waiting.at(-1)?.response;
  if (!response || response.req.complete) return;
  waiting.pop();
  unfinished.delete(response);
}

const clientErrors: ReadonlyMap<string, readonly [status: string, reason: string]> = new Map([
  ["HPE_HEADER_OVERFLOW", ["431 Request Header Fields Too Large", "the headers are too long"]],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", ["413 Payload Too Large", "the chunk extensions are too long"]],
  ["ERR_HTTP_REQUEST_TIMEOUT", ["408 Request Timeout", "the request took too long to arrive"]],
]);

interface Refusal {
  readonly status: number;
  readonly reason: string;
}

function refuse(response: http.ServerResponse, { status, reason }: Refusal): void {
  const body = Buffer.from(`${reason}\n`);
  response.shouldKeepAlive = false;
  response.writeHead(status, [
    "content-type",
    "text/plain; charset=utf-8",
    "content-length",
    String(body.length),
  ]);
  response.end(body);
}

/** The same request without the wish. */
function withoutUpgrade(incoming: http.IncomingMessage, isLast: boolean): Buffer {
  const { rawHeaders } = incoming;
  let text = `${incoming.method!} ${incoming.url!} HTTP/${incoming.httpVersion}\r\n`;
  const options: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    if (name === "upgrade" || name === "http2-settings") continue;
    const value = rawHeaders[index + 1]!;
    if (name === "connection") options.push(...value.split(",").map((option) => option.trim()));
    else text += `${rawHeaders[index]!}: ${value}\r\n`;
  }
  const kept = options.filter((option) => !/^(?:|upgrade|http2-settings)$/i.test(option));
  if (isLast) kept.push("close");
  if (kept.length > 0) text += `Connection: ${kept.join(", ")}\r\n`;
  return Buffer.from(`${text}\r\n`, "latin1");
}
