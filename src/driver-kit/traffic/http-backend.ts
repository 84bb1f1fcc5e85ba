/*
 * An HTTP server that answers with what it saw. One handler for HTTP/1.1 and HTTP/2, in the clear and over TLS.
 */
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import type { AddressInfo, Server, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { pause } from "./deadline.ts";
import { headerPairs, type SeenRequest, type SeenTls } from "./seen-request.ts";
import { acceptWebSocket } from "./websocket.ts";

/** How a backend answers, where it does not just say what it saw. */
export interface Reply {
  readonly status?: number;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  /** Before the head, ms. */
  readonly delay?: number;
  /** The body goes out in these pieces, each after a wait, ms. */
  readonly pieces?: readonly { readonly after: number; readonly data: string }[];
  /** `head`: without an answer. `body`: in the middle of the answer's body. */
  readonly breakOff?: "head" | "body";
}

export type Answering = (seen: SeenRequest, count: number) => Reply | Promise<Reply> | undefined;

export interface HttpBackendOptions {
  readonly name: string;
  /** HTTP/2 only, with prior knowledge or by ALPN. */
  readonly http2?: boolean;
  readonly tls?: ServerTls;
  readonly answer?: Answering;
  /** The port; any free one by default. */
  readonly port?: number;
}

export interface ServerTls {
  readonly certificates: string;
  readonly privateKey: string;
  /** PEM of the authority whose certificates clients must show. */
  readonly clientAuthority?: string;
}

export interface HttpBackend {
  readonly name: string;
  readonly port: number;
  /** All that it saw, in order. */
  readonly requests: readonly SeenRequest[];
  /** That are open. */
  readonly connections: number;
  answer: Answering | undefined;
  stop(): Promise<void>;
}

type Request = http.IncomingMessage | http2.Http2ServerRequest;
type Response = http.ServerResponse | http2.Http2ServerResponse;

export async function startHttpBackend(options: HttpBackendOptions): Promise<HttpBackend> {
  const requests: SeenRequest[] = [];
  const connections = new Map<Socket, number>();
  const sessions = new Set<http2.ServerHttp2Session>();
  const server = createServer(options);
  let count = 0;

  server.on("connection", (socket: Socket) => {
    connections.set(socket, ++count);
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("close", () => connections.delete(socket));
  });
  server.on("session", (session: http2.ServerHttp2Session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
  });
  server.on("tlsClientError", () => {});
  server.on("clientError", (_, socket: Socket) => void socket.destroy());
  server.on("request", (request: Request, response: Response) => void serve(request, response));
  server.on("upgrade", acceptWebSocket(options.name));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;

  const backend: HttpBackend = {
    name: options.name,
    port,
    requests,
    get connections() {
      return connections.size;
    },
    answer: options.answer,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const session of sessions) session.destroy();
      for (const socket of connections.keys()) socket.destroy();
      await closed;
    },
  };
  return backend;

  async function serve(request: Request, response: Response): Promise<void> {
    request.on("error", () => {});
    response.on("error", () => {});
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const seen = describe(request, Buffer.concat(chunks));
    requests.push(seen);
    await send((await backend.answer?.(seen, requests.length)) ?? {}, seen, request, response);
  }

  function describe(request: Request, body: Buffer): SeenRequest {
    const isHttp2 = request.httpVersionMajor === 2;
    const socket = isHttp2 ? (request as http2.Http2ServerRequest).stream.session!.socket : request.socket;
    return {
      backend: options.name,
      endpoint: port,
      connection: numberOf(connections, socket as Socket),
      protocol: isHttp2 ? "HTTP/2" : request.httpVersion === "1.0" ? "HTTP/1.0" : "HTTP/1.1",
      method: request.method!,
      target: request.url!,
      host: String(request.headers[":authority"] ?? request.headers.host ?? ""),
      headers: headerPairs(request.rawHeaders),
      body: body.toString("utf8"),
      ...(options.tls ? { tls: describeTls(socket as TLSSocket) } : {}),
    };
  }
}

function createServer({ http2: speaksHttp2 = false, tls }: HttpBackendOptions): Server {
  if (!tls) {
    const limits = { keepAliveTimeout: 120_000, connectionsCheckingInterval: 600_000 };
    return speaksHttp2 ? http2.createServer() : http.createServer(limits);
  }
  const secure = {
    cert: tls.certificates,
    key: tls.privateKey,
    ...(tls.clientAuthority === undefined
      ? {}
      : { ca: tls.clientAuthority, requestCert: true, rejectUnauthorized: true }),
  };
  return speaksHttp2
    ? http2.createSecureServer(secure)
    : https.createServer({ ...secure, keepAliveTimeout: 120_000 });
}

/** Connections over TLS are counted by the socket underneath, which has the same remote port. */
function numberOf(connections: ReadonlyMap<Socket, number>, socket: Socket): number {
  const known = connections.get(socket);
  if (known !== undefined) return known;
  for (const [candidate, number] of connections) {
    if (candidate.remotePort === socket.remotePort) return number;
  }
  return 0;
}

function describeTls(socket: TLSSocket): SeenTls {
  const subject = socket.getPeerCertificate().subject as { readonly CN?: string } | undefined;
  const { servername } = socket as { readonly servername?: string | false };
  return { serverName: servername || undefined, clientCertificate: subject?.CN };
}

async function send(reply: Reply, seen: SeenRequest, request: Request, response: Response): Promise<void> {
  if (reply.delay) await pause(reply.delay);
  const cut = () => {
    if (request.httpVersionMajor === 2) (request as http2.Http2ServerRequest).stream.close(2);
    else request.socket.destroy();
  };
  if (reply.breakOff === "head") {
    cut();
    return;
  }
  const status = reply.status ?? 200;
  const hasBody = seen.method !== "HEAD" && status !== 204 && status !== 304;
  const pieces = reply.pieces ?? [];
  const body = Buffer.from(reply.body ?? (pieces.length > 0 ? "" : JSON.stringify(seen)));
  const headers: http.OutgoingHttpHeaders = { "content-type": "application/json", "x-seen": seen.backend };
  const isChunked = pieces.length > 0 || reply.headers?.["transfer-encoding"] !== undefined;
  if (!isChunked && status !== 204 && status !== 304) headers["content-length"] = body.length;
  (response as http.ServerResponse).writeHead(status, { ...headers, ...reply.headers });
  const write = (data: Buffer | string) => (response as http.ServerResponse).write(data);
  if (hasBody && reply.breakOff === "body") {
    write(body.subarray(0, Math.ceil(body.length / 2)));
    await pause(50);
    cut();
    return;
  }
  for (const { after, data } of hasBody ? pieces : []) {
    await pause(after);
    if (response.destroyed) return;
    write(data);
  }
  (response as http.ServerResponse).end(hasBody && pieces.length === 0 ? body : undefined);
}
