/*
 * Numbered sockets between NGINX's `upstream` blocks and endpoints. An endpoint keeps its number as long as anybody uses it. A number that became
 * free rests before it stands for somebody else, because connections that NGINX keeps lead to whom it stood for before: they
 * end within `keepalive_time` and `keepalive_timeout` of the configuration.
 */
const rest = 180_000;

interface Use {
  readonly slot: number;
  holders: number;
}

export class Slots {
  readonly #uses = new Map<string, Use>();
  /** Numbers that were used, and since when they are not. */
  readonly #resting: { readonly slot: number; readonly since: number }[] = [];
  readonly #now: () => number;
  #count = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Numbers that were ever given out: the configuration needs as many. */
  get count(): number {
    return this.#count;
  }

  /** `identity`: the endpoint, and how it is spoken to. */
  hold(identity: string): { readonly slot: number; readonly isNew: boolean } {
    const known = this.#uses.get(identity);
    if (known) {
      known.holders++;
      return { slot: known.slot, isNew: false };
    }
    const [oldest] = this.#resting;
    const isRested = oldest !== undefined && this.#now() - oldest.since >= rest;
    if (isRested) this.#resting.shift();
    const slot = isRested ? oldest.slot : this.#count++;
    this.#uses.set(identity, { slot, holders: 1 });
    return { slot, isNew: true };
  }

  /** The number, if nobody uses it any more. */
  release(identity: string): number | undefined {
    const known = this.#uses.get(identity);
    if (!known || --known.holders > 0) return undefined;
    this.#uses.delete(identity);
    this.#resting.push({ slot: known.slot, since: this.#now() });
    return known.slot;
  }
}
