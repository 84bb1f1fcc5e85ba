/**
 * Reads one answer of HTTP/1.1 as it arrives. What its body is, is decided by RFC 9112 6.3: none after 204 and 304; then
 * Transfer-Encoding, which must be `chunked`; then Content-Length; else all until the connection ends.
 *
 * What cannot be understood is thrown: nothing on the connection is worth anything then.
 */
import { answerTooLarge, largestBody, wholeOf } from "./answer-text.ts";
import type { WholeAnswer } from "./exchange.ts";

const endOfHead = Buffer.from("\r\n\r\n");
const longestHead = 64 << 10;
const longestLine = 4 << 10;
const lineFeed = 10;

type State =
  "head" | "length" | "chunk size" | "chunk" | "end of chunk" | "trailers" | "until the end" | "done";

export class Http1Answer {
  #state: State = "head";
  #status = 0;
  #headers: Record<string, string> = {};
  #partial: Buffer = Buffer.alloc(0);
  #line = "";
  #left = 0;
  #size = 0;
  readonly #body: Buffer[] = [];

  /** Whether the connection may be asked again, once there is an answer. */
  get canGoOn(): boolean {
    return this.#state === "done" && !/\bclose\b/i.test(this.#headers["connection"] ?? "");
  }

  /** The answer, once all of it is there. */
  push(bytes: Buffer): WholeAnswer | undefined {
    let rest = bytes;
    while (rest.length > 0) {
      if (this.#state === "done") throw new Error("the API server sent more than its answer");
      rest = this.#take(rest);
    }
    return this.#state === "done" ? this.#whole() : undefined;
  }

  /** The connection has ended. */
  end(): WholeAnswer | undefined {
    return this.#state === "until the end" || this.#state === "done" ? this.#whole() : undefined;
  }

  /** What is left of the bytes. */
  #take(bytes: Buffer): Buffer {
    switch (this.#state) {
      case "head":
        return this.#takeHead(bytes);
      case "length":
        return this.#takeBody(bytes, "done");
      case "chunk":
        return this.#takeBody(bytes, "end of chunk");
      case "until the end":
        this.#left = bytes.length;
        return this.#takeBody(bytes, "until the end");
      default:
        return this.#takeLine(bytes);
    }
  }

  #takeHead(bytes: Buffer): Buffer {
    const all = this.#partial.length > 0 ? Buffer.concat([this.#partial, bytes]) : bytes;
    const end = all.indexOf(endOfHead);
    if ((end < 0 ? all.length : end) > longestHead)
      throw new Error("the head of the API server's answer is too long");
    if (end < 0) {
      this.#partial = all;
      return all.subarray(all.length);
    }
    this.#partial = Buffer.alloc(0);
    this.#readHead(all.toString("latin1", 0, end));
    return all.subarray(end + endOfHead.length);
  }

  #readHead(text: string): void {
    const [first = "", ...lines] = text.split("\r\n");
    const [, status] = /^HTTP\/1\.[01] ([1-9]\d\d)(?: |$)/.exec(first) ?? [];
    if (status === undefined) throw new Error("the API server's answer is not HTTP/1.1");
    this.#status = Number(status);
    this.#headers = {};
    for (const line of lines) {
      const colon = line.indexOf(":");
      if (colon <= 0) throw new Error("the API server's answer has a header without a name");
      const name = line.slice(0, colon).toLowerCase();
      const value = line.slice(colon + 1).trim();
      const before = this.#headers[name];
      this.#headers[name] = before === undefined ? value : `${before}, ${value}`;
    }
    this.#state = this.#isInterim() ? "head" : this.#stateOfBody();
  }

  #isInterim(): boolean {
    if (this.#status === 101) throw new Error("the API server changed the protocol");
    return this.#status < 200;
  }

  #stateOfBody(): State {
    if (this.#status === 204 || this.#status === 304) return "done";
    const { "transfer-encoding": coding, "content-length": length } = this.#headers;
    if (coding !== undefined) {
      if (coding.toLowerCase() !== "chunked" || length !== undefined)
        throw new Error("the API server's answer has a body of unknown length");
      return "chunk size";
    }
    if (length === undefined) return "until the end";
    if (!/^\d{1,15}$/.test(length)) throw new Error("the length of the API server's answer is not a number");
    this.#left = Number(length);
    return this.#left === 0 ? "done" : "length";
  }

  #takeBody(bytes: Buffer, next: State): Buffer {
    const count = Math.min(this.#left, bytes.length);
    this.#size += count;
    if (this.#size > largestBody) throw answerTooLarge();
    this.#body.push(count === bytes.length ? bytes : bytes.subarray(0, count));
    this.#left -= count;
    if (this.#left === 0) this.#state = next;
    return bytes.subarray(count);
  }

  #takeLine(bytes: Buffer): Buffer {
    const end = bytes.indexOf(lineFeed);
    this.#line += bytes.toString("latin1", 0, end < 0 ? bytes.length : end);
    if (this.#line.length > longestLine)
      throw new Error("a chunk of the API server's answer has too long a head");
    if (end < 0) return bytes.subarray(bytes.length);
    const line = this.#line.replace(/\r$/, "");
    this.#line = "";
    this.#readLine(line);
    return bytes.subarray(end + 1);
  }

  #readLine(line: string): void {
    if (this.#state === "trailers") {
      if (line === "") this.#state = "done";
    } else if (this.#state === "end of chunk") {
      if (line !== "") throw new Error("a chunk of the API server's answer is longer than it says");
      this.#state = "chunk size";
    } else {
      const [, size] = /^([0-9a-f]{1,8})[ \t]*(?:;|$)/i.exec(line) ?? [];
      if (size === undefined) throw new Error("a chunk of the API server's answer has no size");
      this.#left = Number.parseInt(size, 16);
      this.#state = this.#left === 0 ? "trailers" : "chunk";
    }
  }

  #whole(): WholeAnswer {
    return { status: this.#status, headers: this.#headers, bytes: wholeOf(this.#body) };
  }
}
