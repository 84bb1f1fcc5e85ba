import { describeEnvoyContract } from "./support/envoy-contract.ts";
import { withExactHost } from "./support/exact-host.ts";

// Envoy finds exact hosts without a script, and spares their requests every filter that their rules do not ask for.
describeEnvoyContract("the Envoy driver keeps the contract for an exact host", withExactHost);
