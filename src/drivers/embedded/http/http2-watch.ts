/*
 * Ends HTTP/2 connections that take up a place and ask for nothing.
 *
 * Node tells of a stream when its head is whole, and of nothing when nghttp2 has ended the session because of a frame that is not allowed:
 * a client could begin a head and never end it, or go on to send frames that nobody reads. In both cases the client
 * does not answer a PING: between the frames of a head no other may come, and an ended session sends none. So
 * a connection that looks like one of them is asked, and one that does not answer for as long as a head may take is ended. Others answer
 * at once, and are asked at most once per look.
 */
import type http2 from "node:http2";
import type net from "node:net";
import type { HttpLimits } from "./limits.ts";

export interface WatchedSession {
  readonly session: http2.ServerHttp2Session;
  readonly socket: net.Socket;
  /** Streams are open. */
  readonly isBusy: () => boolean;
  /** Of the streams that are open, none waits for the gateway. */
  readonly isWaitingForClient: () => boolean;
}

export class Http2Watch {
  readonly #limits: HttpLimits;
  readonly #interval: number;
  readonly #watched = new Map<http2.ServerHttp2Session, Watched>();
  #timer: NodeJS.Timeout | undefined = undefined;

  constructor(limits: HttpLimits) {
    this.#limits = limits;
    this.#interval = limits.headersTimeout / 2;
  }

  add(given: WatchedSession): void {
    const { session } = given;
    const watched = new Watched(given);
    this.#watched.set(session, watched);
    session.on("stream", ({ id }) => watched.onStream(id ?? 0));
    session.on("close", () => {
      this.#watched.delete(session);
      if (this.#watched.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
    this.#timer ??= setInterval(() => this.#look(), this.#interval).unref();
  }

  #look(): void {
    const { headersTimeout, idleTimeout } = this.#limits;
    for (const [session, watched] of this.#watched) {
      // What is on its way to a slow client comes before the PING.
      const patience = watched.isBusy ? idleTimeout : headersTimeout;
      if (watched.look() * this.#interval >= patience) session.destroy();
    }
  }
}

class Watched {
  readonly #given: WatchedSession;
  /** The last stream whose head came whole, or of which the client has shown that it did. */
  #lastStream = 0;
  #hasNewStreams = true;
  #bytesRead = 0;
  /** Looks since the client was asked; `undefined`: nothing is asked. */
  #unanswered: number | undefined = undefined;

  constructor(given: WatchedSession) {
    this.#given = given;
  }

  onStream(id: number): void {
    this.#lastStream = Math.max(this.#lastStream, id);
    this.#hasNewStreams = true;
  }

  get isBusy(): boolean {
    return this.#given.isBusy();
  }

  /** Looks since a question that was not answered. They are counted, not timed: after a pause of the process answers wait to be read. */
  look(): number {
    if (this.#given.session.destroyed) return 0;
    if (this.#unanswered !== undefined) return ++this.#unanswered;
    if (this.#isOdd()) this.#ask();
    return 0;
  }

  /** A head has begun and did not end, or something came that is no request. */
  #isOdd(): boolean {
    const { session, socket, isWaitingForClient } = this.#given;
    const isIdle = !this.#hasNewStreams && isWaitingForClient();
    this.#hasNewStreams = false;
    return (
      (session.state.lastProcStreamID ?? 0) > this.#lastStream ||
      (isIdle && socket.bytesRead !== this.#bytesRead)
    );
  }

  #ask(): void {
    const { session, socket } = this.#given;
    const begun = session.state.lastProcStreamID ?? 0;
    this.#unanswered = 0;
    session.ping((error) => {
      if (error) return;
      this.#unanswered = undefined;
      this.#lastStream = Math.max(this.#lastStream, begun);
      this.#bytesRead = socket.bytesRead;
    });
  }
}
