import type { Message } from "../src/channel/index.ts";

/** As it comes out at the other end of the channel. */
export function wholeMessage(message: Message): Buffer {
  return Buffer.isBuffer(message) ? message : Buffer.concat(message);
}
