/** `gatewright quickstart`: the example in `examples/quickstart`, with backends and a certificate, ready for curl. */
import { connect } from "node:net";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { localGateway, viewListeners, type ListenerView } from "../../controller/index.ts";
import { defaultAdminAddress } from "../../controller/names/index.ts";
import { formatAdminAddress } from "../admin-address.ts";
import { exitCode, type ExitCode } from "../exit-code.ts";
import { programName } from "../help.ts";
import type { Invocation } from "../invocation.ts";
import { renderListeners } from "../listener-lines.ts";
import { printable } from "../printable.ts";
import { RunReport } from "../run/run-report.ts";
import { awaitStopSignal, renderStopping } from "../stop-signal.ts";
import type { Terminal } from "../terminal.ts";
import { readVersion } from "../version.ts";
import { startDemoBackend, type DemoBackend } from "./demo-backend.ts";
import { writeMachineFiles, type MachineFiles } from "./machine-files.ts";

const example = fileURLToPath(new URL("../../../examples/quickstart", import.meta.url));
const backendNames = ["apples", "pears"];
/** How far to look for a free admin port. */
const portsToTry = 100;

export async function quickstartCommand(invocation: Invocation, terminal: Terminal): Promise<ExitCode> {
  const signal = awaitStopSignal();
  const undo: (() => Promise<void>)[] = [];
  try {
    const backends: DemoBackend[] = [];
    for (const name of backendNames) {
      const backend = await startDemoBackend(name);
      undo.push(() => backend.stop());
      backends.push(backend);
    }
    const files = await writeMachineFiles(backends);
    undo.push(() => files.remove());
    return await serve(invocation, terminal, { files, stop: signal.asked });
  } finally {
    for (const step of undo.toReversed()) await step();
    signal.dispose();
  }
}

interface Prepared {
  readonly files: MachineFiles;
  /** Resolves when the user has had enough. */
  readonly stop: Promise<unknown>;
}

async function serve(
  invocation: Invocation,
  terminal: Terminal,
  { files, stop }: Prepared,
): Promise<ExitCode> {
  const version = readVersion();
  const logsAccess = invocation.has("access-log");
  const tell = logsAccess ? terminal.err : terminal.out;
  const style = logsAccess ? terminal.errStyle : terminal.outStyle;
  const report = new RunReport({ tell, style, complain: terminal.err, complaintStyle: terminal.errStyle });
  const paths = [example, files.folder].map(shortest);
  const gateway = localGateway({
    paths,
    driver: "embedded",
    driverOptions: {
      mapPrivilegedPorts: true,
      notify: (notice) => report.note(notice),
      ...(logsAccess ? { accessLog: (record: object) => terminal.out(JSON.stringify(record)) } : {}),
    },
    admin: { ...defaultAdminAddress, portsToTry },
    events: report,
    version,
  });
  report.watch(gateway.controller);
  try {
    const started = await Promise.race([gateway.start().then(() => true), stop.then(() => false)]);
    if (started) {
      const listeners = viewListeners(gateway.controller);
      const refused = listeners.flatMap(({ state }) => (state?.type === "refused" ? [state.message] : []));
      if (refused.length > 0) {
        for (const line of refused) terminal.err(`${programName}: ${printable(line)}`);
        return exitCode.environment;
      }
      tell(`${style.bold(`Gatewright ${version}`)} serves ${paths.join(" and ")}`);
      report.begin();
      tell("");
      for (const line of renderListeners(listeners, style)) tell(line);
      tell("");
      for (const { does, line } of await curlLines(listeners, files))
        tell(`${style.dim(`# ${does}`)}\n${line}`);
      tell("");
      tell(`Why does a request go where it goes?`);
      tell(
        `npx ${programName} explain GET http://localhost/mixed ${paths.map((path) => `-f ${path}`).join(" ")}`,
      );
      tell("");
      if (gateway.admin)
        tell(`Admin endpoint: ${style.cyan(`http://${formatAdminAddress(gateway.admin)}/`)}`);
      tell(style.dim(`Edit ${paths[0]}/routes.yaml and see what changes. Ctrl-C stops everything.`));
      await stop;
    }
    tell(renderStopping(await gateway.connections()));
    return exitCode.fine;
  } finally {
    await gateway.stop();
  }
}

/** Relative to where the user is, if that is shorter. */
function shortest(path: string): string {
  const short = relative(process.cwd(), path);
  return short !== "" && short.length < path.length ? short : path;
}

/** Commands that work as they are printed. */
async function curlLines(listeners: readonly ListenerView[], { certificate }: MachineFiles) {
  const origin = async (scheme: "http" | "https") => {
    const protocol = scheme === "http" ? "http" : "tls";
    const state = listeners.find((listener) => listener.protocol === protocol)?.state;
    const port = (state?.type === "programmed" && state.addresses?.[0]?.port) || 0;
    return `${scheme}://${await reachableName(port)}:${port}`;
  };
  const plain = await origin("http");
  return [
    { does: "by path", line: `curl ${plain}/apples` },
    {
      does: "by header, with the path rewritten",
      line: `curl -H 'fruit: pears' ${plain}/basket/today`,
    },
    { does: "by weight, eight requests", line: `curl -s '${plain}/mixed?[1-8]'` },
    {
      does: "by HTTPS, with the certificate made just now",
      line: `curl --cacert ${certificate} ${await origin("https")}/pears`,
    },
  ];
}

/** `localhost` may mean ::1 first, where somebody else may have the same port. */
async function reachableName(port: number): Promise<string> {
  const isAnotherThere = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: "::1", port, timeout: 500 });
    const settle = (answers: boolean) => {
      socket.destroy();
      resolve(answers);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
    socket.once("timeout", () => settle(false));
  });
  return isAnotherThere ? "127.0.0.1" : "localhost";
}
