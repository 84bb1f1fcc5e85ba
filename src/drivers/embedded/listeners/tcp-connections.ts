import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { HostTable, Listener } from "../../../model/index.ts";
import type { HttpConnection } from "../http/index.ts";
import type { EmbeddedLimits } from "../limits.ts";
import type { ListenerCounters } from "../metrics.ts";
import { forward } from "../stream/forward.ts";
import type { RelayEnd } from "../stream/relay.ts";
import type { Dial, StreamBackend } from "../stream/stream-backend.ts";
import type { StreamChoice } from "../stream/stream-choice.ts";
import type { ServerNameEntry } from "../tables/server-name-table.ts";
import type { ClientHello } from "../tls/client-hello.ts";
import { peekClientHello } from "../tls/peek-client-hello.ts";
import type { SecuredConnection } from "../tls/tls-section.ts";

/*
 * What becomes of a connection, from accept to the hands of whoever serves it:
 *
 *   http ────────────────────────────────────────────► HTTP service
 *   tcp ──────────────────────────────────────────────► backend
 *   tls ─► ClientHello ─► server name ─► passthrough ─► backend, byte by byte as it came
 *                                     ├► terminate ──► handshake ─► backend
 *                                     └► http ───────► handshake ─► HTTP service
 *
 * The listener is looked at once, when the connection arrives: it may change its protocol or its client validation later
 * without an effect on connections that are there.
 */

export interface TcpConnectionsOptions {
  readonly limits: EmbeddedLimits;
  readonly counters: ListenerCounters;
  readonly serveHttp: (connection: HttpConnection) => void;
  readonly serverNames: (listener: string) => HostTable<ServerNameEntry> | undefined;
  readonly streamChoice: (listener: string) => StreamChoice | undefined;
  readonly backendOf: (key: string) => StreamBackend | undefined;
}

export class TcpConnections {
  readonly #options: TcpConnectionsOptions;
  /** Connections that the HTTP service does not have. */
  readonly #streams = new Set<Socket>();
  /** Those among them of which it is not decided yet where they go. */
  readonly #handshakes = new Set<Socket>();
  #onEmpty: (() => void) | undefined;

  constructor(options: TcpConnectionsOptions) {
    this.#options = options;
  }

  accept(socket: Socket, listener: Listener): void {
    const { counters, serveHttp } = this.#options;
    counters.connections++;
    counters.active++;
    this.#streams.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => {
      counters.active--;
      counters.bytesIn += socket.bytesRead;
      counters.bytesOut += socket.bytesWritten;
      this.#leave(socket);
    });
    if (listener.protocol === "http") {
      this.#leave(socket);
      serveHttp({ socket, listener, scheme: "http" });
    } else if (listener.protocol === "tls") {
      this.#acceptTls(socket, listener);
    } else {
      const choice = this.#options.streamChoice(listener.key);
      this.#forward(socket, socket, choice, "as the backend wants");
    }
  }

  /**
   * The rules by which connections are accepted have changed: a handshake under way must not bring one in by the old
   * rules.
   */
  endHandshakes(): void {
    for (const socket of this.#handshakes) reset(socket);
  }

  /** Resolves when all connections but those of the HTTP service have ended; those that have not by then are broken. */
  async drain(grace: number): Promise<void> {
    this.endHandshakes();
    if (this.#streams.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, grace);
      this.#onEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    for (const socket of this.#streams) reset(socket);
  }

  #leave(socket: Socket): void {
    this.#streams.delete(socket);
    this.#handshakes.delete(socket);
    if (this.#streams.size === 0) this.#onEmpty?.();
  }

  #acceptTls(socket: Socket, listener: Listener): void {
    const { counters, limits } = this.#options;
    const fail = (): void => {
      counters.handshakeFailures++;
      reset(socket);
    };
    this.#handshakes.add(socket);
    peekClientHello(socket, {
      timeout: limits.handshake,
      onFailure: fail,
      onHello: (hello) => {
        const entry = this.#options.serverNames(listener.key)?.find(hello.serverName ?? "");
        if (!entry) return fail();
        if (!entry.section) return this.#passThrough(socket, entry);
        if (!this.#terminate(socket, listener, entry, hello)) fail();
      },
    });
  }

  #passThrough(socket: Socket, entry: ServerNameEntry): void {
    this.#handshakes.delete(socket);
    this.#forward(socket, socket, entry.choice, "plain");
  }

  #terminate(socket: Socket, listener: Listener, entry: ServerNameEntry, hello: ClientHello): boolean {
    const { counters } = this.#options;
    const onClosed = (): void => void counters.handshakeFailures++;
    const began = entry.section!.accept({
      socket,
      host: hello.serverName,
      clientValidation: listener.clientValidation,
      onSecure: (secured) => {
        socket.off("close", onClosed);
        this.#serveSecured(socket, listener, entry, secured);
      },
    });
    if (began) socket.once("close", onClosed);
    return began;
  }

  #serveSecured(
    socket: Socket,
    listener: Listener,
    entry: ServerNameEntry,
    secured: SecuredConnection,
  ): void {
    const { socket: tlsSocket, clientCertificateVerified } = secured;
    tlsSocket.on("error", () => {});
    this.#handshakes.delete(socket);
    const { action, section } = entry.name;
    if (action.type !== "http") {
      return this.#forward(socket, tlsSocket, entry.choice, "as the backend wants");
    }
    this.#leave(socket);
    this.#options.serveHttp({
      socket: tlsSocket,
      listener,
      scheme: "https",
      section,
      alpn: tlsSocket.alpnProtocol === "h2" ? "h2" : "http/1.1",
      clientCertificateVerified,
    });
  }

  #forward(
    raw: Socket,
    socket: Socket | TLSSocket,
    choice: StreamChoice | undefined,
    mode: Dial["mode"],
  ): void {
    const client: RelayEnd = { socket, break: () => reset(raw) };
    const { limits, backendOf } = this.#options;
    forward({ client, choice, mode, limits, backendOf });
  }
}

function reset(socket: Socket): void {
  if (!socket.destroyed) socket.resetAndDestroy();
}
