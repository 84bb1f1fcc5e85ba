/*
 * The HAProxy processes of a driver: the one that takes connections, and those that it has replaced, which go on with the
 * connections they have. This does what HAProxy's own master process would do, but hears from each process itself whether it
 * started, in its own words, and can go on talking to those that are replaced.
 *
 * - One that dies is started again with what should be in force, after a growing wait.
 * - What the current one is told (servers, maps), the replaced ones are told too, as far as they have the sections.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import type { Endpoint, VirtualHost } from "../../../model/index.ts";
import { findOnPath } from "../../find-on-path.ts";
import type { BindPlan } from "../bind/bind-plan.ts";
import { HaproxyDriverError } from "../driver-error.ts";
import type { ModelState } from "../model-state.ts";
import type { HaproxyLimits, HaproxyOptions } from "../options.ts";
import { changeEndpoints, changeHosts, hostEntry, type DesiredState } from "../render/desired-state.ts";
import { spareSections } from "../render/spare-sections.ts";
import {
  applyHosts,
  applyServers,
  applyToRunning,
  deleteLeaving,
  hasSections,
} from "../runtime/runtime-changes.ts";
import { ConfigurationFiles } from "./configuration-files.ts";
import { Generation, StartRefused } from "./generation.ts";
import { refuseChanges } from "./refused-changes.ts";
import { refuseListener } from "./refused-listener.ts";
import { UnusedData } from "./unused-data.ts";
import { WorkFolder } from "./work-folder.ts";

const execute = promisify(execFile);

const mostHostChanges = 500;

interface ProcessesOptions {
  readonly options: HaproxyOptions;
  readonly limits: HaproxyLimits;
  /** The one that takes connections has ended by itself. */
  readonly onDeath: () => void;
  readonly onLog: (line: string) => void;
}

export interface ProcessDescription {
  /** Of the one that takes connections. */
  readonly pid: number | undefined;
  /** How many were started: the first, those that took over, and those after one had died. */
  readonly starts: number;
  /** Replaced ones that still have connections. */
  readonly draining: number;
  /** Open now, as of a moment ago. */
  readonly connections: number;
}

interface Force {
  readonly render: () => DesiredState;
  readonly state: ModelState;
  readonly plan: BindPlan;
}

export class HaproxyProcesses {
  readonly #given: ProcessesOptions;
  readonly #folder: WorkFolder;
  readonly #executable: string;
  readonly #files: ConfigurationFiles;
  readonly #draining = new Set<Generation>();
  #current: Generation | undefined;
  #desired: DesiredState | undefined;
  #number = 0;
  #starts = 0;
  #problem = "it was not started yet.";
  #upkeep: NodeJS.Timeout | undefined;
  #isStopping = false;
  #connections = 0;
  /** Since all was made anew. */
  #hostChanges = 0;
  /** The running process did not take something, so what it has is not known. */
  #isInDoubt = false;
  readonly #unused: UnusedData;

  private constructor(given: ProcessesOptions, executable: string) {
    this.#given = given;
    this.#folder = new WorkFolder(given.options.folder);
    this.#executable = executable;
    this.#files = new ConfigurationFiles(this.#folder, { ...given.options, executable }, given.limits);
    this.#unused = new UnusedData(this.#folder);
    const secret = given.options.sessionSecret ?? randomBytes(32);
    this.#folder.write("session-secret", secret.toString("base64"));
  }

  /** Rejects if there is no HAProxy that can be used. */
  static async open(given: ProcessesOptions): Promise<HaproxyProcesses> {
    const executable = given.options.executable ?? (await findOnPath("haproxy")) ?? "haproxy";
    let version: string;
    try {
      version = (await execute(executable, ["-vv"])).stdout;
    } catch (error) {
      const where =
        given.options.executable === undefined ? "HAProxy is not on PATH" : `${executable} is not a program`;
      const way =
        "Install it (for example `apt-get install haproxy`), or choose another driver; `gatewright doctor` says what is there.";
      throw new HaproxyDriverError("GATEWRIGHT_HAPROXY_MISSING", `${where}. ${way}`, { cause: error });
    }
    const [, major, minor] = /version ([0-9]+)\.([0-9]+)/.exec(version) ?? [];
    if (
      Number(major) * 100 + Number(minor) < 206 ||
      !/\+LUA\b/.test(version) ||
      !/\+OPENSSL\b/.test(version)
    ) {
      throw new HaproxyDriverError(
        "GATEWRIGHT_HAPROXY_MISSING",
        `This HAProxy (${version.split("\n")[0]}) cannot be used: version 2.6 or later with Lua and OpenSSL is needed.`,
      );
    }
    return new HaproxyProcesses(given, executable);
  }

  get folder(): string {
    return this.#folder.path;
  }

  get isRunning(): boolean {
    return this.#current !== undefined && !this.#current.hasExited;
  }

