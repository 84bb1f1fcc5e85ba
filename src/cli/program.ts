/** From a command line to an exit code. */
import type { EnvironmentError } from "../controller/index.ts";
import { commands } from "./commands.ts";
import { exitCode, type ExitCode } from "./exit-code.ts";
import { programName, renderHelp, renderOverview, renderUsage } from "./help.ts";
import { optimizeFullyAfterStart, optimizeLittle } from "./optimization.ts";
import type { Configured } from "./config-file.ts";
import type { Invocation } from "./invocation.ts";
import { watchReaders, type LostReaders } from "./lost-readers.ts";
import { misuse } from "./misuse.ts";
import { parseArguments } from "./parse-arguments.ts";
import { printable } from "./printable.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** Runs the process's own command line. */
export async function main(): Promise<void> {
  optimizeLittle();
  const { stdin, stdout, stderr, env } = process;
  const readers = watchReaders({
    stdout,
    stderr,
    end: () => process.exit(process.exitCode ?? exitCode.fine),
    remark: `${programName}: nobody reads standard output any more; going on without it`,
  });
  const terminal = openTerminal({ stdin, stdout, stderr, env });
  process.exitCode = await runProgram(process.argv.slice(2), terminal, readers);
}

async function runProgram(
  args: readonly string[],
  terminal: Terminal,
  readers: LostReaders,
): Promise<ExitCode> {
  const parsed = parseArguments(args[0] === "--version" ? ["version"] : args, commands);
  switch (parsed.outcome) {
    case "help": {
      const { command } = parsed;
      const isAsked = args.length > 0;
      const text = command
        ? renderHelp(command, terminal.outStyle)
        : renderOverview(commands, isAsked ? terminal.outStyle : terminal.errStyle);
      if (isAsked) terminal.out(text);
      else terminal.err(text);
      return isAsked ? exitCode.fine : exitCode.misuse;
    }
    case "misuse": {
      const { command, message } = parsed;
      reportMisuse(terminal, message, command && renderUsage(command));
      return exitCode.misuse;
    }
    case "invocation":
      try {
        const configured = await configure(parsed.invocation);
        if (configured.outcome === "malformed") return misuse(terminal, configured.message);
        const { serves } = parsed.command;
        if (serves) readers.outlive();
        if (serves === "traffic") optimizeFullyAfterStart();
        return await parsed.command.run(configured.invocation, terminal);
      } catch (error) {
        return reportFailure(terminal, error);
      }
  }
}

/** The reader of settings files is loaded where there is one. */
async function configure(invocation: Invocation): Promise<Configured> {
  if (!invocation.has("config")) return { outcome: "invocation", invocation };
  return (await import("./config-file.ts")).withConfigFile(invocation);
}

function reportMisuse(terminal: Terminal, message: string, usage: string | undefined): void {
  terminal.err(`${programName}: ${printable(message)}`);
  terminal.err(usage === undefined ? `See ${programName} help.` : `Usage: ${usage}`);
}

function reportFailure(terminal: Terminal, error: unknown): ExitCode {
  if (isEnvironmentError(error)) {
    terminal.err(`${programName}: ${printable(error.message)}`);
    return exitCode.environment;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  terminal.err(`${programName}: this is a bug, please report it: ${text}`);
  return exitCode.bug;
}

/** By its name: the class would load all that it comes with, also for `help`. */
function isEnvironmentError(error: unknown): error is EnvironmentError {
  return error instanceof Error && error.name === "EnvironmentError";
}
