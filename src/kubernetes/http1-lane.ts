/**
 * A connection for writes, one after the other, beside those of HTTP/2: a request costs the process half of what it costs by Node's HTTP/2, and a controller
 * writes a status for every change.
 *
 * A lane is idle, or asks, or has ended; whatever goes wrong ends it. There is no other use of it than by `ask` while it is idle.
 */
import type { TLSSocket } from "node:tls";
import type { WholeAnswer, WireRequest } from "./exchange.ts";
import { Http1Answer } from "./http1-answer.ts";

/** ms: a server that closes what nobody uses does so later. */
const longestIdle = 30_000;

interface Asking {
  readonly answer: Http1Answer;
  readonly end: (error: Error | undefined, whole?: WholeAnswer) => void;
}

export class Http1Lane {
  readonly #socket: TLSSocket;
  readonly #host: string;
  readonly #onEnd: (lane: Http1Lane) => void;
  #asking: Asking | undefined;
  #idleSince = performance.now();
  #isLast = false;
  #hasEnded = false;

  constructor(socket: TLSSocket, host: string, onEnd: (lane: Http1Lane) => void) {
    this.#socket = socket;
    this.#host = host;
    this.#onEnd = onEnd;
    socket.on("data", (bytes: Buffer) => this.#receive(bytes));
    socket.on("error", (error) => this.#end(error));
    socket.on("end", () => this.#end());
    socket.on("close", () => this.#end());
  }

  /** False for good: it has ended, or nobody has used it for so long that the server may be about to close it. */
  get isUsable(): boolean {
    return (
      !this.#hasEnded && (this.#asking !== undefined || performance.now() - this.#idleSince < longestIdle)
    );
  }

  get isIdle(): boolean {
    return this.#asking === undefined;
  }

  ask({ method, path, headers, body, signal }: WireRequest): Promise<WholeAnswer> {
    return new Promise((resolve, reject) => {
      const text = requestText({ method, path, headers: { host: this.#host, ...headers }, body });
      const abort = () => this.#end(signal.reason as Error);
      signal.addEventListener("abort", abort, { once: true });
      this.#asking = {
        answer: new Http1Answer(),
        end: (error, whole) => {
          signal.removeEventListener("abort", abort);
          this.#asking = undefined;
          this.#idleSince = performance.now();
          if (whole) resolve(whole);
          else reject(error ?? new Error("the connection was closed"));
        },
      };
      this.#socket.write(text);
    });
  }

  /** Ends with the request that is under way. */
  retire(): void {
    this.#isLast = true;
    if (this.isIdle) this.#end();
  }

  close(): void {
    this.#end();
  }

  #receive(bytes: Buffer): void {
    const asking = this.#asking;
    if (!asking) {
      this.#end(new Error("the API server answers what nobody asked"));
      return;
    }
    try {
      const whole = asking.answer.push(bytes);
      if (!whole) return;
      asking.end(undefined, whole);
      if (this.#isLast || !asking.answer.canGoOn) this.#end();
    } catch (error) {
      this.#end(error as Error);
    }
  }

  #end(error?: Error): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd(this);
    this.#asking?.end(error, error ? undefined : this.#asking.answer.end());
    this.#socket.destroy();
  }
}

function requestText({ method, path, headers, body }: Omit<WireRequest, "isLong" | "signal">): string {
  const lines = [`${method} ${path} HTTP/1.1`];
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : [value]) lines.push(`${name}: ${one}`);
  }
  if (body !== undefined) lines.push(`content-length: ${Buffer.byteLength(body)}`);
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}
