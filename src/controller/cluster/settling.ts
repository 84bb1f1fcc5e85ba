/*
 * Whoever has just begun to lead does not know all proxies yet: they are on their way back to a controller that was restarted, or
 * connected to replicas that have not reported. For a short time nothing is taken back for that reason alone: a `Programmed` that
 * stands, of the same generation, stays until somebody knows better.
 */
type Raw = Readonly<Record<string, unknown>>;

/** What is said when proxies, or what is around them, are not there (yet). */
const waitingReasons: ReadonlySet<unknown> = new Set(["Pending", "NoResources", "AddressNotAssigned"]);

export class Settling {
  readonly #over: () => void;
  readonly #lasts: number;
  #timer: NodeJS.Timeout | undefined;

  /** `over`: what was postponed may be written. */
  constructor(over: () => void, lasts = 15_000) {
    this.#over = over;
    this.#lasts = lasts;
  }

  begin(): void {
    this.stop();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#over();
    }, this.#lasts).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  postpones(before: Raw, after: Raw): boolean {
    return this.#timer !== undefined && losesProxies(before, after);
  }
}

/** Something that was programmed would not be, only because nobody has answered. */
export function losesProxies(before: Raw, after: Raw): boolean {
  if (takesBack(before["conditions"], after["conditions"])) return true;
  const listeners = objectsIn(before["listeners"]);
  return objectsIn(after["listeners"]).some((listener) => {
    const old = listeners.find(({ name }) => name === listener["name"]);
    return takesBack(old?.["conditions"], listener["conditions"]);
  });
}

function takesBack(before: unknown, after: unknown): boolean {
  const [old, now] = [before, after].map((list) => objectsIn(list).find(({ type }) => type === "Programmed"));
  if (old?.["status"] !== "True" || !now || now["status"] === "True") return false;
  return old["observedGeneration"] === now["observedGeneration"] && waitingReasons.has(now["reason"]);
}

function objectsIn(list: unknown): readonly Raw[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === "object" && each !== null) : [];
}
