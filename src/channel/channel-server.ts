/*
 * The one gRPC port by which proxies are programmed. A client must have a certificate of our authority with the name of a Gateway;
 * a service gets its stream with that name. Services for other controllers take only those, and no proxy. Messages are bytes here: what they mean is for the services to say. What no service
 * offers is UNIMPLEMENTED, so nothing else can be asked of this port.
 */
import {
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { TLSSocket } from "node:tls";
import type { ChannelStream } from "./channel-stream.ts";
import { ChannelError } from "./channel-error.ts";
import { grpcStatus, type GrpcStatus } from "./grpc-status.ts";
import { parseIdentity, type Identity } from "./identity.ts";
import { keepAlive } from "./keep-alive.ts";
import { defaultChannelLimits, type ChannelLimits } from "./limits.ts";
import { refuseStream, ServedStream } from "./served-stream.ts";
import { secureContextOf, type ServerCertificate } from "./server-certificate.ts";

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

/** Whoever is at the other end of a connection. */
interface Peer {
  readonly address: string;
  readonly identity: Identity | undefined;
  readonly notAfter: number;
}

/** Of all that have the same name in their certificates. */
interface OpenStreams {
  readonly streams: Set<ServedStream>;
  /** Bytes of messages that have not come whole. */
  held: number;
}

/** What a client may have on its way to us before we have read it, bytes. */
const window = 1024 * 1024;
/** Connections come of age at about the same time, but not all at once. */
const spread = 0.1;

class GrpcChannel implements ChannelServer {
  readonly #options: ChannelServerOptions;
  readonly #limits: ChannelLimits;
  readonly #services: ReadonlyMap<string, ChannelService | ControllerService>;
  readonly #peers = new Map<ServerHttp2Session, Peer>();
  readonly #clients = new Map<string, OpenStreams>();
  #server: Http2SecureServer | undefined;

  constructor(options: ChannelServerOptions) {
    this.#options = options;
    this.#limits = { ...defaultChannelLimits, ...options.limits };
    this.#services = new Map(options.services.map((service) => [service.path, service]));
  }

  start(certificate: ServerCertificate): Promise<number> {
    const { address, port } = this.#options;
    const server = createSecureServer({
      ...secureContextOf(certificate),
      requestCert: true,
      rejectUnauthorized: true,
      handshakeTimeout: this.#limits.handshake,
      settings: { maxConcurrentStreams: this.#limits.streamsPerConnection, initialWindowSize: window },
      // What waits to be sent counts, and that may be all there is to tell.
      maxSessionMemory: Number.MAX_SAFE_INTEGER,
    });
    this.#server = server;
    server.on("session", (session) => this.#connected(session));
    server.on("stream", (stream, headers) => this.#asked(stream, headers));
    return new Promise((resolve, reject) => {
      server.once("error", (error) => {
        const message = `The channel cannot listen on ${withPort(address, port)}: ${error.message}`;
        reject(new ChannelError("GATEWRIGHT_CHANNEL_PORT", message, { cause: error }));
      });
      server.listen(port, address, () => {
        const bound = server.address();
        resolve(typeof bound === "object" && bound !== null ? bound.port : port);
      });
    });
  }

  replaceCertificate(certificate: ServerCertificate): void {
    this.#server?.setSecureContext(secureContextOf(certificate));
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (!server?.listening) return;
    for (const { streams } of this.#clients.values())
      for (const stream of streams) stream.close("the channel closes");
    const closed = new Promise((resolve) => server.close(resolve));
    for (const session of this.#peers.keys()) this.#dismiss(session);
    await closed;
  }

  #connected(session: ServerHttp2Session): void {
    const { connectionAge, keepAlive: every, keepAliveAnswer: within } = this.#limits;
    this.#peers.set(session, peerOf(session.socket as TLSSocket));
    session.setLocalWindowSize(window);
    keepAlive(session, { every, within });
    const age = connectionAge * (1 - spread + 2 * spread * Math.random());
    const timer = setTimeout(() => this.#dismiss(session), age).unref();
    session.on("error", () => {});
    session.once("close", () => {
      clearTimeout(timer);
      this.#peers.delete(session);
    });
  }

  /** It is asked to go, and has some time to. */
  #dismiss(session: ServerHttp2Session): void {
    session.close();
    const timer = setTimeout(() => session.destroy(), this.#limits.grace);
    session.once("close", () => clearTimeout(timer));
  }

  #asked(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    // Of a stream that has come to its end nobody needs to hear more than that.
    stream.on("error", () => {});
    const peer = stream.session && this.#peers.get(stream.session as ServerHttp2Session);
    // What is asked and taken back in one breath is over before it is heard.
    if (!peer || stream.closed || stream.destroyed) return void stream.destroy();
    const service = this.#services.get(headers[":path"] ?? "");
    if (!service || headers[":method"] !== "POST") {
      return this.#refuse(stream, grpcStatus.unimplemented, "there is no such service");
    }
    const { identity, notAfter, address } = peer;
    const opening = openingFor(service, identity, address);
    if (!identity || !opening) {
      const wanted = service.clients === "controllers" ? "controller" : "Gateway";
      return this.#turnAway(stream, address, `its certificate does not name a ${wanted}`);
    }
    // The handshake was before; the stream may come much later.
    if (!(notAfter > Date.now())) return this.#turnAway(stream, address, "its certificate has expired");
    const who = describeIdentity(identity);
    const open = this.#clients.get(who) ?? { streams: new Set(), held: 0 };
    if (open.streams.size >= this.#limits.streamsPerGateway) {
      const why = `${who} has ${open.streams.size} streams already`;
      return this.#turnAway(stream, address, why, grpcStatus.resourceExhausted);
    }
    const served = new ServedStream(stream, {
      notAfter,
      messageSize: this.#limits.messageSize,
      grace: this.#limits.grace,
      holds: (more) => {
        open.held += more;
        return more <= 0 || open.held <= this.#limits.unfinishedPerGateway;
      },
      ended: () => {
        open.streams.delete(served);
        if (open.streams.size === 0) this.#clients.delete(who);
      },
      failed: (error) => this.#options.failed?.(address, error),
    });
    open.streams.add(served);
    this.#clients.set(who, open);
    opening(served);
  }

  #turnAway(
    stream: ServerHttp2Stream,
    address: string,
    why: string,
    status: GrpcStatus = grpcStatus.permissionDenied,
  ): void {
    this.#options.refused?.(address, why);
    this.#refuse(stream, status, why);
  }

  #refuse(stream: ServerHttp2Stream, status: GrpcStatus, why: string): void {
    refuseStream(stream, status, why, this.#limits.grace);
  }
}

function withPort(address: string, port: number | undefined): string {
  return `${address.includes(":") ? `[${address}]` : address}:${port}`;
}

function peerOf(socket: TLSSocket): Peer {
  const { remoteAddress = "", remotePort } = socket;
  // Empty if the connection is gone already.
  const { subjectaltname, valid_to: validTo } = socket.getPeerCertificate() ?? {};
  return {
    address: withPort(remoteAddress, remotePort),
    identity: parseIdentity(subjectaltname),
    notAfter: Date.parse(validTo),
  };
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
