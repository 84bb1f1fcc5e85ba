/*
 * Who a client of the channel is stands in its certificate, as its only name: `gatewright://gateway/<namespace>/<name>`. Nothing
 * that a client says of itself besides is believed.
 */

/** `<namespace>/<name>` of the Gateway whose proxy it is. */
export interface Identity {
  readonly gateway: string;
}

const label = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const gatewayName = new RegExp(`^(${label})/(${label}(?:\\.${label})*)$`);
const prefix = "gatewright://gateway/";

/** The name in the certificate of a Gateway's proxies. */
export function identityUri(gateway: string): string {
  if (!gatewayName.test(gateway)) throw new TypeError(`${gateway} is not <namespace>/<name> of a Gateway.`);
  return `${prefix}${gateway}`;
}

/**
 * From a certificate's alternative names as Node writes them (`URI:…, DNS:…`). Only a certificate with this one name has an
 * identity: what has more was not made by us.
 */
export function parseIdentity(alternativeNames: string | undefined): Identity | undefined {
  const uri = `URI:${prefix}`;
  if (!alternativeNames?.startsWith(uri)) return undefined;
  const gateway = alternativeNames.slice(uri.length);
  return gatewayName.test(gateway) ? { gateway } : undefined;
}
