/** gRPC's own table of HTTP answers that carry no grpc-status, which Envoy follows as well. */
const statuses: ReadonlyMap<number, number> = new Map([
  [400, 13],
  [401, 16],
  [403, 7],
  [404, 12],
  [429, 14],
  [502, 14],
  [503, 14],
  [504, 14],
]);

const unknown = 2;

export function grpcStatusOf(httpStatus: number): number {
  return statuses.get(httpStatus) ?? unknown;
}

/** grpc-message is percent-encoded outside of printable ASCII. */
export function encodeGrpcMessage(message: string): string {
  let encoded = "";
  for (const byte of Buffer.from(message, "utf8")) {
    encoded +=
      byte >= 0x20 && byte <= 0x7e && byte !== 0x25
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return encoded;
}
