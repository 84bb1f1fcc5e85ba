import type { Readable } from "node:stream";

/** One request on the wire. */
export interface WireRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | undefined;
  /** A watch: its answer goes on for minutes. */
  readonly isLong: boolean;
  /** Ends the exchange, whatever it is at. */
  readonly signal: AbortSignal;
}

/** The beginning of an answer. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
  /** After the end: whether it was the server's end, not that of a connection. */
  readonly isWhole: () => boolean;
}

/** An answer with all of its body. */
export interface WholeAnswer extends Pick<WireAnswer, "status" | "headers"> {
  readonly bytes: Buffer;
}

/** One way to reach the server. */
export interface Wire {
  exchange(request: WireRequest): Promise<WireAnswer>;
  close(): void;
}
