import { status, type ServerDuplexStream } from "@grpc/grpc-js";
import type { ChannelStream, ChannelStreamHandlers } from "./channel-stream.ts";

/** setTimeout takes no more. */
const longestWait = 2 ** 31 - 1;

export interface ServedStreamEvents {
  ended(): void;
  /** The service threw this at a message. */
  failed(error: unknown): void;
}

/** A client's stream, for as long as its certificate is good. */
export class ServedStream implements ChannelStream {
  readonly #call: ServerDuplexStream<Buffer, Buffer>;
  readonly #events: ServedStreamEvents;
  readonly #expiry: NodeJS.Timeout;
  #handlers: ChannelStreamHandlers | undefined;
  #closed: string | undefined;

  constructor(call: ServerDuplexStream<Buffer, Buffer>, notAfter: number, events: ServedStreamEvents) {
    this.#call = call;
    this.#events = events;
    const wait = Math.min(notAfter - Date.now(), longestWait);
    this.#expiry = setTimeout(() => this.#fail(status.UNAUTHENTICATED, "the certificate has expired"), wait);
    this.#expiry.unref();
    call.on("end", () => {
      call.end();
      this.#finish("the client has ended the stream");
    });
    call.on("cancelled", () => this.#finish("the client is gone"));
    call.on("close", () => this.#finish("the client is gone"));
    call.on("error", (error: Error) => this.#finish(error.message));
  }

  send(message: Buffer): void {
    if (this.#closed === undefined) this.#call.write(message);
  }

  close(reason = "closed"): void {
    this.#fail(status.UNAVAILABLE, reason);
  }

  listen(handlers: ChannelStreamHandlers): void {
    if (this.#closed !== undefined) return handlers.closed(this.#closed);
    this.#handlers = handlers;
    this.#call.on("data", (bytes: Buffer) => {
      if (this.#closed !== undefined) return;
      // Thrown on, it would end the process, and with it all other streams.
      try {
        handlers.message(bytes);
      } catch (error) {
        this.#events.failed(error);
        this.#fail(status.INTERNAL, "a message could not be handled");
      }
    });
  }

  #fail(code: status, details: string): void {
    if (this.#closed !== undefined) return;
    this.#finish(details);
    this.#call.emit("error", { code, details });
  }

  #finish(reason: string): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    clearTimeout(this.#expiry);
    this.#events.ended();
    this.#handlers?.closed(reason);
  }
}
