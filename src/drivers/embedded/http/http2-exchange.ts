import type http2 from "node:http2";
import { constants } from "node:http2";
import { headerObject, type AnswerBody, type HeaderList } from "../upstream/index.ts";
import type { ClientConnection } from "./client-connection.ts";
import type { Exchange, ExchangeObserver, Tunnel } from "./exchange.ts";
import type { RequestHead } from "./request-head.ts";

const nothing = Buffer.alloc(0);

export class Http2Exchange implements Exchange {
  readonly client: ClientConnection;
  readonly request: RequestHead;
  readonly #stream: http2.ServerHttp2Stream;
  #over = false;
  #continued = false;
  #bodyOver: boolean;
  #trailers: HeaderList | undefined;
  #requestTrailers: HeaderList | undefined;
  observer: ExchangeObserver | undefined;
  headSent = false;
  /** All of the answer has been handed over; the client may not have taken it yet. */
  answered = false;
  /** By the gateway. */
  wasReset = false;
  /** The stream belongs to a tunnel now. */
  tunnelled = false;
  bytesIn = 0;
  bytesOut = 0;

  constructor(client: ClientConnection, request: RequestHead, stream: http2.ServerHttp2Stream) {
    this.client = client;
    this.request = request;
    this.#stream = stream;
    this.#bodyOver = stream.endAfterHeaders;
    stream.on("close", () => this.#onClose());
    stream.on("drain", () => this.observer?.onClientDrain());
  }

  startBody(): void {
    const stream = this.#stream;
    stream.on("trailers", (headers) => {
      const list: HeaderList = [];
      for (const name of Object.keys(headers)) {
        if (name.charCodeAt(0) !== 0x3a) list.push(name, String(headers[name]));
      }
      this.#requestTrailers = list;
    });
    stream.on("data", (chunk: Buffer) => {
      this.bytesIn += chunk.length;
      this.observer?.onBodyData(chunk);
    });
    stream.on("end", () => {
      this.#bodyOver = true;
      this.observer?.onBodyEnd(this.#requestTrailers);
    });
  }

  pauseBody(): void {
    this.#stream.pause();
  }

  resumeBody(): void {
    this.#stream.resume();
  }

  sendInformational(status: number, headers: HeaderList): void {
    if (this.headSent || this.#isGone) return;
    if (status === 100) {
      if (!this.request.expectsContinue || this.#continued) return;
      this.#continued = true;
    }
    this.#guarded(() => this.#stream.additionalHeaders({ ...headerObject(headers), ":status": status }));
  }

  sendHead(status: number, headers: HeaderList, body: AnswerBody): void {
    if (this.headSent || this.#isGone) return;
    this.headSent = true;
    const fields = headerObject(headers);
    fields[":status"] = status;
    const waitForTrailers = body === "stream";
    this.#guarded(() => this.#stream.respond(fields, { endStream: body === "none", waitForTrailers }));
    if (waitForTrailers) {
      this.#stream.on("wantTrailers", () => {
        this.#guarded(() => this.#stream.sendTrailers(this.#trailers ? headerObject(this.#trailers) : {}));
      });
    }
  }

  sendData(chunk: Buffer, isLast: boolean): boolean {
    if (this.#isGone) return true;
    this.bytesOut += chunk.length;
    if (!isLast) return this.#stream.write(chunk);
    this.#stream.end(chunk);
    return true;
  }

  sendEnd(trailers?: HeaderList): void {
    this.answered = true;
    if (this.#isGone) return;
    this.#trailers = trailers;
    if (!this.#stream.writableEnded) this.#stream.end();
    // RFC 9113 8.1: the answer is whole, so the rest of the request is not needed.
    if (!this.#bodyOver) this.#stream.close(constants.NGHTTP2_NO_ERROR);
  }

  reset(): void {
    this.wasReset = true;
    this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  acceptUpgrade(headers: HeaderList): Tunnel {
    // Extended CONNECT (RFC 8441): the stream is the tunnel, and the answer is 200 without the words of HTTP/1.1's handshake.
    const fields: HeaderList = [];
    for (let index = 0; index < headers.length; index += 2) {
      const name = headers[index]!;
      if (name !== "upgrade" && name !== "sec-websocket-accept") fields.push(name, headers[index + 1]!);
    }
    this.sendHead(200, fields, "length");
    this.tunnelled = true;
    this.#over = true;
    return { stream: this.#stream, first: nothing };
  }

  /** Node refuses headers that HTTP/2 cannot carry; a backend that sends such must not bring the gateway down. */
  #guarded(send: () => void): void {
    try {
      send();
    } catch {
      this.reset();
    }
  }

  get #isGone(): boolean {
    return this.#over || this.#stream.destroyed || this.#stream.closed;
  }

  #onClose(): void {
    if (this.#over) return;
    this.#over = true;
    if (!this.#stream.writableFinished || this.#stream.rstCode !== constants.NGHTTP2_NO_ERROR) {
      this.observer?.onClientGone();
    }
  }
}
