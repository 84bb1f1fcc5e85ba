/*
 * External authorization: a server is asked before the request goes on. Anything but a clear yes refuses the request:
 * no backend, no endpoint, no connection, no answer in time, an answer that cannot be read, an answer of 5xx.
 *
 * HTTP: the request's method and path (behind the configured prefix) with few headers; 200 is a yes, whatever else the
 * server answers goes to the client. A 2xx other than 200 is no yes and must not look like one, so it becomes 403.
 * gRPC: envoy.service.auth.v3.Authorization/Check.
 */
import type { ExternalAuth } from "../../../model/index.ts";
import type {
  HeaderList,
  UpstreamBackend,
  UpstreamCall,
  UpstreamHandler,
  UpstreamRequest,
} from "../upstream/index.ts";
import {
  decodeCheckResponse,
  encodeCheckRequest,
  type CheckResponse,
  type HeaderOption,
} from "./authorization-message.ts";
import type { ClientConnection } from "./client-connection.ts";
import type { HttpContext } from "./http-context.ts";
import type { RequestHead } from "./request-head.ts";

export type AuthDecision =
  | {
      readonly type: "allowed";
      /** Of the request to the backend: these go first … */
      readonly remove: ReadonlySet<string>;
      /** … then these are appended. */
      readonly append: HeaderList;
      /** Of the answer to the client. */
      readonly responseHeaders: HeaderList;
    }
  | { readonly type: "denied"; readonly status: number; readonly headers: HeaderList; readonly body: Buffer };

export interface AuthQuestion {
  readonly auth: ExternalAuth;
  readonly client: ClientConnection;
  readonly request: RequestHead;
  /** What the backend would get, the gateway's own headers included. */
  readonly headers: HeaderList;
  readonly requestId: string;
  /** As much as the auth server may see. */
  readonly body: Buffer | undefined;
}

const nothing = Buffer.alloc(0);

function denied(status: number, text: string): AuthDecision {
  return {
    type: "denied",
    status,
    headers: ["content-type", "text/plain; charset=utf-8"],
    body: Buffer.from(text),
  };
}

const unavailable = denied(403, "the request could not be authorized\n");
const misconfigured = denied(500, "the authorization of this route is not configured correctly\n");

/** Asks, and calls back once. The result ends the question early. */
export function askAuthorization(
  context: HttpContext,
  question: AuthQuestion,
  done: (decision: AuthDecision) => void,
): { cancel(): void } {
  const { target, protocol } = question.auth;
  const backend = target.type === "backend" ? context.tables.backend(target.backend) : undefined;
  const endpoint = backend?.pick();
  if (!backend || !endpoint) {
    done(target.type === "error" ? misconfigured : unavailable);
    return { cancel() {} };
  }
  const isGrpc = protocol === "grpc";
  const check = new AuthCheck(context.limits.maxAuthBodyBytes, (answer) => {
    clearTimeout(timer);
    done(answer ? (isGrpc ? judgeGrpc(answer) : judgeHttp(question.auth, answer)) : unavailable);
  });
  const timer = setTimeout(() => check.fail(), context.limits.authTimeout);
  const message = isGrpc ? grpcMessage(question, context.now()) : (question.body ?? nothing);
  const request = isGrpc
    ? grpcRequest(backend, message, context.limits.authTimeout)
    : httpRequest(question, backend, message);
  check.call = endpoint.call(request, check, isGrpc || backend.speaksHttp2 ? "h2" : "http/1.1");
  if (message.length > 0) {
    check.call.write(message);
    check.call.end();
  }
  return {
    cancel() {
      clearTimeout(timer);
      check.cancel();
    },
  };
}

interface AuthAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  readonly trailers: HeaderList | undefined;
  readonly body: Buffer;
}

/** One call to an authorization server, whose whole answer is wanted. */
class AuthCheck implements UpstreamHandler {
  readonly #limit: number;
  readonly #done: (answer: AuthAnswer | undefined) => void;
  #over = false;
  #status = 0;
  #headers: HeaderList = [];
  #chunks: Buffer[] = [];
  #size = 0;
  call: UpstreamCall | undefined;

  constructor(limit: number, done: (answer: AuthAnswer | undefined) => void) {
    this.#limit = limit;
    this.#done = done;
  }

  onInformational(): void {}
  onDrain(): void {}

  onHead(status: number, headers: HeaderList): void {
    this.#status = status;
    this.#headers = headers;
  }

  onData(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#limit) this.fail();
    else this.#chunks.push(chunk);
  }

  onEnd(trailers: HeaderList | undefined): void {
    this.#finish({
      status: this.#status,
      headers: this.#headers,
      trailers,
      body: Buffer.concat(this.#chunks),
    });
  }

  onUpgrade(_headers: HeaderList, tunnel: { destroy(): void }): void {
    tunnel.destroy();
    this.#finish(undefined);
  }

  onError(): void {
    this.#finish(undefined);
  }

  fail(): void {
    this.call?.abort();
    this.#finish(undefined);
  }

  cancel(): void {
    this.#over = true;
    this.call?.abort();
  }

  #finish(answer: AuthAnswer | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#done(answer);
  }
}

