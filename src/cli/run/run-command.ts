/** `gatewright run`: serves what is in files, says what happens, until it is told to stop. */
import { isIP } from "node:net";
import {
  clusterSource,
  collectNotes,
  localGateway,
  notOurs,
  unnamedClasses,
  viewListeners,
  type Controller,
  type LocalGateway,
} from "../../controller/index.ts";
import { describeGates, type DriverName } from "../../controller/names/index.ts";
import { formatAdminAddress, readAdminAddress } from "../admin-address.ts";
import { exitCode, type ExitCode } from "../exit-code.ts";
import { readGates } from "../gates.ts";
import { describeMissing, isAboutPath } from "../given-paths.ts";
import { obsoleteFlag, readGatewayMode } from "../gateway-mode.ts";
import { programName } from "../help.ts";
import type { Invocation } from "../invocation.ts";
import { fileLayers, readLayers } from "../layer-flags.ts";
import { renderListeners } from "../listener-lines.ts";
import { misuse } from "../misuse.ts";
import { printable } from "../printable.ts";
import { renderNotes, renderUnnamedClass } from "../status-lines.ts";
import { awaitStopSignal, renderStopping } from "../stop-signal.ts";
import type { Terminal } from "../terminal.ts";
import { readVersion } from "../version.ts";
import { RunReport } from "./run-report.ts";

export async function runCommand(invocation: Invocation, terminal: Terminal): Promise<ExitCode> {
  const admin = readAdminAddress(invocation.value("admin") ?? "off");
  if (admin.outcome === "malformed") return misuse(terminal, admin.message);
  const address = invocation.value("address");
  if (address !== undefined && isIP(address) === 0) {
    return misuse(terminal, `--address: ${address} is not an IP address`);
  }
  const mode = readGatewayMode(invocation);
  if (mode.outcome === "malformed") return misuse(terminal, mode.message);
  const layered = readLayers(invocation, {
    ...fileLayers,
    gateway: mode.settings.singleGateway?.gateway ?? fileLayers.gateway,
  });
  if (layered.outcome === "malformed") return misuse(terminal, layered.message);
  if (mode.isObsoleteFlagGiven) terminal.err(`${programName}: ${obsoleteFlag}`);
  const paths = invocation.values("filename");
  const kubeconfig = invocation.value("kubeconfig");
  if (paths.length > 0 === (kubeconfig !== undefined)) {
    return misuse(terminal, "give -f PATH for files, or --kubeconfig FILE for a cluster's objects");
  }
  const missing = describeMissing(paths);
  if (missing.length > 0) {
    // Before anything is opened: a port that is taken is not what has to be mended first.
    for (const line of missing) terminal.err(`${programName}: ${printable(line)}`);
    return exitCode.badInput;
  }
  const gates = readGates(invocation);
  const experiment = describeGates(gates);
  if (experiment !== undefined) terminal.err(terminal.errStyle.yellow(`${programName}: ${experiment}`));
  const version = readVersion();
  const logsAccess = invocation.has("access-log");
  // Records go to standard output alone, so that a pipe gets nothing else.
  const tell = logsAccess ? terminal.err : terminal.out;
  const style = logsAccess ? terminal.errStyle : terminal.outStyle;
  const report = new RunReport({ tell, style, complain: terminal.err, complaintStyle: terminal.errStyle });
  const cluster =
    kubeconfig === undefined
      ? undefined
      : await clusterSource({
          kubeconfig,
          context: invocation.value("context"),
          writes: true,
          version,
          trouble: (message) => report.note(message ?? "the API server can be reached again"),
          fault: (error) => report.fault("source", error),
        });
  const gateway = localGateway({
    ...(cluster
      ? { source: cluster.source, controllerNames: [invocation.value("controller-name") ?? ""] }
      : { paths, stdin: terminal.input }),
    driver: invocation.value("driver") as DriverName,
    driverOptions: {
      notify: (notice) => report.note(notice),
      ...(address === undefined ? {} : { address }),
      ...(logsAccess ? { accessLog: (record: object) => terminal.out(JSON.stringify(record)) } : {}),
    },
    ...(admin.outcome === "address" ? { admin: admin.address } : {}),
    allowExternalNames: invocation.has("allow-external-names"),
    ...mode.settings,
    // A cluster's Ingresses and HTTPProxies are served inside of it.
    ...(!cluster && { layers: layered.layers }),
    gates,
    lost: (message) => terminal.err(`${programName}: ${message}`),
    events: report,
    version,
  });
  report.watch(gateway.controller);

  const signal = awaitStopSignal();
  // Standard input alone keeps no process alive.
  const alive = setInterval(() => undefined, 2 ** 30);
  try {
    const started = await Promise.race([gateway.start().then(() => true), signal.asked.then(() => false)]);
    if (started) {
      const problem = judgeStart(gateway, paths);
      if (problem) {
        report.problems(gateway.controller.problems);
        await gateway.stop();
        for (const line of problem.lines) terminal.err(`${programName}: ${printable(line)}`);
        return problem.code;
      }
      const served = cluster ? [cluster.server] : paths;
      tell(`${style.bold(`Gatewright ${version}`)} serves ${served.map(printable).join(", ")}`);
      for (const line of renderListeners(viewListeners(gateway.controller), style)) tell(line);
      const remarks = cluster ? [] : renderRemarks(gateway.controller);
      for (const remark of remarks) tell(style.yellow(remark));
      report.begin();
      if (gateway.admin)
        tell(`Admin endpoint: ${style.cyan(`http://${formatAdminAddress(gateway.admin)}/`)}`);
      tell(
        style.dim(`${cluster ? "Changes" : "Edit the files and the changes"} come into force. Ctrl-C stops.`),
      );
      await signal.asked;
    }
    tell(renderStopping(await gateway.connections()));
    await gateway.stop();
    return exitCode.fine;
  } finally {
    clearInterval(alive);
    signal.dispose();
  }
}

/** What no status tells of objects that somebody wrote into files. */
function renderRemarks(controller: Controller): string[] {
  const notes = collectNotes(controller, new Date()).map(({ message }) => message);
  return [
    ...unnamedClasses(controller.resources()).map(renderUnnamedClass),
    ...renderNotes(notOurs(controller)),
    ...renderNotes(notes),
  ];
}

interface StartProblem {
  readonly code: ExitCode;
  readonly lines: readonly string[];
}

/** At the start what cannot be had is a mistake; later it may be on its way, and is waited for. */
function judgeStart({ controller }: LocalGateway, paths: readonly string[]): StartProblem | undefined {
  const missing = controller.problems.filter((problem) => isAboutPath(problem, paths));
  if (missing.length > 0) {
    return { code: exitCode.badInput, lines: missing.map(({ origin, message }) => `${origin} ${message}`) };
  }
  const refused = viewListeners(controller).flatMap(({ gateway, state }) =>
    state?.type === "refused" ? [`Gateway ${gateway}: ${withoutHope(state.message)}`] : [],
  );
  return refused.length > 0 ? { code: exitCode.environment, lines: refused } : undefined;
}

/** The driver would try again; here it will not get the chance. */
function withoutHope(message: string): string {
  return message.replace(/; until then it is tried again\.$/, ".");
}
