/*
 * envoy.service.auth.v3: CheckRequest out, CheckResponse in, by the numbers of their fields. Only the fields that a
 * gateway without Envoy's filters can mean anything by.
 */
import type { HeaderList } from "../upstream/index.ts";
import { isFieldName, isFieldValue } from "../upstream/index.ts";
import { MessageWriter, readMessage, type MessageField } from "./protobuf.ts";

export interface CheckRequest {
  readonly source: SocketAddress;
  readonly destination: SocketAddress;
  /** ms since 1970. */
  readonly time: number;
  readonly id: string;
  readonly method: string;
  readonly headers: HeaderList;
  /** With the query. */
  readonly path: string;
  readonly host: string;
  readonly scheme: string;
  readonly protocol: string;
  /** -1: not known. */
  readonly size: number;
  readonly body: Buffer | undefined;
}

export interface SocketAddress {
  readonly address: string;
  readonly port: number;
}

export function encodeCheckRequest(request: CheckRequest): Buffer {
  const http = new MessageWriter().text(1, request.id).text(2, request.method);
  for (const [name, value] of joined(request.headers)) {
    http.message(3, new MessageWriter().text(1, name).text(2, value));
  }
  http.text(4, request.path).text(5, request.host).text(6, request.scheme);
  http.number(9, request.size).text(10, request.protocol);
  if (request.body && request.body.length > 0) {
    const isText = Buffer.from(request.body.toString("utf8"), "utf8").equals(request.body);
    http.bytes(isText ? 11 : 12, request.body);
  }
  const time = new MessageWriter()
    .number(1, Math.floor(request.time / 1000))
    .number(2, Math.floor(request.time % 1000) * 1_000_000);
  const attributes = new MessageWriter()
    .message(1, peer(request.source))
    .message(2, peer(request.destination))
    .message(4, new MessageWriter().message(1, time).message(2, http));
  return new MessageWriter().message(1, attributes).finish();
}

function peer({ address, port }: SocketAddress): MessageWriter {
  const socketAddress = new MessageWriter().text(2, address).number(3, port);
  return new MessageWriter().message(1, new MessageWriter().message(1, socketAddress));
}

/** A map has every name once: values of a repeated header are joined. */
function joined(headers: HeaderList): Map<string, string> {
  const map = new Map<string, string>();
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index]!;
    const before = map.get(name);
    map.set(name, before === undefined ? headers[index + 1]! : `${before},${headers[index + 1]!}`);
  }
  return map;
}

export interface HeaderOption {
  readonly name: string;
  readonly value: string;
  /** Beside what is there, or in its place. */
  readonly append: boolean;
}

export type CheckResponse =
  | {
      readonly type: "ok";
      readonly headers: readonly HeaderOption[];
      readonly remove: readonly string[];
      readonly responseHeaders: readonly HeaderOption[];
    }
  | {
      readonly type: "denied";
      readonly status: number;
      readonly headers: readonly HeaderOption[];
      readonly body: string;
    };

/** `undefined`: not an answer. An empty message is none either: a yes must be said. */
export function decodeCheckResponse(bytes: Buffer): CheckResponse | undefined {
  const fields = readMessage(bytes);
  if (!fields) return undefined;
  const status = last(fields, 1);
  const denied = last(fields, 2);
  const ok = last(fields, 3);
  if (!status && !ok) return undefined;
  const statusFields = status ? readMessage(status.bytes) : [];
  if (!statusFields) return undefined;
  const isOk = (last(statusFields, 1)?.value ?? 0n) === 0n;
  return isOk && !denied ? decodeOk(ok) : decodeDenied(denied);
}

function decodeOk(ok: MessageField | undefined): CheckResponse | undefined {
  const fields = ok ? readMessage(ok.bytes) : [];
  if (!fields) return undefined;
  const headers = headerOptions(fields, 2);
  const responseHeaders = headerOptions(fields, 6);
  if (!headers || !responseHeaders) return undefined;
  const remove = all(fields, 5).map(({ bytes }) => bytes.toString("utf8").toLowerCase());
  return { type: "ok", headers, remove, responseHeaders };
}

function decodeDenied(denied: MessageField | undefined): CheckResponse | undefined {
  const fields = denied ? readMessage(denied.bytes) : [];
  if (!fields) return undefined;
  const statusFields = readMessage(last(fields, 1)?.bytes ?? Buffer.alloc(0));
  const headers = headerOptions(fields, 2);
  if (!statusFields || !headers) return undefined;
  const status = Number(last(statusFields, 1)?.value ?? 0n);
  return {
    type: "denied",
    // A no that looks like a yes to the client is still a no.
    status: status >= 300 && status <= 599 ? status : 403,
    headers,
    body: last(fields, 3)?.bytes.toString("utf8") ?? "",
  };
}

const appendIfExists = 0n;

function headerOptions(fields: readonly MessageField[], number: number): HeaderOption[] | undefined {
  const options: HeaderOption[] = [];
  for (const { bytes } of all(fields, number)) {
    const option = readMessage(bytes);
    const header = option && readMessage(last(option, 1)?.bytes ?? Buffer.alloc(0));
    if (!option || !header) return undefined;
    const name = (last(header, 1)?.bytes.toString("utf8") ?? "").toLowerCase();
    const value = (last(header, 3) ?? last(header, 2))?.bytes.toString("latin1") ?? "";
    if (!isFieldName(name) || !isFieldValue(value)) return undefined;
    const given = last(option, 2);
    const wrapped = given ? readMessage(given.bytes) : undefined;
    const action = last(option, 3)?.value;
    options.push({
      name,
      value,
      append: wrapped ? last(wrapped, 1)?.value === 1n : action === appendIfExists,
    });
  }
  return options;
}

/** The last one counts, as protocol buffers have it. */
function last(fields: readonly MessageField[], number: number): MessageField | undefined {
  return fields.findLast((field) => field.number === number);
}

function all(fields: readonly MessageField[], number: number): MessageField[] {
  return fields.filter((field) => field.number === number);
}
