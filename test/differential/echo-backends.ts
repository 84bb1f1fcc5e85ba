/**
 * Backends that answer with what they saw. `x-answer` asks for a status, `x-answer-cors` for CORS headers of the backend's own, `x-delay` for an answer that many
 * ms later, `x-fail` for a status to the first tries of the request that `x-try` names.
 * One speaks HTTP/1.1 for each name, one HTTP/2 with prior knowledge, gRPC's way where it is asked so, one HTTP/1.1 over TLS. Two stand
 * behind one name, for sessions, and one echoes datagrams.
 */
import dgram from "node:dgram";
import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import type { AddressInfo, Server, Socket } from "node:net";
import type { MadeCertificate } from "../certificates.ts";
import { startAuthServers } from "./auth-servers.ts";

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
export const tlsBackend = "secure";
/** One name, two endpoints. */
export const pairBackend = "pair";
export const udpBackend = "datagrams";

type Answering = http.ServerResponse | http2.Http2ServerResponse;

/** How often each request was tried, by its `x-try`. */
type Tries = Map<string, number>;

interface Backend {
  readonly name: string;
  /** Where there are several behind the name. */
  readonly endpoint?: string;
  readonly tries: Tries;
}

function answer(
  { name: backend, endpoint, tries }: Backend,
  request: http.IncomingMessage | http2.Http2ServerRequest,
  response: Answering,
): void {
  const body: Buffer[] = [];
  request.on("data", (chunk: Buffer) => body.push(chunk));
  request.on("end", () => {
    const delay = Number(request.headers["x-delay"] ?? 0);
    if (delay > 0) setTimeout(() => send(), delay);
    else send();
  });
  const send = () => {
    const seen: Seen = {
      backend,
      method: request.method!,
      target: request.url!,
      headers: pairsOf(request.rawHeaders),
      body: Buffer.concat(body).toString(),
    };
    const isGrpc = String(request.headers["content-type"]).startsWith("application/grpc");
    const id = request.headers["x-try"];
    const count = (tries.get(String(id)) ?? 0) + 1;
    if (id !== undefined) tries.set(String(id), count);
    const [failures = 0, failure = 0] = String(request.headers["x-fail"] ?? "0")
      .split(" ")
      .map(Number);
    const status = count <= failures ? failure : Number(request.headers["x-answer"] ?? 200);
    response.statusCode = isGrpc ? 200 : status;
    response.setHeader("content-type", isGrpc ? "application/grpc" : "application/json");
    response.setHeader("x-served-by", backend);
    if (id !== undefined) response.setHeader("x-tries", String(count));
    if (endpoint !== undefined) response.setHeader("x-endpoint", endpoint);
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
  };
}

function pairsOf(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < raw.length; at += 2) pairs.push([raw[at]!.toLowerCase(), raw[at + 1]!]);
  return pairs;
}

/** `certificate`: of the one that speaks TLS. */
export async function startEchoBackends(certificate: MadeCertificate): Promise<EchoBackends> {
  const tries: Tries = new Map();
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
  const openHttp = async (key: string, backend: Backend): Promise<void> => {
    const server = http.createServer((request, response) => answer(backend, request, response));
    server.keepAliveTimeout = 0;
    await open(key, server);
  };
  for (const name of http1Backends) await openHttp(name, { name, tries });
  for (const endpoint of ["1", "2"])
    await openHttp(`${pairBackend}-${endpoint}`, { name: pairBackend, endpoint, tries });
  await open(
    http2Backend,
    http2.createServer((request, response) => answer({ name: http2Backend, tries }, request, response)),
  );
  const { certificates: cert, privateKey: key } = certificate;
  const secure = https.createServer({ cert, key }, (request, response) =>
    answer({ name: tlsBackend, tries }, request, response),
  );
  secure.keepAliveTimeout = 0;
  await open(tlsBackend, secure);
  await startAuthServers(open);
  const datagrams = dgram.createSocket("udp4");
  datagrams.on("message", (message, { port, address }) =>
    datagrams.send(`${udpBackend}: ${message.toString()}`, port, address),
  );
  datagrams.bind(0, "127.0.0.1");
  await once(datagrams, "listening");
  ports.set(udpBackend, datagrams.address().port);
  return {
    ports,
    async stop() {
      datagrams.close();
      for (const server of servers) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
