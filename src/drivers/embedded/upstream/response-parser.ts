/*
 * Reads the answers of an HTTP/1.1 backend from a connection, strictly: what could be understood in two ways is refused,
 * so that no byte of one answer can be taken for part of another.
 *
 * Per request: `begin`, then `push` for every piece that arrives until `done`, and `finish` if the connection ends. Heads of
 * interim answers (1xx) come first, in any number up to a limit. Which body follows is decided by RFC 9112 6.3:
 * none after HEAD, 204 and 304; then Transfer-Encoding, which must be exactly `chunked` and excludes Content-Length; then
 * Content-Length; else everything until the connection ends.
 *
 * Invariant: after `done`, not one more byte is accepted before the next `begin`.
 */
import { connectionHeaders } from "../../../model/index.ts";
import { ChunkedDecoder } from "./chunked-decoder.ts";
import { listedTokens, readFieldLines } from "./field-lines.ts";
import type { AnswerBody, HeaderList } from "./upstream-call.ts";

export interface ResponseEvents {
  onInformational(status: number, headers: HeaderList): void;
  onHead(status: number, headers: HeaderList, body: AnswerBody): void;
  onData(chunk: Buffer, isLast: boolean): void;
  /** The rest of the connection belongs to the tunnel. */
  onSwitch(headers: HeaderList, first: Buffer): void;
}

const idle = 0;
const head = 1;
const length = 2;
const chunked = 3;
const untilEnd = 4;
const complete = 5;
const switched = 6;

const endOfHead = Buffer.from("\r\n\r\n");
const startOfHead = "HTTP/1.";
const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const nothing = Buffer.alloc(0);
const mostInterimAnswers = 32;

/** About the connection, not the answer (RFC 9110 7.6.1), and Trailer, which is only a hint and may not go everywhere. */
export const connectionFields: ReadonlySet<string> = new Set(connectionHeaders);

export class ResponseParser {
  readonly #events: ResponseEvents;
  readonly #maxHeadBytes: number;
  readonly #chunks: ChunkedDecoder;
  readonly #onData: (chunk: Buffer) => void;
  #state = idle;
  #partial: Buffer = nothing;
  #left = 0;
  #interimAnswers = 0;
  #toHead = false;
  #mayUpgrade = false;
  /** Whether the connection may serve another request, once `done`. */
  keepAlive = false;
  /** What the backend says in Keep-Alive, ms; 0: nothing. */
  keepAliveTimeout = 0;
  trailers: HeaderList | undefined;

  constructor(events: ResponseEvents, maxHeadBytes: number) {
    this.#events = events;
    this.#maxHeadBytes = maxHeadBytes;
    this.#chunks = new ChunkedDecoder(maxHeadBytes);
    this.#onData = (chunk) => this.#events.onData(chunk, false);
  }

  get done(): boolean {
    return this.#state === complete;
  }

  get switched(): boolean {
    return this.#state === switched;
  }

  begin(method: string, mayUpgrade: boolean): void {
    this.#state = head;
    this.#partial = nothing;
    this.#interimAnswers = 0;
    this.#toHead = method === "HEAD";
    this.#mayUpgrade = mayUpgrade;
    this.keepAlive = false;
    this.trailers = undefined;
  }

