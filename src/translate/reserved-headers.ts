import { connectionHeaders } from "../model/index.ts";

/** Host, framing and connection management (RFC 9110, 7.6.1, and 9112, 6), which each hop does for itself. */
const reserved: ReadonlySet<string> = new Set([...connectionHeaders, "content-length", "host"]);

/** Whether this is a header that the gateway alone may set, whoever asks for it, in whatever case. */
export function isReservedHeader(name: string): boolean {
  return reserved.has(name.toLowerCase());
}
