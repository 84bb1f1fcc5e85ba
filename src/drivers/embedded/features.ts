import { allFeatures } from "../../model/index.ts";

const notClaimed: ReadonlySet<string> = new Set([
  "ClientAddressFilter",
  "ConnectTimeout",
  "HealthCheck",
  "LoadBalancing",
  "LocalRateLimit",
  "RequestBodyLimit",
  "StreamIdleTimeout",
]);

/** What this process does right, by the API's names. */
export const embeddedFeatures: ReadonlySet<string> = new Set(
  [...allFeatures].filter((feature) => !notClaimed.has(feature)),
);
