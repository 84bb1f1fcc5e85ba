import type http2 from "node:http2";
import { constants } from "node:http2";
import { connectionFields } from "./response-parser.ts";
import { isFieldValue } from "./field-lines.ts";
import type { HeaderList, UpstreamCall, UpstreamHandler, UpstreamRequest } from "./upstream-call.ts";
import { UpstreamError } from "./upstream-error.ts";

/** One request as a stream of an HTTP/2 session. What comes before the session is open waits here. */
export class Http2Call implements UpstreamCall {
  readonly #request: UpstreamRequest;
  readonly #idleTimeout: number;
  readonly #onOver: () => void;
  #handler: UpstreamHandler | undefined;
  #stream: http2.ClientHttp2Stream | undefined;
  #waiting: Buffer[] | undefined;
  #ended: boolean;
  #trailersToSend: HeaderList | undefined;
  #answered = false;
  #trailers: HeaderList | undefined;

  /** `onOver` is called once, when the call needs its stream no more. */
  constructor(
    request: UpstreamRequest,
    handler: UpstreamHandler,
    options: { readonly idleTimeout: number; readonly onOver: () => void },
  ) {
    this.#request = request;
    this.#handler = handler;
    this.#idleTimeout = options.idleTimeout;
    this.#onOver = options.onOver;
    this.#ended = request.body === "none" || request.body === 0;
  }

  get aborted(): boolean {
    return this.#handler === undefined;
  }

