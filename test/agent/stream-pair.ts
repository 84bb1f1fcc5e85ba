// Two ends of a stream in one process, which behave as the channel's do: messages come later, in order, and closing is heard on both sides.

import type { ChannelStream, ChannelStreamHandlers } from "../../src/channel/index.ts";
import { wholeMessage } from "../whole-message.ts";

export function streamPair(): { near: ChannelStream; far: ChannelStream; cut: () => void } {
  const handlers: { near?: ChannelStreamHandlers; far?: ChannelStreamHandlers } = {};
  let isOpen = true;
  const close = (reason: string) => {
    if (!isOpen) return;
    isOpen = false;
    setImmediate(() => {
      handlers.near?.closed(reason);
      handlers.far?.closed(reason);
    });
  };
  const end = (own: "near" | "far", other: "near" | "far"): ChannelStream => ({
    send: (message) =>
      setImmediate(() => {
        if (isOpen) handlers[other]?.message(wholeMessage(message));
      }),
    close: (reason = "closed") => close(reason),
    listen: (given) => (handlers[own] = given),
  });
  return { near: end("near", "far"), far: end("far", "near"), cut: () => close("cut") };
}
