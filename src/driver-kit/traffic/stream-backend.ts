import dgram from "node:dgram";
import net, { type AddressInfo } from "node:net";

export interface StreamBackend {
  readonly name: string;
  readonly port: number;
  /** Connections (TCP) or senders (UDP) that it has seen. */
  readonly clients: number;
  stop(): Promise<void>;
}

/** Greets with its name, then sends back what it gets; ends when the other side does. */
export async function startTcpBackend(name: string, port = 0): Promise<StreamBackend> {
  const sockets = new Set<net.Socket>();
  let clients = 0;
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    clients++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.write(`${name}\n`);
    socket.on("data", (chunk) => socket.write(chunk));
    socket.on("end", () => socket.end("bye\n"));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    name,
    port: (server.address() as AddressInfo).port,
    get clients() {
      return clients;
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Answers each datagram with its name, the number of the sender, and the datagram. */
export async function startUdpBackend(name: string): Promise<StreamBackend> {
  const senders = new Map<string, number>();
  const socket = dgram.createSocket("udp4");
  socket.on("message", (message, { address, port }) => {
    const sender = `${address}:${port}`;
    const number = senders.get(sender) ?? senders.size + 1;
    senders.set(sender, number);
    socket.send(`${name} ${number} ${message.toString()}`, port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    name,
    port: socket.address().port,
    get clients() {
      return senders.size;
    },
    stop: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}
