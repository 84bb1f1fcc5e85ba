import type { BackendTarget, WeightedBackend } from "../../../model/index.ts";
import { WeightedRoundRobin } from "../balance.ts";

/** Whose turn it is among the weighted backends of a stream. */
export class StreamChoice {
  readonly #backends: readonly WeightedBackend[];
  readonly #turns: WeightedRoundRobin<BackendTarget>;

  constructor(backends: readonly WeightedBackend[]) {
    this.#backends = backends;
    this.#turns = new WeightedRoundRobin(backends.map(({ weight, target }) => ({ weight, value: target })));
  }

  next(): BackendTarget | undefined {
    return this.#turns.next();
  }

  includes(backend: string): boolean {
    return this.#backends.some(({ target }) => target.type === "backend" && target.backend === backend);
  }

  /** The choice among `backends`: this one if nothing differs, so that shares stay exact through other changes of a route. */
  among(backends: readonly WeightedBackend[]): StreamChoice {
    const same =
      backends.length === this.#backends.length &&
      backends.every((backend, index) => isSame(backend, this.#backends[index]!));
    return same ? this : new StreamChoice(backends);
  }
}

function isSame(left: WeightedBackend, right: WeightedBackend): boolean {
  if (left.weight !== right.weight || left.target.type !== right.target.type) return false;
  return left.target.type === "error" || right.target.type === "error"
    ? true
    : left.target.backend === right.target.backend;
}
