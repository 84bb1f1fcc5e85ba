import type { Argument, Command } from "../command.ts";
import type { Flag } from "../flag.ts";
import { helpFlag } from "../parse-arguments.ts";

/** A script for `source <(gatewright completion zsh)`, or a file `_gatewright` in `$fpath`. */
export function renderZshCompletion(program: string, commands: readonly Command[]): string {
  return [
    `#compdef ${program}`,
    `_${program}() {`,
    "  local -a commands",
    "  commands=(",
    ...commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`),
    "  )",
    "  if (( CURRENT == 2 )); then",
    "    _describe 'command' commands",
    "    return",
    "  fi",
    '  local command="${words[2]}"',
    "  shift words",
    "  (( CURRENT-- ))",
    '  case "$command" in',
    ...commands.flatMap(renderCommand),
    "  esac",
    "}",
    `if [ "$funcstack[1]" = "_${program}" ]; then`,
    `  _${program} "$@"`,
    "else",
    `  compdef _${program} ${program}`,
    "fi",
    "",
  ].join("\n");
}

function renderCommand(command: Command): string[] {
  const specs = [
    ...[...command.flags, helpFlag].map(renderFlag),
    ...command.arguments.map((argument, index) => renderArgument(argument, index + 1)),
  ];
  return [
    `    ${command.name})`,
    "      _arguments \\",
    ...specs.map((spec, index) => `        ${spec}${index < specs.length - 1 ? " \\" : ""}`),
    "      ;;",
  ];
}

function renderFlag(flag: Flag): string {
  const { name, short, summary, repeatable } = flag;
  const text = `[${escape(summary)}]${renderValue(flag)}`;
  if (short === undefined) return quote(`${repeatable ? "*" : ""}--${name}${text}`);
  const prefix = repeatable ? "'*'" : quote(`(-${short} --${name})`);
  return `${prefix}{-${short},--${name}}${quote(text)}`;
}

function renderValue({ value, choices, isPath }: Flag): string {
  if (value === undefined) return "";
  return `:${escape(value)}:${choices ? `(${choices.join(" ")})` : isPath ? "_files" : ""}`;
}

function renderArgument({ name, required, suggestions }: Argument, position: number): string {
  const action = suggestions ? `(${suggestions.join(" ")})` : "";
  return quote(`${position}:${required ? "" : ":"}${escape(name)}:${action}`);
}

function escape(text: string): string {
  return text.replace(/[\\[\]:]/g, "\\$&");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
