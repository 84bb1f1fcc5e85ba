import { describeEnvoyContract } from "./support/envoy-contract.ts";

describeEnvoyContract("the Envoy driver keeps the contract", (driver) => driver);
