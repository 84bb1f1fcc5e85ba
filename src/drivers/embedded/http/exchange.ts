import type { Duplex } from "node:stream";
import type { AnswerBody, HeaderList } from "../upstream/index.ts";
import type { ClientConnection } from "./client-connection.ts";
import type { RequestHead } from "./request-head.ts";

/** Whoever works on an exchange hears about the client here. */
export interface ExchangeObserver {
  onBodyData(chunk: Buffer): void;
  onBodyEnd(trailers: HeaderList | undefined): void;
  /** `sendData` may go on after it had said false. */
  onClientDrain(): void;
  /** The client is gone, or took its request back, before the answer was whole. */
  onClientGone(): void;
}

/** One request of a client and its answer, whichever version of HTTP it came by. */
export interface Exchange {
  readonly client: ClientConnection;
  readonly request: RequestHead;
  observer: ExchangeObserver | undefined;
  /** The head of the answer is out: it is too late for another one. */
  readonly headSent: boolean;
  /** Of the bodies. */
  bytesIn: number;
  bytesOut: number;

  /** Lets the body flow to the observer. Once. */
  startBody(): void;
  pauseBody(): void;
  resumeBody(): void;

  sendInformational(status: number, headers: HeaderList): void;
  /** With body `none` the answer is whole after `sendEnd`, which must follow. */
  sendHead(status: number, headers: HeaderList, body: AnswerBody): void;
  /** False: better wait for `onClientDrain`. With `isLast` the answer is whole, without trailers; `sendEnd` still follows. */
  sendData(chunk: Buffer, isLast: boolean): boolean;
  sendEnd(trailers?: HeaderList): void;
  /** The answer cannot be finished: the client must notice. */
  reset(): void;
  /** Makes the client's side a tunnel; `headers` are those of the backend's 101. */
  acceptUpgrade(headers: HeaderList): Tunnel;
}

export interface Tunnel {
  readonly stream: Duplex;
  /** Bytes that came right behind the request. */
  readonly first: Buffer;
}
