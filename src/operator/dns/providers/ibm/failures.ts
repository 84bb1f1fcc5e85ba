/** IBM's answers as DnsErrors. */
import type { DnsError } from "../../provider.ts";
import { dnsErrorOf } from "../failure.ts";

interface Told {
  readonly code?: string | number;
  readonly message?: string;
}

interface IbmAnswer {
  readonly status?: number;
  readonly message?: string;
  readonly headers?: { readonly "retry-after"?: string };
  readonly result?: Told & {
    readonly errors?: readonly Told[];
    /** Of tokens. */
    readonly errorCode?: string;
    readonly errorMessage?: string;
  };
}

/** There is such a record already; or there is none, of those that were found. */
const staleCodes: ReadonlySet<string> = new Set(["81044", "81053", "81054", "81057", "81058"]);
const stale = /already exists|record (does not exist|not found)/i;

export function ibmFailure(doing: string, error: unknown, secrets: readonly string[]): DnsError {
  const { status, message = "", headers, result } = error as IbmAnswer;
  const [first] = result?.errors ?? [];
  const code = first?.code ?? result?.errorCode ?? result?.code;
  const said = first?.message ?? result?.errorMessage ?? result?.message ?? message;
  // A wrong API key is no valid request for a token.
  const isTokenRefused = result?.errorCode !== undefined && status === 400;
  return dnsErrorOf(
    {
      doing,
      code: code === undefined ? undefined : String(code),
      message: said,
      status,
      retryAfter: headers?.["retry-after"],
      ...(isTokenRefused && { isDenied: true }),
      isStale: staleCodes.has(String(code)) || stale.test(said),
    },
    secrets,
  );
}

export function isGone(error: unknown): boolean {
  return (error as IbmAnswer).status === 404;
}
