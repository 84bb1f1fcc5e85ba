import dgram from "node:dgram";
import net from "node:net";
import type { BoundAddress } from "../../driver.ts";
import { isAddressProblem } from "./bind-problem.ts";

/** A socket that takes connections or datagrams. */
export interface OpenSocket {
  readonly bound: BoundAddress;
  /** Takes nothing more from now on; what was accepted goes on. */
  close(): void;
}

export interface SocketTarget {
  readonly host: string;
  readonly port: number;
}

export interface TcpHandlers {
  readonly maxConnections: number;
  readonly onConnection: (socket: net.Socket) => void;
  readonly onDrop: () => void;
}

/** Resolves when the socket is really bound; rejects with the system's error. */
export async function openTcp(target: SocketTarget, handlers: TcpHandlers): Promise<OpenSocket> {
  return withIpv4Fallback(target, async ({ host, port }) => {
    const server = net.createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true });
    server.maxConnections = handlers.maxConnections;
    server.on("connection", (socket) => handlers.onConnection(socket));
    server.on("drop", () => handlers.onDrop());
    await settle(server, () => server.listen({ host, port, exclusive: true }));
    // A failed accept (no file descriptors left) is not the end of the listener.
    server.on("error", () => {});
    const { address, port: boundPort } = server.address() as net.AddressInfo;
    return { bound: { address, port: boundPort }, close: () => void server.close() };
  });
}

/** `onOpen` gets the bound socket before its first datagram, and returns what is done when it closes. */
export async function openUdp(
  target: SocketTarget,
  onOpen: (socket: dgram.Socket) => () => void,
): Promise<OpenSocket> {
  return withIpv4Fallback(target, async ({ host, port }) => {
    const socket = dgram.createSocket(net.isIPv6(host) ? "udp6" : "udp4");
    try {
      await settle(socket, () => socket.bind({ address: host, port, exclusive: true }));
    } catch (error) {
      socket.close();
      throw error;
    }
    socket.on("error", () => {});
    const onClose = onOpen(socket);
    const { address, port: boundPort } = socket.address();
    return {
      bound: { address, port: boundPort },
      close: () => {
        onClose();
        socket.close();
      },
    };
  });
}

function settle(socket: net.Server | dgram.Socket, begin: () => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const onListening = (): void => {
      socket.off("error", onError);
      resolve();
    };
    const onError = (error: Error): void => {
      socket.off("listening", onListening);
      reject(error);
    };
    socket.once("listening", onListening);
    socket.once("error", onError);
    begin();
  });
}

/** `::` means every address; on a machine without IPv6 those are the IPv4 ones. */
async function withIpv4Fallback<T>(
  target: SocketTarget,
  open: (target: SocketTarget) => Promise<T>,
): Promise<T> {
  try {
    return await open(target);
  } catch (error) {
    if (target.host !== "::" || !isAddressProblem(error)) throw error;
    return open({ ...target, host: "0.0.0.0" });
  }
}
