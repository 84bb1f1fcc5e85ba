/** `gatewright explain`: what would happen to a request, and why. */
import { isIP } from "node:net";
import { dryRun, explain } from "../../controller/index.ts";
import type { DriverName } from "../../controller/names/index.ts";
import { exitCode, type ExitCode } from "../exit-code.ts";
import { readGatewayMode } from "../gateway-mode.ts";
import { readGates } from "../gates.ts";
import { describeNoObjects, tellProblems } from "../given-paths.ts";
import { programName } from "../help.ts";
import type { Invocation } from "../invocation.ts";
import { fileLayers, readLayers } from "../layer-flags.ts";
import { misuse } from "../misuse.ts";
import { printable } from "../printable.ts";
import type { Terminal } from "../terminal.ts";
import { renderExplanation } from "./explanation-tree.ts";

const headerForm = /^([^:\s]+):(.*)$/s;

export async function explainCommand(invocation: Invocation, terminal: Terminal): Promise<ExitCode> {
  const [method = "", url = ""] = invocation.arguments;
  const headers: (readonly [string, string])[] = [];
  for (const text of invocation.values("header")) {
    const [, name, value] = headerForm.exec(text) ?? [];
    if (name === undefined || value === undefined) return misuse(terminal, `-H ${text}: write 'name: value'`);
    headers.push([name, value]);
  }
  const gateway = invocation.value("gateway");
  if (gateway !== undefined && !/^[^/]+\/[^/]+$/.test(gateway)) {
    return misuse(terminal, `--gateway ${gateway}: write NAMESPACE/NAME`);
  }
  const mode = readGatewayMode(invocation);
  if (mode.outcome === "malformed") return misuse(terminal, mode.message);
  // Its own --gateway is about one question, not about what is served.
  const { listenerPolicy } = mode.settings;
  const layered = readLayers(invocation, fileLayers);
  if (layered.outcome === "malformed") return misuse(terminal, layered.message);
  const client = invocation.value("client");
  if (client !== undefined && isIP(client) === 0) {
    return misuse(terminal, `--client: ${client} is not an IP address`);
  }
  const serverName = invocation.value("sni");
  const paths = invocation.values("filename");
  const { controller, problems, objects } = await dryRun({
    paths,
    stdin: terminal.input,
    driver: invocation.value("driver") as DriverName,
    allowExternalNames: invocation.has("allow-external-names"),
    layers: layered.layers,
    gates: readGates(invocation),
    ...(listenerPolicy && { listenerPolicy }),
  });
  const result = explain(
    {
      method,
      url,
      headers,
      ...(serverName === undefined ? {} : { serverName }),
      ...(gateway === undefined ? {} : { gateway }),
      ...(client === undefined ? {} : { client }),
    },
    controller,
  );
  if (result.outcome === "malformed") return misuse(terminal, result.message);
  tellProblems(problems, paths, terminal);
  if (objects.length === 0) {
    if (problems.length === 0) terminal.err(`${programName}: ${printable(describeNoObjects(paths))}`);
    return exitCode.badInput;
  }
  const { explanation } = result;
  await terminal.write(
    invocation.value("output") === "json"
      ? `${JSON.stringify(explanation, null, 2)}\n`
      : renderExplanation(explanation, terminal.outStyle),
  );
  // Whatever the answer is, the question was answered; to judge the objects is what `check` is for.
  return exitCode.fine;
}
