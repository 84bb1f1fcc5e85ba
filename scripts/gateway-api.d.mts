// The part of gateway-api.mjs that tests use.
export const gatewayApiVersion: string;
export const gatewayApiModule: string;
