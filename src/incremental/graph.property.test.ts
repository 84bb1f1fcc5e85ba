// The proof of the engine: random graphs, random changes in random batches, and after each batch
// the result equals a from-scratch build of the same inputs in another order of arrival.

import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Graph, type Collection, type Fault, type Index, type Input, type TraceEntry } from "./index.ts";
import type { Store } from "./store.ts";

type Value = number | string | { readonly [key: string]: unknown } | readonly unknown[];

/** One node: what kind, and which earlier collections it is made of (as positions modulo how many there are). */
interface NodePlan {
  readonly kind: keyof typeof MENU;
  readonly source: number;
  readonly other: number;
}

interface Step {
  readonly input: number;
  readonly key: string;
  /** `undefined` deletes. */
  readonly value: Value | undefined;
}

const INPUTS = 3;
const KEYS = ["a", "b", "c", "d", "", "__proto__"];
// Values that are easily confused with each other.
const VALUES: readonly Value[] = [
  0,
  -0,
  Number.NaN,
  1,
  "1",
  "",
  {},
  { x: undefined },
  { y: undefined },
  { x: 1 },
  [],
];

type Build = (
  graph: Graph,
  name: string,
  source: Collection<Value>,
  other: Collection<Value>,
) => Collection<Value>;

const MENU = {
  copy: (graph, name, source) => graph.map(name, source, (value) => value),
  coarsen: (graph, name, source) => graph.map(name, source, (value) => VALUES[digest(value) % 3]),
  filter: (graph, name, source) =>
    graph.map(name, source, (value) => (digest(value) % 2 === 0 ? value : undefined)),
  sameKey: (graph, name, source, other) =>
    graph.map(name, source, (value, read, key) => [value, read.one(other, key) ?? "none"]),
  pointer: (graph, name, source, other) =>
    graph.map(name, source, (value, read) => {
      const first = read.one(other, pick(KEYS, digest(value)));
      const second = read.one(other, pick(KEYS, digest(first)));
      return digest(second) % 2 === 0
        ? [first, second]
        : [first, read.one(other, pick(KEYS, digest(second)))];
    }),
  every: (graph, name, source, other) =>
    graph.map(name, source, (value, read) => (digest(value) % 3 === 0 ? 0 : [...read.every(other)])),
  failing: (graph, name, source, other) =>
    graph.map(name, source, (value, read, key) => {
      const seen = read.one(other, key);
      if (digest([value, seen]) % 3 === 0) throw new Error("as planned");
      return [seen ?? "none"];
    }),
  split: (graph, name, source, other) =>
    graph.derive(name, source, function* (value, read, key) {
      const count = digest(value) % 4;
      for (let i = 0; i < count; i++)
        yield [pick(KEYS, digest([value, i])), [key, digest(value) % 2]] as const;
      if (digest(read.one(other, key)) % 3 === 0) throw new Error("as planned");
    }),
  contest: (graph, name, source, other) =>
    graph.derive(name, source, (value, read, key) => [
      [pick(["x", "y"], digest(value)), pick(VALUES, digest(value) >>> 3)],
      [key, read.one(other, "x") ?? value],
    ]),
  index: (graph, name, source) => graph.index(name, source, (value, key) => groupsOf(value, key)),
  count: (graph, name, source) => graph.count(name, source, (value, key) => groupsOf(value, key)),
  union: (graph, name, source, other) => graph.union(name, [source, other]),
  members: (graph, name, source, other) => {
    const index: Index<Value> = graph.index(`${name} groups`, other, (value, key) => groupsOf(value, key));
    return graph.map(name, source, (value, read) => read.all(index, pick(["g0", "g1", "g2"], digest(value))));
  },
} satisfies Record<string, Build>;

function groupsOf(value: Value, key: string): string[] {
  const number = digest(value);
  if (number % 7 === 0) throw new Error("as planned");
  return number % 5 === 0 ? [] : number % 2 === 0 ? ["g0", key] : ["g1", "g2", "g1"];
}

function pick<T>(from: readonly T[], at: number): T {
  return from[at % from.length]!;
}

/** A number from anything, different for values that only look alike. */
function digest(value: unknown): number {
  const text = Object.is(value, -0)
    ? "-0"
    : typeof value === "object" && value !== null
      ? JSON.stringify(Object.entries(value).map(([key, entry]) => [key, digest(entry)])) +
        Array.isArray(value)
      : `${typeof value}${String(value)}`;
  let hash = 7;
  for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) % 1_000_003;
  return hash;
}

function refuseUnplanned({ error }: Fault): void {
  if (String(error) !== "Error: as planned") throw error;
}

class World {
  readonly graph = new Graph({ onFault: refuseUnplanned });
  readonly inputs: Input<Value>[] = [];
  readonly collections: Collection<Value>[] = [];

  constructor(plans: readonly NodePlan[]) {
    for (let i = 0; i < INPUTS; i++) this.inputs.push(this.graph.input<Value>(`input ${i}`));
    this.collections.push(...this.inputs);
    for (const plan of plans) this.add(plan);
  }

  add({ kind, source, other }: NodePlan): void {
    const build: Build = MENU[kind];
    const name = `${this.collections.length} ${kind}`;
    this.collections.push(
      build(this.graph, name, pick(this.collections, source), pick(this.collections, other)),
    );
  }

