/** Which ports this process holds, and for which listeners: a port that one of our own has is not a stranger's. */
export class PortClaims {
  readonly #holders = new Map<string, Set<string>>();

  take(transport: string, port: number, listener: string): void {
    const id = `${transport}/${port}`;
    const holders = this.#holders.get(id) ?? new Set();
    this.#holders.set(id, holders.add(listener));
  }

  release(transport: string, port: number, listener: string): void {
    const id = `${transport}/${port}`;
    const holders = this.#holders.get(id);
    holders?.delete(listener);
    if (holders?.size === 0) this.#holders.delete(id);
  }

  isHeldByAnother(transport: string, port: number, listener: string): boolean {
    const holders = this.#holders.get(`${transport}/${port}`);
    return holders !== undefined && (holders.size > 1 || !holders.has(listener));
  }
}
