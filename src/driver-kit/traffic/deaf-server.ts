import net from "node:net";
import { Worker } from "node:worker_threads";
import { pause } from "./deadline.ts";

/** A port on which nobody ever takes a connection: whoever connects waits. */
export interface DeafServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Listens with a short queue and then sleeps. When the queue is full, the system answers nobody any more. */
const sleeper = `
const { parentPort } = require("node:worker_threads");
const server = require("node:net").createServer();
server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
  parentPort.postMessage(server.address().port);
  setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 50);
});
`;

export async function startDeafServer(): Promise<DeafServer> {
  const worker = new Worker(sleeper, { eval: true });
  const port = await new Promise<number>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  await pause(200);
  const waiting: net.Socket[] = [];
  for (let connected = true; connected && waiting.length < 100;) {
    const socket = net.connect(port, "127.0.0.1");
    socket.on("error", () => {});
    waiting.push(socket);
    connected = await Promise.race([
      new Promise<boolean>((resolve) => socket.once("connect", () => resolve(true))),
      pause(500).then(() => false),
    ]);
  }
  return {
    port,
    async stop() {
      for (const socket of waiting) socket.destroy();
      await worker.terminate();
    },
  };
}
