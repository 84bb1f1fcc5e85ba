import type { Command } from "./command.ts";

/** A command line that was understood: the command, what its flags were given, and the rest. */
export class Invocation {
  readonly command: Command;
  readonly arguments: readonly string[];
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(command: Command, args: readonly string[], values: ReadonlyMap<string, readonly string[]>) {
    this.command = command;
    this.arguments = args;
    this.#values = values;
  }

  /** Whether a flag was given. */
  has(flag: string): boolean {
    return this.#values.has(flag);
  }

  /** The last value that a flag was given, or its default. */
  value(flag: string): string | undefined {
    return this.#values.get(flag)?.at(-1) ?? this.command.flags.find(({ name }) => name === flag)?.default;
  }

  /** All values of a repeatable flag, in the order given. */
  values(flag: string): readonly string[] {
    return this.#values.get(flag) ?? [];
  }
}
