// The processes that a benchmark runs against. All of them end with it, whatever happens.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { projectFolder } from "../scripts/command.mjs";

/** What is measured; another build of it to compare with, if somebody says so. */
const program = process.env.GATEWRIGHT_BENCH_PROGRAM ?? "dist/cli/main.js";

const children = new Set();
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
]) {
  process.once(signal, () => process.exit(code));
}

export function startProgram(command, args) {
  const child = spawn(command, args, { cwd: projectFolder, stdio: ["ignore", "ignore", "pipe"] });
  children.add(child);
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (complaint = (complaint + text).slice(-4000)));
  child.once("error", (error) => (complaint = error.message));
  child.once("exit", () => children.delete(child));
  return {
    pid: child.pid,
    get complaint() {
      return child.exitCode === null && child.signalCode === null ? undefined : complaint || "it has ended";
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

export function startNode(script, ...args) {
  return startProgram(process.execPath, [join(projectFolder, script), ...args.map(String)]);
}

export function startGatewright(folder, ...args) {
  return startNode(program, "run", "-f", folder, "--admin", "off", ...args);
}

/** Ports that nobody has just now. */
export async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}
