/**
 * Backends that answer with what they saw. `x-answer` asks for a status, `x-answer-cors` for CORS headers of the backend's own.
 * One speaks HTTP/1.1 for each name, one HTTP/2 with prior knowledge, gRPC's way where it is asked so.
 */
import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import type { AddressInfo, Server, Socket } from "node:net";

/** A request as a backend saw it. */
export interface Seen {
  readonly backend: string;
  readonly method: string;
  readonly target: string;
  /** In pairs, as they came; HTTP/2's pseudo-headers too. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

export interface EchoBackends {
  /** By name. */
  readonly ports: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

export const http1Backends = ["one", "two", "three"] as const;
export const http2Backend = "prior";

type Answering = http.ServerResponse | http2.Http2ServerResponse;

function answer(
  backend: string,
  request: http.IncomingMessage | http2.Http2ServerRequest,
  response: Answering,
): void {
  const body: Buffer[] = [];
  request.on("data", (chunk: Buffer) => body.push(chunk));
  request.on("end", () => {
    const seen: Seen = {
      backend,
      method: request.method!,
      target: request.url!,
      headers: pairsOf(request.rawHeaders),
      body: Buffer.concat(body).toString(),
    };
    const isGrpc = String(request.headers["content-type"]).startsWith("application/grpc");
    const status = Number(request.headers["x-answer"] ?? 200);
    response.statusCode = isGrpc ? 200 : status;
    response.setHeader("content-type", isGrpc ? "application/grpc" : "application/json");
    response.setHeader("x-served-by", backend);
    response.setHeader("x-env", "from the backend");
    response.setHeader("x-multi", ["a", "b"]);
    response.setHeader("vary", "Accept");
    if (status >= 300 && status < 400)
      response.setHeader("location", "http://shop.test:8080/login?from=backend");
    if (request.headers["x-answer-cors"]) {
      response.setHeader("access-control-allow-origin", "http://backend.test");
      response.setHeader("access-control-expose-headers", "x-backend");
    }
    const text = JSON.stringify(seen);
    if (isGrpc) response.addTrailers({ "grpc-status": "0" });
    if (response instanceof http.ServerResponse) response.end(text);
    else response.end(text);
  });
}

function pairsOf(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < raw.length; at += 2) pairs.push([raw[at]!.toLowerCase(), raw[at + 1]!]);
  return pairs;
}

export async function startEchoBackends(): Promise<EchoBackends> {
  const ports = new Map<string, number>();
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const open = async (name: string, server: Server): Promise<void> => {
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ports.set(name, (server.address() as AddressInfo).port);
    servers.push(server);
  };
  for (const name of http1Backends) {
    const server = http.createServer((request, response) => answer(name, request, response));
    server.keepAliveTimeout = 0;
    await open(name, server);
  }
  await open(
    http2Backend,
    http2.createServer((request, response) => answer(http2Backend, request, response)),
  );
  return {
    ports,
    async stop() {
      for (const server of servers) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
