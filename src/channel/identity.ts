/*
 * Who a client of the channel is stands in its certificate, as its only name: `gatewright://gateway/<namespace>/<name>` for a
 * Gateway's proxies, `gatewright://controller/<name>` for another replica of the controller. Nothing that a client says of
 * itself besides is believed, and neither can pass for the other: the part that tells them apart comes before any name.
 */

export type Identity =
  /** `<namespace>/<name>` of the Gateway whose proxy it is. */
  | { readonly kind: "proxy"; readonly gateway: string }
  | { readonly kind: "controller"; readonly controller: string };

const label = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const controllerName = new RegExp(`^${label}(?:\\.${label})*$`);
const gatewayName = new RegExp(`^(${label})/(${label}(?:\\.${label})*)$`);
const gatewayPrefix = "gatewright://gateway/";
const controllerPrefix = "gatewright://controller/";

/** The name in the certificate of a Gateway's proxies. */
export function identityUri(gateway: string): string {
  if (!gatewayName.test(gateway)) throw new TypeError(`${gateway} is not <namespace>/<name> of a Gateway.`);
  return `${gatewayPrefix}${gateway}`;
}

/** The name in the certificate of a replica of the controller. */
export function controllerUri(controller: string): string {
  if (!controllerName.test(controller)) throw new TypeError(`${controller} is not the name of a controller.`);
  return `${controllerPrefix}${controller}`;
}

/**
 * From a certificate's alternative names as Node writes them (`URI:…, DNS:…`). Only a certificate with this one name has an
 * identity: what has more was not made by us.
 */
export function parseIdentity(alternativeNames: string | undefined): Identity | undefined {
  const gateway = after(`URI:${gatewayPrefix}`, alternativeNames);
  if (gateway !== undefined) return gatewayName.test(gateway) ? { kind: "proxy", gateway } : undefined;
  const controller = after(`URI:${controllerPrefix}`, alternativeNames);
  if (controller === undefined || !controllerName.test(controller)) return undefined;
  return { kind: "controller", controller };
}

function after(prefix: string, text: string | undefined): string | undefined {
  return text?.startsWith(prefix) ? text.slice(prefix.length) : undefined;
}
