import type { Command } from "./command.ts";
import type { Flag } from "./flag.ts";
import { helpFlag } from "./parse-arguments.ts";
import type { Style } from "./style.ts";
import { renderTable } from "./table.ts";

export const programName = "gatewright";

/** What `gatewright help` shows. */
export function renderOverview(commands: readonly Command[], style: Style): string {
  const rows = commands.map(({ name, summary }) => [`  ${style.bold(name)}`, summary]);
  return [
    "Gatewright serves the Kubernetes Gateway API from a folder of YAML.",
    "",
    style.bold("Usage"),
    `  ${programName} COMMAND [FLAGS]`,
    "",
    style.bold("Commands"),
    ...renderTable(rows),
    "",
    `${programName} help COMMAND says more about one of them.`,
  ].join("\n");
}

/** What `gatewright help COMMAND` shows. */
export function renderHelp(command: Command, style: Style): string {
  const lines = [command.summary.replace(/^./, (first) => first.toUpperCase()) + "."];
  if (command.description !== undefined) lines.push("", command.description);
  lines.push("", style.bold("Usage"), `  ${renderUsage(command)}`);
  if (command.arguments.length > 0) {
    lines.push("", style.bold("Arguments"));
    lines.push(...renderTable(command.arguments.map(({ name, summary }) => [`  ${name}`, summary])));
  }
  lines.push("", style.bold("Flags"));
  lines.push(
    ...renderTable([...command.flags, helpFlag].map((flag) => [`  ${nameFlag(flag)}`, describe(flag)])),
  );
  if (command.examples.length > 0) {
    lines.push("", style.bold("Examples"));
    for (const { line, does } of command.examples) {
      lines.push(`  ${style.dim(`# ${does}`)}`, `  ${programName} ${line}`);
    }
  }
  return lines.join("\n");
}

export function renderUsage(command: Command): string {
  const required = command.flags.filter((flag) => flag.required).map(usageOfFlag);
  const args = command.arguments.map(({ name, required: isNeeded }) => (isNeeded ? name : `[${name}]`));
  const hasMore = command.flags.some((flag) => !flag.required);
  return [programName, command.name, ...args, ...required, ...(hasMore ? ["[FLAGS]"] : [])].join(" ");
}

function usageOfFlag({ name, short, value, repeatable }: Flag): string {
  const dashed = short === undefined ? `--${name}` : `-${short}`;
  const once = value === undefined ? dashed : `${dashed} ${value}`;
  return repeatable ? `${once} [${dashed} …]` : once;
}

function nameFlag({ name, short, value }: Flag): string {
  const dashed = short === undefined ? `    --${name}` : `-${short}, --${name}`;
  return value === undefined ? dashed : `${dashed} ${value}`;
}

function describe({ summary, choices, default: fallback, repeatable }: Flag): string {
  const notes = [
    ...(choices ? [choices.join(", ")] : []),
    ...(fallback === undefined ? [] : [`default ${fallback}`]),
    ...(repeatable ? ["can be repeated"] : []),
  ];
  return notes.length === 0 ? summary : `${summary} (${notes.join("; ")})`;
}
