import type { SeenRequest } from "./seen-request.ts";

/** What a client got. */
export class Answer {
  readonly status: number;
  /** Names lower-case, in the order of arrival. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly trailers: readonly (readonly [name: string, value: string])[];
  readonly bytes: Buffer;
  readonly protocol: "HTTP/1.1" | "HTTP/2";

  constructor(parts: Pick<Answer, "status" | "headers" | "trailers" | "bytes" | "protocol">) {
    this.status = parts.status;
    this.headers = parts.headers;
    this.trailers = parts.trailers;
    this.bytes = parts.bytes;
    this.protocol = parts.protocol;
  }

  get body(): string {
    return this.bytes.toString("utf8");
  }

  /** Values joined by `, `. */
  header(name: string): string | undefined {
    return valuesOf(this.headers, name);
  }

  trailer(name: string): string | undefined {
    return valuesOf(this.trailers, name);
  }

  /** What the backend saw, if one of ours answered. */
  get seen(): SeenRequest | undefined {
    if (this.header("x-seen") === undefined || this.bytes.length === 0) return undefined;
    return JSON.parse(this.body) as SeenRequest;
  }

  /** The backend that answered, or the status where none did: one value to compare. */
  get from(): string | number {
    return this.header("x-seen") ?? this.status;
  }
}

function valuesOf(pairs: Answer["headers"], name: string): string | undefined {
  const values = pairs.filter(([given]) => given === name).map(([, value]) => value);
  return values.length > 0 ? values.join(", ") : undefined;
}
