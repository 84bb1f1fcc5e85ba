export interface ProxyImages {
  readonly envoy: string;
  /** Runs `gatewright agent`. */
  readonly gatewright: string;
}

/**
 * Envoy has an image of its own. NGINX and HAProxy run beside the agent, in images that have both and are called as the controller's is, with the driver's
 * name behind the tag: `gatewright:0.1.0-nginx`. A digest names one image and no other, so it stays as it is.
 */
export function proxyImage(driver: string, { envoy, gatewright }: ProxyImages): string {
  if (driver === "envoy") return envoy;
  if (driver === "embedded" || gatewright.includes("@")) return gatewright;
  const hasTag = /:[^/]*$/.test(gatewright);
  return `${gatewright}${hasTag ? "-" : ":"}${driver}`;
}
