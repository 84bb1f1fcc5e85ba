/*
 * A child process that is meant to run for as long as we do. If it ends by itself it is started again, after a wait that doubles
 * each time and is never quite the same, so that many of them do not come back at once; one that had run for a while is started again
 * quickly.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { LastLines } from "./last-lines.ts";

export interface SupervisedProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** A program that becomes the command: see `endWithParent`. */
  readonly prefix?: readonly string[];
  /** Gets what the process writes, line by line. */
  readonly onOutput?: (line: string) => void;
  readonly onError?: (line: string) => void;
  /** It has ended by itself; `lines` are the last it wrote to standard error. */
  readonly onExit?: (exit: ProcessExit) => void;
  readonly onStart?: (pid: number) => void;
  /** ms */
  readonly shortestWait?: number;
  readonly longestWait?: number;
  /** After so long a process that ends is not taken for one that cannot run, ms. */
  readonly healthyAfter?: number;
}

export interface ProcessExit {
  /** As in "ended with code 1", "was ended by SIGKILL". */
  readonly how: string;
  readonly lines: string;
  /** When it will be started again, ms from now. */
  readonly retryIn: number;
}

export class SupervisedProcess {
  readonly #options: SupervisedProcessOptions;
  #child: ChildProcess | undefined;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  #isStopping = false;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: SupervisedProcessOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): void {
    if (this.#isStopping) return;
    const { env, onOutput, onError, onStart } = this.#options;
    const [command, ...args] = [
      ...(this.#options.prefix ?? []),
      this.#options.command,
      ...this.#options.args,
    ];
    const begin = Date.now();
    const child = spawn(command!, args, {
      stdio: ["ignore", "pipe", "pipe"],
      // A Ctrl-C at the terminal is for us: we end the process when its requests have ended.
      detached: true,
      ...(env && { env }),
    });
    this.#child = child;
    const output = new LastLines();
    const errors = new LastLines(8);
    child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      for (const line of output.add(text)) onOutput?.(line);
    });
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      for (const line of errors.add(text)) onError?.(line);
    });
    this.#ended = new Promise((resolve) => {
      const end = (how: string) => {
        if (this.#child !== child) return;
        this.#child = undefined;
        if (!this.#isStopping) this.#startAgain(how, errors.toString(), Date.now() - begin);
        resolve();
      };
      child.once("error", (error) => end(`could not be started: ${error.message}`));
      child.once("close", (code, signal) =>
        end(signal ? `was ended by ${signal}` : `ended with code ${code}`),
      );
    });
    if (child.pid !== undefined) onStart?.(child.pid);
  }

  /** Asks it to end, and insists after `grace` ms. */
  async stop(grace: number): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#retry);
    const child = this.#child;
    if (!child) return;
    child.kill("SIGTERM");
    const insist = setTimeout(() => child.kill("SIGKILL"), grace);
    await this.#ended;
    clearTimeout(insist);
  }

  /** With us, if we have to go at once. */
  kill(): void {
    this.#isStopping = true;
    this.#child?.kill("SIGKILL");
  }

  #startAgain(how: string, lines: string, lived: number): void {
    const { shortestWait = 200, longestWait = 10_000, healthyAfter = 10_000, onExit } = this.#options;
    this.#failures = lived >= healthyAfter ? 0 : this.#failures + 1;
    const wait = Math.min(shortestWait * 2 ** Math.max(0, this.#failures - 1), longestWait);
    const retryIn = Math.round(wait * (0.5 + Math.random() / 2));
    this.#retry = setTimeout(() => this.start(), retryIn);
    onExit?.({ how, lines, retryIn });
  }
}