  get problem(): string {
    return this.#problem;
  }

  /** For people and for metrics. */
  describe(): ProcessDescription {
    return {
      pid: this.isRunning ? this.#current!.pid : undefined,
      starts: this.#starts,
      draining: this.#draining.size,
      connections: this.#connections,
    };
  }

  /** Connections from clients that have something under way, asked of HAProxy now. */
  async busyConnections(): Promise<number> {
    const all = [...this.#draining, ...(this.#current ? [this.#current] : [])];
    const counts = await Promise.all(all.map((generation) => generation.busyConnections()));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  bringIntoForce(force: Force): Promise<void> {
    return this.#unused.during(() => this.#bringIntoForce(force));
  }

  async #bringIntoForce(force: Force): Promise<void> {
    const desired = force.render();
    this.#hostChanges = 0;
    this.#files.write(desired);
    if (this.#current && this.isRunning && !this.#isInDoubt && hasSections(this.#current, desired)) {
      try {
        await applyToRunning(this.#current, desired, this.folder);
        this.#current.data = desired.data;
        this.#desired = desired;
        await this.#updateDraining(desired);
      } catch {
        // Whatever it did not take, a new process reads from its files.
        this.#isInDoubt = true;
        await this.#replace(force, desired);
      }
    } else {
      await this.#replace(force, desired);
    }
    force.state.settle();
    this.#folder.keepOnly([...this.#desired!.certificates.keys(), ...this.#desired!.files.keys()]);
    this.#keepUp();
  }

  /** Other endpoints of some backends, and nothing else. Says whether that could be done so. */
  async changeEndpoints(
    changed: ReadonlyMap<string, readonly Endpoint[]>,
    state: ModelState,
  ): Promise<boolean> {
    const desired = this.#desired;
    if (!desired || !this.#current || !this.isRunning) return false;
    const servers = changeEndpoints(desired, changed);
    try {
      await applyServers(this.#current, servers, desired.maps.servers);
    } catch {
      this.#isInDoubt = true;
      return false;
    }
    for (const generation of this.#draining) {
      await applyServers(generation, servers, desired.maps.servers).catch(() => {});
    }
    state.settle();
    return true;
  }

  /** Other versions of some virtual hosts, and nothing else. Says whether that could be done so. */
  async changeHosts(
    changed: ReadonlyMap<string, VirtualHost | undefined>,
    state: ModelState,
  ): Promise<boolean> {
    const desired = this.#desired;
    // Replaced processes may lack what is needed, and what is not needed any more must go at some time.
    const isUsual = this.#draining.size === 0 && this.#hostChanges < mostHostChanges;
    if (!desired || !this.#current || !this.isRunning || !isUsual) return false;
    const running = new Set(
      [...changed.keys()].map(hostEntry).filter((entry) => desired.maps.hosts.has(entry)),
    );
    const entries = changeHosts(desired, changed);
    if (!entries) return false;
    this.#hostChanges += changed.size;
    for (const data of entries.values()) if (data) this.#folder.writeData(data.files);
    try {
      const hashes = new Map([...entries].map(([entry, data]) => [entry, data?.hash]));
      await applyHosts(this.#current, hashes, running);
    } catch {
      this.#isInDoubt = true;
      return false;
    }
    state.settle();
    return true;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#upkeep);
    const all = [...this.#draining, ...(this.#current ? [this.#current] : [])].filter(
      ({ hasExited }) => !hasExited,
    );
    for (const generation of all) generation.softStop();
    const end = Date.now() + this.#given.limits.grace;
    await Promise.all(all.map((generation) => this.#endWhenIdle(generation, end)));
    this.#folder.close();
  }

  async #endWhenIdle(generation: Generation, end: number): Promise<void> {
    await generation.untilStopping(1_000);
    while (!generation.hasExited && Date.now() < end && (await generation.streamsUnderWay()) > 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    generation.terminate();
    await generation.exited;
  }

  /** A new process with all that should be in force; what HAProxy refuses is found, and stays as it was. */
  async #replace(force: Force, first: DesiredState): Promise<void> {
    let desired = first;
    for (let tries = 0; ; tries++) {
      try {
        await this.#start(desired);
        return;
      } catch (error) {
        if (!(error instanceof StartRefused) || tries >= 20) throw this.#failure(error);
        if (!refuseListener(error.message, force.plan)) {
          const isFound = await refuseChanges(force.state, () =>
            this.#files.check(++this.#number, force.render()),
          );
          if (!isFound) throw this.#failure(error);
        }
        desired = force.render();
        this.#files.write(desired);
      }
    }
  }

  #failure(error: unknown): Error {
    this.#problem = error instanceof Error ? error.message : String(error);
    return error instanceof HaproxyDriverError
      ? error
      : new HaproxyDriverError(
          "GATEWRIGHT_HAPROXY_FAILED",
          `HAProxy could not be started: ${this.#problem}`,
          {
            cause: error,
          },
        );
  }

  async #start(desired: DesiredState): Promise<void> {
    const number = ++this.#number;
    const maps = `${this.folder}/g${number}`;
    this.#files.writeFor(number, desired);
    const previous = this.#current && !this.#current.hasExited ? this.#current : undefined;
    const generation = await Generation.start({
      number,
      executable: this.#executable,
      configuration: `${maps}/haproxy.cfg`,
      socket: `${maps}/runtime`,
      mapFolder: maps,
      environment: this.#files.environment(maps),
      state: desired,
      spares: spareSections(`${this.folder}/errors`),
      previous,
      patience: this.#given.limits.start,
      onLine: (line) => this.#given.onLog(line),
      onExit: (ended) => this.#onExit(ended),
    }).catch((error: unknown) => {
      this.#folder.remove(`g${number}`);
      throw error;
    });
    if (previous) {
      this.#draining.add(previous);
      this.#endRemoved(previous, desired);
    }
    this.#current = generation;
    this.#desired = desired;
    this.#isInDoubt = false;
    this.#starts++;
    if (previous) await this.#updateDraining(desired);
    this.#endOldest();
  }

  /** Those that have no connections any more are let go, the others are kept right. */
  async #updateDraining(desired: DesiredState): Promise<void> {
    for (const generation of this.#draining) {
      if (generation.hasExited) continue;
      const known: DesiredState = {
        ...desired,
        certificates: generation.certificates,
        maps: {
          ...desired.maps,
          streams: generation.maps.streams,
          hosts: mixed(generation.maps.hosts, desired.maps.hosts, (hash) =>
            this.#isKnownTo(generation, desired, hash),
          ),
        },
      };
      // Some of its hosts may stay as they are now, whatever comes later.
      generation.data = new Map([...generation.data, ...desired.data]);
      await applyToRunning(generation, known, this.folder).catch(() => {});
    }
  }

  /** Whether a replaced process has all the sections that a host sends requests to. */
  #isKnownTo(generation: Generation, desired: DesiredState, hash: string): boolean {
    return (desired.uses.get(hash) ?? []).every((section) => generation.sections.has(`backend ${section}`));
  }

  /** Connections of listeners that are gone have their time to end; those of the others may stay. */
  #endRemoved(previous: Generation, desired: DesiredState): void {
    const removed = [...previous.sections.values()]
      .filter(({ section, isFrontend }) => isFrontend && !desired.sections.has(`frontend ${section.name}`))
      .map(({ section }) => section.name!);
    if (removed.length === 0) return;
    const end = setTimeout(() => {
      for (const generation of this.#draining) void generation.endStreamsOf(removed);
    }, this.#given.limits.grace);
    end.unref();
  }

  #endOldest(): void {
    const alive = [...this.#draining].filter(({ hasExited }) => !hasExited);
    for (const generation of alive.slice(0, Math.max(0, alive.length - this.#given.limits.draining))) {
      generation.terminate();
    }
  }

  #onExit(generation: Generation): void {
    this.#draining.delete(generation);
    this.#folder.remove(`g${generation.number}`);
    if (generation !== this.#current || this.#isStopping) return;
    const words = generation.words.trim().split("\n").at(-1);
    this.#problem = words ? `it ended (${words})` : "it ended.";
    this.#given.onDeath();
  }

  /** While there is something to be tidied up. */
  #keepUp(): void {
    if (this.#upkeep || this.#isStopping) return;
    this.#upkeep = setInterval(() => void this.#tidy().catch(() => {}), 500);
    this.#upkeep.unref();
  }

  async #tidy(): Promise<void> {
    let connections = 0;
    for (const generation of this.#draining) {
      const left = generation.hasExited ? 0 : await generation.connections();
      if (left === 0) generation.hangUp();
      connections += left;
    }
    if (this.#current && this.isRunning) {
      connections += await this.#current.connections();
      await deleteLeaving(this.#current);
    }
    this.#connections = connections;
    this.#collectData();
  }

  #collectData(): void {
    const used = new Set<string>(this.#desired?.data.keys());
    for (const { data } of this.#draining) for (const hash of data.keys()) used.add(hash);
    this.#unused.collect(used);
  }
}

/** Of each key the wanted value where that can be had, else the one before. */
function mixed(
  before: ReadonlyMap<string, string>,
  wanted: ReadonlyMap<string, string>,
  canHave: (value: string) => boolean,
): ReadonlyMap<string, string> {
  const result = new Map<string, string>();
  for (const [key, value] of wanted) {
    const earlier = before.get(key);
    if (earlier === value || canHave(value)) result.set(key, value);
    else if (earlier !== undefined) result.set(key, earlier);
  }
  return result;
}
