export type ControllersDriverErrorCode = "GATEWRIGHT_DRIVER_STARTED" | "GATEWRIGHT_DRIVER_NOT_STARTED";

const sentences: Record<ControllersDriverErrorCode, string> = {
  GATEWRIGHT_DRIVER_STARTED: "was started already; make another one.",
  GATEWRIGHT_DRIVER_NOT_STARTED: "is not running: no changes can be applied.",
};

/** The driver was used out of order. */
export class ControllersDriverError extends Error {
  readonly code: ControllersDriverErrorCode;

  constructor(code: ControllersDriverErrorCode, driver: string) {
    super(`The driver ${driver} ${sentences[code]}`);
    this.name = "ControllersDriverError";
    this.code = code;
  }
}
