import { constants, createHash } from "node:crypto";
import type { Socket } from "node:net";
import tls from "node:tls";
import type { ClientValidation, ServerName } from "../../../model/index.ts";
import type { CertificateTable } from "./certificate-table.ts";
import type { UsableCertificate } from "./usable-certificate.ts";

/*
 * Terminates TLS for the server names of one section (an API listener) on one port.
 *
 * Each section has TLS contexts of its own, chosen before the handshake begins. A certificate can therefore
 * never be shown for another section, and a session can never be resumed in another: its ticket was sealed with
 * keys that no other context has. A context is built at the first connection that needs it and thrown away as
 * soon as a certificate, the trusted CAs or the mode of client validation differ from those it was built from;
 * connections that were made with it go on.
 *
 * With client validation there is no resumption at all, so that every connection is judged by the CAs of its own time.
 */

export interface Handshake {
  /** The connection, with the ClientHello put back. */
  readonly socket: Socket;
  /** The server name of the ClientHello. */
  readonly host: string | undefined;
  readonly clientValidation: ClientValidation | undefined;
  readonly onSecure: (secured: SecuredConnection) => void;
}

export interface SecuredConnection {
  readonly socket: tls.TLSSocket;
  /** The client has shown a certificate, and a trusted CA vouches for it. */
  readonly clientCertificateVerified: boolean;
}

export type TerminatedServerName = ServerName & {
  readonly action: { readonly type: "http" | "terminate"; readonly certificates: readonly string[] };
};

interface PendingHandshake {
  readonly handshake: Handshake;
  readonly deadline: NodeJS.Timeout;
}

interface Context {
  readonly server: tls.Server;
  readonly certificates: readonly UsableCertificate[];
  readonly trusted: readonly UsableCertificate[];
  readonly mode: ClientValidation["mode"] | undefined;
  /** Handshakes under way, by the two ends of their connection. */
  readonly pending: Map<string, PendingHandshake>;
}

/** `http/1.0` is what some clients offer when they are told to speak it; they are served like HTTP/1.1. */
const httpProtocols = ["h2", "http/1.1", "http/1.0"];

export class TlsSection {
  readonly #certificateTable: CertificateTable;
  readonly #name: TerminatedServerName;
  readonly #timeout: number;
  readonly #contexts = new Map<string, Context>();

  /** `name` stands for all names of the section that share its certificates. */
  constructor(name: TerminatedServerName, certificates: CertificateTable, timeout: number) {
    this.#certificateTable = certificates;
    this.#name = name;
    this.#timeout = timeout;
  }

  /** False if there is no certificate to show. */
  accept(handshake: Handshake): boolean {
    const context = this.#contextFor(handshake.host, handshake.clientValidation);
    if (!context) return false;
    const { socket } = handshake;
    const ends = endsOf(socket);
    // Node's own limit starts anew with every byte; this one does not.
    const pending = { handshake, deadline: setTimeout(() => socket.destroy(), this.#timeout) };
    context.pending.set(ends, pending);
    socket.once("close", () => {
      clearTimeout(pending.deadline);
      if (context.pending.get(ends) === pending) context.pending.delete(ends);
    });
    context.server.emit("connection", socket);
    return true;
  }

  /** Lets go of keys that are no longer in force. */
  forget(): void {
    this.#contexts.clear();
  }

  #contextFor(host: string | undefined, validation: ClientValidation | undefined): Context | undefined {
    const certificates = chooseCertificates(this.#certificateTable.all(this.#name.action.certificates), host);
    if (certificates.length === 0) return undefined;
    const trusted = validation ? this.#certificateTable.all(validation.trusted) : [];
    const id = certificates.map(({ key }) => key).join("\n");
    const known = this.#contexts.get(id);
    if (
      known &&
      known.mode === validation?.mode &&
      areSame(known.certificates, certificates) &&
      areSame(known.trusted, trusted)
    ) {
      return known;
    }
    const context = this.#tryBuild(certificates, trusted, validation?.mode);
    if (context) this.#contexts.set(id, context);
    return context;
  }

  /** Each part was tried when it was applied; should they not go together after all, this connection fails, not the process. */
  #tryBuild(
    certificates: readonly UsableCertificate[],
    trusted: readonly UsableCertificate[],
    mode: ClientValidation["mode"] | undefined,
  ): Context | undefined {
    try {
      return this.#build(certificates, trusted, mode);
    } catch {
      return undefined;
    }
  }

  #build(
    certificates: readonly UsableCertificate[],
    trusted: readonly UsableCertificate[],
    mode: ClientValidation["mode"] | undefined,
  ): Context {
    const { listener, section, action } = this.#name;
    const owner = JSON.stringify([listener, section, action.type]);
    const server = tls.createServer({
      cert: certificates.map(({ chain }) => chain),
      key: certificates.map(({ privateKey }) => privateKey!),
      // Never absent: without it Node would trust the public CAs of the Web. Where all are let in nobody is judged either: OpenSSL
      // remembers a signature that did not fit, and Node then takes that for an error of the connection.
      ca: mode === "require" ? trusted.map(({ chain }) => chain) : [],
      requestCert: mode !== undefined,
      rejectUnauthorized: mode === "require",
      ...(action.type === "http" ? { ALPNProtocols: httpProtocols } : {}),
      minVersion: "TLSv1.2",
      sessionIdContext: createHash("sha256").update(owner).digest("hex").slice(0, 32),
      secureOptions:
        constants.SSL_OP_NO_RENEGOTIATION | (mode === undefined ? 0 : constants.SSL_OP_NO_TICKET),
    });
    const pending = new Map<string, PendingHandshake>();
    server.on("tlsClientError", (_error, socket) => socket.destroy());
    server.on("secureConnection", (socket) => {
      const ends = endsOf(socket);
      const awaited = pending.get(ends);
      pending.delete(ends);
      if (!awaited) return void socket.destroy();
      clearTimeout(awaited.deadline);
      // Node calls a connection without a certificate authorized where nothing was asked for or a session was resumed.
      const clientCertificateVerified =
        mode !== undefined && socket.authorized && socket.getPeerX509Certificate() !== undefined;
      awaited.handshake.onSecure({ socket, clientCertificateVerified });
    });
    return { server, certificates, trusted, mode, pending };
  }
}

/**
 * What may be shown for a host: of each type of key the first certificate. If some of them were issued for the
 * host, only among those.
 */
function chooseCertificates(
  certificates: readonly UsableCertificate[],
  host: string | undefined,
): readonly UsableCertificate[] {
  if (certificates.length < 2) return certificates.filter(({ privateKey }) => privateKey !== undefined);
  const withKey = certificates.filter(({ privateKey }) => privateKey !== undefined);
  const covering = host === undefined ? [] : withKey.filter((certificate) => certificate.covers(host));
  const byType = new Map<string, UsableCertificate>();
  for (const certificate of covering.length > 0 ? covering : withKey) {
    const type = certificate.keyType ?? "";
    if (!byType.has(type)) byType.set(type, certificate);
  }
  return [...byType.values()];
}

function areSame<T>(left: readonly T[], right: readonly T[]): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index]);
}

function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
