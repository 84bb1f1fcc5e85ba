/** A provider whose calls are counted, by what was asked and what came of it. */
import { DnsError, type DnsProvider } from "./provider.ts";

export interface ProviderCall {
  readonly provider: string;
  readonly call: "look" | "change" | "targetZone";
  readonly outcome: "done" | "throttled" | "denied" | "stale" | "failed";
}

export class CallCounts {
  total = 0;
  readonly #counts = new Map<string, { readonly call: ProviderCall; count: number }>();

  add(call: ProviderCall): void {
    this.total++;
    const key = Object.values(call).join(" ");
    const known = this.#counts.get(key);
    if (known) known.count++;
    else this.#counts.set(key, { call, count: 1 });
  }

  all(): readonly { readonly call: ProviderCall; readonly count: number }[] {
    return [...this.#counts.values()];
  }
}

export function countedProvider(provider: DnsProvider, counts: CallCounts): DnsProvider {
  const { name, maxChanges } = provider;
  const counted = async <T>(call: ProviderCall["call"], work: () => Promise<T>): Promise<T> => {
    try {
      const result = await work();
      counts.add({ provider: name, call, outcome: "done" });
      return result;
    } catch (error) {
      counts.add({ provider: name, call, outcome: outcomeOf(error) });
      throw error;
    }
  };
  return {
    name,
    maxChanges,
    look: (zone, names) => counted("look", () => provider.look(zone, names)),
    change: (zone, changes) => counted("change", () => provider.change(zone, changes)),
    ...(provider.targetZone && {
      targetZone: (target: string) => counted("targetZone", async () => await provider.targetZone?.(target)),
    }),
    stop: () => provider.stop(),
  };
}

function outcomeOf(error: unknown): ProviderCall["outcome"] {
  if (!(error instanceof DnsError)) return "failed";
  if (error.isThrottled) return "throttled";
  if (error.isDenied) return "denied";
  return error.isStale ? "stale" : "failed";
}
