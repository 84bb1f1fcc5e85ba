import { createHmac } from "node:crypto";

/** What stands for an endpoint in the tokens of sessions. */
export function endpointName(secret: string, backend: string, address: string): string {
  return createHmac("sha256", secret).update(`endpoint\n${backend}\n${address}`).digest("hex").slice(0, 24);
}
