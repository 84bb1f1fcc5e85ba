import { describe, expect, it } from "vitest";
import { Graph } from "./index.ts";

describe("union", () => {
  function setUp() {
    const graph = new Graph();
    const first = graph.input<string>("first");
    const second = graph.input<string>("second");
    const union = graph.union("both", [first, second]);
    return { graph, first, second, union };
  }

  it("holds the entries of all", () => {
    const { first, second, union } = setUp();
    first.set("a", "1");
    second.set("b", "2");
    expect([...union.entries()]).toEqual([
      ["a", "1"],
      ["b", "2"],
    ]);
  });

  it("takes the first collection's value, and the next one's when that goes", () => {
    const { first, second, union } = setUp();
    second.set("a", "second");
    first.set("a", "first");
    expect(union.get("a")).toBe("first");
    second.set("a", "changed");
    expect(union.get("a")).toBe("first");
    first.delete("a");
    expect(union.get("a")).toBe("changed");
    second.delete("a");
    expect(union.has("a")).toBe(false);
    expect(union.size).toBe(0);
  });

  it("tells nobody when an equal value takes over", () => {
    const { graph, first, second, union } = setUp();
    graph.batch(() => {
      first.set("a", "same");
      second.set("a", "same");
    });
    const told: unknown[] = [];
    union.subscribe((changes) => told.push([...changes.keys()]));
    first.delete("a");
    expect(told).toEqual([]);
    second.delete("a");
    expect(told).toEqual([["a"]]);
  });

  it("is filled when it is made after its sources, and can be read by what follows", () => {
    const graph = new Graph();
    const first = graph.input<number>("first");
    const second = graph.input<number>("second");
    first.set("a", 1);
    second.set("b", 2);
    const union = graph.union("both", [first, second]);
    const doubled = graph.map("doubled", union, (value) => value * 2);
    expect([...doubled.entries()]).toEqual([
      ["a", 2],
      ["b", 4],
    ]);
    graph.batch(() => {
      first.delete("a");
      second.set("a", 5);
    });
    expect(doubled.get("a")).toBe(10);
  });
});
