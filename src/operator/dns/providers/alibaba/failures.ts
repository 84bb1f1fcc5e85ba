/** Alibaba Cloud's answers as DnsErrors. */
import type { DnsError } from "../../provider.ts";
import { dnsErrorOf } from "../failure.ts";

interface AlibabaAnswer {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly statusCode?: number;
  /** Milliseconds. */
  readonly retryAfter?: number;
  readonly data?: { readonly Message?: string };
}

const denied =
  /^(InvalidAccessKey|Forbidden|NoPermission|SignatureDoesNotMatch|IncompleteSignature|InvalidSecurityToken|MissingAccessKeyId)/;
/** There is such a record already; or the record is not there any more. */
const duplicate = "DomainRecordDuplicate";
const gone = "DomainRecordNotBelongToUser";

export function alibabaFailure(doing: string, error: unknown, secrets: readonly string[]): DnsError {
  const { name, code = "", message = "", statusCode, retryAfter, data } = error as AlibabaAnswer;
  return dnsErrorOf(
    {
      doing,
      code,
      message: data?.Message ?? message,
      status: statusCode,
      retryAfter: retryAfter === undefined ? undefined : retryAfter / 1000,
      isThrottled: name === "ThrottlingError" || code.startsWith("Throttling"),
      isDenied: denied.test(code),
      isStale: code === duplicate || code === gone,
    },
    secrets,
  );
}

export function isGone(error: unknown): boolean {
  return (error as AlibabaAnswer).code === gone;
}
