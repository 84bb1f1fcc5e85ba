import type { Message } from "./grpc-messages.ts";

/** One stream of the channel, as both sides see it. */
export interface ChannelStream {
  send(message: Message): void;
  close(reason?: string): void;
  /** Messages are held back until somebody listens. */
  listen(handlers: ChannelStreamHandlers): void;
}

export interface ChannelStreamHandlers {
  message(bytes: Buffer): void;
  /** Once, whoever closed it. */
  closed(reason: string): void;
}
