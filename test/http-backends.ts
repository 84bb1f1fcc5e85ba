import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import type net from "node:net";
import { tcpServer, type TestServer } from "./tcp-servers.ts";

/** What an echo backend says about the request it got. */
export interface Echo {
  readonly backend: string;
  readonly method: string;
  readonly path: string;
  readonly version: string;
  /** Repeated ones joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly names: readonly string[];
  readonly body: string;
  readonly trailers: Readonly<Record<string, string>>;
}

export interface HttpBackendServer {
  readonly port: number;
  /** Requests so far. */
  readonly requests: readonly http.IncomingMessage[];
  readonly connections: number;
  close(): Promise<void>;
}

/** An HTTP/1.1 backend on a free port. */
export async function httpBackend(
  serve: http.RequestListener,
  options: http.ServerOptions = {},
): Promise<HttpBackendServer> {
  const requests: http.IncomingMessage[] = [];
  const server = http.createServer(options, (request, response) => {
    requests.push(request);
    serve(request, response);
  });
  return listening(server, requests);
}

async function listening(server: http.Server, requests: http.IncomingMessage[]): Promise<HttpBackendServer> {
  let connections = 0;
  server.on("connection", () => connections++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as net.AddressInfo).port,
    requests,
    get connections() {
      return connections;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Answers 200 with what it got, as JSON. */
export function echoBackend(name = "echo"): Promise<HttpBackendServer> {
  return httpBackend((request, response) => {
    let body = "";
    request.setEncoding("latin1");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const headers: Record<string, string> = {};
      for (const [key, value] of Object.entries(request.headersDistinct)) headers[key] = value!.join(", ");
      const echo: Echo = {
        backend: name,
        method: request.method!,
        path: request.url!,
        version: request.httpVersion,
        headers,
        names: request.rawHeaders.filter((_, index) => index % 2 === 0),
        body,
        trailers: request.trailers as Record<string, string>,
      };
      response.writeHead(200, { "content-type": "application/json", "x-backend": name });
      response.end(JSON.stringify(echo));
    });
  });
}

export function echoOf(answer: { readonly text: string }): Echo {
  return JSON.parse(answer.text) as Echo;
}

export interface Http2BackendServer {
  readonly port: number;
  readonly sessions: readonly http2.ServerHttp2Session[];
  close(): Promise<void>;
}

/** An h2c backend on a free port. */
export async function http2Backend(
  serve: (stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders) => void,
  options: http2.ServerOptions = {},
): Promise<Http2BackendServer> {
  const sessions: http2.ServerHttp2Session[] = [];
  const server = http2.createServer(options);
  server.on("session", (session) => {
    sessions.push(session);
    session.on("error", () => {});
  });
  server.on("stream", (stream, headers) => {
    stream.on("error", () => {});
    serve(stream, headers);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as net.AddressInfo).port,
    sessions,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
}

/** Answers the first bytes of every request with these bytes, whatever was asked. */
export function bytesBackend(
  answer: string | ((socket: net.Socket, request: string, count: number) => void),
): Promise<TestServer> {
  return tcpServer((socket) => {
    let count = 0;
    socket.on("data", (bytes) => {
      if (typeof answer === "string") socket.write(answer, "latin1");
      else answer(socket, bytes.toString("latin1"), ++count);
    });
    socket.on("end", () => socket.end());
  });
}

/** A port where nobody listens. */
export async function closedPort(): Promise<number> {
  const server = await tcpServer(() => {});
  await server.close();
  return server.port;
}
