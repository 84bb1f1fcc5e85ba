/** One stream of the channel, as both sides see it. */
export interface ProxyStream {
  send(message: Buffer): void;
  close(reason?: string): void;
  listen(handlers: ProxyStreamHandlers): void;
}

export interface ProxyStreamHandlers {
  message(bytes: Buffer): void;
  /** Once, whoever closed it. */
  closed(reason: string): void;
}
