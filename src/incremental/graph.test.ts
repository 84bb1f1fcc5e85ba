import { describe, expect, it } from "vitest";
import { Graph, GraphError, type Collection, type Fault } from "./index.ts";

function listed<T>(collection: Collection<T>): (readonly [string, T])[] {
  return [...collection.entries()];
}

describe("derived collections", () => {
  it("follow changes through map, derive, index and count", () => {
    const graph = new Graph();
    const routes = graph.input<{ hosts: string[]; to: string }>("routes");
    const services = graph.input<number>("services");
    const ports = graph.map("ports", routes, (route, read) => read.one(services, route.to));
    const hosts = graph.derive("hosts", routes, function* (route, read, key) {
      for (const host of route.hosts)
        yield [`${key}/${host}`, `${host}:${read.one(ports, key) ?? "-"}`] as const;
    });
    const byHost = graph.index("hosts by name", hosts, (host) => [host.split(":")[0]!]);
    const counts = graph.count("hosts counted", hosts, (host) => [host.split(":")[0]!]);

    graph.batch(() => {
      routes.set("b", { hosts: ["x"], to: "s" });
      routes.set("a", { hosts: ["x", "y"], to: "t" });
      services.set("s", 1);
    });
    expect(listed(ports)).toEqual([["b", 1]]);
    expect(listed(byHost)).toEqual([
      ["x", ["x:-", "x:1"]],
      ["y", ["y:-"]],
    ]);

    services.set("t", 2);
    expect(byHost.get("x")).toEqual(["x:2", "x:1"]);
    expect(listed(counts)).toEqual([
      ["x", 2],
      ["y", 1],
    ]);

    routes.delete("a");
    expect(listed(counts)).toEqual([["x", 1]]);
    expect(listed(byHost)).toEqual([["x", ["x:1"]]]);
  });

  it("notice when a key that was read in vain appears and goes again", () => {
    const graph = new Graph();
    const wanted = graph.input<string>("wanted");
    const there = graph.input<number>("there");
    const found = graph.map("found", wanted, (key, read) => read.one(there, key) ?? "missing");
    wanted.set("w", "k");
    expect(found.get("w")).toBe("missing");
    there.set("k", 7);
    expect(found.get("w")).toBe(7);
    there.delete("k");
    expect(found.get("w")).toBe("missing");
    expect([there.size, there.has("k"), listed(there)]).toEqual([0, false, []]);
  });

  it("forget what a computation no longer reads", () => {
    const graph = new Graph();
    const pointers = graph.input<string>("pointers");
    const values = graph.input<number>("values");
    const pointed = graph.map("pointed", pointers, (key, read) => read.one(values, key));
    values.set("a", 1);
    values.set("b", 2);
    pointers.set("p", "a");
    pointers.set("p", "b");
    const runs = graph.recomputations.get("pointed");
    values.set("a", 10);
    expect(graph.recomputations.get("pointed")).toBe(runs);
    values.set("b", 20);
    expect(pointed.get("p")).toBe(20);
  });

  it("tell a read of the empty key from a read of the whole collection", () => {
    const graph = new Graph();
    const modes = graph.input<"every" | "one">("modes");
    const values = graph.input<number>("values");
    const seen = graph.map("seen", modes, (mode, read) =>
      mode === "every" ? [...read.every(values)].length : read.one(values, ""),
    );
    values.set("a", 5);
    modes.set("m", "every");
    expect(seen.get("m")).toBe(1);
    modes.set("m", "one");
    expect(seen.get("m")).toBeUndefined();
    values.set("", 9);
    expect(seen.get("m")).toBe(9);
    modes.set("m", "every");
    expect(seen.get("m")).toBe(2);
    values.delete("");
    expect(seen.get("m")).toBe(1);
  });

  it("are filled at once when they are added to a filled graph, and at its end within a batch", () => {
    const graph = new Graph();
    const numbers = graph.input<number>("numbers");
    numbers.set("a", 1);
    const doubled = graph.map("doubled", numbers, (n) => n * 2);
    expect(listed(doubled)).toEqual([["a", 2]]);
    graph.batch(() => {
      numbers.set("b", 2);
      const parity = graph.index("parity", doubled, (n) => [String(n % 4)]);
      expect(parity.size).toBe(0);
      numbers.set("c", 3);
      return parity;
    });
    const again = graph.count("again", doubled, (n) => [String(n % 4)]);
    expect(listed(again)).toEqual([
      ["0", 1],
      ["2", 2],
    ]);
    numbers.delete("a");
    expect(again.get("2")).toBe(1);
  });

  it("list keys in code-unit order whatever the order of arrival", () => {
    const graph = new Graph();
    const input = graph.input<number>("input");
    for (const key of ["b", "\u{1f600}", "B", "\uffff", "a", "__proto__", "constructor"]) input.set(key, 1);
    const inOrder = ["B", "__proto__", "a", "b", "constructor", "\u{1f600}", "\uffff"];
    expect([...input.keys()]).toEqual(inOrder);
    input.delete("a");
    input.set("aa", 1);
    input.delete("aa");
    input.set("aa", 1);
    expect([...input.keys()]).toEqual(inOrder.map((key) => (key === "a" ? "aa" : key)));
    for (let i = 0; i < 100; i++) {
      input.set(`x${i}`, 1);
      input.delete(`x${i}`);
    }
    input.set("0", 1);
    expect([...input.keys()]).toHaveLength(8);
    expect([...input.keys()][0]).toBe("0");
  });

  it("keep the old value when the new one is equal, and stop there", () => {
    const graph = new Graph();
    const input = graph.input<{ n: number; note?: string }>("input");
    const tens = graph.map("tens", input, ({ n }) => ({ tens: Math.floor(n / 10) }));
    const after = graph.map("after", tens, (value) => [value.tens]);
    input.set("k", { n: 11 });
    const [value, result] = [input.get("k"), tens.get("k")];
    input.set("k", { n: 11 });
    expect(input.get("k")).toBe(value);
    expect(graph.recomputations.get("tens")).toBe(1);
    input.set("k", { n: 12 });
    expect(tens.get("k")).toBe(result);
    expect([...graph.recomputations]).toEqual([
      ["tens", 2],
      ["after", 1],
    ]);
    expect(listed(after)).toEqual([["k", [1]]]);
  });

  it("use the equality they are given", () => {
    const graph = new Graph();
    const equals = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
    const input = graph.input<string>("input", { equals });
    const copies = graph.map("copies", input, (text) => text);
    const twice = graph.derive("twice", input, (text, _, key) => [[`${key}2`, text + text]], { equals });
    input.set("k", "a");
    input.set("k", "A");
    expect([input.get("k"), copies.get("k"), twice.get("k2")]).toEqual(["a", "a", "aa"]);
    expect(graph.recomputations.get("copies")).toBe(1);
    input.set("k", "b");
    expect([input.get("k"), copies.get("k"), twice.get("k2")]).toEqual(["b", "b", "bb"]);
  });
});

