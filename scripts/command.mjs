// Runs one command to its end, and passes on to it the signals that would end us.

import { spawn } from "node:child_process";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export const projectFolder = fileURLToPath(new URL("..", import.meta.url));

// One press of Ctrl-C reaches us twice, from the terminal and from npm; the command shall get it once.
const echo = 300;
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"];

// npm has a shell between itself and us, and when it is told to end it ends that alone. All that reaches us is another parent.
const parent = process.env.npm_lifecycle_event === undefined ? undefined : process.ppid;
const lookForParent = 500;

/**
 * options: `env` (added to ours), `show` (the command writes to our terminal; else its output is captured),
 * `heard` (called with each piece of captured output), `timeout` (milliseconds, after which the command and all
 * that it started are ended), `disposable` (it need not end in order: a signal to us kills it, and what it started).
 * Resolves to `{ code, output, timedOut, interrupted }`; never rejects.
 */
export function runCommand(command, args, options = {}) {
  const { env, show = false, heard, timeout, disposable = false } = options;
  // A session of its own: a signal from the terminal comes through us only, a time-out ends grandchildren too.
  const detached = process.platform !== "win32";
  const child = spawn(command, args, {
    cwd: projectFolder,
    detached,
    env: { ...environmentWithTools(), ...env },
    stdio: show ? "inherit" : ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text) => {
      output += text;
      heard?.(text);
    });
  }

  const end = (signal) => {
    if (child.pid === undefined) return;
    try {
      // A program that runs for as long as it likes looks after its own children.
      if (detached && (disposable || timeout !== undefined)) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // It has ended on its own.
    }
  };
  let interruptedAt = 0;
  const passOn = (signal) => {
    const repeated = Date.now() - interruptedAt < echo;
    interruptedAt = Date.now();
    if (!repeated && detached) end(disposable ? "SIGKILL" : signal);
  };
  let isAlone = false;
  const look = () => {
    if (isAlone || process.ppid === parent) return;
    isAlone = true;
    passOn("SIGTERM");
  };
  let timedOut = false;
  const giveUp = () => {
    timedOut = true;
    end("SIGKILL");
  };

  for (const signal of endingSignals) process.on(signal, passOn);
  const timer = timeout === undefined ? undefined : setTimeout(giveUp, timeout);
  const looking = parent === undefined ? undefined : setInterval(look, lookForParent);
  return new Promise((resolve) => {
    child.on("error", (error) => {
      output += `${command}: ${error.message}\n`;
      resolve(127);
    });
    child.on("close", (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)));
  }).then((code) => {
    clearTimeout(timer);
    clearInterval(looking);
    for (const signal of endingSignals) process.off(signal, passOn);
    return { code, output, timedOut, interrupted: interruptedAt > 0 };
  });
}

/** `npm` itself, the same one that runs us if one does (on Windows `npm` is not a program one can start). */
export function runNpm(args, options) {
  const npm = process.env.npm_execpath;
  return npm?.endsWith(".js")
    ? runCommand(process.execPath, [npm, ...args], options)
    : runCommand("npm", args, options);
}

/** Seconds for people: "0.4 s", "83 s". */
export function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(milliseconds < 20_000 ? 1 : 0)} s`;
}

function environmentWithTools() {
  const tools = join(projectFolder, "node_modules", ".bin");
  return { ...process.env, PATH: `${tools}${delimiter}${process.env.PATH ?? ""}` };
}
