/*
 * One HTTP/1.1 connection to a backend. It serves one call at a time: the head goes out in one write, the body as it comes,
 * and the answer is read by a strict parser. Between calls it waits in its pool.
 *
 * It may be used again only when the request was sent to its end, the answer was read to its end, the backend did not say
 * close, and not a byte came that belongs to no answer. In every other case it is destroyed.
 */
import type net from "node:net";
import type { Opening } from "./connector.ts";
import { Http1Call, type CallCarrier } from "./http1-call.ts";
import { ResponseParser, type ResponseEvents } from "./response-parser.ts";
import type { AnswerBody, HeaderList, UpstreamHandler, UpstreamRequest } from "./upstream-call.ts";
import { UpstreamError } from "./upstream-error.ts";

/** The pool, as its connections see it. */
export interface ConnectionOwner {
  readonly maxHeadBytes: number;
  readonly idleTimeout: number;
  readonly keptTimeout: number | undefined;
  /** Ready for another call. */
  onIdle(connection: Http1Connection): void;
  /** Not a member of the pool any more. */
  onGone(connection: Http1Connection): void;
}

export class Http1Connection implements ResponseEvents, CallCarrier {
  readonly #owner: ConnectionOwner;
  readonly #parser: ResponseParser;
  #call: Http1Call | undefined;
  #answered = false;
  #served = 0;
  #gone = false;
  socket: net.Socket | undefined;
  opening: Opening | undefined;
  /** When it went idle, ms. */
  idleSince = 0;

  constructor(owner: ConnectionOwner) {
    this.#owner = owner;
    this.#parser = new ResponseParser(this, owner.maxHeadBytes);
  }

  /** What the backend says it waits between requests, ms; 0: it does not say. */
  get keepAliveTimeout(): number {
    return this.#parser.keepAliveTimeout;
  }

  get usable(): boolean {
    return !this.#gone && this.socket !== undefined && this.socket.readable && this.socket.writable;
  }

  /** Begins a call; before the connection is open it waits. */
  start(request: UpstreamRequest, handler: UpstreamHandler): Http1Call {
    const call = new Http1Call(this, request, handler);
    this.#call = call;
    this.#answered = false;
    this.#parser.begin(request.method, request.upgrade !== undefined);
    if (this.socket) {
      if (this.#owner.keptTimeout !== undefined) this.socket.setTimeout(this.#owner.idleTimeout);
      call.send(this.socket);
    }
    return call;
  }

  opened(socket: net.Socket): void {
    this.socket = socket;
    socket.setTimeout(this.#owner.idleTimeout);
    socket.on("data", (bytes: Buffer) => this.#onBytes(bytes));
    socket.on("drain", () => this.#call?.handler.onDrain());
    socket.on("end", () => this.#onSocketEnd());
    socket.on("timeout", () => this.#onTimeout());
    socket.on("error", (error) => this.#fail("reset", error.message, error));
    socket.on("close", () => this.#fail("reset", "the backend closed the connection"));
    this.#call?.send(socket);
  }

  openingFailed(error: UpstreamError): void {
    this.#leave();
    this.#takeCall()?.handler.onError(error);
  }

  abort(call: Http1Call): void {
    if (this.#call !== call) return;
    this.#call = undefined;
    this.destroy();
  }

  isServing(call: Http1Call): boolean {
    return this.#call === call;
  }

  destroy(): void {
    this.#leave();
    this.opening?.cancel();
    this.socket?.destroy();
  }

  onInformational(status: number, headers: HeaderList): void {
    this.#call?.handler.onInformational(status, headers);
  }

  onHead(status: number, headers: HeaderList, body: AnswerBody): void {
    this.#call?.handler.onHead(status, headers, body);
  }

  onData(chunk: Buffer, isLast: boolean): void {
    this.#call?.handler.onData(chunk, isLast);
  }

  onSwitch(headers: HeaderList, first: Buffer): void {
    const socket = this.socket!;
    this.#leave();
    for (const event of ["data", "drain", "end", "timeout", "error", "close"]) {
      socket.removeAllListeners(event);
    }
    socket.setTimeout(0);
    socket.pause();
    const call = this.#takeCall();
    if (call) call.handler.onUpgrade(headers, socket, first);
    else socket.destroy();
  }

  #onBytes(bytes: Buffer): void {
    if (!this.#call) {
      this.destroy();
      return;
    }
    this.#answered = true;
    const problem = this.#parser.push(bytes);
    if (problem !== undefined) this.#fail("protocol", `the backend's answer has ${problem}`);
    else if (this.#parser.done) this.#complete();
  }

  #complete(): void {
    const call = this.#takeCall();
    if (!call) return;
    this.#served++;
    const { trailers } = this.#parser;
    if (this.#parser.keepAlive && call.requestEnded && this.usable) {
      if (this.socket!.isPaused()) this.socket!.resume();
      if (this.#owner.keptTimeout !== undefined) this.socket!.setTimeout(this.#owner.keptTimeout);
      this.#owner.onIdle(this);
    } else {
      this.destroy();
    }
    call.handler.onEnd(trailers);
  }

  #onSocketEnd(): void {
    if (this.#call && this.#answered && this.#parser.finish()) this.#complete();
    else this.#fail("reset", "the backend closed the connection");
  }

  #onTimeout(): void {
    if (!this.#call) this.destroy();
    else if (this.#call.handler.endures !== true)
      this.#fail("timeout", "the backend was silent for too long");
  }

  #fail(failure: "reset" | "timeout" | "protocol", message: string, cause?: Error): void {
    const call = this.#takeCall();
    const staleConnection = failure === "reset" && !this.#answered && this.#served > 0;
    this.destroy();
    call?.handler.onError(new UpstreamError(failure, message, { staleConnection, cause }));
  }

  #takeCall(): Http1Call | undefined {
    const call = this.#call;
    this.#call = undefined;
    return call;
  }

  #leave(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#owner.onGone(this);
  }
}
