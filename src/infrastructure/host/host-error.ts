export type HostErrorCode = "GATEWRIGHT_PROXY_MISSING" | "GATEWRIGHT_PROXY_FAILED";

/** The proxy is not on this machine, or does not run. The message is for a person, with the way out. */
export class HostError extends Error {
  readonly code: HostErrorCode;

  constructor(code: HostErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "HostError";
    this.code = code;
  }
}
