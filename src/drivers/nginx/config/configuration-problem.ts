/** A configuration that must not be handed to NGINX, or that NGINX refused. */
export class ConfigurationProblem extends Error {
  readonly code = "GATEWRIGHT_NGINX_CONFIGURATION";

  constructor(message: string) {
    super(message);
    this.name = "ConfigurationProblem";
  }
}
