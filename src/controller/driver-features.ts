import { envoyFeatures } from "../drivers/envoy/features.ts";
import { haproxyFeatures } from "../drivers/haproxy/features.ts";
import { nginxFeatures } from "../drivers/nginx/features.ts";
import { allFeatures } from "../model/index.ts";
import type { DriverName } from "./names/index.ts";

/** What each driver states that it can do; to know it takes no driver. */
export const driverFeatures: Readonly<Record<DriverName, ReadonlySet<string>>> = {
  embedded: allFeatures,
  envoy: envoyFeatures,
  haproxy: haproxyFeatures,
  nginx: nginxFeatures,
};
