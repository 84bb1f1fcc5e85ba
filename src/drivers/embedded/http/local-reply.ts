import { grpcStatusOf } from "../../../model/index.ts";
import type { HeaderList } from "../upstream/index.ts";
import type { Exchange } from "./exchange.ts";

export interface LocalReply {
  readonly status: number;
  /** One line. It must not tell one tenant about another: what is configured elsewhere stays unsaid. */
  readonly text: string;
  readonly headers?: HeaderList;
}

/**
 * An answer of the gateway itself: short plain text, or for gRPC clients a gRPC status (which travels on HTTP 200).
 * Gives the HTTP status as it was sent.
 */
export function sendLocalReply(exchange: Exchange, { status, text, headers = [] }: LocalReply): number {
  if (exchange.request.isGrpc && status >= 400) {
    exchange.sendHead(
      200,
      [
        "content-type",
        "application/grpc",
        "grpc-status",
        String(grpcStatusOf(status)),
        "grpc-message",
        encodeGrpcMessage(text),
        ...headers,
      ],
      "none",
    );
    exchange.sendEnd();
    return 200;
  }
  const body = Buffer.from(text === "" ? "" : `${text}\n`);
  const isHead = exchange.request.method === "HEAD";
  const fields: HeaderList =
    body.length === 0
      ? [...headers]
      : ["content-type", "text/plain; charset=utf-8", "content-length", String(body.length), ...headers];
  const hasBody = body.length > 0 && !isHead;
  exchange.sendHead(status, fields, hasBody ? "length" : "none");
  if (hasBody) exchange.sendData(body, true);
  exchange.sendEnd();
  return status;
}

/** grpc-message is percent-encoded outside of printable ASCII. */
function encodeGrpcMessage(message: string): string {
  let encoded = "";
  for (const byte of Buffer.from(message, "utf8")) {
    encoded +=
      byte >= 0x20 && byte <= 0x7e && byte !== 0x25
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return encoded;
}
