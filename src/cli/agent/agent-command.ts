/** `gatewright agent`: a proxy that a controller elsewhere programs. */
import { hostname } from "node:os";
import { EnvironmentError, proxyAgent } from "../../controller/index.ts";
import type { DriverName } from "../../controller/names/index.ts";
import { readAdminAddress } from "../admin-address.ts";
import { exitCode, type ExitCode } from "../exit-code.ts";
import { programName } from "../help.ts";
import type { Invocation } from "../invocation.ts";
import { errorFields, jsonLog } from "../log-lines.ts";
import { misuse } from "../misuse.ts";
import { awaitStopSignal } from "../stop-signal.ts";
import type { Terminal } from "../terminal.ts";
import { readVersion } from "../version.ts";

export async function agentCommand(invocation: Invocation, terminal: Terminal): Promise<ExitCode> {
  const status = readAdminAddress(invocation.value("status") ?? "");
  if (status.outcome !== "address") {
    return misuse(terminal, status.outcome === "malformed" ? status.message : "--status cannot be off");
  }
  const readiness = readAdminAddress(invocation.value("readiness") ?? "off");
  if (readiness.outcome === "malformed") return misuse(terminal, readiness.message);
  const log = jsonLog(terminal);
  const version = readVersion();
  const agent = proxyAgent({
    driver: invocation.value("driver") as DriverName,
    channel: invocation.value("channel") ?? "",
    certificates: invocation.value("certificates") ?? "",
    name: invocation.value("name") ?? process.env["POD_NAME"] ?? hostname(),
    status: status.address,
    ...(readiness.outcome === "address" && { readiness: readiness.address }),
    version,
    driverOptions: {
      notify: (notice) => log("info", notice),
      ...(invocation.has("access-log") && {
        accessLog: (record: object) => terminal.out(JSON.stringify(record)),
      }),
    },
    events: {
      connected: () => log("info", "connected to the controller"),
      disconnected: (reason) => log("warning", "no connection to the controller", { reason }),
      refused: ({ kind, key, state }) =>
        log("warning", "the proxy refuses an item", {
          kind,
          key,
          reason: "message" in state && state.message,
        }),
      fault: (where, error) => log("error", `something went wrong in ${where}`, errorFields(error)),
    },
  });
  const signal = awaitStopSignal();
  try {
    const { address, port } = await agent.start();
    log("info", `gatewright ${version} agent started`, { status: `${address}:${port}` });
    const asked = await signal.asked;
    log("info", "stopping: requests under way come to their end", { signal: asked });
    await agent.stop();
    return exitCode.fine;
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    terminal.err(`${programName}: ${error.message}`);
    await agent.stop();
    return exitCode.environment;
  } finally {
    signal.dispose();
  }
}
