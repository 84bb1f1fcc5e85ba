/*
 * Endpoints that are names. HAProxy resolves such names only at its start or by its own client of DNS, which does not know the
 * machine's hosts file; so the driver asks the system, like any program of this machine would, and again every while.
 */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Endpoint, EndpointSet } from "../../model/index.ts";

export class EndpointNames {
  readonly #addresses = new Map<string, readonly string[]>();

  addressesOf({ address }: Endpoint): readonly string[] {
    return isIP(address) === 0 ? (this.#addresses.get(address) ?? []) : [address];
  }

  get hasNames(): boolean {
    return this.#addresses.size > 0;
  }

  /** Asks for names that are new, or for all. Says whether anything is different. */
  async resolve(sets: Iterable<EndpointSet>, which: "new" | "all"): Promise<boolean> {
    const names = new Set<string>();
    for (const { endpoints } of sets) {
      for (const { address } of endpoints) if (isIP(address) === 0) names.add(address);
    }
    for (const name of this.#addresses.keys()) if (!names.has(name)) this.#addresses.delete(name);
    const asked = [...names].filter((name) => which === "all" || !this.#addresses.has(name));
    const answers = await Promise.all(asked.map(resolveName));
    let isDifferent = false;
    for (const [index, answer] of answers.entries()) {
      const name = asked[index]!;
      const before = this.#addresses.get(name);
      // A name that cannot be asked for just now keeps the addresses it had.
      const addresses = answer ?? before ?? [];
      if (JSON.stringify(before) === JSON.stringify(addresses)) continue;
      this.#addresses.set(name, addresses);
      isDifferent = true;
    }
    return isDifferent;
  }
}

async function resolveName(name: string): Promise<readonly string[] | undefined> {
  try {
    const found = await lookup(name, { all: true });
    const ipv4 = found.filter(({ family }) => family === 4);
    const used = ipv4.length > 0 ? ipv4 : found;
    return [...new Set(used.map(({ address }) => address))].toSorted();
  } catch {
    return undefined;
  }
}
