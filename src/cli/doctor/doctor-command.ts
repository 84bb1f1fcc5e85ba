/** `gatewright doctor`: what this machine has of what Gatewright can use. */
import { examineMachine } from "../../controller/doctor/index.ts";
import { exitCode, type ExitCode } from "../exit-code.ts";
import { programName } from "../help.ts";
import type { Invocation } from "../invocation.ts";
import { printable } from "../printable.ts";
import { renderTable } from "../table.ts";
import type { Terminal } from "../terminal.ts";

export async function doctorCommand(invocation: Invocation, terminal: Terminal): Promise<ExitCode> {
  const parts = await examineMachine({ env: terminal.env });
  if (invocation.value("output") === "json") terminal.out(JSON.stringify(parts, undefined, 2));
  else {
    const { green, yellow } = terminal.outStyle;
    const rows = parts.map(({ name, isThere, version = "", place = "", remark }) =>
      [isThere ? green("✓") : yellow("–"), name, version, place, remark].map((cell, column) =>
        column === 0 ? cell : printable(cell),
      ),
    );
    for (const line of renderTable(rows)) terminal.out(line);
  }
  const node = parts.find(({ name }) => name === "node");
  const wanted = invocation.value("driver");
  // The embedded driver is part of us.
  const driver = parts.find(({ name }) => name === wanted);
  const missing = [node, driver].filter((part) => part && !part.isThere);
  for (const part of missing) terminal.err(`${programName}: ${part!.name}: ${printable(part!.remark)}`);
  return missing.length > 0 ? exitCode.environment : exitCode.fine;
}
