/*
 * One HAProxy process, from its start to its end. It is started with the sockets of the one before it (`-x`), and tells that
 * one to stop taking connections when it is ready itself (`-sf`): no connection is refused in between. A process that
 * cannot start leaves the one before it as it was.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import type { Section } from "../config/configuration-text.ts";
import { HaproxyDriverError } from "../driver-error.ts";
import type { DesiredState, Maps, RenderedSection } from "../render/desired-state.ts";
import type { ServerWords } from "../render/backend-section.ts";
import { RuntimeConnection } from "../runtime/runtime-connection.ts";

export interface GenerationOptions {
  readonly number: number;
  readonly executable: string;
  readonly configuration: string;
  readonly socket: string;
  readonly mapFolder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly state: DesiredState;
  /** Sections that it has beside those of the state. */
  readonly spares: readonly Section[];
  readonly previous: Generation | undefined;
  /** For it to be ready, ms. */
  readonly patience: number;
  readonly onLine: (line: string) => void;
  readonly onExit: (generation: Generation) => void;
}

/** HAProxy's own words about why it did not start. */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
  readonly code = "GATEWRIGHT_HAPROXY_REFUSED";
}

export class Generation {
  readonly number: number;
  readonly socket: string;
  /** Where its maps were read from: HAProxy knows them by that. */
  readonly mapFolder: string;
  readonly sections: Map<string, RenderedSection>;
  /** Names of sections that go by the name of a spare one. */
  readonly spareNames = new Map<string, string>();
  /** Names of spare sections that are free, by their lines. */
  readonly #spares = new Map<string, string[]>();
  /** What this process has, as far as it was told. */
  readonly servers: Map<string, ReadonlyMap<string, ServerWords>>;
  maps: Maps;
  /** Hashes of what it may still read. */
  data: ReadonlyMap<string, unknown>;
  certificates: ReadonlyMap<string, string>;
  /** Servers in maintenance that are to be deleted. */
  readonly leaving = new Set<string>();
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  #runtime: RuntimeConnection | undefined;
  #errors = "";
  #hasExited = false;

