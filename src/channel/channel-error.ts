export type ChannelErrorCode = "GATEWRIGHT_CHANNEL_PORT" | "GATEWRIGHT_CHANNEL_UNREACHABLE";

/** The channel could not be opened, or not be reached. */
export class ChannelError extends Error {
  readonly code: ChannelErrorCode;

  constructor(code: ChannelErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ChannelError";
    this.code = code;
  }
}
