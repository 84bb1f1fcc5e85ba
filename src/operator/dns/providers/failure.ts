/**
 * What a cloud answered, as a `DnsError`. The SDKs' own errors hold the request with its signature or token, so they never become a `cause`, and whatever of
 * the credentials stands in a message is blotted out.
 */
import { DnsError, type DnsZone } from "../provider.ts";

export interface Failure {
  /** What was being done, as in "list the records of zone Z1". */
  readonly doing: string;
  /** What the cloud said. */
  readonly message: string;
  /** The cloud's own word for it. */
  readonly code?: string | undefined;
  readonly status?: number | undefined;
  readonly retryAfter?: string | number | null | undefined;
  readonly isThrottled?: boolean;
  readonly isDenied?: boolean;
  readonly isStale?: boolean;
}

const longestMessage = 600;
const shortestSecret = 10;

/** Work on a zone; whatever it throws becomes a `DnsError` that says what was being done. */
export async function attempt<Result>(
  doing: string,
  zone: DnsZone,
  failure: (doing: string, error: unknown) => DnsError,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DnsError) throw error;
    throw failure(`${doing} zone ${zone.id ?? JSON.stringify(zone.tags ?? {})}`, error);
  }
}

/** `secrets`: what must not be read in it. */
export function dnsErrorOf(failure: Failure, secrets: Iterable<string>): DnsError {
  const { doing, message, code, status, retryAfter, isStale = false } = failure;
  const said = blotOut([code, message].filter(Boolean).join(": "), secrets).replaceAll(/\s+/g, " ").trim();
  const short = said.length > longestMessage ? `${said.slice(0, longestMessage)}…` : said;
  const delay = retryDelay(retryAfter);
  return new DnsError(`failed to ${doing}: ${short || "no answer"}${status ? ` (HTTP ${status})` : ""}`, {
    isThrottled: failure.isThrottled === true || status === 429,
    isDenied: failure.isDenied ?? (status === 401 || status === 403),
    isStale,
    ...(delay !== undefined && { retryAfter: delay }),
  });
}

/** Milliseconds, of a `Retry-After`: seconds or a date. */
export function retryDelay(
  header: string | number | null | undefined,
  now: number = Date.now(),
): number | undefined {
  if (header === undefined || header === null || header === "") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, Math.round(seconds * 1000));
  const date = Date.parse(String(header));
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** What of the credentials must not be read anywhere, each line and each `key = value` of it too: a file of them is seldom quoted whole. */
export function secretsOf(...values: readonly (string | undefined)[]): readonly string[] {
  return values.flatMap((value) => (value === undefined ? [] : [value, ...value.split(/[\s=]+/)]));
}

function blotOut(text: string, secrets: Iterable<string>): string {
  let blotted = text;
  for (const secret of [...new Set(secrets)].toSorted((a, b) => b.length - a.length)) {
    // What is shorter is a word like "KEY-----" around the secret.
    if (secret.length >= shortestSecret) blotted = blotted.replaceAll(secret, "***");
  }
  return blotted;
}
