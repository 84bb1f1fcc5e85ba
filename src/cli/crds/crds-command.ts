/** `gatewright crds`: the CRDs of the Gateway API, kept for the way back, or held against the release that this program knows. */
import { dump } from "js-yaml";
import {
  compareCrds,
  EnvironmentError,
  exportCrds,
  pinnedCrds,
  type CrdComparison,
} from "../../controller/index.ts";
import { exitCode, type ExitCode } from "../exit-code.ts";
import { programName } from "../help.ts";
import type { Invocation } from "../invocation.ts";
import { printable } from "../printable.ts";
import { misuse } from "../misuse.ts";
import type { Terminal } from "../terminal.ts";

export async function crdsCommand(invocation: Invocation, terminal: Terminal): Promise<ExitCode> {
  const [action = ""] = invocation.arguments;
  const [kubeconfig, context] = [invocation.value("kubeconfig"), invocation.value("context")];
  const files = invocation.values("filename");
  const channel = invocation.value("channel") === "experimental" ? "experimental" : "standard";
  const origin = {
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
    ...(files.length > 0 && { files }),
  };
  try {
    switch (action) {
      case "export": {
        const objects = invocation.has("pinned") ? pinnedCrds(channel) : await exportCrds(origin);
        await terminal.write(
          objects.map((object) => `---\n${dump(object, { noRefs: true, lineWidth: -1 })}`).join(""),
        );
        return exitCode.fine;
      }
      case "diff":
      case "verify": {
        const comparison = await compareCrds(origin, channel);
        for (const line of linesOf(comparison, action === "diff")) terminal.out(printable(line));
        return comparison.differences.length > 0 ? exitCode.badInput : exitCode.fine;
      }
      default:
        return misuse(
          terminal,
          `there is no ${programName} crds ${action}; there is export, diff and verify`,
        );
    }
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    terminal.err(`${programName}: ${error.message}`);
    return exitCode.environment;
  }
}

function linesOf(
  { version, found, differences, deadFields }: CrdComparison,
  withFields: boolean,
): readonly string[] {
  if (differences.length === 0) return [`All ${found} CRDs are those of Gateway API ${version}.`];
  const fields = differences.flatMap(({ crd, how, added, absent }) => [
    `${crd} ${how}`,
    ...(withFields
      ? [...added.map((field) => `  + ${field}`), ...absent.map((field) => `  - ${field}`)]
      : []),
  ]);
  const dead = deadFields.flatMap(({ crd, version: served, fields: names }) =>
    names.map((field) => `${crd} ${served} ${field}`),
  );
  const deadLines =
    dead.length > 0 ? ["", "Served, but unknown to this release, so without effect:", ...dead] : [];
  return [...fields, ...(withFields ? deadLines : [])];
}
