/*
 * The one gRPC port by which proxies are programmed. A client must have a certificate of our authority with the name of a Gateway;
 * a service gets its stream with that name. Services for other controllers take only those, and no proxy. Messages are bytes here: what they mean is for the services to say. What no service
 * offers is UNIMPLEMENTED, so nothing else can be asked of this port.
 */
import { Server, status, type ServerDuplexStream } from "@grpc/grpc-js";
import type { ChannelStream } from "./channel-stream.ts";
import { ChannelError } from "./channel-error.ts";
import { parseIdentity, type Identity } from "./identity.ts";
import { defaultChannelLimits, type ChannelLimits } from "./limits.ts";
import { ReplaceableCredentials, type ServerCertificate } from "./server-credentials.ts";
import { ServedStream } from "./served-stream.ts";

/** For proxies. */
export interface ChannelService {
  /** `/<package>.<service>/<method>`, with streams both ways. */
  readonly path: string;
  readonly clients?: "proxies";
  open(stream: ChannelStream, client: ChannelClient): void;
}

/** For other replicas of the controller. */
export interface ControllerService {
  readonly path: string;
  readonly clients: "controllers";
  open(stream: ChannelStream, client: ControllerClient): void;
}

export interface ChannelClient {
  /** `<namespace>/<name>` of its Gateway. */
  readonly gateway: string;
  /** `address:port`, for people. */
  readonly peer: string;
}

export interface ControllerClient {
  readonly controller: string;
  readonly peer: string;
}

export interface ChannelServerOptions {
  readonly address: string;
  /** 0: any. */
  readonly port: number;
  readonly services: readonly (ChannelService | ControllerService)[];
  readonly limits?: Partial<ChannelLimits>;
  /** Hears of clients that were turned away. */
  readonly refused?: (peer: string, why: string) => void;
  /** Hears of what a service threw at a client's message; that stream is closed. */
  readonly failed?: (peer: string, error: unknown) => void;
}

export interface ChannelServer {
  /** Resolves to the port. Rejects with a `ChannelError` if it can't be opened. */
  start(certificate: ServerCertificate): Promise<number>;
  /** For connections from now on; those that are open go on. */
  replaceCertificate(certificate: ServerCertificate): void;
  stop(): Promise<void>;
}

export function channelServer(options: ChannelServerOptions): ChannelServer {
  return new GrpcChannel(options);
}

type Call = ServerDuplexStream<Buffer, Buffer>;

const asItIs = (bytes: Buffer): Buffer => bytes;

class GrpcChannel implements ChannelServer {
  readonly #options: ChannelServerOptions;
  readonly #limits: ChannelLimits;
  readonly #server: Server;
  readonly #streams = new Map<string, Set<ServedStream>>();
  #credentials: ReplaceableCredentials | undefined;

  constructor(options: ChannelServerOptions) {
    this.#options = options;
    this.#limits = { ...defaultChannelLimits, ...options.limits };
    this.#server = new Server({
      "grpc.max_receive_message_length": this.#limits.messageSize,
      "grpc.max_send_message_length": -1,
      "grpc.max_concurrent_streams": this.#limits.streamsPerConnection,
      "grpc.keepalive_time_ms": this.#limits.keepAlive,
      "grpc.keepalive_timeout_ms": this.#limits.keepAliveAnswer,
      "grpc.max_connection_age_ms": this.#limits.connectionAge,
      "grpc.max_connection_age_grace_ms": this.#limits.grace,
      "grpc.enable_channelz": 0,
    });
    for (const service of options.services) {
      const handle = (call: Call) => this.#open(service, call);
      this.#server.register(service.path, handle, asItIs, asItIs, "bidi");
    }
  }

  start(certificate: ServerCertificate): Promise<number> {
    this.#credentials = new ReplaceableCredentials(certificate);
    const { address, port } = this.#options;
    const at = `${address.includes(":") ? `[${address}]` : address}:${port}`;
    return new Promise((resolve, reject) => {
      this.#server.bindAsync(at, this.#credentials!, (error, bound) => {
        if (!error) return resolve(bound);
        const message = `The channel cannot listen on ${at}: ${error.message}`;
        reject(new ChannelError("GATEWRIGHT_CHANNEL_PORT", message, { cause: error }));
      });
    });
  }

  replaceCertificate(certificate: ServerCertificate): void {
    this.#credentials?.replace(certificate);
  }

  async stop(): Promise<void> {
    for (const streams of this.#streams.values())
      for (const stream of streams) stream.close("the channel closes");
    await new Promise<void>((resolve) => {
      const force = setTimeout(() => this.#server.forceShutdown(), this.#limits.grace);
      this.#server.tryShutdown(() => {
        clearTimeout(force);
        resolve();
      });
    });
  }

  #open(service: ChannelService | ControllerService, call: Call): void {
    const certificate = call.getAuthContext().sslPeerCertificate;
    const identity = parseIdentity(certificate?.subjectaltname);
    const opening = openingFor(service, identity, call.getPeer());
    if (!certificate || !identity || !opening) {
      const wanted = service.clients === "controllers" ? "controller" : "Gateway";
      return this.#refuse(call, `its certificate does not name a ${wanted}`);
    }
    const notAfter = Date.parse(certificate.valid_to);
    // The handshake was before; the stream may come much later.
    if (!(notAfter > Date.now())) return this.#refuse(call, "its certificate has expired");
    const who = describeIdentity(identity);
    const open = this.#streams.get(who) ?? new Set();
    if (open.size >= this.#limits.streamsPerGateway) {
      return this.#refuse(call, `${who} has ${open.size} streams already`, status.RESOURCE_EXHAUSTED);
    }
    const stream = new ServedStream(call, notAfter, {
      ended: () => {
        open.delete(stream);
        if (open.size === 0) this.#streams.delete(who);
      },
      failed: (error) => this.#options.failed?.(call.getPeer(), error),
    });
    open.add(stream);
    this.#streams.set(who, open);
    opening(stream);
  }

  #refuse(call: Call, why: string, code = status.PERMISSION_DENIED): void {
    this.#options.refused?.(call.getPeer(), why);
    call.on("error", () => {});
    call.emit("error", { code, details: why });
  }
}

/** How this client's stream is opened; undefined: the service is not for such clients. */
function openingFor(
  service: ChannelService | ControllerService,
  identity: Identity | undefined,
  peer: string,
): ((stream: ChannelStream) => void) | undefined {
  if (service.clients === "controllers") {
    if (identity?.kind !== "controller") return undefined;
    return (stream) => service.open(stream, { controller: identity.controller, peer });
  }
  if (identity?.kind !== "proxy") return undefined;
  return (stream) => service.open(stream, { gateway: identity.gateway, peer });
}

function describeIdentity(identity: Identity): string {
  return identity.kind === "proxy" ? `Gateway ${identity.gateway}` : `controller ${identity.controller}`;
}
