import type { Duplex } from "node:stream";
import type { UpstreamError } from "./upstream-error.ts";

/** Names and values in turn, names in lower case: `["content-type", "text/html", "set-cookie", "a=1", …]`. */
export type HeaderList = string[];

/** A request as it goes out. Every name and value has been checked: nothing here may hold CR, LF or NUL. */
export interface UpstreamRequest {
  readonly method: string;
  readonly scheme: "http" | "https";
  /** The Host header or `:authority`. */
  readonly authority: string;
  /** With the query. */
  readonly path: string;
  /** Without Host, without what frames the body, without what concerns one connection only. */
  readonly headers: HeaderList;
  /** `none`; its length; or `stream` where the length is not known. */
  readonly body: "none" | "stream" | number;
  /** Asks for the connection to become a tunnel for this protocol. HTTP/1.1 only. */
  readonly upgrade?: string;
}

/** What follows the head of an answer: nothing, as much as Content-Length says, or until it ends (then maybe trailers). */
export type AnswerBody = "none" | "length" | "stream";

/** Hears about one call. After `onEnd`, `onUpgrade` or `onError` nothing more comes, and after `abort` nothing at all. */
export interface UpstreamHandler {
  /** Silence of any length is fine: the route has its time-out switched off. */
  readonly endures?: boolean;
  onInformational(status: number, headers: HeaderList): void;
  onHead(status: number, headers: HeaderList, body: AnswerBody): void;
  /** `isLast`: the body is whole with this, and there are no trailers. It is never said where that is not known yet. */
  onData(chunk: Buffer, isLast: boolean): void;
  onEnd(trailers: HeaderList | undefined): void;
  /** `write` may go on after it had said false. */
  onDrain(): void;
  /** 101: the connection is a tunnel now; `first` are its first bytes. */
  onUpgrade(headers: HeaderList, tunnel: Duplex, first: Buffer): void;
  onError(error: UpstreamError): void;
}

/** One request on its way. */
export interface UpstreamCall {
  /** Part of the body; false: better wait for `onDrain`. */
  write(chunk: Buffer): boolean;
  /** The body is whole. Not to be called where the request has no body. */
  end(trailers?: HeaderList): void;
  /** Bytes of the body that wait to be sent. */
  readonly pendingBytes: number;
  /** Stops `onData` for a while. */
  pause(): void;
  resume(): void;
  /** Ends the call wherever it is. */
  abort(): void;
}

export interface UpstreamLimits {
  /** Until a connection is usable, TLS included, ms. */
  readonly connectTimeout: number;
  /** Silence in the middle of a call, and of a kept connection, ms. */
  readonly idleTimeout: number;
  /** A kept connection without a call, ms. Absent: as `idleTimeout`. */
  readonly keptTimeout?: number | undefined;
  readonly maxConnectionsPerEndpoint: number;
  /** Of an answer's head, of trailers, bytes. */
  readonly maxHeadBytes: number;
  /** How long an endpoint that could not be reached is passed over, ms. */
  readonly unreachableFor: number;
}

export const defaultUpstreamLimits: UpstreamLimits = {
  connectTimeout: 5_000,
  idleTimeout: 300_000,
  maxConnectionsPerEndpoint: 8_192,
  maxHeadBytes: 65_536,
  unreachableFor: 2_000,
};
