/** The providers. Each is loaded when it is chosen, and its SDK with it. */
import type { DnsProviderModule } from "../provider.ts";

const modules: ReadonlyMap<string, () => Promise<DnsProviderModule>> = new Map([
  ["rfc2136", () => import("./rfc2136/index.ts")],
]);

/** Undefined: there is none of that name. */
export function loadProvider(name: string): Promise<DnsProviderModule> | undefined {
  return modules.get(name)?.();
}
