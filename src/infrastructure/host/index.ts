export { HostError, type HostErrorCode } from "./host-error.ts";
export { hostedEnvoy, type HostedEnvoy, type HostedEnvoyOptions } from "./hosted-envoy.ts";
