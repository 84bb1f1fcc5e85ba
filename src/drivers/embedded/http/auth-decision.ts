import { connectionHeaders, type ExternalAuth } from "../../../model/index.ts";
import type { HeaderList } from "../upstream/index.ts";
import type { ClientConnection } from "./client-connection.ts";
import type { RequestHead } from "./request-head.ts";

export type AuthDecision =
  | {
      readonly type: "allowed";
      /** Of the request to the backend: these go first … */
      readonly remove: ReadonlySet<string>;
      /** … then these are appended. */
      readonly append: HeaderList;
      /** Of the answer to the client. */
      readonly responseHeaders: HeaderList;
    }
  | { readonly type: "denied"; readonly status: number; readonly headers: HeaderList; readonly body: Buffer };

export interface AuthQuestion {
  readonly auth: ExternalAuth;
  readonly client: ClientConnection;
  readonly request: RequestHead;
  /** What the backend would get, the gateway's own headers included. */
  readonly headers: HeaderList;
  readonly requestId: string;
  /** As much as the auth server may see. */
  readonly body: Buffer | undefined;
}

/** The whole answer of an authorization server. */
export interface AuthAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  readonly trailers: HeaderList | undefined;
  readonly body: Buffer;
}

function denied(status: number, text: string): AuthDecision {
  return {
    type: "denied",
    status,
    headers: ["content-type", "text/plain; charset=utf-8"],
    body: Buffer.from(text),
  };
}

export const unavailable = denied(403, "the request could not be authorized\n");
export const misconfigured = denied(500, "the authorization of this route is not configured correctly\n");

/** Never taken over from an authorization server: what frames a message, and whose it is. */
export const framing: ReadonlySet<string> = new Set([...connectionHeaders, "content-length", "host"]);

export function withoutFraming(headers: HeaderList): HeaderList {
  const kept: HeaderList = [];
  for (let index = 0; index < headers.length; index += 2) {
    if (!framing.has(headers[index]!)) kept.push(headers[index]!, headers[index + 1]!);
  }
  return kept;
}
