/*
 * The head of a request, read once: what routing asks, what goes on to the backend, and what must not.
 *
 * Node's parsers have refused what is malformed (bad framing, CR, LF or NUL in a value, folded lines). What is left to
 * refuse here is what is well formed and still ambiguous: two Hosts, Host against `:authority`, a transfer coding that is
 * not exactly `chunked`, a target or host that no URL may have.
 */
import {
  isGrpcContentType,
  normalizeHost,
  normalizePath,
  type MatchableRequest,
} from "../../../model/index.ts";
import { isFieldName, isFieldValue, listedTokens, type HeaderList } from "../upstream/index.ts";
import type { HttpLimits } from "./limits.ts";

export interface RefusedRequest {
  readonly status: 400 | 414 | 431 | 501;
  /** For the log and the client: says nothing about configuration. */
  readonly reason: string;
}

export interface RawRequest {
  readonly version: "HTTP/1.0" | "HTTP/1.1" | "HTTP/2.0";
  readonly method: string;
  readonly target: string;
  /** Names and values in turn, pseudo-headers left out. */
  readonly rawHeaders: readonly string[];
  /** HTTP/2 only. */
  readonly authority?: string | undefined;
  /** HTTP/2: of an extended CONNECT (RFC 8441). */
  readonly protocol?: string | undefined;
  /** HTTP/2: the head was not all. */
  readonly hasBody?: boolean;
}

/** Filled in by `readRequestHead`; for everybody else it is to be read. */
export class RequestHead implements MatchableRequest {
  method = "";
  version: RawRequest["version"] = "HTTP/1.1";
  /** Normalised, without the query. */
  path = "";
  query = "";
  /** The query with its question mark, if there is one. */
  search = "";
  /** The name alone. */
  host = "";
  /** As the client wrote it, maybe with a port. */
  authority = "";
  /** All headers. */
  headers: HeaderList = [];
  /** Those that go on: without what concerns the connection, frames the body or is written anew by the gateway. */
  forwardable: HeaderList = [];
  body: "none" | "stream" | number = "none";
  /** The protocol that the client wants to switch to. */
  upgrade: string | undefined = undefined;
  forwardedFor: string | undefined = undefined;
  requestId: string | undefined = undefined;
  contentType: string | undefined = undefined;
  expectsContinue = false;
  acceptsTrailers = false;

  get isGrpc(): boolean {
    return isGrpcContentType(this.contentType);
  }

  header(name: string): string | undefined {
    const { headers } = this;
    let found: string | undefined;
    for (let index = 0; index < headers.length; index += 2) {
      if (headers[index] !== name) continue;
      const value = headers[index + 1]!;
      found = found === undefined ? value : `${found}${name === "cookie" ? "; " : ", "}${value}`;
    }
    return found;
  }
}

type Special =
  | "host"
  | "length"
  | "coding"
  | "connection"
  | "upgrade"
  | "te"
  | "expect"
  | "forwarded for"
  | "request id"
  | "content type"
  | "cookie"
  | "drop";

/** Headers that mean something to the gateway. `drop`: not for the backend, or only in the gateway's own words. */
const specials: ReadonlyMap<string, Special> = new Map([
  ["host", "host"],
  ["content-length", "length"],
  ["transfer-encoding", "coding"],
  ["connection", "connection"],
  ["upgrade", "upgrade"],
  ["te", "te"],
  ["expect", "expect"],
  ["x-forwarded-for", "forwarded for"],
  ["x-request-id", "request id"],
  ["content-type", "content type"],
  ["cookie", "cookie"],
  ["http2-settings", "drop"],
  ["keep-alive", "drop"],
  ["proxy-connection", "drop"],
  ["trailer", "drop"],
  ["x-forwarded-client-cert", "drop"],
  ["x-forwarded-host", "drop"],
  ["x-forwarded-proto", "drop"],
]);

/** Methods are case-sensitive, and a backend may take `delete` for DELETE, which a rule has kept from it. */
const methodForm = /^[A-Z_-]+$/;

