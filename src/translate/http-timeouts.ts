import type { Retry, Timeouts } from "../model/index.ts";
import { parseDuration, type HTTPRouteRetry, type HTTPRouteTimeouts } from "../resources/index.ts";
import { lacks, unsupported, type Refusal } from "./content-problems.ts";
import type { RouteContext } from "./route-context.ts";

/** Spec: zero switches a time-out off, and one try cannot take longer than the whole. */
export function translateTimeouts(
  context: RouteContext,
  { request, backendRequest }: HTTPRouteTimeouts,
  field: string,
): { readonly timeouts: Timeouts; readonly refusals: readonly Refusal[] } {
  const refusals: Refusal[] = [];
  const whole = request === undefined ? undefined : parseDuration(request);
  const each = backendRequest === undefined ? undefined : parseDuration(backendRequest);
  if (request !== undefined) {
    refusals.push(...lacks(context, "HTTPRouteRequestTimeout", `${field}.request`));
    if (whole === undefined) refusals.push(notADuration(`${field}.request`));
  }
  if (backendRequest !== undefined) {
    refusals.push(...lacks(context, "HTTPRouteBackendTimeout", `${field}.backendRequest`));
    if (each === undefined) refusals.push(notADuration(`${field}.backendRequest`));
  }
  if (whole && each !== undefined && each > whole) {
    const problem = `${backendRequest} is longer than the whole request may take (${request})`;
    refusals.push(unsupported(`${field}.backendRequest`, problem));
  }
  const timeouts = {
    ...(whole !== undefined && { request: whole }),
    ...(each !== undefined && { backendRequest: each }),
  };
  return { timeouts, refusals };
}

function notADuration(field: string): Refusal {
  return unsupported(field, "must be a duration, such as 10s, 1m30s or 500ms");
}

/** What the API leaves to us: one more try, at once enough for people and late enough for a server that restarts a worker. */
const defaultAttempts = 1;
const defaultBackoff = 25;

export function translateRetry(
  context: RouteContext,
  { codes = [], attempts = defaultAttempts, backoff }: HTTPRouteRetry,
  { field, hasBackendTimeout }: { readonly field: string; readonly hasBackendTimeout: boolean },
): { readonly retry: Retry; readonly refusals: readonly Refusal[] } {
  const wait = backoff === undefined ? defaultBackoff : parseDuration(backoff);
  const refusals = [
    ...lacks(context, "HTTPRouteRetry", field),
    ...(hasBackendTimeout ? lacks(context, "HTTPRouteRetryBackendTimeout", field) : []),
    ...(wait === undefined ? [notADuration(`${field}.backoff`)] : []),
  ];
  const statusCodes = [...new Set(codes)].toSorted((a, b) => a - b);
  return { retry: { statusCodes, attempts, backoff: wait ?? defaultBackoff }, refusals };
}
