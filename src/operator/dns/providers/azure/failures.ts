/** Azure's answers as DnsErrors. */
import type { DnsError } from "../../provider.ts";
import { dnsErrorOf } from "../failure.ts";

interface AnswerDetails {
  readonly code: string | undefined;
  readonly statusCode: number;
  readonly isDenied: boolean;
  readonly retryAfter: string | undefined;
}

/** Of where tokens come from. */
export class AzureAnswer extends Error {
  readonly code: string | undefined;
  readonly statusCode: number;
  readonly isDenied: boolean;
  readonly retryAfter: string | undefined;

  constructor(message: string, { code, statusCode, isDenied, retryAfter }: AnswerDetails) {
    super(message);
    this.code = code;
    this.statusCode = statusCode;
    this.isDenied = isDenied;
    this.retryAfter = retryAfter;
  }
}

interface RestFailure {
  readonly code?: string;
  readonly message?: string;
  readonly statusCode?: number;
  readonly isDenied?: boolean;
  readonly retryAfter?: string | undefined;
  readonly response?: { readonly headers?: { get(name: string): string | undefined } };
}

const preconditionFailed = 412;

export function azureFailure(doing: string, error: unknown, secrets: readonly string[]): DnsError {
  const { code, message = "", statusCode: status, isDenied, retryAfter, response } = error as RestFailure;
  return dnsErrorOf(
    {
      doing,
      code,
      message,
      status,
      retryAfter: retryAfter ?? response?.headers?.get("retry-after"),
      ...(isDenied && { isDenied }),
      isStale: status === preconditionFailed,
    },
    secrets,
  );
}

export function isMissing(error: unknown): boolean {
  const { statusCode, code } = error as RestFailure;
  // The record set, not the zone or its group.
  return statusCode === 404 && code !== "ParentResourceNotFound" && code !== "ResourceGroupNotFound";
}
