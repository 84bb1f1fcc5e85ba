import type { Command } from "../command.ts";
import type { Flag } from "../flag.ts";
import { helpFlag } from "../parse-arguments.ts";

/** A script for `gatewright completion fish | source`. */
export function renderFishCompletion(program: string, commands: readonly Command[]): string {
  return [
    `# fish completion for ${program}: ${program} completion fish | source`,
    `complete -c ${program} -f`,
    ...commands.flatMap((command) => renderCommand(program, command)),
    "",
  ].join("\n");
}

function renderCommand(program: string, command: Command): string[] {
  const start = `complete -c ${program} -n`;
  const within = quote(`__fish_seen_subcommand_from ${command.name}`);
  const words = command.arguments.flatMap(({ suggestions }) => suggestions ?? []);
  return [
    `${start} __fish_use_subcommand -a ${command.name} -d ${quote(command.summary)}`,
    ...[...command.flags, helpFlag].map((flag) => `${start} ${within} ${renderFlag(flag)}`),
    ...(words.length > 0 ? [`${start} ${within} -a ${quote(words.join(" "))}`] : []),
  ];
}

function renderFlag({ name, short, value, choices, isPath, summary }: Flag): string {
  const parts = [...(short === undefined ? [] : [`-s ${short}`]), `-l ${name}`];
  if (value !== undefined) parts.push(isPath ? "-rF" : choices ? `-xa ${quote(choices.join(" "))}` : "-x");
  parts.push(`-d ${quote(summary)}`);
  return parts.join(" ");
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