describe("derive", () => {
  it("gives a contested key to the smallest source key, whoever came first", () => {
    const graph = new Graph();
    const input = graph.input<string>("input");
    const claimed = graph.derive("claimed", input, (value) => [["key", value]]);
    input.set("m", "from m");
    input.set("z", "from z");
    expect(claimed.get("key")).toBe("from m");
    input.set("a", "from a");
    input.set("b", "from b");
    expect(claimed.get("key")).toBe("from a");
    graph.batch(() => {
      input.delete("a");
      input.delete("m");
    });
    expect(claimed.get("key")).toBe("from b");
    input.set("z", "changed");
    input.delete("b");
    expect(claimed.get("key")).toBe("changed");
    input.delete("z");
    expect(listed(claimed)).toEqual([]);
  });

  it("does not change when another source key takes over with an equal value", () => {
    const graph = new Graph();
    const input = graph.input<number>("input");
    const claimed = graph.derive("claimed", input, (n) => [["key", { even: n % 2 === 0 }]]);
    const after = graph.map("after", claimed, (value) => value.even);
    input.set("b", 2);
    const value = claimed.get("key");
    input.set("a", 4);
    input.delete("b");
    expect(claimed.get("key")).toBe(value);
    expect(graph.recomputations.get("after")).toBe(1);
    input.set("a", 5);
    expect(after.get("key")).toBe(false);
  });

  it("counts the first of several outputs of one source key under one key, and none that are undefined", () => {
    const graph = new Graph();
    const input = graph.input<number[]>("input");
    const outputs = graph.derive("outputs", input, (values) =>
      values.map((value) => ["same", value < 0 ? undefined : value] as const),
    );
    input.set("k", [1, 2]);
    expect(outputs.get("same")).toBe(1);
    input.set("k", [-1, 3, 4]);
    expect(outputs.get("same")).toBe(3);
    input.set("k", [5, 3]);
    expect(outputs.get("same")).toBe(5);
    input.set("k", [-1]);
    expect(outputs.has("same")).toBe(false);
  });

  it("may be a generator, which reads while it is iterated", () => {
    const graph = new Graph();
    const input = graph.input<string[]>("input");
    const values = graph.input<number>("values");
    const outputs = graph.derive("outputs", input, function* (keys, read) {
      for (const key of keys) yield [key, read.one(values, key) ?? 0] as const;
    });
    input.set("k", ["a", "b"]);
    values.set("b", 5);
    expect(listed(outputs)).toEqual([
      ["a", 0],
      ["b", 5],
    ]);
  });
});

