export type NginxDriverErrorCode =
  | "GATEWRIGHT_DRIVER_STARTED"
  | "GATEWRIGHT_DRIVER_NOT_STARTED"
  | "GATEWRIGHT_NGINX_MISSING"
  | "GATEWRIGHT_NGINX_FOLDER";

/** The driver was used out of order, or NGINX cannot run here. */
export class NginxDriverError extends Error {
  readonly code: NginxDriverErrorCode;

  constructor(code: NginxDriverErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "NginxDriverError";
    this.code = code;
  }
}