  get pendingBytes(): number {
    let bytes = this.#stream?.writableLength ?? 0;
    if (this.#waiting) for (const chunk of this.#waiting) bytes += chunk.length;
    return bytes;
  }

  /** The session is open. */
  send(session: http2.ClientHttp2Session): void {
    let stream: http2.ClientHttp2Stream;
    const hasBody = this.#request.body !== "none" && this.#request.body !== 0;
    try {
      stream = session.request(renderHeaders(this.#request), {
        endStream: !hasBody,
        waitForTrailers: this.#request.body === "stream",
      });
    } catch (error) {
      this.fail(new UpstreamError("reset", String(error), { unprocessed: true, cause: error }));
      return;
    }
    this.#stream = stream;
    this.#listen(stream);
    if (this.#waiting) {
      for (const chunk of this.#waiting) stream.write(chunk);
      this.#waiting = undefined;
      if (!this.#ended) this.#handler?.onDrain();
    }
    if (hasBody && this.#ended) stream.end();
  }

  fail(error: UpstreamError): void {
    const handler = this.#finish();
    this.#stream?.close(constants.NGHTTP2_CANCEL);
    handler?.onError(error);
  }

  write(chunk: Buffer): boolean {
    if (this.#ended || this.aborted) return true;
    if (this.#stream) return this.#stream.write(chunk);
    (this.#waiting ??= []).push(chunk);
    return false;
  }

  end(trailers?: HeaderList): void {
    if (this.#ended || this.aborted) return;
    this.#ended = true;
    this.#trailersToSend = trailers;
    this.#stream?.end();
  }

  pause(): void {
    this.#stream?.pause();
  }

  resume(): void {
    this.#stream?.resume();
  }

  abort(): void {
    if (this.#finish()) this.#stream?.close(constants.NGHTTP2_CANCEL);
  }

  #listen(stream: http2.ClientHttp2Stream): void {
    stream.setTimeout(this.#idleTimeout, () => {
      if (this.#handler?.endures !== true) {
        this.fail(new UpstreamError("timeout", "the backend was silent for too long"));
      }
    });
    stream.on("wantTrailers", () => {
      const trailers = this.#trailersToSend;
      stream.sendTrailers(trailers ? headerObject(trailers) : {});
    });
    stream.on("continue", () => this.#handler?.onInformational(100, []));
    stream.on("headers", (headers) => {
      const status = Number(headers[":status"]);
      if (status !== 100) this.#handler?.onInformational(status, headerList(headers));
    });
    stream.on("response", (headers, flags) => this.#onResponse(headers, flags));
    stream.on("data", (chunk: Buffer) => this.#handler?.onData(chunk, false));
    stream.on("trailers", (headers) => (this.#trailers = headerList(headers)));
    stream.on("drain", () => this.#handler?.onDrain());
    stream.on("end", () => {
      if (this.#answered) this.#finish()?.onEnd(this.#trailers);
    });
    stream.on("error", (error) => this.#onBroken(error));
    stream.on("close", () => this.#onBroken());
  }

  #onResponse(headers: http2.IncomingHttpHeaders, flags: number): void {
    const list = headerList(headers);
    for (let index = 1; index < list.length; index += 2) {
      if (!isFieldValue(list[index]!)) {
        this.fail(
          new UpstreamError("protocol", "the backend's answer has a header with a control character"),
        );
        return;
      }
    }
    this.#answered = true;
    const status = Number(headers[":status"]);
    const isWhole = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    const hasNone = isWhole || this.#request.method === "HEAD" || status === 204 || status === 304;
    this.#handler?.onHead(status, list, hasNone ? "none" : "stream");
  }

  #onBroken(cause?: Error): void {
    const handler = this.#finish();
    if (!handler) return;
    const code = this.#stream?.rstCode ?? 0;
    const refused = code === constants.NGHTTP2_REFUSED_STREAM;
    const isProtocol =
      code === constants.NGHTTP2_PROTOCOL_ERROR ||
      (cause as { code?: string } | undefined)?.code === "ERR_HTTP2_ERROR";
    handler.onError(
      new UpstreamError(
        isProtocol ? "protocol" : "reset",
        cause?.message ?? `the backend reset the stream (${code})`,
        {
          unprocessed: refused,
          cause,
        },
      ),
    );
  }

  #finish(): UpstreamHandler | undefined {
    const handler = this.#handler;
    if (!handler) return undefined;
    this.#handler = undefined;
    this.#onOver();
    return handler;
  }
}

function renderHeaders(request: UpstreamRequest): http2.OutgoingHttpHeaders {
  const headers = headerObject(request.headers);
  headers[":method"] = request.method;
  headers[":scheme"] = request.scheme;
  headers[":authority"] = request.authority;
  headers[":path"] = request.path;
  if (typeof request.body === "number") headers["content-length"] = String(request.body);
  return headers;
}

export function headerObject(list: HeaderList): http2.OutgoingHttpHeaders {
  const headers = Object.create(null) as http2.OutgoingHttpHeaders;
  for (let index = 0; index < list.length; index += 2) {
    const name = list[index]!;
    const value = list[index + 1]!;
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else if (singleValued.has(name)) continue;
    else if (Array.isArray(before)) before.push(value);
    else headers[name] = [before as string, value];
  }
  return headers;
}

function headerList(headers: http2.IncomingHttpHeaders): HeaderList {
  const list: HeaderList = [];
  for (const name of Object.keys(headers)) {
    if (name.charCodeAt(0) === 0x3a || connectionFields.has(name)) continue;
    const value = headers[name];
    if (Array.isArray(value)) for (const one of value) list.push(name, one);
    else if (value !== undefined) list.push(name, value);
  }
  return list;
}

/** Those of which Node's HTTP/2 refuses to send two; the first counts. */
const singleValued: ReadonlySet<string> = new Set([
  "access-control-allow-credentials",
  "access-control-max-age",
  "access-control-request-method",
  "age",
  "authorization",
  "content-encoding",
  "content-language",
  "content-length",
  "content-location",
  "content-md5",
  "content-range",
  "content-type",
  "date",
  "dnt",
  "etag",
  "expires",
  "from",
  "host",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "if-unmodified-since",
  "last-modified",
  "location",
  "max-forwards",
  "proxy-authorization",
  "range",
  "referer",
  "retry-after",
  "tk",
  "upgrade-insecure-requests",
  "user-agent",
  "x-content-type-options",
]);
