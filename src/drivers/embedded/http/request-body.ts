/*
 * A request's body on its way from the client to whoever wants it. It flows at the pace of the slowest: the backend's
 * call. A copy of its beginning is kept while that is short, so that another try can begin from the start.
 *
 * State: `kept`, all chunks since the beginning, until they are more than the limit or not needed any more; the sink that
 * gets what comes; taps (mirrors), which get everything and never slow it down.
 * Invariant: without a sink nothing is lost: chunks go to `kept` and the client is made to wait.
 */
import type { HeaderList } from "../upstream/index.ts";
import type { Exchange } from "./exchange.ts";
import { withoutDecided } from "./trailers.ts";

export interface BodySink {
  write(chunk: Buffer): boolean;
  end(trailers?: HeaderList): void;
}

export class RequestBody {
  readonly #exchange: Exchange;
  readonly #limit: number;
  readonly #most: number;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #started = false;
  #ended = false;
  #trailers: HeaderList | undefined;
  #sink: BodySink | undefined;
  #taps: BodySink[] = [];
  #collecting: { readonly limit: number; readonly done: (isWhole: boolean) => void } | undefined;
  /** It can be sent from the start again. */
  replayable = true;
  /** Names of headers that filters or an authorization server have decided about. */
  isDecided: (name: string) => boolean = () => false;

  /** `limit`: bytes that are kept. `most`: bytes that it may have at all. */
  constructor(exchange: Exchange, limit: number, most = Infinity) {
    this.#exchange = exchange;
    this.#limit = limit;
    this.#most = most;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Of a collected body. */
  get bytes(): Buffer {
    return Buffer.concat(this.#kept);
  }

  /** Reads all of it before it goes anywhere; false: it has more than `limit` bytes. */
  collect(limit: number, done: (isWhole: boolean) => void): void {
    if (this.#ended) {
      done(this.#keptBytes <= limit);
      return;
    }
    this.#collecting = { limit, done };
    this.#exchange.sendInformational(100, []);
    this.#flow();
  }

  /** Gets a copy of everything, from the start. */
  tap(sink: BodySink): void {
    for (const chunk of this.#kept) sink.write(chunk);
    if (this.#ended) sink.end(this.#trailersToSend());
    else this.#taps.push(sink);
  }

  /** Sends it from the start; what has not come yet follows as it comes. */
  sendTo(sink: BodySink): void {
    this.#sink = sink;
    let goOn = true;
    for (const chunk of this.#kept) goOn = sink.write(chunk);
    if (this.#ended) sink.end(this.#trailersToSend());
    else if (goOn || !this.#started) this.#flow();
  }

  /** Nobody takes it for now. */
  detach(): void {
    this.#sink = undefined;
    if (this.#started && !this.#ended) this.#exchange.pauseBody();
  }

  /** There will be no other try. */
  release(): void {
    this.replayable = false;
    this.#kept = [];
  }

  resume(): void {
    if (this.#sink && this.#started && !this.#ended) this.#exchange.resumeBody();
  }

  /** False: it is larger than it may be; nobody gets this chunk. */
  onData(chunk: Buffer): boolean {
    const sink = this.#sink;
    this.#keptBytes += chunk.length;
    if (this.#keptBytes > this.#most) return false;
    if (this.replayable) {
      if (sink && this.#keptBytes > this.#limit) this.release();
      else this.#kept.push(chunk);
    }
    for (const tap of this.#taps) tap.write(chunk);
    if (sink) {
      if (!sink.write(chunk)) this.#exchange.pauseBody();
    } else if (this.#collecting) {
      if (this.#keptBytes > this.#collecting.limit) this.#collected(false);
    } else {
      this.#exchange.pauseBody();
    }
    return true;
  }

  onEnd(trailers: HeaderList | undefined): void {
    this.#ended = true;
    this.#trailers = trailers;
    const sent = this.#trailersToSend();
    for (const tap of this.#taps) tap.end(sent);
    this.#taps = [];
    this.#sink?.end(sent);
    if (this.#collecting) this.#collected(this.#keptBytes <= this.#collecting.limit);
  }

  #trailersToSend(): HeaderList | undefined {
    return withoutDecided(this.#trailers, this.isDecided);
  }

  #collected(isWhole: boolean): void {
    const done = this.#collecting!.done;
    this.#collecting = undefined;
    if (!this.#ended) this.#exchange.pauseBody();
    done(isWhole);
  }

  #flow(): void {
    if (this.#started) {
      this.#exchange.resumeBody();
    } else {
      this.#started = true;
      this.#exchange.startBody();
    }
  }
}
