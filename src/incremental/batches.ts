// When things happen: batches, the one pass over the graph that settles them, and telling the outside.
//
// A batch is settled in one pass: nodes in order of creation, each at most once. A node is visited after
// everything it may read, so no computation ever sees one input new and another old (no glitches).
// Only then is anybody told. What listeners change in turn waits until all have been told, and is a batch of its own.

import type { Change, Fault } from "./collection.ts";
import { Edges } from "./edges.ts";
import { GraphError } from "./errors.ts";
import type { Engine, Node, Subscription } from "./store.ts";
import type { TraceEntry, TraceListener } from "./trace.ts";

/** Batches that listeners may start in answer to one change before it counts as a loop. */
const FOLLOW_UP_LIMIT = 1000;

interface Delivery {
  readonly node: string;
  readonly changes: ReadonlyMap<string, Change<never>>;
  readonly subscriptions: readonly Subscription[];
}

export class Batches implements Engine {
  readonly edges = new Edges();
  readonly nodes: Node[] = [];
  batchNumber = 0;
  readonly #onFault: ((fault: Fault) => void) | undefined;
  readonly #tracers = new Set<TraceListener>();
  #depth = 0;
  #phase: "idle" | "settling" | "telling" = "idle";
  #firstScheduled = Infinity;
  #settled: Node[] = [];
  #faults: Fault[] = [];
  #trace: TraceEntry[] = [];
  #unheard: Fault[] = [];

  constructor(onFault: ((fault: Fault) => void) | undefined) {
    this.#onFault = onFault;
  }

  get tracing(): boolean {
    return this.#tracers.size > 0;
  }

  get isBatching(): boolean {
    return this.#depth > 0;
  }

  trace(listener: TraceListener): () => void {
    const tracer: TraceListener = (entry) => listener(entry);
    this.#tracers.add(tracer);
    return () => void this.#tracers.delete(tracer);
  }

  record(entry: TraceEntry): void {
    this.#trace.push(entry);
  }

  fault(node: string, key: string, error: unknown): void {
    this.#faults.push({ node, key, error });
  }

  refuseInComputation(what: string): void {
    if (this.#phase === "settling") {
      throw new GraphError("GRAPH_REENTERED", `a computation must not ${what}`);
    }
  }

  schedule(node: Node): void {
    node.scheduled = true;
    if (node.position < this.#firstScheduled) this.#firstScheduled = node.position;
  }

  batch<R>(fn: () => R): R {
    this.refuseInComputation("start a batch");
    let result: R;
    this.#depth++;
    try {
      result = fn();
    } catch (error) {
      this.#depth--;
      // What was changed before fn threw stays changed: the graph must not lag behind its inputs.
      try {
        this.#drain();
      } catch (fault) {
        throw new AggregateError([error, fault], "a batch failed, and so did what followed from it");
      }
      throw error;
    }
    this.#depth--;
    this.#drain();
    return result;
  }

  #drain(): void {
    if (this.#depth > 0 || this.#phase !== "idle") return;
    for (let followUps = 0; this.#firstScheduled < Infinity; followUps++) {
      if (followUps > FOLLOW_UP_LIMIT) {
        throw new GraphError(
          "GRAPH_UNSETTLED",
          `after ${FOLLOW_UP_LIMIT} follow-up batches subscribers still change inputs: a subscriber answers its own change`,
        );
      }
      this.#settle();
      this.#tell();
    }
    this.#throwUnheard();
  }

  #settle(): void {
    this.#phase = "settling";
    this.batchNumber++;
    try {
      const from = this.#firstScheduled;
      this.#firstScheduled = Infinity;
      for (let i = from; i < this.nodes.length; i++) {
        const node = this.nodes[i]!;
        if (!node.scheduled) continue;
        node.visit();
        node.scheduled = false;
        if (node.changed.length > 0) this.#publish(node);
      }
    } finally {
      this.#firstScheduled = Infinity;
      this.#phase = "idle";
    }
  }

  #publish(node: Node): void {
    this.#settled.push(node);
    for (const follower of node.followers) this.schedule(follower);
    for (const cell of node.changed) this.edges.mark(cell);
    const { whole } = node;
    if (whole === undefined) return;
    const causes = this.tracing ? node.changed : node.changed.slice(0, 1);
    for (const cell of causes) this.edges.mark(whole, cell);
  }

  #tell(): void {
    const deliveries = this.#takeDeliveries();
    const faults = this.#faults;
    const trace = this.#trace;
    this.#faults = [];
    this.#trace = [];
    this.#phase = "telling";
    try {
      for (const fault of faults) this.#report(fault);
      for (const entry of trace) for (const tracer of this.#tracers) this.#call(entry.node, tracer, entry);
      for (const { node, changes, subscriptions } of deliveries) {
        for (const subscription of subscriptions) {
          // A listener told earlier may have ended this subscription.
          if (subscription.active) this.#call(node, subscription.tell, changes);
        }
      }
    } finally {
      this.#phase = "idle";
    }
  }

  /** Empties the books of this batch before anybody is told, so that what listeners change goes into the next one. */
  #takeDeliveries(): Delivery[] {
    const deliveries: Delivery[] = [];
    for (const node of this.#settled) {
      if (node.subscriptions.size > 0) {
        deliveries.push({
          node: node.name,
          changes: node.changes() as ReadonlyMap<string, Change<never>>,
          subscriptions: [...node.subscriptions],
        });
      }
      node.release();
    }
    this.#settled = [];
    return deliveries;
  }

  #call<A>(node: string, listener: (argument: A) => void, argument: A): void {
    try {
      listener(argument);
    } catch (error) {
      this.#report({ node, key: "", error });
    }
  }

  #report(fault: Fault): void {
    if (this.#onFault === undefined) {
      this.#unheard.push(fault);
      return;
    }
    try {
      this.#onFault(fault);
    } catch (error) {
      this.#unheard.push({ ...fault, error });
    }
  }

  #throwUnheard(): void {
    const [first, ...others] = this.#unheard;
    this.#unheard = [];
    if (first === undefined) return;
    const where =
      first.key === "" ? `a subscriber of "${first.node}"` : `"${first.node}", key "${first.key}"`;
    const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
    throw new GraphError("GRAPH_FAULT", `${where}: ${String(first.error)}${more}`, { cause: first.error });
  }
}
