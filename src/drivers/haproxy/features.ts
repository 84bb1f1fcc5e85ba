import { allFeatures } from "../../model/index.ts";

/** What this HAProxy cannot do right; README.md says why. */
const notClaimed: ReadonlySet<string> = new Set(["UDPRoute", "BackendTLSPolicySANValidation"]);

export const haproxyFeatures: ReadonlySet<string> = new Set(
  [...allFeatures].filter((feature) => !notClaimed.has(feature)),
);
