import { describe, expect, it, vi } from "vitest";
import { Graph, GraphError, type Change, type Fault } from "./index.ts";

function told<T>(): {
  log: [string, T | undefined, T | undefined][][];
  listener: (changes: ReadonlyMap<string, Change<T>>) => void;
} {
  const log: [string, T | undefined, T | undefined][][] = [];
  return {
    log,
    listener: (changes) => log.push([...changes].map(([key, { before, after }]) => [key, before, after])),
  };
}

describe("batches", () => {
  it("are applied as one, nested ones with the outer one", () => {
    const graph = new Graph();
    const input = graph.input<number>("input");
    const { log, listener } = told<number>();
    graph.map("plus", input, (n) => n + 1).subscribe(listener);
    const result = graph.batch(() => {
      input.set("b", 1);
      graph.batch(() => input.set("a", 1));
      expect(log).toEqual([]);
      input.set("b", 2);
      return "result";
    });
    expect(result).toBe("result");
    expect(log).toEqual([
      [
        ["a", undefined, 2],
        ["b", undefined, 3],
      ],
    ]);
  });

  it("compare with the last settled state: there and back is no change", () => {
    const graph = new Graph();
    const input = graph.input<{ n: number }>("input");
    const { log, listener } = told<{ n: number }>();
    input.subscribe(listener);
    const map = graph.map("map", input, ({ n }) => ({ n }));
    map.subscribe(listener);
    input.set("kept", { n: 1 });
    log.length = 0;
    const [value, runs] = [input.get("kept"), graph.recomputations.get("map")];

    graph.batch(() => {
      input.set("new", { n: 1 });
      input.set("new", { n: 2 });
      input.delete("new");
      input.delete("kept");
      input.set("kept", { n: 5 });
      input.set("kept", { n: 1 });
      input.delete("never there");
    });
    expect(log).toEqual([]);
    expect(graph.recomputations.get("map")).toBe(runs);
    expect(input.get("kept")).toBe(value);

    graph.batch(() => {
      input.delete("kept");
      input.set("kept", { n: 2 });
      input.set("kept", { n: 3 });
    });
    const change = ["kept", { n: 1 }, { n: 3 }];
    expect(log).toEqual([[change], [change]]);
  });

  it("show an input's own changes at once, derived ones at the end", () => {
    const graph = new Graph();
    const input = graph.input<number>("input");
    const map = graph.map("map", input, (n) => n);
    graph.batch(() => {
      input.set("k", 1);
      expect([input.get("k"), input.size, [...input.keys()]]).toEqual([1, 1, ["k"]]);
      expect([map.get("k"), map.size]).toEqual([undefined, 0]);
      input.set("k", undefined as unknown as number);
      expect(input.has("k")).toBe(false);
      input.set("k", 2);
    });
    expect(map.get("k")).toBe(2);
  });

  it("that throw have changed what they had changed", () => {
    const graph = new Graph();
    const input = graph.input<number>("input");
    const map = graph.map("map", input, (n) => n);
    const failing = (): void =>
      graph.batch(() => {
        input.set("a", 1);
        throw new Error("half way");
      });
    expect(failing).toThrow("half way");
    expect(map.get("a")).toBe(1);
    input.set("b", 2);
    expect(map.get("b")).toBe(2);
  });

  it("never let a computation see one input new and another old", () => {
    const graph = new Graph();
    const input = graph.input<number>("input");
    const left = graph.map("left", input, (n) => n * 2);
    const right = graph.map("right", input, (n) => n * 3);
    const farther = graph.map("farther", right, (n, read, key) => n + (read.one(left, key) ?? 0));
    const seen: number[][] = [];
    graph.map("all", input, (n, read, key) => {
      seen.push([n, read.one(left, key)!, read.one(right, key)!, read.one(farther, key)!]);
      return n;
    });
    for (const n of [1, 2, 3]) input.set("k", n);
    expect(seen).toEqual([1, 2, 3].map((n) => [n, 2 * n, 3 * n, 5 * n]));
  });
});