describe("index", () => {
  it("orders members by key, in groups small and large, one by one and in bulk", () => {
    const graph = new Graph();
    const input = graph.input<string>("input");
    const all = graph.index("all", input, () => ["all", "all"]);
    const keys = Array.from({ length: 500 }, (_, i) => `k${(i * 7919) % 500}`);
    graph.batch(() => keys.slice(0, 300).forEach((key) => input.set(key, key)));
    for (const key of keys.slice(300)) input.set(key, key);
    expect(all.get("all")).toEqual([...keys].sort());
    const before = all.get("all");
    input.set("k100", "changed");
    expect(all.get("all")![before!.indexOf("k100")]).toBe("changed");
    expect(before).toContain("k100");
    graph.batch(() => keys.slice(0, 400).forEach((key) => input.delete(key)));
    expect(all.get("all")).toEqual(
      keys
        .slice(400)
        .map((key) => input.get(key) ?? "")
        .toSorted((a, b) => (a < b ? -1 : 1)),
    );
    graph.batch(() => keys.forEach((key) => input.delete(key)));
    expect(all.has("all")).toBe(false);
  });
});

describe("wiring", () => {
  const messageOf = (fn: () => unknown): string => {
    try {
      fn();
    } catch (error) {
      return `${(error as GraphError).code}: ${(error as GraphError).message}`;
    }
    return "nothing thrown";
  };

  it("refuses a name twice, and sources of another graph", () => {
    const graph = new Graph();
    graph.input("a");
    expect(messageOf(() => graph.input("a"))).toBe('GRAPH_WIRING: the graph already has a node "a"');
    const foreign = new Graph().input("foreign");
    expect(messageOf(() => graph.map("b", foreign, () => 1))).toBe(
      'GRAPH_WIRING: "b": its source "foreign" is not part of this graph',
    );
    expect(messageOf(() => graph.input("b"))).toBe("nothing thrown");
  });

  it("refuses reads of later collections, of itself, of other graphs, and reads after the run", () => {
    const faults: string[] = [];
    const graph = new Graph({ onFault: (fault) => faults.push(String(fault.error)) });
    const input = graph.input<number>("input");
    let target: Collection<number> = input;
    let leaked: (() => unknown) | undefined;
    const node = graph.map("node", input, (n, read) => {
      leaked = () => read.one(input, "k");
      return n + (read.one(target, "x") ?? 0);
    });
    const later = graph.map("later", input, (n) => n);
    [node, later, new Graph().input<number>("foreign")].forEach((collection, i) => {
      target = collection;
      input.set("k", i);
    });
    expect(faults).toEqual([
      'GraphError: "node" read "node", which was created after it: create "node" first',
      'GraphError: "node" read "later", which was created after it: create "later" first',
      'GraphError: "node" read "foreign", which is not part of this graph',
    ]);
    expect(messageOf(leaked!)).toBe(
      'GRAPH_READ: "node" read "input" outside its computation: it can read only while it runs, not later',
    );
  });

  it("refuses changes, batches, nodes and unrecorded reads from inside a computation", () => {
    const faults: Fault[] = [];
    const graph = new Graph({ onFault: (fault) => faults.push(fault) });
    const input = graph.input<string>("input");
    const actions: Record<string, () => unknown> = {
      get: () => input.get("get"),
      has: () => input.has("get"),
      size: () => input.size,
      keys: () => input.keys(),
      entries: () => input.entries(),
      set: () => input.set("x", "x"),
      delete: () => input.delete("x"),
      batch: () => graph.batch(() => 1),
      node: () => graph.input("new"),
    };
    const node = graph.map("node", input, (action) => Boolean(actions[action]!()) || true);
    for (const action of Object.keys(actions)) input.set(action, action);
    expect(faults.map(({ key }) => key)).toEqual(Object.keys(actions));
    expect(faults.every(({ error }) => (error as GraphError).code === "GRAPH_REENTERED")).toBe(true);
    expect(node.size).toBe(0);
    expect(input.size).toBe(Object.keys(actions).length);
  });
});
