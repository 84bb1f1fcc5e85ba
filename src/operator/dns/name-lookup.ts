/*
 * What a name resolves to where somebody else publishes it (external-dns), held against what its load balancer says. Nothing is published by us, so this is all
 * that we can tell.
 */
import { Resolver } from "node:dns/promises";
import type { Verdict } from "../../status/index.ts";
import { dns } from "./gateway-conditions.ts";
import { canonicalAddress, type Targets } from "./load-balancer-targets.ts";

export interface NameLookup {
  /** Empty: it does not resolve. Rejects if nobody could be asked. */
  resolve(name: string, type: "A" | "AAAA" | "CNAME"): Promise<readonly string[]>;
}

/** `server`: who is asked; absent: the machine's own resolvers. */
export function nameLookup(server: string | undefined): NameLookup {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  if (server !== undefined) resolver.setServers([server]);
  return {
    async resolve(name, type) {
      try {
        return (await resolver.resolve(name, type)) as string[];
      } catch (error) {
        const { code } = error as { code?: string };
        if (code === "ENOTFOUND" || code === "ENODATA") return [];
        throw error;
      }
    },
  };
}

/** Whether a hostname is what its Gateway's load balancer is. */
export async function judgeLookup(
  hostname: string,
  targets: Targets | undefined,
  lookup: NameLookup,
): Promise<Verdict> {
  if (!targets) return dns("False", "NoAddress", `${hostname}: the load balancer has no address yet.`);
  try {
    const wanted = await addressesOf(targets, lookup);
    const found = await resolveAddresses(hostname, lookup);
    if (found.length === 0) {
      const what = targets.targets.join(", ");
      return dns(
        "False",
        "NotResolved",
        `${hostname} does not resolve. external-dns must publish it as ${what}.`,
      );
    }
    const strange = found.filter((address) => !wanted.has(address));
    if (strange.length === 0) return dns("True", "Resolved", `${hostname} resolves to ${found.join(", ")}.`);
    return dns(
      "False",
      "ResolvesElsewhere",
      `${hostname} resolves to ${strange.join(", ")}, which is not its load balancer's (${[...wanted].join(", ")}).`,
    );
  } catch (error) {
    const { code = "", message } = error as { code?: string; message: string };
    return dns("Unknown", "LookupFailed", `${hostname} could not be looked up: ${code || message}.`);
  }
}

async function addressesOf(
  { recordType, targets }: Targets,
  lookup: NameLookup,
): Promise<ReadonlySet<string>> {
  if (recordType !== "CNAME") return new Set(targets.map(canonicalAddress));
  const found = await Promise.all(targets.map((name) => resolveAddresses(name, lookup)));
  return new Set(found.flat());
}

async function resolveAddresses(name: string, lookup: NameLookup): Promise<readonly string[]> {
  const found = await Promise.all([lookup.resolve(name, "A"), lookup.resolve(name, "AAAA")]);
  return found.flat().map(canonicalAddress).toSorted();
}
