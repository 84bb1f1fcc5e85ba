// The cost of a change must not grow with the number of unrelated keys: counted here in computations, not in time.

import { describe, expect, it } from "vitest";
import { Graph, type Collection, type Input } from "./index.ts";
import type { Store } from "./store.ts";

interface Route {
  readonly host: string;
  readonly service: string;
}

interface World {
  readonly graph: Graph;
  readonly routes: Input<Route>;
  readonly services: Input<number>;
  readonly virtualHosts: Collection<string>;
}

/** `count` routes, each with a service of its own, ten routes to a host, one setting that all of them read. */
function build(count: number): World {
  const graph = new Graph();
  const routes = graph.input<Route>("routes");
  const services = graph.input<number>("services");
  const settings = graph.input<string>("settings");
  const clusters = graph.map("clusters", routes, (route, read) => ({
    port: read.one(services, route.service) ?? 0,
    mode: read.one(settings, "mode") ?? "default",
  }));
  const rules = graph.derive("rules", routes, (route, read, key) => [
    [`${key}/0`, { host: route.host, port: read.one(clusters, key)?.port }],
  ]);
  const rulesByHost = graph.index("rules by host", rules, ({ host }) => [host]);
  const ruleCounts = graph.count("rule counts", rules, ({ host }) => [host]);
  const virtualHosts = graph.map(
    "virtual hosts",
    rulesByHost,
    (members, read, host) => `${read.one(ruleCounts, host)}: ${members.map(({ port }) => port).join()}`,
  );
  graph.batch(() => {
    settings.set("mode", "fast");
    for (let i = 0; i < count; i++) {
      routes.set(`route-${i}`, { host: `host-${i % (count / 10)}`, service: `service-${i}` });
      services.set(`service-${i}`, i);
    }
  });
  return { graph, routes, services, virtualHosts };
}

function costOf({ graph }: World, change: () => void): Record<string, number> {
  const before = graph.recomputations;
  change();
  return Object.fromEntries(
    [...graph.recomputations].map(([node, runs]) => [node, runs - before.get(node)!]),
  );
}

describe.each([100, 1000])("among %i routes", (count) => {
  it("a changed service costs its route, its rule and its host", () => {
    const world = build(count);
    const cost = costOf(world, () => world.services.set("service-7", -1));
    expect(cost).toEqual({ clusters: 1, rules: 1, "rules by host": 1, "rule counts": 1, "virtual hosts": 1 });
    expect(world.virtualHosts.get("host-7")).toMatch(/^10: .*,-1,/);
  });

  it("a route that moves costs two hosts", () => {
    const world = build(count);
    const cost = costOf(world, () => world.routes.set("route-7", { host: "host-1", service: "service-7" }));
    expect(cost).toEqual({ clusters: 1, rules: 1, "rules by host": 1, "rule counts": 1, "virtual hosts": 2 });
  });

  it("a change that changes no result stops", () => {
    const world = build(count);
    const cost = costOf(world, () => world.services.set("service-none", 1));
    expect(Object.values(cost)).toEqual([0, 0, 0, 0, 0]);
  });

  it("a deleted and added route cost as much as they touch, and leave no edges behind", () => {
    const world = build(count);
    const { edges } = (world.routes as unknown as Store<Route>).engine;
    const edgesBefore = edges.size;
    const removed = costOf(world, () => world.routes.delete("route-7"));
    expect(removed).toEqual({
      clusters: 0,
      rules: 0,
      "rules by host": 0,
      "rule counts": 0,
      "virtual hosts": 1,
    });
    const added = costOf(world, () => world.routes.set("route-7", { host: "host-7", service: "service-7" }));
    expect(added).toEqual({
      clusters: 1,
      rules: 1,
      "rules by host": 1,
      "rule counts": 1,
      "virtual hosts": 1,
    });
    expect(edges.size).toBe(edgesBefore);
  });
});
