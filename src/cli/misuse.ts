import { exitCode, type ExitCode } from "./exit-code.ts";
import { programName } from "./help.ts";
import { printable } from "./printable.ts";
import type { Terminal } from "./terminal.ts";

/** For what only the command itself can see is wrong with its command line. */
export function misuse(terminal: Terminal, message: string): ExitCode {
  terminal.err(`${programName}: ${printable(message)}`);
  return exitCode.misuse;
}
