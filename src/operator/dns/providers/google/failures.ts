/** Google's answers as DnsErrors. */
import type { DnsError } from "../../provider.ts";
import { dnsErrorOf } from "../failure.ts";

const throttled: ReadonlySet<string> = new Set([
  "rateLimitExceeded",
  "userRateLimitExceeded",
  "quotaExceeded",
  "dailyLimitExceeded",
]);
/** Of a deletion that does not match, and of an addition whose place is taken. */
const stale: ReadonlySet<string> = new Set(["conditionNotMet", "alreadyExists"]);
const staleDeletion = /entity[.]change[.]deletions/;

interface GoogleAnswer {
  /** A status of HTTP; of a connection that fails, a word. */
  readonly code?: number | string;
  /** Of the token's request. */
  readonly status?: number;
  readonly message?: string;
  readonly errors?: readonly { readonly reason?: string; readonly message?: string }[];
  readonly response?: {
    readonly headers?: Headers | Readonly<Record<string, string>>;
    readonly data?: { readonly error?: unknown };
  };
}

export function googleFailure(doing: string, error: unknown, secrets: readonly string[]): DnsError {
  const { code, status, message = "", errors, response } = error as GoogleAnswer;
  const [first] = errors ?? [];
  const reason = first?.reason;
  const answered = typeof code === "number" ? code : status;
  // A token was refused: `invalid_grant`, `invalid_client`.
  const isTokenRefused = typeof response?.data?.error === "string" && answered === 400;
  const isThrottled = reason !== undefined && throttled.has(reason);
  return dnsErrorOf(
    {
      doing,
      code: reason ?? (typeof code === "string" ? code : undefined),
      message: first?.message ?? message,
      status: answered,
      retryAfter: headerOf(response?.headers, "retry-after"),
      isThrottled,
      ...(isTokenRefused && { isDenied: true }),
      // Google says 403 for both.
      ...(isThrottled && { isDenied: false }),
      isStale:
        (reason !== undefined && stale.has(reason)) || (answered === 404 && staleDeletion.test(message)),
    },
    secrets,
  );
}

function headerOf(
  headers: Headers | Readonly<Record<string, string>> | undefined,
  name: string,
): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  return headers?.[name];
}
