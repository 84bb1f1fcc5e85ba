import { HostTable } from "../../../model/index.ts";

interface Item {
  readonly key: string;
  readonly listener: string;
  readonly hostname: string;
}

/** Items that belong to a hostname on a listener: set and deleted by their keys, found by listener and host. */
export class HostTables<T> {
  readonly #byListener = new Map<string, HostTable<T>>();
  readonly #byKey = new Map<string, Item>();

  get size(): number {
    return this.#byKey.size;
  }

  of(listener: string): HostTable<T> | undefined {
    return this.#byListener.get(listener);
  }

  get(key: string): T | undefined {
    const item = this.#byKey.get(key);
    return item && this.#byListener.get(item.listener)?.get(item.hostname);
  }

  set(item: Item, value: T): void {
    const { key, listener, hostname } = item;
    this.#byKey.set(key, item);
    let table = this.#byListener.get(listener);
    if (!table) this.#byListener.set(listener, (table = new HostTable()));
    table.set(hostname, value);
  }

  delete(key: string): void {
    const item = this.#byKey.get(key);
    if (!item) return;
    this.#byKey.delete(key);
    const table = this.#byListener.get(item.listener);
    table?.delete(item.hostname);
    if (table?.size === 0) this.#byListener.delete(item.listener);
  }
}
