import { randomUUID } from "node:crypto";
import type { HeaderList } from "../upstream/index.ts";
import type { RequestHead } from "./request-head.ts";

const requestIdForm = /^[A-Za-z0-9._~:+/=@-]{1,128}$/;

/** The client's own id, if it is harmless; otherwise a new one. */
export function requestIdOf(request: RequestHead): string {
  const { requestId } = request;
  return requestId !== undefined && requestIdForm.test(requestId) ? requestId : randomUUID();
}

/**
 * The headers of a request to a backend before any filter: the client's, and what the gateway knows of the client.
 * X-Forwarded-For is appended to; the others are the gateway's word alone, because a client could write anything there.
 */
export function forwardedHeaders(
  request: RequestHead,
  client: { readonly address: string; readonly scheme: "http" | "https" },
  requestId: string,
): HeaderList {
  const headers = request.forwardable.slice();
  const { forwardedFor } = request;
  headers.push(
    "x-forwarded-for",
    forwardedFor === undefined ? client.address : `${forwardedFor}, ${client.address}`,
    "x-forwarded-proto",
    client.scheme,
    "x-forwarded-host",
    request.authority,
    "x-request-id",
    requestId,
  );
  return headers;
}
