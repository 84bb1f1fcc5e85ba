/** The other end of the channel, for proxies that run beside our own code. */
import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from "node:http2";
import { ChannelError } from "./channel-error.ts";
import type { ChannelStream, ChannelStreamHandlers } from "./channel-stream.ts";
import { MessageReader, MessageWriter, type Message } from "./grpc-messages.ts";
import { failureIn } from "./grpc-status.ts";
import { keepAlive } from "./keep-alive.ts";
import { secureContextOf, type ServerCertificate } from "./server-certificate.ts";
import { channelServerName } from "./server-name.ts";

export interface ChannelConnection {
  /** `host:port` */
  readonly address: string;
  /** `/<package>.<service>/<method>` */
  readonly path: string;
  /** Of now; read anew for each connection, since it lasts a day. */
  readonly certificate: ServerCertificate;
  /** How long to wait for the server, ms. */
  readonly patience?: number;
}

/** What the server may have on its way to us before we have read it, bytes. */
const window = 4 * 1024 * 1024;
/** How long the server has to hear that we go, ms. */
const farewell = 1_000;

/** Rejects with a `ChannelError` if the server can't be reached, or is not the one we know. */
export async function connectChannel(options: ChannelConnection): Promise<ChannelStream> {
  const { address, path, certificate, patience = 10_000 } = options;
  const session = connect(`https://${address}`, {
    ...secureContextOf(certificate),
    servername: channelServerName,
    settings: { enablePush: false, initialWindowSize: window },
    maxSessionMemory: Number.MAX_SAFE_INTEGER,
  });
  try {
    await untilReady(session, patience);
    session.setLocalWindowSize(window);
    keepAlive(session, { every: 30_000, within: 10_000 });
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      ":authority": channelServerName,
      "content-type": "application/grpc",
      te: "trailers",
    });
    return new OwnStream(session, stream);
  } catch (error) {
    session.destroy();
    const message = `The channel at ${address} cannot be reached: ${(error as Error).message}`;
    throw new ChannelError("GATEWRIGHT_CHANNEL_UNREACHABLE", message, { cause: error });
  }
}

/** A server that does not want us says so after the handshake; once its settings have come, it does. */
function untilReady(session: ClientHttp2Session, patience: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${patience} ms`)), patience);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      settle();
    };
    session.on("error", (error) => end(() => reject(error)));
    session.once("close", () => end(() => reject(new Error("the connection was closed"))));
    session.once("remoteSettings", () => end(resolve));
  });
}

class OwnStream implements ChannelStream {
  readonly #session: ClientHttp2Session;
  readonly #stream: ClientHttp2Stream;
  readonly #writer: MessageWriter;
  #handlers: ChannelStreamHandlers | undefined;
  #closed: string | undefined;

  constructor(session: ClientHttp2Session, stream: ClientHttp2Stream) {
    this.#session = session;
    this.#stream = stream;
    this.#writer = new MessageWriter(stream);
    const told = (fields: Readonly<Record<string, unknown>>) => {
      const failure = failureIn(fields);
      if (failure !== undefined) this.#finish(failure);
    };
    stream.on("response", (fields) => {
      if (fields[":status"] !== 200) this.#finish(`HTTP status ${fields[":status"]}`);
      else told(fields);
    });
    stream.on("trailers", told);
    stream.on("error", (error: Error) => this.#finish(error.message));
    stream.on("close", () => this.#finish("the server has ended the stream"));
  }

  send(message: Message): void {
    if (this.#closed === undefined) this.#writer.write(message);
  }

  close(reason = "closed"): void {
    this.#finish(reason);
  }

  listen(handlers: ChannelStreamHandlers): void {
    if (this.#closed !== undefined) return handlers.closed(this.#closed);
    this.#handlers = handlers;
    const reader = new MessageReader();
    this.#stream.on("data", (chunk: Buffer) => {
      // Thrown on, it would end the process, and with it the proxy beside it.
      try {
        for (const message of reader.take(chunk)) {
          if (this.#closed === undefined) handlers.message(message);
        }
      } catch (error) {
        this.#finish(
          `a message could not be handled: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    });
  }

  #finish(reason: string): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    this.#stream.close(constants.NGHTTP2_CANCEL);
    this.#session.close();
    // A server that is gone does not say goodbye.
    setTimeout(() => this.#session.destroy(), farewell).unref();
    this.#handlers?.closed(reason);
  }
}
