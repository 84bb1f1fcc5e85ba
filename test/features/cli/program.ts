/** The built program as a user runs it: a process of its own, with its own folder. */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export const program = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Of Node itself. */
  readonly nodeArgs?: readonly string[];
  readonly cwd?: string;
}

/** Runs the program to its end. */
export async function gatewright(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const running = startGatewright(args, options);
  running.process.stdin?.end(options.input ?? "");
  const code = await running.ended;
  return { code, stdout: running.stdout, stderr: running.stderr };
}

/** Starts the program; it is killed when the test ends, if it has not ended before. */
export function startGatewright(args: readonly string[], options: RunOptions = {}): RunningProgram {
  if (!existsSync(program)) throw new Error("dist/ is not built: npm run build");
  const child = spawn(process.execPath, [...(options.nodeArgs ?? []), program, ...args], {
    env: { ...withoutColours(process.env), ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const running = new RunningProgram(child);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await running.ended;
  });
  return running;
}

/** Whoever runs the tests may want colours; the tests say themselves when they do. */
function withoutColours({
  NO_COLOR: _no,
  FORCE_COLOR: _force,
  ...env
}: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return env;
}

export class RunningProgram {
  readonly process: ChildProcess;
  readonly ended: Promise<number | null>;
  stdout = "";
  stderr = "";
  #waiting: (() => void)[] = [];

  constructor(child: ChildProcess) {
    this.process = child;
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
      this.#look();
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      this.#look();
    });
    this.ended = new Promise((resolve) => {
      child.on("close", (code) => {
        resolve(code);
        this.#look();
      });
    });
  }

  /** Resolves with what the pattern finds in the output, now or later. */
  async find(pattern: RegExp, stream: "stdout" | "stderr" = "stdout"): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this[stream]);
      if (found) return found;
      if (this.process.exitCode !== null || this.process.signalCode !== null) {
        throw new Error(`It ended without ${String(pattern)}:\n${this.stdout}\n${this.stderr}`);
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Sends a signal, and resolves to the exit code. */
  async stop(signal: NodeJS.Signals = "SIGINT"): Promise<number | null> {
    this.process.kill(signal);
    return this.ended;
  }

  #look(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** A folder with these files, gone when the test ends. */
export function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gatewright-cli-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** A port that was free a moment ago: the API knows no port 0. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