  private constructor(options: GenerationOptions) {
    const { state, previous, number } = options;
    this.number = number;
    this.socket = options.socket;
    this.mapFolder = options.mapFolder;
    this.sections = new Map(state.sections);
    for (const { name, lines } of options.spares) {
      const key = JSON.stringify(lines);
      const names = this.#spares.get(key);
      if (names) names.push(name!);
      else this.#spares.set(key, [name!]);
    }
    this.maps = state.maps;
    this.data = state.data;
    this.certificates = state.certificates;
    this.servers = new Map(state.servers);
    const takeOver =
      previous && !previous.hasExited ? ["-x", previous.socket, "-sf", String(previous.pid)] : [];
    this.#child = spawn(options.executable, ["-db", "-f", options.configuration, ...takeOver], {
      env: { ...process.env, ...options.environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#exited = new Promise((resolve) => {
      this.#child.once("error", (error) => {
        this.#errors += error.message;
        this.#hasExited = true;
        resolve();
      });
      this.#child.once("close", () => {
        this.#hasExited = true;
        this.#runtime?.close();
        resolve();
        options.onExit(this);
      });
    });
    readLines(this.#child.stdout!, options.onLine);
    this.#child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-20_000);
    });
  }

  /** Resolves when it serves; rejects with its own words if it does not. */
  static async start(options: GenerationOptions): Promise<Generation> {
    const generation = new Generation(options);
    try {
      await generation.#untilReady(options.patience);
      await options.previous?.untilStopping(options.patience);
    } catch (error) {
      generation.kill();
      await generation.#exited;
      throw error;
    }
    return generation;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  get exited(): Promise<void> {
    return this.#exited;
  }

  /** What it said on its way. */
  get words(): string {
    return this.#errors;
  }

  /** The name by which HAProxy knows a section. */
  nameOf(section: string): string {
    return this.spareNames.get(section) ?? section;
  }

  /** Puts spare sections in the place of these; says whether there were enough, and if not does nothing. */
  takeSpares(wanted: readonly RenderedSection[]): boolean {
    const taken = new Map<string, number>();
    for (const { section, isFrontend } of wanted) {
      const key = JSON.stringify(section.lines);
      const count = (taken.get(key) ?? 0) + 1;
      if (isFrontend || count > (this.#spares.get(key)?.length ?? 0)) return false;
      taken.set(key, count);
    }
    for (const rendered of wanted) {
      const { name, lines } = rendered.section;
      this.spareNames.set(name!, this.#spares.get(JSON.stringify(lines))!.shift()!);
      this.sections.set(`backend ${name}`, rendered);
    }
    return true;
  }

  command(command: string, payload?: string): Promise<string> {
    if (!this.#runtime) return Promise.reject(new Error("HAProxy is not connected."));
    return this.#runtime.send(command, payload);
  }

  /** Resolves when it takes no more connections. */
  async untilStopping(patience: number): Promise<void> {
    const end = Date.now() + patience;
    while (!this.hasExited && Date.now() < end) {
      const info = await this.command("show info").catch(() => "Stopping: 1");
      if (/^Stopping: 1$/m.test(info)) return;
      await pause(2);
    }
  }

  /** Connections that it still has, ours apart. */
  async connections(): Promise<number> {
    const info = await this.command("show info").catch(() => "");
    return Math.max(0, Number(/^CurrConns: ([0-9]+)$/m.exec(info)?.[1] ?? 1) - 1);
  }

  /** Requests and streams under way, ours apart. */
  async streamsUnderWay(): Promise<number> {
    return (await this.#clientStreams()).length;
  }

  /** Connections that have such streams. */
  async busyConnections(): Promise<number> {
    const streams = await this.#clientStreams();
    return new Set(streams.map((stream) => / src=(\S+) /.exec(stream)?.[1])).size;
  }

  async #clientStreams(): Promise<readonly string[]> {
    const list = await this.command("show sess").catch(() => "");
    return list.split("\n").filter((line) => line.startsWith("0x") && !line.includes("proto=unix_stream"));
  }

  /** Ends what came in by these frontends. */
  async endStreamsOf(frontends: readonly string[]): Promise<void> {
    const list = await this.command("show sess").catch(() => "");
    for (const [, pointer, frontend] of list.matchAll(/^(0x[0-9a-f]+): .*?\bfe=(\S+)/gm)) {
      if (frontends.includes(frontend!)) await this.command(`shutdown session ${pointer}`).catch(() => "");
    }
  }

  softStop(): void {
    this.#child.kill("SIGUSR1");
  }

  /** A process that drains ends when nobody talks to it any more. */
  hangUp(): void {
    this.#runtime?.close();
  }

  kill(): void {
    if (!this.#hasExited) this.#child.kill("SIGKILL");
  }

  terminate(): void {
    if (!this.#hasExited) this.#child.kill("SIGTERM");
  }

  async #untilReady(patience: number): Promise<void> {
    const end = Date.now() + patience;
    while (!this.#hasExited) {
      try {
        this.#runtime = await RuntimeConnection.open(this.socket);
        const info = await this.command("show info");
        if (new RegExp(`^Pid: ${this.pid}$`, "m").test(info)) return;
        this.#runtime.close();
      } catch {
        // Not yet.
      }
      if (Date.now() > end)
        throw new HaproxyDriverError(
          "GATEWRIGHT_HAPROXY_FAILED",
          `HAProxy did not start within ${patience} ms.`,
        );
      await pause(4);
    }
    throw new StartRefused(refusalIn(this.#errors));
  }
}

/** The lines that say what is wrong, without process numbers before them and the summary after them. */
export function refusalIn(output: string): string {
  const alerts = output
    .split("\n")
    .filter((line) => line.startsWith("[ALERT]") && !/Error\(s\) found in|Fatal errors found in/.test(line))
    .map((line) => line.replace(/^\[ALERT\]\s*\([0-9]+\)\s*:\s*/, ""));
  return (alerts.length > 0 ? alerts : [output.trim()]).join("\n") || "HAProxy ended without a word.";
}

function readLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    for (const line of lines) if (line !== "") onLine(line);
  });
}
