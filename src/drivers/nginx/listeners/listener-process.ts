/*
 * The NGINX of one listener, through all its configurations. A listener has an NGINX of its own because a graceful reload closes the idle
 * connections of clients, and a client that uses one at that moment loses its request: so what one listener needs costs no
 * other listener a reload.
 *
 * A new configuration is read back and tested first, then takes the place of the old one, and counts as being in force when the new workers
 * say so and no old worker takes connections.
 */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { DataFolder } from "../data/data-folder.ts";
import { renderListener } from "../config/listener-configuration.ts";
import type { ListenerShape } from "../config/listener-shape.ts";
import { meansDirectives } from "../config/read-directives.ts";
import { writeDirectives } from "../config/write-directives.ts";
import { ConfigurationProblem } from "../config/configuration-problem.ts";
import { readConnections, readGeneration, type Connections } from "../process/generation.ts";
import { NginxProcess, refusalOf } from "../process/nginx-process.ts";

/** What a listener wants of its NGINX; where its files are is not its business. */
export type WantedShape = Omit<ListenerShape, "folder" | "sockets" | "generation">;

export interface ListenerProcessOptions {
  readonly program: string;
  readonly data: DataFolder;
  /** A new, short and private place for each start. */
  readonly newFolder: () => string;
  /** NGINX ended by itself; it is started again. */
  readonly onEnd: (words: string) => void;
  readonly onAgain: () => void;
  /** First and longest wait before NGINX is started again, ms. */
  readonly restartFirst: number;
  readonly restartMost: number;
}

export interface Drained {
  readonly over: Promise<void>;
}

const patience = 10_000;
const noConnections: Connections = { active: 0, accepted: 0, requests: 0 };

export class ListenerProcess {
  readonly #options: ListenerProcessOptions;
  #process: NginxProcess | undefined;
  #folder = "";
  #wanted: WantedShape | undefined;
  #text = "";
  #generation = 0;
  #isStopping = false;
  #turn: Promise<void> = Promise.resolve();
  #restarts = 0;
  #connections = noConnections;
  reloads = 0;
  restarts = 0;
  lastRefusal: string | undefined;

  constructor(options: ListenerProcessOptions) {
    this.#options = options;
  }

  get shape(): WantedShape | undefined {
    return this.#wanted;
  }

  get isRunning(): boolean {
    return this.#process !== undefined && !this.#process.isOver;
  }