  /** What is wrong with the answer, or `undefined`. */
  push(bytes: Buffer): string | undefined {
    let at = 0;
    while (at < bytes.length) {
      switch (this.#state) {
        case head: {
          if (this.#partial.length > 0) {
            const before = this.#partial.length;
            bytes = Buffer.concat([this.#partial, bytes.subarray(at)]);
            at = 0;
            this.#partial = nothing;
            const end = bytes.indexOf(endOfHead, Math.max(0, before - 3));
            if (end < 0) return this.#keep(bytes, 0, before);
            const problem = this.#readHead(bytes, 0, end);
            if (problem !== undefined) return problem;
            at = end + 4;
          } else {
            const end = bytes.indexOf(endOfHead, at);
            if (end < 0) return this.#keep(bytes, at, at);
            const problem = this.#readHead(bytes, at, end);
            if (problem !== undefined) return problem;
            at = end + 4;
          }
          if (this.switched) {
            this.#events.onSwitch(this.#switchHeaders, bytes.subarray(at));
            return undefined;
          }
          break;
        }
        case length: {
          const end = Math.min(bytes.length, at + this.#left);
          this.#left -= end - at;
          const chunk = at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end);
          at = end;
          if (this.#left === 0) this.#state = complete;
          this.#events.onData(chunk, this.#left === 0 && at === bytes.length);
          break;
        }
        case chunked: {
          const next = this.#chunks.push(bytes, at, this.#onData);
          if (typeof next === "string") return next;
          at = next;
          if (this.#chunks.done) {
            this.trailers = this.#chunks.trailers;
            this.#state = complete;
          }
          break;
        }
        case untilEnd:
          this.#events.onData(at === 0 ? bytes : bytes.subarray(at), false);
          return undefined;
        default:
          // What stands behind a whole answer belongs to none: it goes, and the connection with it.
          this.keepAlive = false;
          return undefined;
      }
    }
    return undefined;
  }

  /** The connection ended. True: that was the end of the answer too. */
  finish(): boolean {
    if (this.#state === untilEnd) this.#state = complete;
    return this.#state === complete;
  }

  /** The head from `at` on is not whole yet. Up to `seen` it has been looked at. */
  #keep(bytes: Buffer, at: number, seen: number): string | undefined {
    if (bytes.length - at > this.#maxHeadBytes) return "a head that is too long";
    // Nobody should have to wait for the end of what can only be refused, all the more as it may never come.
    const start = bytes.toString("latin1", at, at + startOfHead.length);
    if (!startOfHead.startsWith(start)) return "a status line that is not HTTP/1";
    for (let lf = bytes.indexOf(lineFeed, seen); lf >= 0; lf = bytes.indexOf(lineFeed, lf + 1)) {
      if (lf === at || bytes[lf - 1] !== carriageReturn) return "a line that ends without CR";
    }
    // A copy: the piece may be a view of something much larger.
    this.#partial = Buffer.from(bytes.subarray(at));
    return undefined;
  }

  #switchHeaders: HeaderList = [];

  #readHead(bytes: Buffer, at: number, end: number): string | undefined {
    if (end - at > this.#maxHeadBytes) return "a head that is too long";
    const text = bytes.toString("latin1", at, end);
    const isVersion1 = text.startsWith("HTTP/1.1 ");
    if (!isVersion1 && !text.startsWith("HTTP/1.0 ")) return "a status line that is not HTTP/1";
    const status = statusOf(text);
    const firstFeed = text.indexOf("\n");
    if (firstFeed >= 0 && text.charCodeAt(firstFeed - 1) !== carriageReturn) return "a malformed status line";
    const lineEnd = firstFeed < 0 ? text.length : firstFeed - 1;
    const afterStatus = text.charCodeAt(12);
    if (status < 100 || (lineEnd > 12 && afterStatus !== 0x20)) return "a malformed status line";
    if (lineEnd < 12) return "a malformed status line";

    const fields: HeaderList = [];
    const problem = readFieldLines(text, lineEnd + 2, fields);
    if (problem !== undefined) return problem;
    return this.#judgeHead(status, fields, isVersion1);
  }

  #judgeHead(status: number, fields: HeaderList, isVersion1: boolean): string | undefined {
    let lengthGiven: string | undefined;
    let coding: string | undefined;
    let connection: string | undefined;
    let upgrade: string | undefined;
    let connectionOnly = 0;
    this.keepAliveTimeout = 0;
    for (let index = 0; index < fields.length; index += 2) {
      const value = fields[index + 1]!;
      switch (fields[index]) {
        case "content-length":
          if (lengthGiven !== undefined && lengthGiven !== value) return "two lengths";
          if (lengthGiven === value) connectionOnly++;
          lengthGiven = value;
          break;
        case "transfer-encoding":
          coding = coding === undefined ? value : `${coding},${value}`;
          connectionOnly++;
          break;
        case "connection":
          connection = connection === undefined ? value : `${connection},${value}`;
          connectionOnly++;
          break;
        case "keep-alive":
          this.keepAliveTimeout = keepAliveTimeoutOf(value);
          connectionOnly++;
          break;
        case "upgrade":
          upgrade = value;
          connectionOnly++;
          break;
        case "http2-settings":
        case "proxy-connection":
        case "te":
        case "trailer":
          connectionOnly++;
          break;
      }
    }
    if (lengthGiven !== undefined && !/^[0-9]{1,15}$/.test(lengthGiven)) return "a malformed length";
    if (coding !== undefined) {
      if (lengthGiven !== undefined) return "a length and a transfer coding";
      if (!isVersion1) return "a transfer coding in HTTP/1.0";
      if (coding.toLowerCase() !== "chunked") return "an unknown transfer coding";
    }

    const tokens = connection === undefined ? undefined : listedTokens(connection);
    // RFC 9110 8.6: neither of these has a length.
    const dropsLength = status < 200 || status === 204;
    const headers =
      connectionOnly > 0 || dropsLength ? withoutConnectionFields(fields, tokens, dropsLength) : fields;

    if (status < 200) {
      if (status === 101) return this.#judgeSwitch(headers, upgrade);
      if (++this.#interimAnswers > mostInterimAnswers) return "too many interim answers";
      this.#events.onInformational(status, headers);
      return undefined;
    }

    this.keepAlive = isVersion1 && !tokens?.includes("close");
    if (this.#toHead || status === 204 || status === 304) {
      this.#state = complete;
      this.#events.onHead(status, headers, "none");
    } else if (coding !== undefined) {
      this.#chunks.reset();
      this.#state = chunked;
      this.#events.onHead(status, headers, "stream");
    } else if (lengthGiven !== undefined) {
      this.#left = Number(lengthGiven);
      this.#state = this.#left === 0 ? complete : length;
      this.#events.onHead(status, headers, this.#left === 0 ? "none" : "length");
    } else {
      this.keepAlive = false;
      this.#state = untilEnd;
      this.#events.onHead(status, headers, "stream");
    }
    return undefined;
  }

  #judgeSwitch(headers: HeaderList, upgrade: string | undefined): string | undefined {
    if (!this.#mayUpgrade || upgrade === undefined) return "a switch of protocols that nobody asked for";
    headers.push("upgrade", upgrade);
    this.#switchHeaders = headers;
    this.#state = switched;
    return undefined;
  }
}

/** `HTTP/1.1 200`: the three digits, or -1. */
function statusOf(text: string): number {
  let status = 0;
  for (let index = 9; index < 12; index++) {
    const digit = text.charCodeAt(index) - 0x30;
    if (!(digit >= 0 && digit <= 9)) return -1;
    status = status * 10 + digit;
  }
  return status;
}

function keepAliveTimeoutOf(value: string): number {
  const seconds = /(?:^|[,\s])timeout=([0-9]{1,6})/i.exec(value)?.[1];
  return seconds === undefined ? 0 : Number(seconds) * 1000;
}

function withoutConnectionFields(
  fields: HeaderList,
  tokens: readonly string[] | undefined,
  dropLength: boolean,
): HeaderList {
  const kept: HeaderList = [];
  let hasLength = dropLength;
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index]!;
    if (connectionFields.has(name) || tokens?.includes(name)) continue;
    if (name === "content-length") {
      if (hasLength) continue;
      hasLength = true;
    }
    kept.push(name, fields[index + 1]!);
  }
  return kept;
}
