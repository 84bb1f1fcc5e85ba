/*
 * One NGINX: a master in the foreground, its workers, and somebody who ends them if this process is gone. Knows nothing of what
 * NGINX is configured to do.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

export interface NginxCommand {
  readonly program: string;
  /** NGINX's prefix. */
  readonly folder: string;
  readonly configuration: string;
}

/** What NGINX said last, for whoever has to explain. */
const keptLines = 20;

/** Waits for the end of its input, which ends with this process, and then ends the master that it was given. */
const watcher = 'cat >/dev/null; kill -TERM "$1" 2>/dev/null';

export class NginxProcess {
  readonly #child: ChildProcess;
  readonly #watcher: ChildProcess | undefined;
  readonly #lines: string[] = [];
  readonly #exit: Promise<void>;
  #isOver = false;

  constructor({ program, folder, configuration }: NginxCommand) {
    this.#child = spawn(program, ["-p", folder, "-c", configuration], {
      stdio: ["ignore", "ignore", "pipe"],
      // A group of its own: when the master is killed, its workers are left, and are found by it.
      detached: true,
      env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C" },
    });
    this.#exit = new Promise((resolve) => {
      const end = () => {
        this.#isOver = true;
        this.#watcher?.kill("SIGKILL");
        this.#endWorkers();
        resolve();
      };
      this.#child.once("exit", end);
      this.#child.once("error", (error) => {
        this.#lines.push(error.message);
        end();
      });
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => this.#keep(text));
    const { pid } = this.#child;
    if (pid !== undefined) {
      this.#watcher = spawn("/bin/sh", ["-c", watcher, "sh", String(pid)], {
        stdio: ["pipe", "ignore", "ignore"],
        detached: true,
      });
      this.#watcher.on("error", () => {});
      this.#watcher.stdin?.on("error", () => {});
      this.#watcher.unref();
    }
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves when the master has ended. */
  get exit(): Promise<void> {
    return this.#exit;
  }

  /** The last words, without NGINX's time and numbers in front. */
  get lastWords(): string {
    return this.#lines
      .map(withoutPrefix)
      .filter((line) => line !== "")
      .slice(-3)
      .join("; ");
  }

  reload(): void {
    this.#child.kill("SIGHUP");
  }

  /** Ends when all requests have, at the latest after `grace` ms. */
  async stop(grace: number): Promise<void> {
    if (this.#isOver) return;
    this.#child.kill("SIGQUIT");
    await Promise.race([this.#exit, pause(grace, undefined, { ref: false })]);
    if (this.#isOver) return;
    this.#child.kill("SIGTERM");
    await Promise.race([this.#exit, pause(1_000, undefined, { ref: false })]);
    if (this.#isOver) return;
    this.#endWorkers();
    this.#child.kill("SIGKILL");
    await this.#exit;
  }

  /** The workers that still take connections: those that were told to end have closed their sockets, and say so in their title. */
  servingWorkers(): readonly number[] {
    return childrenOf(this.#child.pid).filter((pid) => {
      const title = titleOf(pid);
      return title.includes("worker process") && !title.includes("shutting down");
    });
  }

  /** Whether a worker is about to end, and has not. */
  hasLeavingWorkers(): boolean {
    return childrenOf(this.#child.pid).some((pid) => titleOf(pid).includes("shutting down"));
  }

  #endWorkers(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // There are none left.
    }
  }

  #keep(text: string): void {
    this.#lines.push(...text.split("\n").filter((line) => line !== ""));
    this.#lines.splice(0, Math.max(0, this.#lines.length - keptLines));
  }
}

/** What `nginx -t` has to say against a configuration; `undefined`: nothing. */
export async function refusalOf({
  program,
  folder,
  configuration,
}: NginxCommand): Promise<string | undefined> {
  const child = spawn(program, ["-t", "-q", "-p", folder, "-c", configuration], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C" },
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const [code] = (await once(child, "close")) as [number | null];
  if (code === 0) return undefined;
  const lines = said
    .split("\n")
    .map(withoutPrefix)
    .filter((line) => line !== "" && !line.startsWith("configuration file"));
  return lines.join("; ") || `nginx -t ended with ${code}`;
}

function withoutPrefix(line: string): string {
  return line
    .replace(/^nginx: /, "")
    .replace(/^[0-9/]+ [0-9:]+ /, "")
    .replace(/^\[\w+\] (?:[0-9]+#[0-9]+: )?/, "")
    .trim();
}

function childrenOf(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
