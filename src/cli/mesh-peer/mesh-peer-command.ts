/** `gatewright mesh-peer`: the inbound proxy of a workload, which lets in whom its mesh trusts. */
import { isIP } from "node:net";
import {
  clusterSource,
  EnvironmentError,
  fileSource,
  localGateway,
  meshPeerSource,
  type Source,
} from "../../controller/index.ts";
import { describeGates, gates } from "../../controller/names/index.ts";
import { exitCode, type ExitCode } from "../exit-code.ts";
import { describeMissing } from "../given-paths.ts";
import { programName } from "../help.ts";
import type { Invocation } from "../invocation.ts";
import { errorFields, jsonLog } from "../log-lines.ts";
import { misuse } from "../misuse.ts";
import { printable } from "../printable.ts";
import { awaitStopSignal } from "../stop-signal.ts";
import type { Terminal } from "../terminal.ts";
import { readVersion } from "../version.ts";

export async function meshPeerCommand(invocation: Invocation, terminal: Terminal): Promise<ExitCode> {
  const [namespace, name] = (invocation.value("certificate") ?? "").split("/");
  if (!namespace || !name)
    return misuse(terminal, "--certificate: write NAMESPACE/NAME, such as shop/web-mesh");
  const listen = readPlace(invocation.value("listen") ?? "", "0.0.0.0");
  if (!listen) return misuse(terminal, "--listen: write ADDRESS:PORT, such as 0.0.0.0:15443");
  const workload = readPlace(invocation.value("workload") ?? "", "127.0.0.1");
  if (!workload) return misuse(terminal, "--workload: write ADDRESS:PORT, such as 127.0.0.1:8080");
  const paths = invocation.values("filename");
  const kubeconfig = invocation.value("kubeconfig");
  if (paths.length > 0 && kubeconfig !== undefined) {
    return misuse(terminal, "-f and --kubeconfig: the objects are in files or in a cluster, not in both");
  }
  const missing = describeMissing(paths);
  for (const line of missing) terminal.err(`${programName}: ${printable(line)}`);
  if (missing.length > 0) return exitCode.badInput;

  const log = jsonLog(terminal);
  const version = readVersion();
  log("warning", describeGates([gates.mesh]) ?? "");
  const fault = (error: unknown) => log("error", "something went wrong", errorFields(error));
  const signal = awaitStopSignal();
  const alive = setInterval(() => undefined, 2 ** 30);
  try {
    const objects: Source =
      paths.length > 0
        ? fileSource({ paths, stdin: terminal.input })
        : (
            await clusterSource({
              kubeconfig,
              context: invocation.value("context"),
              kinds: ["XMesh"],
              writes: false,
              version,
              trouble: (message) => log("warning", message ?? "the API server can be reached again"),
              fault,
            })
          ).source;
    const peer = localGateway({
      source: meshPeerSource(objects, {
        mesh: invocation.value("mesh") ?? "",
        certificate: { namespace, name },
        listen,
        workload,
        protocol: invocation.value("protocol") === "h2c" ? "h2c" : "http",
      }),
      driver: "embedded",
      driverOptions: { notify: (notice) => log("info", notice) },
      events: {
        problems: (problems) =>
          problems.forEach(({ message, object }) => log("warning", message, { object })),
        statuses: (statuses) => {
          for (const { kind, content } of statuses) {
            if (kind !== "Gateway" || content.shape !== "gateway") continue;
            for (const { type, status, message } of content.listeners[0]?.conditions ?? []) {
              if (type === "Programmed") log(status === "True" ? "info" : "warning", message);
            }
          }
        },
        fault: (where, error) => log("error", `something went wrong: ${where}`, errorFields(error)),
      },
      version,
    });
    const started = await Promise.race([peer.start().then(() => true), signal.asked.then(() => false)]);
    if (started) {
      log("info", "ready", { listen: invocation.value("listen"), workload: invocation.value("workload") });
      await signal.asked;
    }
    await peer.stop();
    return exitCode.fine;
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    terminal.err(`${programName}: ${error.message}`);
    return exitCode.environment;
  } finally {
    clearInterval(alive);
    signal.dispose();
  }
}

/** `127.0.0.1:8080`, `[::1]:8080` or `8080`. */
function readPlace(text: string, unless: string): { address: string; port: number } | undefined {
  const parts = /^(?:(?:\[(?<v6>[^\]]+)\]|(?<v4>[^:[\]]+)):)?(?<port>[0-9]{1,5})$/.exec(text)?.groups;
  const address = parts?.["v6"] ?? parts?.["v4"] ?? unless;
  const port = Number(parts?.["port"]);
  return parts && isIP(address) !== 0 && port >= 1 && port <= 65_535 ? { address, port } : undefined;
}
