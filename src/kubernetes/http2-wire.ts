/**
 * One HTTP/2 connection. The caller takes a place by `reserve` first; the server says how many streams it takes.
 *
 * A connection can die without a word (a firewall forgot it, a machine lost its power). So the server is pinged, and
 * a connection that does not answer is cut, which ends all its streams.
 */
import {
  connect as connectHttp2,
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
} from "node:http2";
import type { TLSSocket } from "node:tls";
import type { Wire, WireAnswer, WireRequest } from "./exchange.ts";

/** Large lists come in a few rounds instead of hundreds. */
const streamWindow = 1 << 20;
const connectionWindow = 16 << 20;
const mostStreams = 1_000;

export interface Http2WireOptions {
  readonly origin: string;
  readonly pingEvery: number;
  /** The connection takes no more requests. */
  readonly onEnd: () => void;
}

export class Http2Wire implements Wire {
  readonly #session: ClientHttp2Session;
  #streams = 0;
  #pings: NodeJS.Timeout;
  #isAnswered = true;

  constructor(socket: TLSSocket, { origin, pingEvery, onEnd }: Http2WireOptions) {
    const session = connectHttp2(origin, {
      createConnection: () => socket,
      settings: { initialWindowSize: streamWindow, enablePush: false },
    });
    this.#session = session;
    session.setLocalWindowSize(connectionWindow);
    // What goes wrong here goes wrong on every stream as well, and is told there.
    session.on("error", () => undefined);
    session.on("goaway", onEnd);
    session.on("close", () => {
      clearInterval(this.#pings);
      onEnd();
    });
    this.#pings = setInterval(() => this.#ping(), pingEvery).unref();
  }

  /** Resolves when the server has said what it takes. */
  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error("the connection ended before the server said anything"));
      this.#session.once("remoteSettings", () => {
        this.#session.off("close", ended);
        resolve();
      });
      this.#session.once("close", ended);
    });
  }

  /** Takes a place for one `exchange`, which must follow. */
  reserve(): boolean {
    if (this.#session.closed || this.#session.destroyed) return false;
    const most = this.#session.remoteSettings.maxConcurrentStreams ?? 100;
    if (this.#streams >= Math.min(most, mostStreams)) return false;
    this.#streams++;
    return true;
  }

  exchange({ method, path, headers, body, signal }: WireRequest): Promise<WireAnswer> {
    return new Promise((resolve, reject) => {
      if (signal.aborted || this.#session.destroyed) {
        this.#streams--;
        reject(signal.aborted ? (signal.reason as Error) : untouched("the connection was closed"));
        return;
      }
      const stream = this.#session.request(
        { ":method": method, ":path": path, ...headers },
        { endStream: body === undefined },
      );
      const abort = () => stream.close(constants.NGHTTP2_CANCEL);
      signal.addEventListener("abort", abort, { once: true });
      let failure: Error | undefined;
      stream.on("error", (error: Error) => {
        failure = error;
      });
      stream.once("close", () => {
        this.#streams--;
        signal.removeEventListener("abort", abort);
        reject(signal.aborted ? (signal.reason as Error) : (failure ?? closedEarly(stream)));
      });
      stream.once("response", (answer) =>
        resolve({
          status: answer[":status"] ?? 0,
          headers: answer,
          body: stream,
          isWhole: () => !stream.aborted && failure === undefined && stream.rstCode === 0,
        }),
      );
      if (body !== undefined) stream.end(body);
    });
  }

  /** Takes no more; ends with its last stream. */
  retire(): void {
    this.#session.close();
  }

  close(): void {
    clearInterval(this.#pings);
    this.#session.destroy();
  }

  #ping(): void {
    const session = this.#session;
    if (session.destroyed) return;
    if (!this.#isAnswered) {
      session.destroy(new Error("the API server does not answer on this connection any more"));
      return;
    }
    this.#isAnswered = false;
    session.ping((error) => {
      if (!error) this.#isAnswered = true;
    });
  }
}

function closedEarly({ rstCode }: ClientHttp2Stream): Error {
  if (rstCode !== constants.NGHTTP2_REFUSED_STREAM) return new Error("the connection was closed");
  return untouched("the API server takes no more streams on this connection");
}

/** The server has not looked at the request, so it may be sent again whatever it was. */
function untouched(message: string): Error {
  return Object.assign(new Error(message), { isUntouched: true });
}
