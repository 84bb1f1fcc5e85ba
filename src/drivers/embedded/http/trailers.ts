import { connectionHeaders } from "../../../model/index.ts";
import { isFieldName, isFieldValue, type HeaderList } from "../upstream/index.ts";

/** RFC 9110 6.5.1: trailers must not say what was needed to route or read the message. */
const forbidden: ReadonlySet<string> = new Set([
  ...connectionHeaders,
  "authorization",
  "content-encoding",
  "content-length",
  "content-range",
  "content-type",
  "cookie",
  "host",
  "set-cookie",
  // The gateway's word about the client, which has been said.
  "x-forwarded-client-cert",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-request-id",
]);

export function usableTrailers(trailers: HeaderList | undefined): HeaderList | undefined {
  if (!trailers) return undefined;
  const usable: HeaderList = [];
  for (let index = 0; index < trailers.length; index += 2) {
    const name = trailers[index]!;
    const value = trailers[index + 1]!;
    if (!forbidden.has(name) && isFieldName(name) && isFieldValue(value)) usable.push(name, value);
  }
  return usable.length > 0 ? usable : undefined;
}

/** What has been decided about a header holds for a trailer of its name: nothing comes in again behind the body. A call's own status is no header. */
export function withoutDecided(
  trailers: HeaderList | undefined,
  isDecided: (name: string) => boolean,
): HeaderList | undefined {
  if (!trailers) return undefined;
  const kept: HeaderList = [];
  for (let index = 0; index < trailers.length; index += 2) {
    const name = trailers[index]!;
    if (name.startsWith("grpc-") || !isDecided(name)) kept.push(name, trailers[index + 1]!);
  }
  return kept.length > 0 ? kept : undefined;
}
