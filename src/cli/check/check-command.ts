/** `gatewright check`: what would be accepted and what refused, without serving anything. */
import { dryRun, type DryRun } from "../../controller/index.ts";
import type { DriverName } from "../../controller/names/index.ts";
import { exitCode, type ExitCode } from "../exit-code.ts";
import type { Invocation } from "../invocation.ts";
import { fileLayers, readLayers } from "../layer-flags.ts";
import { readGatewayMode } from "../gateway-mode.ts";
import { readGates } from "../gates.ts";
import { describeNoObjects, tellProblems } from "../given-paths.ts";
import { programName } from "../help.ts";
import { misuse } from "../misuse.ts";
import { printable } from "../printable.ts";
import type { Terminal } from "../terminal.ts";
import { readVersion } from "../version.ts";
import { renderCheckTable } from "./check-table.ts";
import { renderJunit } from "./junit.ts";
import { renderList } from "./object-list.ts";
import { renderSarif } from "./sarif.ts";

export async function checkCommand(invocation: Invocation, terminal: Terminal): Promise<ExitCode> {
  const mode = readGatewayMode(invocation);
  if (mode.outcome === "malformed") return misuse(terminal, mode.message);
  const layered = readLayers(invocation, {
    ...fileLayers,
    gateway: mode.settings.singleGateway?.gateway ?? fileLayers.gateway,
  });
  if (layered.outcome === "malformed") return misuse(terminal, layered.message);
  const paths = invocation.values("filename");
  const result = await dryRun({
    paths,
    stdin: terminal.input,
    driver: invocation.value("driver") as DriverName,
    allowExternalNames: invocation.has("allow-external-names"),
    layers: layered.layers,
    gates: readGates(invocation),
    ...mode.settings,
  });
  tellProblems(result.problems, paths, terminal);
  for (const { where, error } of result.faults) {
    const text = error instanceof Error ? error.message : String(error);
    terminal.err(`${terminal.errStyle.red("internal error")}: ${printable(where)}: ${printable(text)}`);
  }
  await terminal.write(render(result, invocation.value("output"), terminal));
  if (result.faults.length > 0) return exitCode.bug;
  const isInvalid = result.problems.some(({ severity }) => severity === "error");
  if (!isInvalid && result.objects.length === 0) {
    // A check of nothing is a mistyped path, mostly, and must not look like success.
    terminal.err(`${programName}: ${printable(describeNoObjects(paths))}`);
    return exitCode.badInput;
  }
  const isRefused = result.objects.some(({ verdict }) => verdict && verdict.result !== "accepted");
  return isInvalid || (isRefused && !invocation.has("allow-refused")) ? exitCode.badInput : exitCode.fine;
}

function render(result: DryRun, output: string | undefined, terminal: Terminal): string {
  switch (output) {
    case "json":
    case "yaml":
      return renderList(
        result.objects.map(({ shown }) => shown),
        output,
      );
    case "junit":
      return renderJunit(result);
    case "sarif":
      return renderSarif(result, readVersion());
    default:
      return renderCheckTable(result, terminal.outStyle);
  }
}
