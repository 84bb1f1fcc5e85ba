import type { Cell } from "./cell.ts";
import type { Equals, Read } from "./collection.ts";
import { Computation, ComputedStore } from "./computed-store.ts";
import type { Engine, Store } from "./store.ts";

export type MapFunction<S, T> = (value: S, read: Read, key: string) => T | undefined;

class MapComputation<S, T> extends Computation<S> {
  /** Where its value is; none while it has none. */
  output: Cell<T> | undefined = undefined;

  hasOutputs(): boolean {
    return this.output !== undefined;
  }
}

/** One output per source key, under the same key. */
export class MapStore<S, T> extends ComputedStore<S, T, MapComputation<S, T>> {
  readonly #compute: MapFunction<S, T>;

  constructor(
    engine: Engine,
    name: string,
    position: number,
    source: Store<S>,
    compute: MapFunction<S, T>,
    equals?: Equals<T>,
  ) {
    super(engine, name, position, source, equals);
    this.#compute = compute;
  }

  protected begin(source: Cell<S>): MapComputation<S, T> {
    return new MapComputation<S, T>(this, source);
  }

  protected run(computation: MapComputation<S, T>, value: S): void {
    const { key } = computation.source;
    const compute = this.#compute;
    const result = compute(value, this.read, key);
    if (result === undefined) {
      this.clear(computation);
      return;
    }
    const output = computation.output;
    if (output === undefined) this.write((computation.output = this.cellFor(key)), result);
    else if (!this.same(key, output.value, result)) this.write(output, result);
  }

  protected clear(computation: MapComputation<S, T>): void {
    if (computation.output === undefined) return;
    this.write(computation.output, undefined);
    computation.output = undefined;
  }

  protected changedBy(computation: MapComputation<S, T>): readonly string[] {
    const { key } = computation.source;
    return this.cells.get(key)?.touched === true ? [key] : [];
  }
}