describe("subscribers", () => {
  it("are told once per batch, after the whole graph has settled", () => {
    const graph = new Graph();
    const input = graph.input<number>("input");
    const last = graph.map(
      "last",
      graph.map("first", input, (n) => n + 1),
      (n) => n + 1,
    );
    const seen: unknown[] = [];
    input.subscribe((changes) => seen.push([...changes.keys()], last.get("k")));
    input.set("k", 1);
    expect(seen).toEqual([["k"], 3]);
  });

  it("may change inputs: that is a batch of its own, after all have been told", () => {
    const graph = new Graph();
    const input = graph.input<number>("input");
    const map = graph.map("map", input, (n) => n * 10);
    const order: string[] = [];
    input.subscribe((changes) => {
      for (const [key, { after }] of changes) {
        order.push(`first told ${key}=${after}`);
        if (after !== undefined && after < 3) graph.batch(() => input.set(key, after + 1));
        order.push(`first sees map=${map.get(key)}`);
      }
    });
    map.subscribe((changes) =>
      changes.forEach(({ before, after }) => order.push(`second told ${before}->${after}`)),
    );
    input.set("k", 1);
    expect(order).toEqual([
      "first told k=1",
      "first sees map=10",
      "second told undefined->10",
      "first told k=2",
      "first sees map=20",
      "second told 10->20",
      "first told k=3",
      "first sees map=30",
      "second told 20->30",
    ]);
  });

  it("that leave, even while others are told, are told no more; those that join are told of the next batch", () => {
    const graph = new Graph();
    const input = graph.input<number>("input");
    const [leaving, joining] = [vi.fn<() => void>(), vi.fn<() => void>()];
    const leave = [input.subscribe(() => leave[1]!()), input.subscribe(leaving)];
    input.subscribe(() => input.size === 1 && input.subscribe(joining));
    input.set("a", 1);
    expect([leaving.mock.calls.length, joining.mock.calls.length]).toEqual([0, 0]);
    input.set("b", 1);
    expect([leaving.mock.calls.length, joining.mock.calls.length]).toEqual([0, 1]);
    leave[1]!();
  });

  it("that are the same function twice are told twice, and leave one by one", () => {
    const graph = new Graph();
    const input = graph.input<number>("input");
    const listener = vi.fn<() => void>();
    const leave = input.subscribe(listener);
    input.subscribe(listener);
    input.set("a", 1);
    leave();
    leave();
    input.set("a", 2);
    expect(listener).toHaveBeenCalledTimes(3);
  });

  it("that throw do not keep others from being told", () => {
    const faults: Fault[] = [];
    const graph = new Graph({ onFault: (fault) => faults.push(fault) });
    const input = graph.input<number>("input");
    const error = new Error("no");
    const listener = vi.fn<() => void>();
    input.subscribe(() => {
      throw error;
    });
    input.subscribe(listener);
    input.set("a", 1);
    expect(listener).toHaveBeenCalledTimes(1);
    expect(faults).toEqual([{ node: "input", key: "", error }]);
  });

  it("that answer each change with another one are stopped", () => {
    const graph = new Graph();
    const input = graph.input<number>("input");
    const leave = input.subscribe(() => input.set("k", input.get("k")! + 1));
    expect(() => input.set("k", 0)).toThrow(expect.objectContaining({ code: "GRAPH_UNSETTLED" }));
    leave();
    input.set("other", 1);
    expect(input.get("other")).toBe(1);
  });
});

