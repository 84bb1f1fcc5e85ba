/** `gatewright migrate`: the objects of another API in the Gateway API's words. */
import { dump } from "js-yaml";
import { migrateFiles, type Migrated } from "../../controller/index.ts";
import { exitCode, type ExitCode } from "../exit-code.ts";
import { describeNoObjects, tellProblems } from "../given-paths.ts";
import { programName } from "../help.ts";
import type { Invocation } from "../invocation.ts";
import { misuse } from "../misuse.ts";
import { printable } from "../printable.ts";
import type { Terminal } from "../terminal.ts";

export async function migrateCommand(invocation: Invocation, terminal: Terminal): Promise<ExitCode> {
  const [kind = ""] = invocation.arguments;
  if (kind !== "ingress")
    return misuse(terminal, `there is no ${programName} migrate ${kind}; there is migrate ingress`);
  const gateway = invocation.value("gateway") ?? "";
  if (!/^[a-z0-9-]+\/[a-z0-9.-]+$/.test(gateway))
    return misuse(terminal, `--gateway must be NAMESPACE/NAME, not ${JSON.stringify(gateway)}`);
  const paths = invocation.values("filename");
  const migrated = await migrateFiles({
    paths,
    stdin: terminal.input,
    gateway,
    gatewayClass: invocation.value("gateway-class") ?? "",
  });
  tellProblems(migrated.problems, paths, terminal);
  const isInvalid = migrated.problems.some(({ severity }) => severity === "error");
  if (!isInvalid && migrated.objects.length === 0) {
    terminal.err(`${programName}: ${printable(describeNoObjects(paths, "an Ingress"))}`);
    return exitCode.badInput;
  }
  for (const { object, outcome, message } of migrated.notes) {
    const colour = outcome === "kept" ? terminal.errStyle.red : terminal.errStyle.yellow;
    terminal.err(
      `${terminal.errStyle.bold(printable(object))}  ${colour(words[outcome])}: ${printable(message)}`,
    );
  }
  await terminal.write(render(migrated));
  const isKept = migrated.notes.some(({ outcome }) => outcome === "kept");
  return isInvalid || isKept ? exitCode.badInput : exitCode.fine;
}

const words = { kept: "stays an Ingress", lost: "not carried over", carried: "carried over" } as const;

function render({ objects, notes }: Migrated): string {
  const documents = objects.map(({ from, object }) => {
    const own = notes.filter((note) => note.object === from);
    const lines = [
      ...(from === undefined ? [] : [`# from ${from}`]),
      ...own.map(({ outcome, message }) => `# ${words[outcome]}: ${printable(message)}`),
    ];
    // Through JSON: parts that are shared are written out instead of being referred to.
    const text = dump(JSON.parse(JSON.stringify(object)), { noRefs: true, lineWidth: -1 });
    return `---\n${lines.map((line) => `${line}\n`).join("")}${text}`;
  });
  return documents.join("");
}
