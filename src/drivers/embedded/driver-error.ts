export type EmbeddedDriverErrorCode = "GATEWRIGHT_DRIVER_STARTED" | "GATEWRIGHT_DRIVER_NOT_STARTED";

/** The driver was used out of order. */
export class EmbeddedDriverError extends Error {
  readonly code: EmbeddedDriverErrorCode;

  constructor(code: EmbeddedDriverErrorCode, message: string) {
    super(message);
    this.name = "EmbeddedDriverError";
    this.code = code;
  }
}
