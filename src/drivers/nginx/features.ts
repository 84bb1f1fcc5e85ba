import { allFeatures } from "../../model/index.ts";

/** What this NGINX cannot do right; the README has the reasons. */
const notClaimed = [
  "BackendChainValidation",
  "BackendTLSPolicySANValidation",
  "ConnectTimeout",
  "LoadBalancing",
  "StreamIdleTimeout",
];

export const nginxFeatures: ReadonlySet<string> = new Set(
  [...allFeatures].filter((name) => !notClaimed.includes(name)),
);
