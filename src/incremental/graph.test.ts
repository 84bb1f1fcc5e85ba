import { describe, expect, it } from "vitest";
import { Graph } from "./index.ts";

describe("Graph", () => {
  it("follows changes through map, derive, index and count", () => {
    const graph = new Graph();
    const routes = graph.input<{ hosts: string[]; to: string }>("routes");
    const services = graph.input<number>("services");
    const ports = graph.map("ports", routes, (route, read) => read.one(services, route.to));
    const hosts = graph.derive("hosts", routes, function* (route, read, key) {
      for (const host of route.hosts) yield [`${key}/${host}`, { host, port: read.one(ports, key) }] as const;
    });
    const byHost = graph.index("hosts by name", hosts, ({ host }) => [host]);
    const counts = graph.count("hosts counted", hosts, ({ host }) => [host]);

    graph.batch(() => {
      routes.set("b", { hosts: ["x"], to: "s" });
      routes.set("a", { hosts: ["x", "y"], to: "t" });
      services.set("s", 1);
    });
    expect([...ports.entries()]).toEqual([["b", 1]]);
    expect([...byHost.entries()]).toEqual([
      [
        "x",
        [
          { host: "x", port: undefined },
          { host: "x", port: 1 },
        ],
      ],
      ["y", [{ host: "y", port: undefined }]],
    ]);
    services.set("t", 2);
    expect(byHost.get("x")).toEqual([
      { host: "x", port: 2 },
      { host: "x", port: 1 },
    ]);
    expect([...counts.entries()]).toEqual([
      ["x", 2],
      ["y", 1],
    ]);
    routes.delete("a");
    expect([...counts.entries()]).toEqual([["x", 1]]);
    expect(byHost.get("x")).toEqual([{ host: "x", port: 1 }]);
  });
});
