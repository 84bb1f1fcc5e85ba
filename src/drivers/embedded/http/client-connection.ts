import type net from "node:net";
import type tls from "node:tls";
import type { Listener } from "../../../model/index.ts";

/** A connection that speaks HTTP, as the listener hands it over. */
export interface HttpConnection {
  readonly socket: net.Socket | tls.TLSSocket;
  readonly listener: Listener;
  readonly scheme: "http" | "https";
  /** The API listener that the server name chose; `undefined` for plain HTTP. */
  readonly section?: string | undefined;
  readonly alpn?: "h2" | "http/1.1" | undefined;
  readonly clientCertificateVerified?: boolean | undefined;
}

/** What requests need to know of their connection. */
export interface ClientConnection {
  readonly listener: Listener;
  readonly scheme: "http" | "https";
  readonly section: string | undefined;
  /** The peer's IP address. */
  readonly address: string;
  /** The peer's port, and where it connected to. */
  readonly port: number;
  readonly localAddress: string;
  readonly localPort: number;
}

export function clientConnection(connection: HttpConnection): ClientConnection {
  const { socket } = connection;
  return {
    listener: connection.listener,
    scheme: connection.scheme,
    section: connection.section,
    address: withoutMapping(socket.remoteAddress ?? "unknown"),
    port: socket.remotePort ?? 0,
    localAddress: withoutMapping(socket.localAddress ?? "unknown"),
    localPort: socket.localPort ?? 0,
  };
}

/** An IPv4 client of a socket that takes both shows as `::ffff:192.0.2.1`. */
function withoutMapping(address: string): string {
  return address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address;
}
