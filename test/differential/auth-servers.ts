/*
 * Authorization servers, one that is asked over HTTP and one over gRPC. They decide by the header `x-auth`, and tell the backend what they saw:
 * `yes`, `login` (a redirect), `error` (their own failure), anything else: no.
 */
import http from "node:http";
import http2 from "node:http2";
import type { Server } from "node:net";
import { allowed, denied, readCheckRequest } from "../../src/driver-kit/traffic/authorization.ts";

export const httpAuthServer = "auth";
export const grpcAuthServer = "grpc-auth";
/** What they say about a request that they let through. */
export const authHeaders = ["x-auth-user", "x-auth-saw"] as const;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: ReadonlyMap<string, string>;
}

interface Decision {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function decide({ method, path, headers }: Asked): Decision {
  const saw = [method, path, ...["x-auth", "env", "cookie"].map((name) => `${name}=${headers.get(name)}`)];
  switch (headers.get("x-auth")) {
    case "yes":
      return { status: 200, headers: { "x-auth-user": "somebody", "x-auth-saw": saw.join(" ") }, body: "" };
    case "login":
      return { status: 302, headers: { location: "https://login.test/?a=b" }, body: "" };
    case "error":
      return { status: 500, headers: {}, body: "" };
    default:
      return { status: 401, headers: { "www-authenticate": "Basic" }, body: "who are you?" };
  }
}

function answerHttp(request: http.IncomingMessage, response: http.ServerResponse): void {
  const headers = new Map(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const { status, headers: said, body } = decide({ method: request.method!, path: request.url!, headers });
  request.resume();
  request.on("end", () => response.writeHead(status, said).end(body));
}

function answerGrpc(request: http2.Http2ServerRequest, response: http2.Http2ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const asked = readCheckRequest(Buffer.concat(chunks).subarray(5));
    const { status, headers, body } = decide(asked);
    const message = status === 200 ? allowed(headers) : denied(status, headers, body);
    const frame = Buffer.alloc(5);
    frame.writeUInt32BE(message.length, 1);
    response.setHeader("content-type", "application/grpc");
    response.addTrailers({ "grpc-status": status === 500 ? "13" : "0" });
    response.end(status === 500 ? "" : Buffer.concat([frame, message]));
  });
}

export async function startAuthServers(open: (name: string, server: Server) => Promise<void>): Promise<void> {
  const server = http.createServer(answerHttp);
  server.keepAliveTimeout = 0;
  await open(httpAuthServer, server);
  await open(grpcAuthServer, http2.createServer(answerGrpc));
}
