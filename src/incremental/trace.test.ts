import { describe, expect, it, vi } from "vitest";
import { Graph, type Fault, type TraceEntry } from "./index.ts";

function traced(): { graph: Graph; lines: () => string[] } {
  const graph = new Graph({ onFault: () => undefined });
  const trace: TraceEntry[] = [];
  graph.trace((entry) => trace.push(entry));
  return {
    graph,
    lines: () =>
      trace.splice(0).map(({ batch, node, key, because, changed, outputs }) => {
        const causes = because.map((cause) => `${cause.node}/${cause.key}`).join(" ");
        expect(changed).toBe(outputs.length > 0);
        return `${batch} ${node}/${key} <- ${causes || "outside"} -> ${outputs.join(" ") || "nothing"}`;
      }),
  };
}

describe("trace", () => {
  it("tells what ran, because of what, and what came of it", () => {
    const { graph, lines } = traced();
    const routes = graph.input<string>("routes");
    const services = graph.input<number>("services");
    const ports = graph.map("ports", routes, (service, read) => (read.one(services, service) ?? 0) > 0);
    const hosts = graph.derive("hosts", ports, (isOpen, _, key) => [
      ["shared", isOpen],
      [`own ${key}`, isOpen],
    ]);
    graph.index("by state", hosts, (isOpen) => [String(isOpen)]);
    graph.count("counted", hosts, () => ["all"]);
    lines();

    graph.batch(() => {
      routes.set("r", "s");
      services.set("s", 80);
    });
    expect(lines().map((line) => line.slice(line.indexOf(" ") + 1))).toEqual([
      "routes/r <- outside -> r",
      "services/s <- outside -> s",
      "ports/r <- routes/r -> r",
      "hosts/r <- ports/r -> shared own r",
      "by state/true <- hosts/shared hosts/own r -> true",
      "counted/all <- hosts/shared hosts/own r -> all",
    ]);

    services.set("s", 81);
    expect(lines().map((line) => line.slice(line.indexOf(" ") + 1))).toEqual([
      "services/s <- outside -> s",
      "ports/r <- services/s -> nothing",
    ]);

    services.set("s", 81);
    routes.set("t", "s");
    routes.delete("r");
    const numbered = lines();
    expect(numbered.map((line) => line.slice(line.indexOf(" ") + 1))).toEqual([
      "services/s <- outside -> nothing",
      "routes/t <- outside -> t",
      "ports/t <- routes/t -> t",
      "hosts/t <- ports/t -> own t",
      "by state/true <- hosts/own t -> true",
      "counted/all <- hosts/own t -> all",
      "routes/r <- outside -> r",
      "ports/r <- routes/r -> r",
      "hosts/r <- ports/r -> own r",
      "by state/true <- hosts/own r -> true",
      "counted/all <- hosts/own r -> all",
    ]);
    const batches = numbered.map((line) => Number.parseInt(line, 10));
    expect(batches.map((batch) => batch - batches[0]!)).toEqual([0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
  });

  it("names each changed key to who reads a whole collection", () => {
    const { graph, lines } = traced();
    const input = graph.input<number>("input");
    const ask = graph.input<string>("ask");
    graph.map("sum", ask, (_, read) => [...read.every(input)].reduce((sum, [, n]) => sum + n, 0));
    ask.set("k", "");
    lines();
    graph.batch(() => {
      input.set("a", 1);
      input.set("b", 2);
    });
    expect(lines().at(-1)).toMatch(/sum\/k <- input\/a input\/b -> k$/);
  });

  it("has no cause for what a new node computes from what was there before", () => {
    const { graph, lines } = traced();
    const input = graph.input<number>("input");
    input.set("k", 1);
    lines();
    graph.map("late", input, (n) => n);
    expect(lines()).toEqual(["2 late/k <- outside -> k"]);
  });

  it("shows a fault as a run whose outputs are gone", () => {
    const { graph, lines } = traced();
    const input = graph.input<number>("input");
    graph.map("map", input, (n) => {
      if (n > 1) throw new Error("too much");
      return n;
    });
    input.set("k", 1);
    lines();
    input.set("k", 2);
    expect(lines().at(-1)).toMatch(/map\/k <- input\/k -> k$/);
    input.set("k", 3);
    expect(lines().at(-1)).toMatch(/map\/k <- input\/k -> nothing$/);
  });

  it("comes after the batch has settled, ends when asked to, and survives a listener that throws", () => {
    const onFault = vi.fn<(fault: Fault) => void>();
    const graph = new Graph({ onFault });
    const input = graph.input<number>("input");
    const map = graph.map("map", input, (n) => n);
    const seen: unknown[] = [];
    const stop = graph.trace(() => {
      seen.push(map.get("k"));
      throw new Error("listener");
    });
    input.set("k", 1);
    expect(seen).toEqual([1, 1]);
    expect(onFault.mock.calls.map(([fault]) => [fault.node, fault.key])).toEqual([
      ["input", ""],
      ["map", ""],
    ]);
    stop();
    input.set("k", 2);
    expect(seen).toHaveLength(2);
  });

  it("starts cleanly in the middle of a graph's life, even from a subscriber", () => {
    const graph = new Graph();
    const input = graph.input<number>("input");
    const map = graph.derive("map", input, (n, _, key) => [[key, n]]);
    const entries: TraceEntry[] = [];
    const leave = map.subscribe(() => {
      leave();
      graph.trace((entry) => entries.push(entry));
      input.set("k", 2);
    });
    input.set("k", 1);
    expect(entries.map(({ node, outputs }) => [node, ...outputs])).toEqual([
      ["input", "k"],
      ["map", "k"],
    ]);
  });
});