  /** As NGINX last said; asks again, for the next time. */
  connections(): Connections {
    if (this.isRunning) {
      void readConnections(this.#sockets).then((connections) => {
        this.#connections = connections ?? noConnections;
      });
    }
    return this.#connections;
  }

  /** Brings a configuration into force. NGINX's words if it refuses; then the one before stays. */
  apply(wanted: WantedShape): Promise<string | undefined> {
    return this.#inTurn(() => this.#apply(wanted));
  }

  async #apply(wanted: WantedShape): Promise<string | undefined> {
    const isSame = this.isRunning && this.#wanted !== undefined && textOf(wanted) === this.#text;
    if (isSame) {
      this.#wanted = wanted;
      return undefined;
    }
    const refusal = this.isRunning ? await this.#reload(wanted) : await this.#start(wanted);
    this.lastRefusal = refusal;
    return refusal;
  }

  /** What NGINX would say against a configuration, without using it. */
  test(wanted: WantedShape): Promise<string | undefined> {
    return this.#inTurn(() => {
      if (this.#folder === "") this.#makeFolder();
      return this.#prepare(wanted, this.#generation);
    });
  }

  /** One at a time: starting again by itself must not meet a change. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.then(
      () => {},
      () => {},
    );
    return done;
  }

  /** Nobody new is let in when this resolves; `over` does when those who are in have gone. */
  drain(grace: number): Promise<Drained> {
    this.#isStopping = true;
    return this.#inTurn(() => this.#drain(grace));
  }

  async #drain(grace: number): Promise<Drained> {
    const wanted = this.#wanted;
    const running = this.#process;
    if (!wanted || !running || running.isOver) return { over: this.stop(0) };
    const refusal = await this.#reload({ ...wanted, listens: [] });
    return { over: refusal === undefined ? this.#leave(running, grace) : this.stop(grace) };
  }

  async stop(grace: number): Promise<void> {
    this.#isStopping = true;
    await this.#process?.stop(grace);
    if (this.#folder !== "") rmSync(this.#folder, { recursive: true, force: true });
  }

  async #leave(running: NginxProcess, grace: number): Promise<void> {
    const end = performance.now() + grace;
    while (!running.isOver && running.hasLeavingWorkers() && performance.now() < end) {
      await pause(50, undefined, { ref: false });
    }
    await this.stop(1_000);
  }

  get #sockets(): string {
    return `${this.#folder}/s`;
  }

  #full(wanted: WantedShape, generation: number): ListenerShape {
    return { ...wanted, folder: this.#folder, sockets: this.#sockets, generation };
  }

  /** Writes and tests a configuration beside the one in force. */
  async #prepare(wanted: WantedShape, generation: number): Promise<string | undefined> {
    const fresh = `${this.#folder}/new.conf`;
    try {
      const directives = renderListener(this.#full(wanted, generation));
      const text = writeDirectives(directives);
      if (!meansDirectives(text, directives)) {
        return "the configuration does not mean what it should; it was not used";
      }
      writeFileSync(fresh, text, { mode: 0o600 });
    } catch (error) {
      if (error instanceof ConfigurationProblem) return error.message;
      throw error;
    }
    return refusalOf({ program: this.#options.program, folder: this.#folder, configuration: fresh });
  }

  #makeFolder(): void {
    this.#folder = this.#options.newFolder();
    for (const folder of ["", "/s", "/s/slot", "/nothing"])
      this.#options.data.makeFolder(this.#folder + folder);
  }

  async #start(wanted: WantedShape): Promise<string | undefined> {
    if (this.#folder !== "") rmSync(this.#folder, { recursive: true, force: true });
    this.#makeFolder();
    const generation = ++this.#generation;
    const refusal = await this.#prepare(wanted, generation);
    if (refusal !== undefined) return refusal;
    this.#use(wanted);
    const started = new NginxProcess(this.#command);
    this.#process = started;
    void started.exit.then(() => this.#ended(started));
    if (await this.#untilServing(started, generation, [])) return undefined;
    const words = started.lastWords || `NGINX did not serve within ${patience / 1000} s`;
    this.#process = undefined;
    await started.stop(0);
    return words;
  }

  async #reload(wanted: WantedShape): Promise<string | undefined> {
    const running = this.#process!;
    const generation = ++this.#generation;
    const refusal = await this.#prepare(wanted, generation);
    if (refusal !== undefined) return refusal;
    const before = running.servingWorkers();
    this.#use(wanted);
    running.reload();
    this.reloads++;
    if (await this.#untilServing(running, generation, before)) return undefined;
    return running.lastWords || `NGINX did not take its configuration within ${patience / 1000} s`;
  }

  #use(wanted: WantedShape): void {
    renameSync(`${this.#folder}/new.conf`, `${this.#folder}/nginx.conf`);
    this.#wanted = wanted;
    this.#text = textOf(wanted);
  }

  get #command() {
    return {
      program: this.#options.program,
      folder: this.#folder,
      configuration: `${this.#folder}/nginx.conf`,
    };
  }

  async #untilServing(
    running: NginxProcess,
    generation: number,
    before: readonly number[],
  ): Promise<boolean> {
    const end = performance.now() + patience;
    while (!running.isOver && performance.now() < end) {
      const isNew = (await readGeneration(this.#sockets)) === generation;
      if (isNew) {
        const serving = running.servingWorkers();
        if (!before.some((pid) => serving.includes(pid))) return true;
      }
      await pause(5);
    }
    return false;
  }

  /** Started again for as long as it is wanted, after a wait that grows and is never the same for two. */
  #ended(ended: NginxProcess): void {
    if (this.#isStopping || this.#process !== ended || !this.#wanted) return;
    this.#process = undefined;
    this.#options.onEnd(ended.lastWords || "NGINX ended");
    const { restartFirst, restartMost } = this.#options;
    const wait = Math.min(restartMost, restartFirst * 2 ** this.#restarts++) * (0.5 + Math.random() / 2);
    setTimeout(() => void this.#inTurn(() => this.#restart()), wait).unref();
  }

  async #restart(): Promise<void> {
    if (this.#isStopping || this.isRunning || !this.#wanted) return;
    const since = performance.now();
    const refusal = await this.#start(this.#wanted);
    if (refusal === undefined) {
      this.restarts++;
      this.#options.onAgain();
      // One that runs for a while is forgiven what was before.
      setTimeout(() => (this.#restarts = this.isRunning ? 0 : this.#restarts), 10_000).unref();
      return;
    }
    if (this.#isStopping) return;
    this.#options.onEnd(refusal);
    const wait = Math.min(this.#options.restartMost, this.#options.restartFirst * 2 ** this.#restarts++);
    const left = Math.max(0, wait - (performance.now() - since));
    setTimeout(() => void this.#inTurn(() => this.#restart()), left).unref();
  }
}

/** Without what differs from one start to the next. */
function textOf(wanted: WantedShape): string {
  return writeDirectives(renderListener({ ...wanted, folder: "/", sockets: "/s", generation: 0 }));
}
