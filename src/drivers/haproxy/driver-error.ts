export type HaproxyDriverErrorCode =
  | "GATEWRIGHT_DRIVER_STARTED"
  | "GATEWRIGHT_DRIVER_NOT_STARTED"
  | "GATEWRIGHT_HAPROXY_MISSING"
  | "GATEWRIGHT_HAPROXY_FAILED";

export class HaproxyDriverError extends Error {
  override readonly name = "HaproxyDriverError";
  readonly code: HaproxyDriverErrorCode;

  constructor(code: HaproxyDriverErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
