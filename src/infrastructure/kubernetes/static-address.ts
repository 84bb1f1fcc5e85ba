import type { Fleet } from "../../translate/index.ts";

/** The address to ask the load balancer for. A Service has room for one; `judgeAddresses` speaks of the others. */
export function staticAddress({ addresses }: Fleet): string | undefined {
  return addresses.find(({ type, value }) => type === "IPAddress" && value)?.value;
}
