import type { Command } from "../command.ts";
import type { Flag } from "../flag.ts";
import { helpFlag } from "../parse-arguments.ts";

/** A script for `source <(gatewright completion bash)`. */
export function renderBashCompletion(program: string, commands: readonly Command[]): string {
  const handler = `_${program}`;
  return [
    `# bash completion for ${program}: source <(${program} completion bash)`,
    `${handler}() {`,
    "  local current previous command",
    '  current="${COMP_WORDS[COMP_CWORD]}"',
    '  previous="${COMP_WORDS[COMP_CWORD-1]}"',
    '  command="${COMP_WORDS[1]}"',
    "  COMPREPLY=()",
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")}" -- "$current"))`,
    "    return",
    "  fi",
    '  case "$command" in',
    ...commands.flatMap(renderCommand),
    "  esac",
    "}",
    `complete -F ${handler} ${program}`,
    "",
  ].join("\n");
}

function renderCommand(command: Command): string[] {
  const flags = [...command.flags, helpFlag];
  const valued = flags.filter(({ value }) => value !== undefined);
  const lines = [`    ${command.name})`];
  if (valued.length > 0) {
    lines.push('      case "$previous" in', ...valued.map(renderValue), "      esac");
  }
  const words = command.arguments.flatMap(({ suggestions }) => suggestions ?? []);
  lines.push(
    '      if [[ "$current" == -* ]]; then',
    `        COMPREPLY=($(compgen -W "${flags.flatMap(spellings).join(" ")}" -- "$current"))`,
    "      else",
    words.length > 0
      ? `        COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$current"))`
      : "        COMPREPLY=()",
    "      fi",
    "      ;;",
  );
  return lines;
}

function renderValue(flag: Flag): string {
  const words = flag.choices
    ? `compgen -W "${flag.choices.join(" ")}" -- "$current"`
    : flag.isPath
      ? 'compgen -f -- "$current"'
      : undefined;
  // Folders get a slash, and names are quoted; outside of a completion, as in tests, there is nothing to set.
  const asFiles = flag.isPath ? "compopt -o filenames 2>/dev/null; " : "";
  const reply = words === undefined ? "COMPREPLY=()" : `${asFiles}COMPREPLY=($(${words}))`;
  return `        ${spellings(flag).join("|")}) ${reply}; return ;;`;
}

function spellings({ name, short }: Flag): string[] {
  return short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`];
}
