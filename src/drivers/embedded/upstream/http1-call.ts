import type net from "node:net";
import type { HeaderList, UpstreamCall, UpstreamHandler, UpstreamRequest } from "./upstream-call.ts";

/** The connection, as its calls see it. */
export interface CallCarrier {
  isServing(call: Http1Call): boolean;
  /** Ends `call` if it is still the one being served. */
  abort(call: Http1Call): void;
}

/** The sending side of one request on an HTTP/1.1 connection. What comes before the connection is open waits here. */
export class Http1Call implements UpstreamCall {
  readonly handler: UpstreamHandler;
  readonly #connection: CallCarrier;
  readonly #request: UpstreamRequest;
  #socket: net.Socket | undefined;
  #waiting: Buffer[] | undefined;
  #waitingTrailers: HeaderList | undefined;
  /** Of a body with a length: what is still to be sent. */
  #left: number;
  requestEnded: boolean;

  constructor(connection: CallCarrier, request: UpstreamRequest, handler: UpstreamHandler) {
    this.#connection = connection;
    this.#request = request;
    this.handler = handler;
    this.#left = typeof request.body === "number" ? request.body : 0;
    this.requestEnded = request.body === "none" || request.body === 0;
  }

  get pendingBytes(): number {
    let bytes = this.#socket?.writableLength ?? 0;
    if (this.#waiting) for (const chunk of this.#waiting) bytes += chunk.length;
    return bytes;
  }

  /** The connection is open. */
  send(socket: net.Socket): void {
    this.#socket = socket;
    const text = renderHead(this.#request);
    if (this.#request.body === "none") {
      socket.write(text, "latin1");
      return;
    }
    // Head and first bytes of the body go out together.
    socket.cork();
    process.nextTick(uncork, socket);
    socket.write(text, "latin1");
    const waiting = this.#waiting;
    if (!waiting) return;
    this.#waiting = undefined;
    for (const chunk of waiting) this.#writeChunk(socket, chunk);
    if (this.requestEnded) this.#writeEnd(socket, this.#waitingTrailers);
    else if (!socket.writableNeedDrain) this.handler.onDrain();
  }

  write(chunk: Buffer): boolean {
    if (chunk.length === 0 || this.requestEnded || !this.#connection.isServing(this)) return true;
    if (typeof this.#request.body === "number") {
      this.#left -= chunk.length;
      // More than announced would be read as another request.
      if (this.#left < 0) {
        this.abort();
        return true;
      }
    }
    if (!this.#socket) {
      (this.#waiting ??= []).push(chunk);
      return false;
    }
    return this.#writeChunk(this.#socket, chunk);
  }

  end(trailers?: HeaderList): void {
    if (this.requestEnded || !this.#connection.isServing(this)) return;
    this.requestEnded = true;
    if (this.#left > 0) {
      this.abort();
    } else if (this.#socket) {
      this.#writeEnd(this.#socket, trailers);
    } else {
      this.#waiting ??= [];
      this.#waitingTrailers = trailers;
    }
  }

  pause(): void {
    if (this.#connection.isServing(this)) this.#socket?.pause();
  }

  resume(): void {
    if (this.#connection.isServing(this)) this.#socket?.resume();
  }

  abort(): void {
    this.#connection.abort(this);
  }

  #writeChunk(socket: net.Socket, chunk: Buffer): boolean {
    if (this.#request.body !== "stream") return socket.write(chunk);
    socket.cork();
    socket.write(`${chunk.length.toString(16)}\r\n`, "latin1");
    socket.write(chunk);
    const goOn = socket.write("\r\n", "latin1");
    socket.uncork();
    return goOn;
  }

  #writeEnd(socket: net.Socket, trailers: HeaderList | undefined): void {
    if (this.#request.body !== "stream") return;
    let text = "0\r\n";
    if (trailers) {
      for (let index = 0; index < trailers.length; index += 2) {
        text += `${trailers[index]!}: ${trailers[index + 1]!}\r\n`;
      }
    }
    socket.write(`${text}\r\n`, "latin1");
  }
}

function uncork(socket: net.Socket): void {
  socket.uncork();
}

function renderHead(request: UpstreamRequest): string {
  let text = `${request.method} ${request.path} HTTP/1.1\r\nhost: ${request.authority}\r\n`;
  const { headers, body, upgrade } = request;
  for (let index = 0; index < headers.length; index += 2) {
    text += `${headers[index]!}: ${headers[index + 1]!}\r\n`;
  }
  if (upgrade !== undefined) text += `connection: upgrade\r\nupgrade: ${upgrade}\r\n`;
  if (body === "stream") text += "transfer-encoding: chunked\r\n";
  else if (body !== "none") text += `content-length: ${body}\r\n`;
  return `${text}\r\n`;
}
