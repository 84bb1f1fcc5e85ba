/*
 * Wires a source, the translation and a driver together, and keeps them in step:
 *
 *   source ─► graph ─► model changes ─► driver.apply ─► reports ─► graph ─► statuses ─► source
 *
 * Statuses of a change are written when the driver has settled it (or after a short grace), so that nobody sees a
 * `Programmed` flicker between a decision and its coming into force.
 */
import type { ApplyReport, Driver } from "../drivers/index.ts";
import { Graph, type Change, type Collection, type Fault, type Input } from "../incremental/index.ts";
import { modelKinds } from "../model/index.ts";
import {
  resourceKey,
  type Gate,
  type RawStatus,
  type Resource,
  type ResourceKind,
} from "../resources/index.ts";
import type { ResourceChange, Source, SourceProblem } from "../sources/index.ts";
import type { ObjectStatus } from "../status/index.ts";
import {
  defaultControllerName,
  itemKey,
  translate,
  type Fleet,
  type FleetState,
  type ItemState,
  type ItemStates,
  type ModelCollections,
  type TranslateSettings,
} from "../translate/index.ts";
import { ModelFeed } from "./model-feed.ts";
import { ReferenceFeed } from "./reference-feed.ts";
import { ResourceInputs } from "./resource-inputs.ts";
import { StatusBoard } from "./status-board.ts";

export interface ControllerOptions {
  readonly source: Source;
  readonly driver: Driver;
  readonly settings?: Partial<Omit<TranslateSettings, "features">>;
  /** Those that are on at first. */
  readonly gates?: readonly Gate[];
  /** How long statuses wait for the driver, ms. */
  readonly statusGrace?: number;
  readonly events?: ControllerEvents;
}

/** What somebody who looks on may want to hear. All of them are optional and must not throw. */
export interface ControllerEvents {
  /** All problems of the source that stand now. */
  problems?(problems: readonly SourceProblem[]): void;
  /** Statuses that changed, after they were settled. */
  statuses?(statuses: readonly ObjectStatus[]): void;
  /** Something of ours went wrong; the work goes on. */
  fault?(where: string, error: unknown): void;
}

export interface Controller {
  /** Resolves when all that the source had at first is in force, or refused. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Resolves when nothing is under way: no change to apply, no status to write. */
  settled(): Promise<void>;
  readonly driver: Driver;
  readonly model: ModelCollections;
  readonly statuses: Collection<ObjectStatus>;
  readonly problems: readonly SourceProblem[];
  /** What must run for each Gateway, by its key; somebody may make it, and say what became of it. */
  readonly fleets: Collection<Fleet>;
  reportFleet(key: string, state: FleetState | undefined): void;
  /** Of which release the CRDs of the Gateway API are, by name; empty: of none. */
  setCrdVersions(versions: ReadonlyMap<string, string>): void;
  /** Those that are on from now. */
  setGates(gates: readonly Gate[]): void;
  /** What the driver made of the model's items, by `itemKey`. */
  readonly itemStates: ItemStates;
  /** Node name → computations so far. */
  readonly recomputations: ReadonlyMap<string, number>;
  resources(): Iterable<Resource>;
  find(kind: ResourceKind, key: string): Resource | undefined;
  /** The status that the object has with what we say of it. */
  statusOf(resource: Resource): RawStatus | undefined;
}

const onOneMachine: Omit<TranslateSettings, "features"> = {
  controllerNames: [defaultControllerName],
  implicitClasses: true,
  allowExternalNames: false,
  allowLoopbackEndpoints: true,
};

/** `Kind/namespace/name` → what is wrong, for objects of which no version is in force. The first problem of each will do. */
function invalidObjects(problems: readonly SourceProblem[]): ReadonlyMap<string, string> {
  const invalid = new Map<string, string>();
  for (const { severity, object, field, message, lastGoodInForce } of problems) {
    if (severity !== "error" || object === undefined || lastGoodInForce === true) continue;
    const key = object.replace(" ", "/");
    if (!invalid.has(key)) invalid.set(key, field === undefined ? message : `${field}: ${message}`);
  }
  return invalid;
}

