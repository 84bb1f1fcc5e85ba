import type { Flag } from "./flag.ts";

/** What was given to a command: the values of its flags, and the rest. */
export class Invocation {
  readonly arguments: readonly string[];
  readonly flags: readonly Flag[];
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(
    flags: readonly Flag[],
    args: readonly string[],
    values: ReadonlyMap<string, readonly string[]>,
  ) {
    this.flags = flags;
    this.arguments = args;
    this.#values = values;
  }

  /** With these values for flags that were not given. */
  over(values: ReadonlyMap<string, readonly string[]>): Invocation {
    return new Invocation(this.flags, this.arguments, new Map([...values, ...this.#values]));
  }

  /** Whether a flag was given. */
  has(flag: string): boolean {
    return this.#values.has(flag);
  }

  /** The last value that a flag was given, or its default. */
  value(flag: string): string | undefined {
    return this.#values.get(flag)?.at(-1) ?? this.flags.find(({ name }) => name === flag)?.default;
  }

  /** All values of a repeatable flag, in the order given. */
  values(flag: string): readonly string[] {
    return this.#values.get(flag) ?? [];
  }
}