function httpRequest(
  { auth, request, headers }: AuthQuestion,
  backend: UpstreamBackend,
  body: Buffer,
): UpstreamRequest {
  const sent: HeaderList = [];
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index]!;
    if (auth.requestHeaders === "all" || name === "authorization" || auth.requestHeaders.includes(name)) {
      sent.push(name, headers[index + 1]!);
    }
  }
  const prefix = auth.pathPrefix.endsWith("/") ? auth.pathPrefix.slice(0, -1) : auth.pathPrefix;
  return {
    method: request.method,
    scheme: backend.scheme,
    authority: request.authority,
    path: `${safePrefix(prefix)}${request.path}${request.search}`,
    headers: sent,
    body: body.length,
  };
}

/** Only what a path may have; the API asks for this beside its own validation. */
function safePrefix(prefix: string): string {
  const safe = prefix.replace(/[^-A-Za-z0-9/._~!$&'()*+,;=:@%]/g, "");
  return safe === "" || safe.startsWith("/") ? safe : `/${safe}`;
}

/** About the authorization server's answer itself, not about the user. */
const notCopied = /^(?:host|date|server|vary|etag|expires|cache-control|content-.*|access-control-.*)$/;

function judgeHttp(auth: ExternalAuth, answer: AuthAnswer): AuthDecision {
  const { status, headers, body } = answer;
  if (status === 200) {
    const wanted = auth.responseHeaders;
    const append: HeaderList = [];
    // Named headers are the server's to say: what the client wrote there goes, even if the server has nothing to say.
    const remove = new Set(wanted === "all" ? [] : wanted.filter((name) => name !== "host"));
    for (let index = 0; index < headers.length; index += 2) {
      const name = headers[index]!;
      const isWanted = wanted === "all" ? !notCopied.test(name) : remove.has(name);
      if (!isWanted || framing.has(name)) continue;
      remove.add(name);
      append.push(name, headers[index + 1]!);
    }
    return { type: "allowed", remove, append, responseHeaders: [] };
  }
  if (status >= 300 && status < 500) {
    return { type: "denied", status, headers: withoutFraming(headers), body };
  }
  return unavailable;
}

const framing: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function withoutFraming(headers: HeaderList): HeaderList {
  const kept: HeaderList = [];
  for (let index = 0; index < headers.length; index += 2) {
    if (!framing.has(headers[index]!)) kept.push(headers[index]!, headers[index + 1]!);
  }
  return kept;
}

function grpcMessage(question: AuthQuestion, now: number): Buffer {
  const { auth, client, request, headers } = question;
  const path = `${request.path}${request.search}`;
  const sent: HeaderList = [];
  if (auth.requestHeaders === "all") {
    sent.push(":authority", request.authority, ":method", request.method, ":path", path);
    sent.push(":scheme", client.scheme, ...headers);
  } else {
    for (let index = 0; index < headers.length; index += 2) {
      if (auth.requestHeaders.includes(headers[index]!)) sent.push(headers[index]!, headers[index + 1]!);
    }
  }
  const message = encodeCheckRequest({
    source: { address: client.address, port: client.port },
    destination: { address: client.localAddress, port: client.localPort },
    time: now,
    id: question.requestId,
    method: request.method,
    headers: sent,
    path,
    host: request.authority,
    scheme: client.scheme,
    protocol: request.version === "HTTP/2.0" ? "HTTP/2" : request.version,
    size: request.body === "none" ? 0 : request.body === "stream" ? -1 : request.body,
    body: question.body,
  });
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(message.length, 1);
  message.copy(frame, 5);
  return frame;
}

function grpcRequest(backend: UpstreamBackend, message: Buffer, timeout: number): UpstreamRequest {
  return {
    method: "POST",
    scheme: backend.scheme,
    authority: backend.backend.tls?.hostname ?? "authorization",
    path: "/envoy.service.auth.v3.Authorization/Check",
    headers: ["content-type", "application/grpc", "te", "trailers", "grpc-timeout", `${timeout}m`],
    body: message.length,
  };
}

function judgeGrpc({ status, trailers, headers, body }: AuthAnswer): AuthDecision {
  if (status !== 200 || valueOf(trailers ?? headers, "grpc-status") !== "0") return unavailable;
  // One frame, not compressed.
  if (body.length < 5 || body[0] !== 0 || body.readUInt32BE(1) !== body.length - 5) return unavailable;
  const response = decodeCheckResponse(body.subarray(5));
  return response ? decisionOf(response) : unavailable;
}

function decisionOf(response: CheckResponse): AuthDecision {
  if (response.type === "denied") {
    const headers = flat(response.headers.filter(({ name }) => !framing.has(name)));
    return { type: "denied", status: response.status, headers, body: Buffer.from(response.body) };
  }
  const changes = response.headers.filter(({ name }) => !framing.has(name));
  const remove = new Set(response.remove.filter((name) => !framing.has(name)));
  for (const { name, append } of changes) if (!append) remove.add(name);
  const responseHeaders = flat(response.responseHeaders.filter(({ name }) => !framing.has(name)));
  return { type: "allowed", remove, append: flat(changes), responseHeaders };
}

function flat(options: readonly HeaderOption[]): HeaderList {
  return options.flatMap(({ name, value }) => [name, value]);
}

function valueOf(list: HeaderList, name: string): string | undefined {
  for (let index = 0; index < list.length; index += 2) if (list[index] === name) return list[index + 1];
  return undefined;
}
