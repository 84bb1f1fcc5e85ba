import type { ExitCode } from "./exit-code.ts";
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
  readonly flags: readonly Flag[];
  readonly examples: readonly Example[];
  run(invocation: Invocation, terminal: Terminal): Promise<ExitCode>;
}

export interface Argument {
  /** As help shows it: `METHOD`. */
  readonly name: string;
  readonly required: boolean;
  readonly summary: string;
  /** For completion; other values may be fine. */
  readonly suggestions?: readonly string[];
}

export interface Flag {
  /** Without dashes. */
  readonly name: string;
  readonly short?: string;
  /** What the value is, as help shows it: `DIR`. Absent: a switch without a value. */
  readonly value?: string;
  readonly repeatable?: boolean;
  readonly required?: boolean;
  /** The only values there are. */
  readonly choices?: readonly string[];
  readonly default?: string;
  /** Completes to names of files and folders. */
  readonly isPath?: boolean;
  readonly summary: string;
}

export interface Example {
  /** Without the program's name. */
  readonly line: string;
  readonly does: string;
}
