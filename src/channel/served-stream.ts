import { constants, type ServerHttp2Stream } from "node:http2";
import type { ChannelStream, ChannelStreamHandlers } from "./channel-stream.ts";
import { MessageReader, MessageWriter, type Message } from "./grpc-messages.ts";
import { grpcStatus, statusFields, StreamFailure, type GrpcStatus } from "./grpc-status.ts";

/** setTimeout takes no more. */
const longestWait = 2 ** 31 - 1;
const contentType = "application/grpc";

export interface ServedStreamOptions {
  /** Until when the client's certificate is good. */
  readonly notAfter: number;
  readonly messageSize: number;
  /** It holds so many bytes more, or less, of a message that has not come whole; false: more than its client may. */
  readonly holds: (more: number) => boolean;
  /** How long the client has to take the last words, ms. */
  readonly grace: number;
  readonly ended: () => void;
  /** The service threw this at a message. */
  readonly failed: (error: unknown) => void;
}

/** A client's stream, for as long as its certificate is good. */
export class ServedStream implements ChannelStream {
  readonly #stream: ServerHttp2Stream;
  readonly #options: ServedStreamOptions;
  readonly #writer: MessageWriter;
  readonly #expiry: NodeJS.Timeout;
  #handlers: ChannelStreamHandlers | undefined;
  #closed: string | undefined;
  #held = 0;
  #lastWords = statusFields(grpcStatus.ok, "");

  constructor(stream: ServerHttp2Stream, options: ServedStreamOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#writer = new MessageWriter(stream);
    const wait = Math.min(options.notAfter - Date.now(), longestWait);
    const expired = "the certificate has expired";
    this.#expiry = setTimeout(() => this.#fail(grpcStatus.unauthenticated, expired), wait).unref();
    stream.on("wantTrailers", () => stream.sendTrailers(this.#lastWords));
    stream.on("close", () => this.#finish("the client is gone"));
    stream.on("error", (error: Error) => this.#finish(error.message));
    stream.respond({ ":status": 200, "content-type": contentType }, { waitForTrailers: true });
  }

  send(message: Message): void {
    if (this.#closed === undefined) this.#writer.write(message);
  }

  close(reason = "closed"): void {
    this.#fail(grpcStatus.unavailable, reason);
  }

  listen(handlers: ChannelStreamHandlers): void {
    if (this.#closed !== undefined) return handlers.closed(this.#closed);
    this.#handlers = handlers;
    const reader = new MessageReader(this.#options.messageSize);
    this.#stream.on("data", (chunk: Buffer) => this.#take(chunk, reader, handlers));
    this.#stream.on("end", () => this.#end("the client has ended the stream"));
  }

  #take(chunk: Buffer, reader: MessageReader, handlers: ChannelStreamHandlers): void {
    if (this.#closed !== undefined) return;
    try {
      for (const message of reader.take(chunk)) {
        if (this.#closed === undefined) handlers.message(message);
      }
      this.#hold(reader.held);
    } catch (error) {
      if (error instanceof StreamFailure) return this.#fail(error.status, error.message);
      // Thrown on, it would end the process, and with it all other streams.
      this.#options.failed(error);
      this.#fail(grpcStatus.internal, "a message could not be handled");
    }
  }

  #hold(bytes: number): void {
    if (this.#closed !== undefined) return;
    const more = bytes - this.#held;
    this.#held = bytes;
    if (!this.#options.holds(more)) {
      this.#fail(grpcStatus.resourceExhausted, "there are too many bytes of messages that do not end");
    }
  }

  #fail(status: GrpcStatus, details: string): void {
    if (this.#closed !== undefined) return;
    this.#lastWords = statusFields(status, details);
    this.#writer.drop();
    this.#end(details);
  }

  #end(reason: string): void {
    this.#stream.end();
    endInTime(this.#stream, this.#options.grace);
    this.#finish(reason);
  }

  #finish(reason: string): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    clearTimeout(this.#expiry);
    this.#options.holds(-this.#held);
    this.#options.ended();
    this.#handlers?.closed(reason);
  }
}

/** No stream: the last words alone. */
export function refuseStream(
  stream: ServerHttp2Stream,
  status: GrpcStatus,
  details: string,
  grace: number,
): void {
  stream.respond(
    { ":status": 200, "content-type": contentType, ...statusFields(status, details) },
    { endStream: true },
  );
  endInTime(stream, grace);
}

/** A client that has been told of the end closes its side, unless it does not care. */
function endInTime(stream: ServerHttp2Stream, grace: number): void {
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), grace).unref();
  stream.once("close", () => clearTimeout(timer));
}
