/**
 * Files as a source. A look goes: find the files, read those that may have changed, work out which objects are in force,
 * hand over what changed in one call, then report what is wrong. Nothing that is wrong ends a look.
 */
import { createReadStream, lstatSync, statSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { deepEqual } from "../../incremental/index.ts";
import type { Path } from "../../resources/index.ts";
import type { ObjectStatus } from "../../status/index.ts";
import type { Source, SourceProblem, SourceSink } from "../source.ts";
import { DirectoryWatch, type OpenWatcher } from "./directory-watch.ts";
import { readDocument, unreadableDocument, type DocumentContent } from "./document-content.ts";
import { findProblems, nothingFound, positionOfObject, type FileFindings } from "./file-problems.ts";
import {
  findFiles,
  isManifestName,
  originIn,
  type FoundFile,
  type FoundFiles,
  type GivenPath,
} from "./find-files.ts";
import { AsciiText, changedPart, readText, type FileText } from "./file-text.ts";
import type { Position } from "./line-index.ts";
import { withdrawAll } from "./given-objects.ts";
import { LookSchedule, type LookRequest } from "./look-schedule.ts";
import { ObjectsInForce } from "./objects-in-force.ts";
import { Pace } from "./pace.ts";
import { describeWatchFailures, listProblems } from "./problem-list.ts";
import { readBounded, signatureOf, type Signature } from "./read-bounded.ts";
import { readStream, type StreamReading } from "./read-stream.ts";
import { SourceFile } from "./source-file.ts";
import { UnfinishedWriting } from "./unfinished-writing.ts";

export interface FileSourceOptions {
  /** Folders, files, or `-` for standard input. What comes first wins where an object is there twice. */
  readonly paths: readonly string[];
  /** Look again when something changes; on unless said otherwise. */
  readonly watch?: boolean;
  /** What `-` reads. */
  readonly stdin?: NodeJS.ReadableStream;
  /** The namespace of objects that name none; `default` unless said otherwise. */
  readonly defaultNamespace?: string;
  /** In bytes; 64 MiB unless said otherwise. */
  readonly maxFileSize?: number;
  /** How long it must be quiet before a look; 3 ms unless said otherwise. */
  readonly debounceMs?: number;
}

export interface FileSource extends Source {
  /** What was last written for an object: `<Kind>/<namespace>/<name>`, or `<Kind>/<name>` without a namespace. */
  statusOf(key: string): ObjectStatus | undefined;
  /** Where an object in force, or a field of it, stands; `key` as for `statusOf`. */
  locate(key: string, path?: Path): ObjectPlace | undefined;
  /** Looks at all files now; resolves when what changed has been handed over. */
  look(): Promise<void>;
}

/** A place in a file that the user gave. */
export interface ObjectPlace extends Position {
  readonly origin: string;
}

/** What a test may want to be otherwise. */
export interface Surroundings {
  readonly openWatcher?: OpenWatcher;
  /** How often to look at everything though there are events: seldom enough to cost next to nothing. */
  readonly sweepMs?: number;
}

export function fileSource(options: FileSourceOptions): FileSource {
  return new WatchedFiles(options);
}

interface FileState {
  readonly file: SourceFile;
  found: FoundFile;
  signature: Signature | undefined;
  /** The signature tells whether the file changed; a file that was written just now may change without it. */
  isSettled: boolean;
  findings: FileFindings;
  /** The bytes of the version before the last, for the next one: a large file is read again and again. */
  spare: Buffer | undefined;
}

function newState(found: FoundFile): FileState {
  const file = new SourceFile(found.origin, found.rank);
  return { file, found, signature: undefined, isSettled: false, findings: nothingFound, spare: undefined };
}

function bytesOf(text: FileText): Buffer | undefined {
  return text instanceof AsciiText ? text.bytes : undefined;
}

function idOf({ rank, origin }: FoundFile): string {
  return `${rank}:${origin}`;
}

export class WatchedFiles implements FileSource {
  readonly name = "files";
  readonly #given: readonly GivenPath[];
  readonly #options: Required<Omit<FileSourceOptions, "paths" | "stdin">>;
  readonly #stdin: NodeJS.ReadableStream;
  readonly #schedule: LookSchedule;
  readonly #sweepMs: number;
  readonly #watch: DirectoryWatch;
  readonly #stopping = new AbortController();
  readonly #objects = new ObjectsInForce();
  readonly #unfinished = new UnfinishedWriting();
  readonly #statuses = new Map<string, ObjectStatus>();
  /** By path as given and found, so that a file is the same file when links lead elsewhere. */
  readonly #files = new Map<string, FileState>();
  /** The same by resolved path, which is what events name. */
  #filesByReal = new Map<string, FileState>();
  /** The folders whose names are all looked at, by resolved path. */
  #folders: FoundFiles["folders"] = new Map();
  /** Names that decide which files there are. */
  #decisiveNames = new Set<string>();
  readonly #streams = new Map<number, FileState>();
  #findProblems: readonly SourceProblem[] = [];
  #changed = new Set<FileState>();
  /** Files with something to be said about them. */
  readonly #flawed = new Set<FileState>();
  #reported: readonly SourceProblem[] = [];
  #sink: SourceSink | undefined;
  #isFirstLook = true;

  constructor(options: FileSourceOptions, surroundings: Surroundings = {}) {
    const { paths, stdin = process.stdin, ...rest } = options;
    this.#given = paths.map((path, rank) => ({ path, rank }));
    this.#stdin = stdin;
    this.#options = { ...defaults, ...rest };
    this.#schedule = new LookSchedule(this.#options.debounceMs, (request) => this.#look(request));
    const onEvent = (directory: string, name: string | undefined) =>
      this.#schedule.noteEvent(directory, name);
    this.#watch = new DirectoryWatch({ onEvent }, surroundings.openWatcher);
    this.#sweepMs = surroundings.sweepMs ?? 5_000;
  }

  async start(sink: SourceSink): Promise<void> {
    if (this.#sink !== undefined)
      throw new FileSourceError("GATEWRIGHT_SOURCE_STARTED", "the source was started before");
    this.#sink = sink;
    await this.#schedule.lookNow();
  }

  async look(): Promise<void> {
    if (this.#sink === undefined)
      throw new FileSourceError("GATEWRIGHT_SOURCE_NOT_STARTED", "start the source first");
    await this.#schedule.lookNow();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#watch.close();
    await this.#schedule.stop();
    this.#watch.close();
  }

  async writeStatuses(statuses: readonly ObjectStatus[]): Promise<void> {
    for (const status of statuses) if (this.#objects.has(status.key)) this.#statuses.set(status.key, status);
  }

  statusOf(key: string): ObjectStatus | undefined {
    return this.#statuses.get(key);
  }

  locate(key: string, path: Path = []): ObjectPlace | undefined {
    const file = this.#objects.giverOf(key);
    const given = file?.objects.get(key);
    return file && given && { origin: file.origin, ...positionOfObject(file, given, path) };
  }

  async #look(request: LookRequest): Promise<void> {
    const began = performance.now();
    const pace = new Pace();
    const named = request.isFull ? undefined : this.#namedFiles(request.named);
    if (named === undefined) await this.#lookAtAll(request, pace);
    else for (const found of named) await this.#readFile(this.#stateOf(found), pace);
    await this.#handOver(pace);
    if (named === undefined) this.#scheduleSweep(performance.now() - began);
  }

  /** The files to read, if the events were about nothing but files that came, changed or went. */
  #namedFiles(paths: Iterable<string>): FoundFile[] | undefined {
    const files: FoundFile[] = [];
    for (const path of paths) {
      const known = this.#filesByReal.get(path)?.found;
      const stats = statsOf(path);
      if (known !== undefined && stats?.isFile() === true) files.push(known);
      else if (this.#decisiveNames.has(path)) return undefined;
      else if (known !== undefined) {
        // Nobody's link leads to it, so it is simply gone, which reading it will tell.
        if (stats !== undefined || known.path !== path) return undefined;
        files.push(known);
      } else if (stats !== undefined && mayMatter(basename(path), stats.isFile())) {
        const found = stats.isFile() ? this.#newFile(path) : undefined;
        if (found === undefined) return undefined;
        files.push(found);
      }
    }
    return files;
  }

  /** A file that was not there at the last full look, in a folder that was. */
  #newFile(path: string): FoundFile | undefined {
    const folder = this.#folders.get(dirname(path));
    if (folder === undefined) return undefined;
    const origin = originIn(folder.origin, basename(path));
    const found = { origin, rank: folder.rank, path, real: path };
    return this.#files.has(idOf(found)) ? undefined : found;
  }

  #stateOf(found: FoundFile): FileState {
    const id = idOf(found);
    const state = this.#files.get(id) ?? newState(found);
    state.found = found;
    this.#files.set(id, state);
    this.#filesByReal.set(found.real, state);
    return state;
  }

  async #lookAtAll({ named, isVague }: LookRequest, pace: Pace): Promise<void> {
    const { files, folders, pipes, problems, unseen } = await this.#find(pace);
    if (this.#isFirstLook) await this.#readStreams(pipes, pace);
    this.#folders = folders;
    this.#filesByReal = new Map();
    const before = new Set(this.#files.keys());
    for (const found of files) {
      if (this.#stopping.signal.aborted) return;
      if (pace.isDue()) await pace.rest();
      before.delete(idOf(found));
      const state = this.#stateOf(found);
      if (isVague || named.has(found.real) || !isUnchanged(state)) await this.#readFile(state, pace);
    }
    const keeping = new Set<string>();
    for (const id of before) {
      const state = this.#files.get(id);
      const place = unseen.find((candidate) => state !== undefined && isIn(candidate, state.file));
      if (place !== undefined) keeping.add(place.origin);
      else if (state !== undefined) this.#forget(state);
    }
    this.#findProblems = problems.map((problem) =>
      keeping.has(problem.origin) ? { ...problem, lastGoodInForce: true } : problem,
    );
  }

  async #find(pace: Pace): Promise<FoundFiles> {
    const given = this.#given.filter(({ path, rank }) => path !== "-" && !this.#streams.has(rank));
    if (!this.#options.watch) return findFiles(given, { notice: () => undefined, pace });
    const decisive = new Set<string>();
    const notice = (directory: string, name?: string) => {
      decisive.add(name === undefined ? directory : join(directory, name));
      if (!this.#stopping.signal.aborted) this.#watch.notice(directory, name);
    };
    this.#watch.begin();
    const found = await findFiles(given, { notice, pace });
    this.#watch.finish();
    this.#decisiveNames = decisive;
    return found;
  }

  #forget(state: FileState): void {
    const { file, found } = state;
    this.#files.delete(idOf(found));
    if (this.#filesByReal.get(found.real) === state) this.#filesByReal.delete(found.real);
    this.#changed.delete(state);
    this.#flawed.delete(state);
    this.#unfinished.forget(found.real);
    this.#objects.update(file, withdrawAll(file.objects));
  }

  async #readFile(state: FileState, pace: Pace): Promise<void> {
    const reading = readBounded(state.found.path, this.#options.maxFileSize, state.spare);
    state.spare = undefined;
    if (reading.outcome === "gone") return this.#forget(state);
    state.signature = reading.signature;
    state.isSettled = reading.outcome === "read" && reading.isSettled;
    if (reading.outcome === "refused") this.#fail(state, reading.message);
    else await this.#take(state, reading.bytes, pace);
  }

  async #take(state: FileState, bytes: Buffer, pace: Pace): Promise<void> {
    const { file, found } = state;
    const decoded = readText(bytes);
    if (decoded.outcome === "not-text") return this.#fail(state, decoded.message);
    const { text } = decoded;
    if (file.failure === undefined && changedPart(file.text, text) === undefined) {
      state.spare = bytesOf(text);
      return this.#unfinished.forget(found.real);
    }
    if (this.#options.watch && !this.#isFirstLook) {
      const wait = this.#unfinished.judge(found.real, text, {
        gaveObjects: file.objects.size > 0,
        now: performance.now(),
      });
      if (wait > 0) return this.#schedule.recall(found.real, wait);
    }
    const before = file.text;
    const readDocument = (part: string) => this.#readDocument(part);
    const changes = await file.read(text, { readDocument, mostDocuments, pace });
    if (!changes) return this.#fail(state, `has more than ${mostDocuments} documents; split it`);
    state.spare = bytesOf(before);
    this.#objects.update(file, changes);
    this.#changed.add(state);
  }

  #readDocument(text: string): DocumentContent {
    try {
      return readDocument(text, this.#options.defaultNamespace);
    } catch (error) {
      // A mistake of ours in one document is no reason to lose the others.
      const message = `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
      return unreadableDocument(message, 0);
    }
  }

  #fail(state: FileState, message: string): void {
    if (state.file.failure === message) return;
    state.file.failure = message;
    this.#changed.add(state);
  }

  /** Standard input and pipes end; then they are what they are. */
  async #readStreams(pipes: readonly FoundFile[], pace: Pace): Promise<void> {
    const given = this.#given.find(({ path }) => path === "-");
    const stdin = { origin: "-", rank: given?.rank ?? 0, path: "-", real: "-" };
    for (const found of given === undefined ? pipes : [stdin, ...pipes]) {
      const state = newState(found);
      this.#streams.set(found.rank, state);
      const reading = await this.#readStream(found);
      if (reading.outcome === "refused") this.#fail(state, reading.message);
      if (reading.outcome === "read") await this.#take(state, reading.bytes, pace);
    }
  }

  async #readStream({ path }: FoundFile): Promise<StreamReading> {
    const { maxFileSize } = this.#options;
    if (path === "-") return readStream(this.#stdin, maxFileSize, this.#stopping.signal);
    const stream = createReadStream(path);
    const reading = await readStream(stream, maxFileSize, this.#stopping.signal);
    stream.destroy();
    return reading;
  }

  async #handOver(pace: Pace): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const changes = this.#objects.settle();
    for (const { kind, key, resource } of changes) {
      if (resource === undefined) this.#statuses.delete(`${kind}/${key}`);
    }
    const isFirst = this.#isFirstLook;
    this.#isFirstLook = false;
    if (isFirst || changes.length > 0) this.#sink?.apply(changes);

    for (const state of this.#changed) {
      state.findings = await findProblems(state.file, this.#options.defaultNamespace, pace);
      if (state.findings === nothingFound) this.#flawed.delete(state);
      else this.#flawed.add(state);
    }
    this.#changed = new Set();
    const problems = [
      ...this.#findProblems,
      ...describeWatchFailures(this.#watch, pollMs),
      ...(await listProblems(this.#flawed, this.#objects, pace)),
    ];
    if (this.#stopping.signal.aborted || deepEqual(problems, this.#reported)) return;
    this.#reported = problems;
    this.#sink?.report(problems);
  }

  #scheduleSweep(lookMs: number): void {
    if (!this.#options.watch) return;
    const isBlind = this.#watch.failures.size > 0;
    this.#schedule.sweepIn(isBlind ? Math.max(pollMs, 20 * lookMs) : Math.max(this.#sweepMs, 200 * lookMs));
  }
}

const defaults = { watch: true, defaultNamespace: "default", maxFileSize: 64 * 1024 * 1024, debounceMs: 3 };
/** More cannot be objects in a file of the usual largest size, but would need much more memory than the file. */
const mostDocuments = 250_000;
/** How often to look at everything where there are no events, unless that takes too much of the time. */
const pollMs = 1_000;

/** Whether a name that is not known yet may be a file to read, or lead to one. */
function mayMatter(name: string, isFile: boolean): boolean {
  return isFile ? isManifestName(name) : !name.startsWith(".");
}

/** Of the name itself, not of what it links to; undefined if that cannot be told. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function isUnchanged({ found, signature, isSettled }: FileState): boolean {
  if (!isSettled || signature === undefined) return false;
  try {
    return signatureOf(statSync(found.path)) === signature;
  } catch {
    return false;
  }
}

function isIn(place: FoundFiles["unseen"][number], { origin, rank }: SourceFile): boolean {
  return place.rank === rank && `${origin}/`.startsWith(`${place.origin}/`);
}

/** The source was used in a way that cannot work. */
export class FileSourceError extends Error {
  readonly code: "GATEWRIGHT_SOURCE_STARTED" | "GATEWRIGHT_SOURCE_NOT_STARTED";

  constructor(code: FileSourceError["code"], message: string) {
    super(message);
    this.name = "FileSourceError";
    this.code = code;
  }
}
