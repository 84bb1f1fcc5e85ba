import dgram from "node:dgram";
import net from "node:net";

const taken = new Set<number>();
const lowest = 20_000;
const span = 12_000;

/**
 * A port that nobody listens on, below the range from which systems take the ports of outgoing connections: what is free
 * there now is still free in a moment.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = lowest + Math.floor(Math.random() * span);
    if (taken.has(port)) continue;
    if ((await isFreeForTcp(port)) && (await isFreeForUdp(port))) {
      taken.add(port);
      return port;
    }
  }
  throw new Error(`no free port between ${lowest} and ${lowest + span}`);
}

function isFreeForTcp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

function isFreeForUdp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = dgram.createSocket("udp4");
    socket.once("error", () => resolve(false));
    socket.bind(port, "127.0.0.1", () => socket.close(() => resolve(true)));
  });
}
