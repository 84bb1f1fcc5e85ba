import type { OutgoingHttpHeaders } from "node:http2";

/** Those of gRPC's status codes that are said here. */
export const grpcStatus = {
  ok: 0,
  permissionDenied: 7,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

export type GrpcStatus = (typeof grpcStatus)[keyof typeof grpcStatus];

/** Ends the stream, and the other side is told why. */
export class StreamFailure extends Error {
  override readonly name = "StreamFailure";
  readonly status: GrpcStatus;

  constructor(status: GrpcStatus, message: string) {
    super(message);
    this.status = status;
  }
}

/** How a stream's end is told. */
export function statusFields(status: GrpcStatus, details: string): OutgoingHttpHeaders {
  return { "grpc-status": String(status), ...(details !== "" && { "grpc-message": encoded(details) }) };
}

/** What the other side has to say about the end of the stream; undefined: all is well, or not the end. */
export function failureIn(fields: Readonly<Record<string, unknown>>): string | undefined {
  const status = fields["grpc-status"];
  if (typeof status !== "string" || status === "0") return undefined;
  const details = fields["grpc-message"];
  return typeof details === "string" && details !== "" ? decoded(details) : `status ${status}`;
}

const percent = 0x25;

/** Printable ASCII as it is, but for the sign that begins the rest. */
function encoded(text: string): string {
  return Array.from(Buffer.from(text), (byte) =>
    byte >= 0x20 && byte <= 0x7e && byte !== percent
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
  ).join("");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
