/** The machine does not have what was asked of it. The message is one line for a person, with the way out. */
export class EnvironmentError extends Error {
  readonly code:
    | "GATEWRIGHT_PORT_TAKEN"
    | "GATEWRIGHT_PORT_DENIED"
    | "GATEWRIGHT_ADDRESS_UNUSABLE"
    | "GATEWRIGHT_CERTIFICATE_UNREADABLE"
    | "GATEWRIGHT_CLUSTER_UNREACHABLE"
    | "GATEWRIGHT_CRDS_NOT_BUILT"
    | "GATEWRIGHT_FILE_UNREADABLE"
    | "GATEWRIGHT_GATEWAY_MISSING"
    | "GATEWRIGHT_PROXY_MISSING"
    | "GATEWRIGHT_PROXY_FAILED";

  constructor(code: EnvironmentError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "EnvironmentError";
    this.code = code;
  }
}