export function readRequestHead(raw: RawRequest, limits: HttpLimits): RequestHead | RefusedRequest {
  const { rawHeaders } = raw;
  if (raw.target.length > limits.maxTargetBytes) return { status: 414, reason: "the URL is too long" };
  if (rawHeaders.length > limits.maxHeaders * 2) return { status: 431, reason: "too many headers" };

  // llhttp has refused these already in HTTP/1.1; nghttp2 leaves them out, or to us.
  const isChecked = raw.version !== "HTTP/2.0";
  if (!isChecked && !methodForm.test(raw.method)) return refused("the method is malformed");
  const request = new RequestHead();
  const { headers, forwardable } = request;
  let hostGiven: string | undefined;
  let length: string | undefined;
  let coding: string | undefined;
  let connection: string | undefined;
  let upgrade: string | undefined;
  let te: string | undefined;
  let expect: string | undefined;
  let cookieAt = -1;

  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    const value = rawHeaders[index + 1]!;
    if (!isChecked) {
      if (!isFieldValue(value)) return refused("a header has a control character");
      // RFC 9113 8.2.1
      if (hasBlankAround(value)) return refused("a header has a blank around its value");
    }
    const special = specials.get(name);
    if (special === undefined) {
      if (!isChecked && !isFieldName(name)) return refused("a header has a malformed name");
      headers.push(name, value);
      forwardable.push(name, value);
      continue;
    }
    if (special !== "cookie") headers.push(name, value);
    switch (special) {
      case "host":
        if (hostGiven !== undefined) return refused("there is more than one Host header");
        hostGiven = value;
        break;
      case "length":
        if (length !== undefined) return refused("there is more than one Content-Length");
        length = value;
        break;
      case "coding":
        if (coding !== undefined) return refused("there is more than one Transfer-Encoding");
        coding = value;
        break;
      case "connection":
        connection = connection === undefined ? value : `${connection},${value}`;
        break;
      case "upgrade":
        upgrade = upgrade === undefined ? value : `${upgrade}, ${value}`;
        break;
      case "te":
        te = te === undefined ? value : `${te},${value}`;
        break;
      case "expect":
        expect = value;
        break;
      case "forwarded for":
        request.forwardedFor =
          request.forwardedFor === undefined ? value : `${request.forwardedFor}, ${value}`;
        break;
      case "request id":
        request.requestId ??= value;
        break;
      case "content type":
        request.contentType ??= value;
        forwardable.push(name, value);
        break;
      case "cookie":
        // HTTP/2 may send a cookie in pieces; HTTP/1.1 must not (RFC 9113 8.2.3).
        if (cookieAt < 0) {
          headers.push(name, value);
          forwardable.push(name, value);
          cookieAt = forwardable.length - 1;
        } else {
          const joined = `${forwardable[cookieAt]!}; ${value}`;
          forwardable[cookieAt] = joined;
          headers[headers.indexOf("cookie") + 1] = joined;
        }
        break;
      case "drop":
        break;
    }
  }

  const target = normalizePath(raw.target);
  if ("refused" in target) return refused(target.refused);
  if (raw.version === "HTTP/2.0" && target.authority !== undefined) return refused("the path is a URL");
  if (raw.authority !== undefined && hostGiven !== undefined && raw.authority !== hostGiven) {
    return refused("Host and :authority differ");
  }
  const authority = target.authority ?? raw.authority ?? hostGiven;
  if (authority === undefined) return refused("there is no Host header");
  const host = normalizeHost(authority);
  if (host === undefined) return refused("the Host header is malformed");
  if (hostGiven === undefined) headers.push("host", authority);

  const body = bodyOf(raw, length, coding);
  if (typeof body === "object") return body;

  request.method = raw.method;
  request.version = raw.version;
  request.path = target.path;
  request.query = target.query;
  request.search = target.search;
  request.host = host;
  request.authority = authority;
  request.body = body;
  request.expectsContinue = expect !== undefined && expect.toLowerCase() === "100-continue";
  request.acceptsTrailers = te !== undefined && listedTokens(te).includes("trailers");
  request.upgrade = raw.protocol;
  if (connection !== undefined && connection !== "keep-alive") {
    const tokens = listedTokens(connection);
    request.forwardable = withoutNamed(forwardable, tokens);
    // A backend that took up another protocol, HTTP/2 above all, would speak it past the rules.
    const isWebSocket = upgrade !== undefined && listedTokens(upgrade).includes("websocket");
    if (isWebSocket && tokens.includes("upgrade")) request.upgrade = "websocket";
  }
  return request;
}

function hasBlankAround(value: string): boolean {
  return isBlank(value.charCodeAt(0)) || isBlank(value.charCodeAt(value.length - 1));
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function bodyOf(
  raw: RawRequest,
  length: string | undefined,
  coding: string | undefined,
): "none" | "stream" | number | RefusedRequest {
  if (raw.version === "HTTP/2.0") {
    if (raw.protocol !== undefined) return "none";
    if (!raw.hasBody) return length === undefined && !expectsBody(raw.method) ? "none" : 0;
    return length === undefined ? "stream" : Number(length);
  }
  if (coding !== undefined) {
    // Node takes some of these; no two servers agree on them.
    if (length !== undefined) return refused("there is both a Content-Length and a Transfer-Encoding");
    if (raw.version === "HTTP/1.0") return refused("HTTP/1.0 has no Transfer-Encoding");
    if (coding.toLowerCase() !== "chunked") {
      return { status: 501, reason: "the only Transfer-Encoding understood is chunked" };
    }
    return "stream";
  }
  if (length === undefined) return expectsBody(raw.method) ? 0 : "none";
  return /^[0-9]{1,15}$/.test(length) ? Number(length) : refused("the Content-Length is malformed");
}

/** Methods for which an empty body is said with `content-length: 0` (RFC 9110 8.6). */
function expectsBody(method: string): boolean {
  return method === "POST" || method === "PUT" || method === "PATCH";
}

/** A client may name any header here, but not those that the gateway's own decisions rest on. */
function withoutNamed(list: HeaderList, names: readonly string[]): HeaderList {
  const kept: HeaderList = [];
  for (let index = 0; index < list.length; index += 2) {
    if (!names.includes(list[index]!)) kept.push(list[index]!, list[index + 1]!);
  }
  return kept;
}

function refused(reason: string): RefusedRequest {
  return { status: 400, reason };
}
