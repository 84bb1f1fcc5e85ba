/*
 * Whether a rule takes a request at all: the client's address, then the rule's bucket of tokens, then the length that the request declares. Rules without
 * any of these have no admission, and pay nothing for it.
 */
import { compileClientAddresses, TokenBucket, type RuleAction } from "../../../model/index.ts";
import type { Exchange } from "./exchange.ts";
import { usableHeaders } from "./header-changes.ts";
import type { LocalReply } from "./local-reply.ts";

export interface Admission {
  /** The answer to a request that is not taken. */
  judge(exchange: Exchange, now: number): LocalReply | undefined;
}

export const tooLarge: LocalReply = { status: 413, text: "the body is larger than this route allows" };

export function compileAdmission(action: RuleAction): Admission | undefined {
  const { clientAddresses, rateLimit, maxBodySize } = action;
  if (!clientAddresses && !rateLimit && maxBodySize === undefined) return undefined;
  const addresses = clientAddresses && compileClientAddresses(clientAddresses);
  const overLimit = rateLimit && {
    status: rateLimit.statusCode,
    text: "too many requests",
    headers: usableHeaders(rateLimit.responseHeaders).flatMap(({ name, value }) => [name, value]),
  };
  let bucket: TokenBucket | undefined;
  return {
    judge({ client, request }, now) {
      if (addresses && !addresses.takes(client.address, () => request.forwardedFor)) {
        return { status: 403, text: "this client is not allowed here" };
      }
      if (rateLimit && !(bucket ??= new TokenBucket(rateLimit, now)).take(now)) return overLimit;
      const { body } = request;
      return maxBodySize !== undefined && typeof body === "number" && body > maxBodySize
        ? tooLarge
        : undefined;
    },
  };
}
