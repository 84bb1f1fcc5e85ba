export type EnvoyDriverErrorCode = "GATEWRIGHT_DRIVER_STARTED" | "GATEWRIGHT_DRIVER_NOT_STARTED";

/** The driver was used out of order. */
export class EnvoyDriverError extends Error {
  readonly code: EnvoyDriverErrorCode;

  constructor(code: EnvoyDriverErrorCode, message: string) {
    super(message);
    this.name = "EnvoyDriverError";
    this.code = code;
  }
}
