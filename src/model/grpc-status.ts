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

const names: ReadonlyMap<number, string> = new Map([
  [unknown, "UNKNOWN"],
  [7, "PERMISSION_DENIED"],
  [12, "UNIMPLEMENTED"],
  [13, "INTERNAL"],
  [14, "UNAVAILABLE"],
  [16, "UNAUTHENTICATED"],
]);

export function grpcStatusOf(httpStatus: number): number {
  return statuses.get(httpStatus) ?? unknown;
}

/** What clients call a status that `grpcStatusOf` gives. */
export function grpcStatusName(status: number): string {
  return names.get(status) ?? String(status);
}

/** `application/grpc`, alone or with `+proto` and the like; not gRPC-Web. */
export function isGrpcContentType(contentType: string | undefined): boolean {
  if (contentType === undefined || !contentType.startsWith("application/grpc")) return false;
  const next = contentType.charCodeAt(16);
  return Number.isNaN(next) || next === 0x2b || next === 0x3b || next === 0x20;
}