  apply(steps: readonly Step[]): void {
    this.graph.batch(() => {
      for (const { input, key, value } of steps) {
        if (value === undefined) this.inputs[input]!.delete(key);
        else this.inputs[input]!.set(key, value);
      }
    });
  }

  contents(): unknown[] {
    return this.collections.map((collection) => {
      const entries = [...collection.entries()];
      return [collection.name, collection.size === entries.length, entries];
    });
  }

  /** The inputs as steps that fill an empty world. */
  steps(): Step[] {
    return this.inputs.flatMap((collection, input) =>
      [...collection.entries()].map(([key, value]) => ({ input, key, value })),
    );
  }
}

const plan = fc.record({
  kind: fc.constantFrom(...(Object.keys(MENU) as (keyof typeof MENU)[])),
  source: fc.nat(30),
  other: fc.nat(30),
});
const plans = fc.array(plan, { minLength: 1, maxLength: 10 });
const step: fc.Arbitrary<Step> = fc.record({
  input: fc.nat(INPUTS - 1),
  key: fc.constantFrom(...KEYS),
  value: fc.oneof(fc.constantFrom(...VALUES), fc.nat(1000), fc.constant(undefined)),
});
const batches = fc.array(fc.array(step, { maxLength: 8 }), { minLength: 1, maxLength: 12 });

function expectSame(actual: unknown, expected: unknown): void {
  // The first shows a difference best; the second is the stricter one.
  expect(actual).toStrictEqual(expected);
  expect(isDeepStrictEqual(actual, expected)).toBe(true);
}

describe("any graph, after any changes", () => {
  it("equals a from-scratch build, whatever the order of arrival and of wiring", () => {
    fc.assert(
      fc.property(plans, batches, fc.infiniteStream(fc.nat()), (planned, changes, random) => {
        const world = new World(planned);
        for (const steps of changes) {
          world.apply(steps);
          const shuffled = world
            .steps()
            .map((entry) => ({ entry, at: random.next().value as number }))
            .sort((a, b) => a.at - b.at)
            .map(({ entry }) => entry);
          const atOnce = new World(planned);
          atOnce.apply(shuffled);
          expectSame(world.contents(), atOnce.contents());

          const wiredLate = new World([]);
          for (const one of shuffled) wiredLate.apply([one]);
          for (const one of planned) wiredLate.add(one);
          expectSame(world.contents(), wiredLate.contents());
        }
      }),
      { numRuns: 150 },
    );
  });

  it("has told subscribers exactly what changed, and keeps what is equal", () => {
    fc.assert(
      fc.property(plans, batches, (planned, changes) => {
        const world = new World(planned);
        const mirrors = world.collections.map((collection) => {
          const mirror = new Map<string, Value>();
          collection.subscribe((told) => {
            expect([...told.keys()]).toEqual([...told.keys()].sort());
            for (const [key, { before, after }] of told) {
              expect(before === mirror.get(key) || Object.is(before, mirror.get(key))).toBe(true);
              expect(isDeepStrictEqual(before, after) && !isIndexed(collection)).toBe(false);
              if (after === undefined) mirror.delete(key);
              else mirror.set(key, after);
            }
          });
          return mirror;
        });
        for (const steps of changes) {
          world.apply(steps);
          world.collections.forEach((collection, i) => {
            const mirror = mirrors[i]!;
            expect(mirror.size).toBe(collection.size);
            for (const [key, value] of collection.entries())
              expect(Object.is(mirror.get(key), value)).toBe(true);
          });
        }
      }),
      { numRuns: 150 },
    );
  });

  it("has run each computation at most once per batch, and each for a reason that the trace shows", () => {
    fc.assert(
      fc.property(plans, batches, (planned, changes) => {
        const world = new World(planned);
        const trace: TraceEntry[] = [];
        world.graph.trace((entry) => trace.push(entry));
        for (const steps of changes) {
          trace.length = 0;
          world.apply(steps);
          expect(new Set(trace.map(({ node, key }) => `${node}\0${key}`)).size).toBe(trace.length);
          const changed = new Set<string>();
          for (const { node, key, because, outputs } of trace) {
            expect(because.length > 0, `${node} ${key} ran for a reason`).toBe(!node.startsWith("input"));
            for (const cause of because) expect(changed).toContain(`${cause.node}\0${cause.key}`);
            for (const output of outputs) changed.add(`${node}\0${output}`);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it("is left with nothing when all inputs are deleted", () => {
    fc.assert(
      fc.property(plans, batches, (planned, changes) => {
        const world = new World(planned);
        for (const steps of changes) world.apply(steps);
        world.apply(world.steps().map((entry) => ({ ...entry, value: undefined })));
        for (const collection of world.collections) {
          expect([collection.size, (collection as Store<Value>).cells.size]).toEqual([0, 0]);
        }
        expect((world.inputs[0] as unknown as Store<Value>).engine.edges.size).toBe(0);
      }),
      { numRuns: 100 },
    );
  });
});

/** A group may come out equal to what it was when one member replaces another that looks the same. */
function isIndexed({ name }: Collection<Value>): boolean {
  return name.endsWith("index");
}
