/** AWS's answers as DnsErrors. */
import type { DnsError } from "../../provider.ts";
import { dnsErrorOf } from "../failure.ts";

const throttled: ReadonlySet<string> = new Set([
  "Throttling",
  "ThrottlingException",
  "ThrottledException",
  "RequestThrottled",
  "RequestThrottledException",
  "RequestLimitExceeded",
  "TooManyRequestsException",
  "BandwidthLimitExceeded",
  "SlowDown",
  // An earlier change of this zone is still being worked on.
  "PriorRequestNotComplete",
]);

const denied: ReadonlySet<string> = new Set([
  "AccessDenied",
  "AccessDeniedException",
  "AuthFailure",
  "ExpiredToken",
  "ExpiredTokenException",
  "IncompleteSignature",
  "InvalidAccessKeyId",
  "InvalidClientTokenId",
  "InvalidIdentityToken",
  "InvalidIdentityTokenException",
  "MissingAuthenticationToken",
  "OptInRequired",
  "SignatureDoesNotMatch",
  "UnauthorizedOperation",
  "UnrecognizedClientException",
]);

/** Route 53's words for a set that was to be created and stands, or was to be deleted and does not stand so. */
const stale = /but it already exists|but it was not found|do not match the current values/;

interface AwsAnswer {
  readonly name?: string;
  readonly Code?: string;
  readonly message?: string;
  readonly messages?: readonly string[];
  /** Of an answer of the older form, `<InvalidChangeBatch><Messages>…`, which the SDK hands on as it came. */
  readonly Messages?: { readonly Message?: string | readonly string[] };
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
  readonly $retryable?: { readonly throttling?: boolean };
}

export function awsFailure(doing: string, error: unknown, secrets: readonly string[]): DnsError {
  const answer = error as AwsAnswer;
  // Route 53 says why a batch is invalid in a list, one message for each of its changes that is.
  const older = answer.Messages?.Message;
  const listed = older === undefined ? (answer.messages ?? []) : [older].flat();
  const code = older === undefined ? (answer.Code ?? answer.name) : "InvalidChangeBatch";
  const message = listed.length > 0 ? listed.join(" ") : (answer.message ?? "").trim();
  return dnsErrorOf(
    {
      doing,
      code,
      message,
      status: answer.$metadata?.httpStatusCode,
      retryAfter: answer.$response?.headers?.["retry-after"],
      isThrottled: throttled.has(code ?? "") || answer.$retryable?.throttling === true,
      ...(denied.has(code ?? "") && { isDenied: true }),
      isStale: code === "InvalidChangeBatch" && stale.test(message),
    },
    secrets,
  );
}
