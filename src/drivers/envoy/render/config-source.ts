import type { ConfigSource } from "../generated/messages.ts";

/** Everything comes by the one stream. Nothing waits for a resource for ever; what is not there is answered at once. */
export const ads: ConfigSource = { ads: {}, resourceApiVersion: "V3", initialFetchTimeout: 15_000 };
