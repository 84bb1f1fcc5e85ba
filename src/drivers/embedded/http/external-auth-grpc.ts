/* Authorization by gRPC: envoy.service.auth.v3.Authorization/Check. */
import type { HeaderList, UpstreamBackend, UpstreamRequest } from "../upstream/index.ts";
import {
  framing,
  unavailable,
  type AuthAnswer,
  type AuthDecision,
  type AuthQuestion,
} from "./auth-decision.ts";
import {
  decodeCheckResponse,
  encodeCheckRequest,
  type CheckResponse,
  type HeaderOption,
} from "./authorization-message.ts";

export function grpcMessage(question: AuthQuestion, now: number): Buffer {
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

export function grpcRequest(backend: UpstreamBackend, message: Buffer, timeout: number): UpstreamRequest {
  return {
    method: "POST",
    scheme: backend.scheme,
    authority: backend.backend.tls?.hostname ?? "authorization",
    path: "/envoy.service.auth.v3.Authorization/Check",
    headers: ["content-type", "application/grpc", "te", "trailers", "grpc-timeout", `${timeout}m`],
    body: message.length,
  };
}

export function judgeGrpc({ status, trailers, headers, body }: AuthAnswer): AuthDecision {
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
