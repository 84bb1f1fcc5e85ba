/*
 * Endpoints that are names. NGINX could look them up only with a resolver of its own, which reads no hosts file; so they are looked up here, again and
 * again, and whoever refers to one that changed is told.
 */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

const interval = 5_000;

export class AddressBook {
  readonly #known = new Map<string, readonly string[]>();
  readonly #onChange: () => void;
  readonly #timer: NodeJS.Timeout;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
    this.#timer = setInterval(() => void this.#refresh(), interval).unref();
  }

  /** The addresses of an endpoint as they are known; its own if it is one. */
  of(name: string): readonly string[] {
    return isIP(name) > 0 ? [name] : (this.#known.get(name) ?? []);
  }

  /** Looks up those that are not known yet. */
  async learn(names: Iterable<string>): Promise<void> {
    const unknown = [...new Set(names)].filter((name) => isIP(name) === 0 && !this.#known.has(name));
    await Promise.all(unknown.map((name) => this.#lookUp(name)));
  }

  /** Names that nobody refers to any more. */
  forgetAllBut(names: ReadonlySet<string>): void {
    for (const name of this.#known.keys()) if (!names.has(name)) this.#known.delete(name);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #refresh(): Promise<void> {
    const changed = await Promise.all([...this.#known.keys()].map((name) => this.#lookUp(name)));
    if (changed.includes(true)) this.#onChange();
  }

  /** Whether anything became different. What cannot be looked up keeps the addresses that it had. */
  async #lookUp(name: string): Promise<boolean> {
    const before = this.#known.get(name);
    const found = await lookup(name, { all: true }).catch(() => undefined);
    // One family is enough; servers of names that have both may listen on the older alone.
    const family = found?.some((entry) => entry.family === 4) ? 4 : 6;
    const addresses = found
      ?.filter((entry) => entry.family === family)
      .map(({ address }) => address)
      .sort();
    const after = addresses ?? before ?? [];
    this.#known.set(name, after);
    return JSON.stringify(before) !== JSON.stringify(after);
  }
}