export function createController(options: ControllerOptions): Controller {
  return new WiredController(options);
}

class WiredController implements Controller {
  readonly driver: Driver;
  readonly model: ModelCollections;
  readonly statuses: Collection<ObjectStatus>;
  readonly fleets: Collection<Fleet>;
  problems: readonly SourceProblem[] = [];
  readonly #source: Source;
  readonly #events: ControllerEvents;
  readonly #grace: number;
  readonly #graph: Graph;
  readonly #inputs: ResourceInputs;
  readonly itemStates: Input<ItemState>;
  readonly #fleetStates: Input<FleetState>;
  readonly #crdVersions: Input<string>;
  readonly #gates: Input<true>;
  readonly #feed: ModelFeed;
  readonly #references: ReferenceFeed;
  readonly #board: StatusBoard;
  readonly #changedStatuses = new Map<string, Change<ObjectStatus>>();
  #applying = 0;
  #flushPlanned = false;
  #statusTimer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #idle: (() => void)[] = [];
  #stopped = false;

  constructor({ source, driver, settings, gates = [], statusGrace = 1_000, events = {} }: ControllerOptions) {
    this.#source = source;
    this.driver = driver;
    this.#events = events;
    this.#grace = statusGrace;
    this.#graph = new Graph({ onFault: (fault) => this.#fault(fault) });
    this.#inputs = new ResourceInputs(this.#graph);
    this.itemStates = this.#graph.input<ItemState>("item states");
    this.#fleetStates = this.#graph.input<FleetState>("fleet states");
    this.#crdVersions = this.#graph.input<string>("CRD versions");
    this.#gates = this.#graph.input<true>("gates");
    const translation = translate(this.#graph, {
      resources: this.#inputs.resources,
      itemStates: this.itemStates,
      fleetStates: this.#fleetStates,
      crdVersions: this.#crdVersions,
      gates: this.#gates,
      settings: { ...onOneMachine, defaultDriver: driver.name, ...settings, features: driver.features },
    });
    this.model = translation.model;
    this.statuses = translation.statuses;
    this.fleets = translation.fleets;
    this.#feed = new ModelFeed(this.model, () => this.#planFlush());
    this.#references = new ReferenceFeed(translation.references, source, {
      complete: () => {
        this.#planFlush();
        queueMicrotask(() => this.#writeWhenSettled());
      },
      failed: (error) => this.#events.fault?.(`source ${source.name}: references`, error),
    });
    this.#board = new StatusBoard(
      ({ kind, namespace, name }) =>
        this.#inputs.find(kind, namespace === undefined ? name : `${namespace}/${name}`),
      () => new Date().toISOString().replace(/\.\d+Z$/, "Z"),
    );
    this.statuses.subscribe((changes) => this.#noteStatuses(changes));
    this.setGates(gates);
  }

  get recomputations(): ReadonlyMap<string, number> {
    return this.#graph.recomputations;
  }

  async start(): Promise<void> {
    await this.driver.start((reports) => this.#takeReports(reports));
    await this.#source.start({
      apply: (changes) => this.#takeResources(changes),
      report: (problems) => {
        this.problems = problems;
        this.#graph.batch(() => this.#inputs.setInvalid(invalidObjects(problems)));
        this.#events.problems?.(problems);
      },
    });
    await this.settled();
  }

  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    clearTimeout(this.#statusTimer);
    await this.#source.stop();
    await this.driver.stop();
    await this.#writing;
    this.#becomeIdle();
  }

  settled(): Promise<void> {
    if (this.#isIdle()) return this.#writing;
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  resources(): Iterable<Resource> {
    return this.#inputs.all();
  }

  find(kind: ResourceKind, key: string): Resource | undefined {
    return this.#inputs.find(kind, key);
  }

  reportFleet(key: string, state: FleetState | undefined): void {
    if (this.#stopped) return;
    this.#graph.batch(() => {
      if (state) this.#fleetStates.set(key, state);
      else this.#fleetStates.delete(key);
    });
  }

  setCrdVersions(versions: ReadonlyMap<string, string>): void {
    if (this.#stopped) return;
    this.#graph.batch(() => fill(this.#crdVersions, versions));
  }

  setGates(gates: readonly Gate[]): void {
    if (this.#stopped) return;
    this.#graph.batch(() => fill(this.#gates, new Map(gates.map((gate) => [gate, true]))));
  }

  statusOf(resource: Resource): RawStatus | undefined {
    return this.#board.statusOf(`${resource.kind}/${resourceKey(resource)}`) ?? resource.status;
  }

  #takeResources(changes: readonly ResourceChange[]): void {
    this.#graph.batch(() => {
      for (const change of changes) this.#inputs.apply(change);
    });
  }

  #takeReports(reports: readonly ApplyReport[]): void {
    if (this.#stopped) return;
    this.#graph.batch(() => {
      for (const { kind, key, state } of reports) this.itemStates.set(itemKey(kind, key), state);
    });
  }

  /** The microtask runs after all listeners of the batch were told, so one batch is one set of changes. */
  #planFlush(): void {
    if (this.#flushPlanned) return;
    this.#flushPlanned = true;
    queueMicrotask(() => {
      this.#flushPlanned = false;
      void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    // What was not read yet must not be taken for missing.
    if (this.#references.isIncomplete) return;
    const changes = this.#feed.take();
    if (!changes || this.#stopped) return;
    this.#applying++;
    try {
      await this.driver.apply(changes);
    } catch (error) {
      this.#events.fault?.(`driver ${this.driver.name}`, error);
    } finally {
      this.#applying--;
      this.#graph.batch(() => {
        for (const kind of modelKinds) {
          for (const [key, item] of changes[kind]) {
            if (!item) this.itemStates.delete(itemKey(kind, key));
          }
        }
      });
      this.#writeWhenSettled();
    }
  }

  #noteStatuses(changes: ReadonlyMap<string, Change<ObjectStatus>>): void {
    for (const [key, { before, after }] of changes) {
      const noted = this.#changedStatuses.get(key);
      this.#changedStatuses.set(key, { before: noted ? noted.before : before, after });
    }
    // A batch that touches the model is followed by a flush, which writes; the others are written from here.
    queueMicrotask(() => this.#writeWhenSettled());
    this.#statusTimer ??= setTimeout(() => this.#writeStatuses(), this.#grace).unref();
  }

  #writeWhenSettled(): void {
    if (this.#applying > 0 || this.#flushPlanned || this.#references.isIncomplete) return;
    this.#writeStatuses();
    if (this.#isIdle()) this.#becomeIdle();
  }

  #writeStatuses(): void {
    clearTimeout(this.#statusTimer);
    this.#statusTimer = undefined;
    if (this.#changedStatuses.size === 0 || this.#stopped || this.#references.isIncomplete) return;
    const statuses = this.#board.update(this.#changedStatuses);
    this.#changedStatuses.clear();
    this.#events.statuses?.(statuses);
    this.#writing = this.#writing.then(async () => {
      try {
        await this.#source.writeStatuses(statuses);
      } catch (error) {
        this.#events.fault?.(`source ${this.#source.name}: statuses`, error);
      }
    });
  }

  #isIdle(): boolean {
    return (
      this.#applying === 0 &&
      !this.#flushPlanned &&
      !this.#references.isIncomplete &&
      this.#changedStatuses.size === 0
    );
  }

  #becomeIdle(): void {
    const waiting = this.#idle;
    this.#idle = [];
    void this.#writing.then(() => {
      for (const resolve of waiting) resolve();
    });
  }

  #fault({ node, key, error }: Fault): void {
    this.#events.fault?.(`${node} of ${key}`, error);
  }
}

function fill<T>(input: Input<T>, entries: ReadonlyMap<string, T>): void {
  for (const key of input.keys()) if (!entries.has(key)) input.delete(key);
  for (const [key, value] of entries) input.set(key, value);
}
