/**
 * Watches directories, one watcher each, and says where to look again.
 *
 * In each round (`begin`, many `notice`, `finish`) the directories that matter are named anew; those that were not are let
 * go of. A watcher holds on to the directory, not to its name, so one that was replaced is watched anew. An event means
 * no more than "look": what happened is found by looking.
 */
import { statSync, watch } from "node:fs";
import { basename } from "node:path";
import { codeOf } from "./read-bounded.ts";

export interface DirectoryEvents {
  /** Something happened to a name in a directory; undefined: to anything in it, or to itself. */
  onEvent(directory: string, name: string | undefined): void;
}

interface Watcher {
  on(event: "error", listener: () => void): unknown;
  close(): void;
}

/** How a watcher is made: `fs.watch`, except in tests. */
export type OpenWatcher = (
  directory: string,
  listener: (event: string, name: string | null) => void,
) => Watcher;

interface Watched {
  readonly watcher: Watcher;
  readonly identity: string;
  /** Names that matter; undefined: all. */
  names: Set<string> | undefined;
  /** The same for the next round, as far as it has come. */
  next: Set<string> | undefined | "not-noticed";
}

export class DirectoryWatch {
  readonly #watched = new Map<string, Watched>();
  readonly #failures = new Map<string, unknown>();
  readonly #events: DirectoryEvents;
  readonly #open: OpenWatcher;

  constructor(
    events: DirectoryEvents,
    open: OpenWatcher = (directory, listener) => watch(directory, listener),
  ) {
    this.#events = events;
    this.#open = open;
  }

  /** Directories of which all names matter, and that cannot be watched. */
  get failures(): ReadonlyMap<string, unknown> {
    return this.#failures;
  }

  begin(): void {
    this.#failures.clear();
    for (const watched of this.#watched.values()) watched.next = "not-noticed";
  }

  notice(directory: string, name?: string): void {
    const watched = this.#watch(directory, name === undefined);
    if (watched === undefined) return;
    if (name === undefined) watched.next = undefined;
    else if (watched.next === "not-noticed") watched.next = new Set([name]);
    else watched.next?.add(name);
  }

  finish(): void {
    for (const [directory, watched] of this.#watched) {
      if (watched.next === "not-noticed") this.#drop(directory);
      else watched.names = watched.next;
    }
  }

  close(): void {
    for (const directory of this.#watched.keys()) this.#drop(directory);
  }

  #watch(directory: string, isWhole: boolean): Watched | undefined {
    try {
      // Before watching: if it is replaced in between, the next round sees another identity and watches anew.
      const { dev, ino } = statSync(directory);
      const identity = `${dev}:${ino}`;
      const last = this.#watched.get(directory);
      if (last?.identity === identity) return last;
      this.#drop(directory);
      const watcher = this.#open(directory, (_event, name) => this.#onEvent(directory, watched, name));
      const next = last === undefined ? "not-noticed" : last.next;
      const watched: Watched = { watcher, identity, names: new Set(), next };
      this.#watched.set(directory, watched);
      watcher.on("error", () => {
        if (this.#watched.get(directory) === watched) this.#drop(directory);
        this.#events.onEvent(directory, undefined);
      });
      return watched;
    } catch (error) {
      const isGone = codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
      if (isWhole && !isGone) this.#failures.set(directory, error);
      return undefined;
    }
  }

  #onEvent(directory: string, watched: Watched, name: string | null): void {
    if (this.#watched.get(directory) !== watched) return;
    // A directory that goes away reports its own name.
    if (name === null || name === basename(directory)) this.#events.onEvent(directory, undefined);
    else if (matters(watched.names, name) || matters(watched.next, name))
      this.#events.onEvent(directory, name);
  }

  #drop(directory: string): void {
    this.#watched.get(directory)?.watcher.close();
    this.#watched.delete(directory);
  }
}

function matters(names: Watched["next"], name: string): boolean {
  return names === undefined || (names !== "not-noticed" && names.has(name));
}
