/*
 * A command line → an invocation, or what is wrong with it. The command table says which flags there are; Node's own
 * parser takes the line apart.
 */
import { parseArgs } from "node:util";
import { nearest } from "../controller/names/index.ts";
import type { Command } from "./command.ts";
import type { Flag } from "./flag.ts";
import { Invocation } from "./invocation.ts";

export type ParsedArguments =
  | { readonly outcome: "invocation"; readonly command: Command; readonly invocation: Invocation }
  | { readonly outcome: "help"; readonly command: Command | undefined }
  | { readonly outcome: "misuse"; readonly message: string; readonly command: Command | undefined };

/** What every command has. */
export const helpFlag: Flag = { name: "help", short: "h", summary: "show this help" };

export function parseArguments(args: readonly string[], commands: readonly Command[]): ParsedArguments {
  const [name, ...rest] = withoutLeadingHelp(args);
  const wrong = (message: string) => ({ outcome: "misuse", message, command: undefined }) as const;
  if (name === undefined) return { outcome: "help", command: undefined };
  if (name.startsWith("-")) return wrong(`unknown flag ${name}; a command comes first`);
  const command = commands.find((candidate) => candidate.name === name);
  if (command) return parseCommand(command, args[0] === name ? rest : ["--help", ...rest]);
  const meant = nearest(
    name,
    commands.map((candidate) => candidate.name),
  );
  return wrong(`unknown command ${quote(name)}${meant === undefined ? "" : `; did you mean ${meant}?`}`);
}

/** `gatewright --help run` means the same as `gatewright run --help`. */
function withoutLeadingHelp(args: readonly string[]): readonly string[] {
  return args[0] === "--help" || args[0] === "-h" ? args.slice(1) : args;
}

function parseCommand(command: Command, args: readonly string[]): ParsedArguments {
  const flags = [...command.flags, helpFlag];
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(flags.map((flag) => [flag.name, parserOption(flag)])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  const rest: string[] = [];
  const wrong = (message: string) => ({ outcome: "misuse", message, command }) as const;
  for (const token of tokens) {
    if (token.kind === "positional") rest.push(token.value);
    if (token.kind !== "option") continue;
    const flag = flags.find((candidate) => candidate.name === token.name);
    if (flag === helpFlag) return { outcome: "help", command };
    if (!flag) return wrong(describeUnknown(token.rawName, flags));
    const given = readValue(flag, token);
    if (given.problem !== undefined) return wrong(given.problem);
    const before = values.get(flag.name) ?? [];
    if (before.length > 0 && !flag.repeatable && flag.value !== undefined) {
      return wrong(`${token.rawName} was given twice; it takes one ${flag.value}`);
    }
    values.set(flag.name, [...before, given.value]);
  }
  const given = withFirst(command, rest);
  const problem = judgeArguments(command, given) ?? judgeRequired(command, values);
  if (problem !== undefined) return wrong(problem);
  return { outcome: "invocation", command, invocation: new Invocation(command.flags, given, values) };
}

function withFirst({ arguments: wanted }: Command, given: readonly string[]): readonly string[] {
  const first = wanted[0]?.default;
  return first !== undefined && given.length < wanted.length ? [first, ...given] : given;
}

function parserOption(flag: Flag) {
  const type = flag.value === undefined ? ("boolean" as const) : ("string" as const);
  return flag.short === undefined ? { type } : { type, short: flag.short };
}

interface OptionToken {
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

type ReadValue =
  | { readonly value: string; readonly problem?: undefined }
  | { readonly problem: string; readonly value?: undefined };

function readValue(flag: Flag, token: OptionToken): ReadValue {
  const { rawName, inlineValue } = token;
  if (flag.value === undefined) {
    return inlineValue ? { problem: `${rawName} takes no value` } : { value: "" };
  }
  // `-o=json` is what kubectl takes as well; the parser leaves the `=` in the value of short flags.
  const isShort = !rawName.startsWith("--");
  const value = isShort && inlineValue ? token.value?.replace(/^=/, "") : token.value;
  const isNextFlag = !inlineValue && value !== undefined && value.length > 1 && value.startsWith("-");
  if (value === undefined || value === "" || isNextFlag) {
    return { problem: `${rawName} wants a value: ${rawName} ${flag.value}` };
  }
  const problem = describeUnknownValue(rawName, value, flag);
  return problem === undefined ? { value } : { problem };
}

/** Why a flag, here by this name, cannot have this value. */
export function describeUnknownValue(name: string, value: string, { choices }: Flag): string | undefined {
  if (!choices || choices.includes(value)) return undefined;
  return `${name}: ${quote(value)} is not known; use ${listChoices(choices)}`;
}

function describeUnknown(rawName: string, flags: readonly Flag[]): string {
  const names = flags.map(({ name }) => `--${name}`);
  const meant = rawName.startsWith("--") ? nearest(rawName, names) : undefined;
  return `unknown flag ${rawName}${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}

function judgeArguments(command: Command, given: readonly string[]): string | undefined {
  const missing = command.arguments.find(({ required }, index) => required && given[index] === undefined);
  if (missing) {
    const { name, summary } = missing;
    return `${name} is missing${summary.startsWith("such as ") ? "," : ":"} ${summary}`;
  }
  const extra = given[command.arguments.length];
  if (extra === undefined) return undefined;
  const files = command.flags.find(({ name }) => name === "filename");
  const hint = files?.short === undefined ? "" : `; paths are given as -${files.short} PATH`;
  return `${quote(extra)} is one argument too many${hint}`;
}

function judgeRequired({ flags }: Command, values: ReadonlyMap<string, unknown>): string | undefined {
  const missing = flags.find(({ name, required }) => required && !values.has(name));
  if (!missing) return undefined;
  const short = missing.short === undefined ? `--${missing.name}` : `-${missing.short}`;
  return `${short} ${missing.value ?? ""} is missing: ${missing.summary}`;
}

function listChoices(choices: readonly string[]): string {
  if (choices.length < 2) return choices.join("");
  return `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
