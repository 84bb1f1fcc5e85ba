/*
 * One pass over the books: certificates, listeners, backends and routes are added and updated in this order, then routes,
 * backends, listeners and certificates are removed. What refers to something waits until the data plane has that; what
 * is referred to goes only after the last thing that needs it. Whatever fails stays open for the next pass.
 */
import type { BoundAddress, ItemState } from "../driver.ts";
import type { Books } from "./books.ts";
import { explainFailure } from "./call-failure.ts";
import type { Ledger } from "./ledger.ts";
import type { References } from "./references.ts";

export interface CallFailure {
  readonly call: "add" | "update" | "remove";
  readonly kind: "Certificate" | "Listener" | "Backend" | "Route";
  readonly name: string;
  readonly error: unknown;
}

/** What a pass tells while it works. */
export interface PassObserver {
  /** The driver was stopped: no more calls. */
  isOver(): boolean;
  /** The item is in force, or why it is not. */
  onState(ledger: Ledger<unknown>, name: string, state: ItemState): void;
  onRemoved(ledger: Ledger<unknown>, name: string): void;
  onFailure(failure: CallFailure): void;
}

export async function runPass(books: Books, observer: PassObserver): Promise<void> {
  const { certificates, listeners, backends, routes } = books;
  const bring = async <T>(
    kind: CallFailure["kind"],
    ledger: Ledger<T>,
    isWanted: (value: T) => boolean = () => true,
  ) => {
    for (const name of ledger.open) {
      if (observer.isOver()) return;
      const value = ledger.wanted.get(name);
      if (value === undefined || !isWanted(value)) continue;
      const missing = books.missingFor(ledger.calls.references(value));
      if (missing !== undefined) {
        observer.onState(ledger, name, { type: "pending", message: `Waits for ${missing}.` });
        continue;
      }
      const call = ledger.held.has(name) ? "update" : "add";
      try {
        const answer = ledger.isInForce(name) ? undefined : await ledger.add(name, value);
        ledger.open.delete(name);
        observer.onState(ledger, name, { type: "programmed", ...addressesIn(answer) });
      } catch (error) {
        observer.onState(ledger, name, explainFailure(error));
        observer.onFailure({ call, kind, name, error });
      }
    }
  };
  const clear = async <T>(
    kind: CallFailure["kind"],
    ledger: Ledger<T>,
    referredAs?: keyof References,
    isWanted: (value: T) => boolean = () => true,
  ) => {
    const gone = [...ledger.open].filter((name) => {
      const value = ledger.wanted.get(name);
      return value === undefined || !isWanted(value);
    });
    const needed = gone.length > 0 && referredAs ? books.needed(referredAs) : new Set<string>();
    for (const name of gone) {
      if (observer.isOver()) return;
      if (needed.has(name)) continue;
      try {
        await ledger.remove(name);
        if (!ledger.wanted.has(name)) ledger.open.delete(name);
        observer.onRemoved(ledger, name);
      } catch (error) {
        observer.onFailure({ call: "remove", kind, name, error });
      }
    }
  };
  await bring("Certificate", certificates);
  await bring("Listener", listeners);
  await bring("Backend", backends);
  await bring("Route", routes, (route) => books.hasListenerOf(route));
  await clear("Route", routes, undefined, (route) => books.hasListenerOf(route));
  await clear("Backend", backends, "backends");
  await clear("Listener", listeners, "listeners");
  await clear("Certificate", certificates, "certificates");
}

function addressesIn(answer: unknown): { readonly addresses?: readonly BoundAddress[] } {
  return Array.isArray(answer) ? { addresses: answer as readonly BoundAddress[] } : {};
}
