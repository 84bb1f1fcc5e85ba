import type { ExitCode } from "./exit-code.ts";
import type { Flag } from "./flag.ts";
import type { Invocation } from "./invocation.ts";
import type { Terminal } from "./terminal.ts";

/** One entry of the command table (`commands.ts`), from which parsing, help and completion come. */
export interface Command {
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** Paragraphs for the command's own help. */
  readonly description?: string;
  readonly arguments: readonly Argument[];
  /** Runs until it is told to stop, whether or not somebody reads what it says: it carries traffic, or looks after those who do. */
  readonly serves?: "traffic" | "proxies";
  readonly flags: readonly Flag[];
  readonly examples: readonly Example[];
  run(invocation: Invocation, terminal: Terminal): Promise<ExitCode>;
}

export interface Argument {
  /** As help shows it: `METHOD`. */
  readonly name: string;
  readonly required: boolean;
  readonly summary: string;
  /** Of the first argument: it may be left out although others follow. */
  readonly default?: string;
  /** For completion; other values may be fine. */
  readonly suggestions?: readonly string[];
}

export interface Example {
  /** Without the program's name. */
  readonly line: string;
  readonly does: string;
}
