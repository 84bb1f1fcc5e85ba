/** The other end of the channel, for proxies that run beside our own code. */
import { Client, credentials, Metadata, type ClientDuplexStream, type ServiceError } from "@grpc/grpc-js";
import { ChannelError } from "./channel-error.ts";
import type { ChannelStream, ChannelStreamHandlers } from "./channel-stream.ts";
import type { ServerCertificate } from "./server-credentials.ts";
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

const asItIs = (bytes: Buffer): Buffer => bytes;

/** Rejects with a `ChannelError` if the server can't be reached, or is not the one we know. */
export async function connectChannel(options: ChannelConnection): Promise<ChannelStream> {
  const { address, path, certificate, patience = 10_000 } = options;
  const { authorities, key, certificate: own } = certificate;
  const ssl = credentials.createSsl(Buffer.from(authorities), Buffer.from(key), Buffer.from(own));
  const client = new Client(address, ssl, {
    "grpc.ssl_target_name_override": channelServerName,
    "grpc.default_authority": channelServerName,
    "grpc.max_receive_message_length": -1,
    "grpc.keepalive_time_ms": 30_000,
    "grpc.keepalive_timeout_ms": 10_000,
    "grpc.enable_retries": 0,
    "grpc.enable_channelz": 0,
    // Each connection has its own certificate.
    "grpc.use_local_subchannel_pool": 1,
  });
  await new Promise<void>((resolve, reject) => {
    client.waitForReady(Date.now() + patience, (error) => {
      if (!error) return resolve();
      client.close();
      const message = `The channel at ${address} cannot be reached: ${error.message}`;
      reject(new ChannelError("GATEWRIGHT_CHANNEL_UNREACHABLE", message, { cause: error }));
    });
  });
  return new OwnStream(client, client.makeBidiStreamRequest(path, asItIs, asItIs, new Metadata()));
}

class OwnStream implements ChannelStream {
  readonly #client: Client;
  readonly #call: ClientDuplexStream<Buffer, Buffer>;
  #handlers: ChannelStreamHandlers | undefined;
  #closed: string | undefined;

  constructor(client: Client, call: ClientDuplexStream<Buffer, Buffer>) {
    this.#client = client;
    this.#call = call;
    call.on("error", (error: ServiceError) => this.#finish(error.details || error.message));
    call.on("end", () => this.#finish("the server has ended the stream"));
  }

  send(message: Buffer): void {
    if (this.#closed === undefined) this.#call.write(message);
  }

  close(reason = "closed"): void {
    if (this.#closed !== undefined) return;
    this.#finish(reason);
  }

  listen(handlers: ChannelStreamHandlers): void {
    if (this.#closed !== undefined) return handlers.closed(this.#closed);
    this.#handlers = handlers;
    this.#call.on("data", (bytes: Buffer) => {
      if (this.#closed !== undefined) return;
      // Thrown on, it would end the process, and with it the proxy beside it.
      try {
        handlers.message(bytes);
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
    this.#call.cancel();
    this.#client.close();
    this.#handlers?.closed(reason);
  }
}
