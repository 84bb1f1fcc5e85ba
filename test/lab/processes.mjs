// The programs of a lab. Each has a file with its number in `run/` and one with its words in `logs/`: whoever starts the
// next lab in the same namespaces ends what a crash left, and whoever looks for a cause finds it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

export class LabError extends Error {
  name = "LabError";
  code = "LAB_FAILED";
}

/** Starts a program in a process group of its own; `restart` starts it again with the same arguments. */
export function startProcess(folder, name, command, args) {
  mkdirSync(join(folder, "run"), { recursive: true });
  mkdirSync(join(folder, "logs"), { recursive: true });
  const logFile = join(folder, "logs", `${name}.log`);
  const pidFile = join(folder, "run", `${name}.pid`);
  let child;
  let failure;

  const start = () => {
    const log = openSync(logFile, "a");
    failure = undefined;
    child = spawn(command, args, { cwd: folder, detached: true, stdio: ["ignore", log, log] });
    closeSync(log);
    child.once("error", (error) => (failure = error.message));
    if (child.pid !== undefined) writeFileSync(pidFile, String(child.pid));
  };
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const stop = async (signal = "SIGKILL", patience = 10_000) => {
    if (isRunning()) {
      const ended = once(child, "exit");
      signalGroup(child.pid, "SIGCONT");
      signalGroup(child.pid, signal);
      const inTime = await Promise.race([ended.then(() => true), delay(patience, false, { ref: false })]);
      if (!inTime) signalGroup(child.pid, "SIGKILL");
      await ended;
    }
    rmSync(pidFile, { force: true });
  };

  start();
  return {
    name,
    logFile,
    get pid() {
      return child.pid;
    },
    isRunning,
    stop,
    start,
    signal: (signal) => signalGroup(child.pid, signal),
    /** Throws with the program's last words if it has ended. */
    assertRunning() {
      if (!isRunning()) throw new LabError(`${name} has ended: ${failure ?? lastLines(logFile)}`);
    },
  };
}

/** Ends everything that has a file in `run/`; of what was started there and is still there, nothing is left. */
export function endLeftovers(folder) {
  const runFolder = join(folder, "run");
  let files;
  try {
    files = readdirSync(runFolder);
  } catch {
    return;
  }
  for (const file of files) {
    const pid = Number(readFileSync(join(runFolder, file), "utf8"));
    if (pid > 1) {
      signalGroup(pid, "SIGCONT");
      signalGroup(pid, "SIGKILL");
    }
    rmSync(join(runFolder, file), { force: true });
  }
}

/** Waits until `check` returns something (a failure of it means: not yet). */
export async function until(what, check, { seconds = 60, every = 50, processes = [] } = {}) {
  const deadline = Date.now() + seconds * 1000;
  let last;
  for (;;) {
    for (const process of processes) process.assertRunning();
    try {
      const result = await check();
      if (result) return result;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) {
      throw new LabError(`${what}: not within ${seconds} s${last ? ` (${last.message})` : ""}`, {
        cause: last,
      });
    }
    await delay(every);
  }
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended on its own.
  }
}

function lastLines(file) {
  return readFileSync(file, "utf8").trim().split("\n").slice(-5).join("\n");
}
