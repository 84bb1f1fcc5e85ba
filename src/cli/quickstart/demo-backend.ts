import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface DemoBackend {
  readonly name: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** A server on a free port of 127.0.0.1 that tells what it was asked, as one line of JSON. */
export async function startDemoBackend(name: string): Promise<DemoBackend> {
  const server = createServer((request, response) => {
    const { method, url: path, headers } = request;
    request.resume();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(`${JSON.stringify({ backend: name, method, path, headers })}\n`);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: "127.0.0.1", port: 0 }, resolve);
  });
  return {
    name,
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