describe("faults", () => {
  it("remove the outputs of their key only, and are tried again when something read has changed", () => {
    const faults: Fault[] = [];
    const graph = new Graph({ onFault: (fault) => faults.push(fault) });
    const input = graph.input<string>("input");
    const limits = graph.input<number>("limits");
    const check = (value: string, limit: number): string => {
      if (value.length > limit) throw new Error(`${value} is too long`);
      return value;
    };
    const mapped = graph.map("mapped", input, (value, read) => check(value, read.one(limits, "length") ?? 3));
    const derived = graph.derive("derived", input, function* (value, read, key) {
      yield [`${key}/first`, value] as const;
      yield [`${key}/second`, check(value, read.one(limits, "length") ?? 3)] as const;
    });
    graph.batch(() => {
      input.set("a", "abc");
      input.set("b", "b");
    });
    input.set("a", "abcd");
    expect([...mapped.keys()]).toEqual(["b"]);
    expect([...derived.keys()]).toEqual(["b/first", "b/second"]);
    expect(faults.map(({ node, key, error }) => [node, key, String(error)])).toEqual([
      ["mapped", "a", "Error: abcd is too long"],
      ["derived", "a", "Error: abcd is too long"],
    ]);
    limits.set("length", 4);
    expect(mapped.get("a")).toBe("abcd");
    expect([...derived.keys()]).toEqual(["a/first", "a/second", "b/first", "b/second"]);
    expect(faults).toHaveLength(2);
  });

  it("leave a member whose groups cannot be told in no group", () => {
    const faults: Fault[] = [];
    const graph = new Graph({ onFault: (fault) => faults.push(fault) });
    const input = graph.input<string | null>("input");
    const groups = graph.index("groups", input, (value) => [value!.toUpperCase()]);
    const counts = graph.count("counts", input, (value) => [value!.toUpperCase()]);
    input.set("a", "x");
    input.set("b", "x");
    input.set("a", null);
    expect([groups.get("X"), counts.get("X")]).toEqual([["x"], 1]);
    expect(faults.map(({ node, key }) => [node, key])).toEqual([
      ["groups", "a"],
      ["counts", "a"],
    ]);
    input.set("a", "x");
    expect([groups.get("X"), counts.get("X")]).toEqual([["x", "x"], 2]);
  });

  it("in an equality count as a difference", () => {
    const faults: Fault[] = [];
    const graph = new Graph({ onFault: (fault) => faults.push(fault) });
    const equals = (): boolean => {
      throw new Error("cannot compare");
    };
    const input = graph.input<number>("input", { equals });
    const map = graph.map("map", input, (n) => n, { equals });
    input.set("k", 1);
    input.set("k", 2);
    expect(map.get("k")).toBe(2);
    expect(faults.map(({ node, key }) => [node, key])).toEqual([
      ["input", "k"],
      ["map", "k"],
    ]);
  });

  it("may be answered by a change", () => {
    const graph = new Graph({ onFault: ({ key, error }) => problems.set(key, String(error)) });
    const problems = graph.input<string>("problems");
    const input = graph.input<number>("input");
    graph.map("map", input, () => {
      throw new Error("always");
    });
    input.set("k", 1);
    expect([...problems.entries()]).toEqual([["k", "Error: always"]]);
  });

  it("are thrown by the outermost batch when nobody hears of them, once everything has settled", () => {
    const graph = new Graph();
    const input = graph.input<number>("input");
    const cause = new Error("odd");
    const map = graph.map("map", input, (n) => {
      if (n % 2 === 1) throw cause;
      return n;
    });
    const set = (): void =>
      graph.batch(() => {
        for (const n of [1, 2, 3]) input.set(`k${n}`, n);
      });
    expect(set).toThrow(new GraphError("GRAPH_FAULT", '"map", key "k1": Error: odd (and 1 more)', { cause }));
    expect([...map.keys()]).toEqual(["k2"]);
    input.set("k4", 4);
    expect(map.size).toBe(2);
    const failing = (): void =>
      graph.batch(() => {
        input.set("k5", 5);
        throw new Error("batch");
      });
    expect(failing).toThrow(AggregateError);
  });

  it("are thrown by the batch when the one who hears of them throws", () => {
    const graph = new Graph({
      onFault: () => {
        throw new Error("cannot report");
      },
    });
    const input = graph.input<number>("input");
    input.subscribe(() => {
      throw new Error("subscriber");
    });
    expect(() => input.set("k", 1)).toThrow('a subscriber of "input": Error: cannot report');
    expect(input.get("k")).toBe(1);
  });
});
