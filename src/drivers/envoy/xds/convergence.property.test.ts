import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { types } from "../../../../test/envoy/scripted-proxy.ts";
import { SimulatedEnvoy } from "../../../../test/envoy/simulated-envoy.ts";
import type { ApplyReport } from "../../driver.ts";
import { decodeMessage } from "../messages/index.ts";
import type { RenderedResource, ResourceType } from "../rendered-resource.ts";
import { Fleet } from "./fleet.ts";
import { encodeResource } from "./resource.ts";

/** Host → its cluster, and whether Envoy will not have it. */
type World = ReadonlyMap<string, { readonly cluster: string; readonly isBad: boolean }>;

const host = fc.constantFrom("h1", "h2", "h3", "h4", "h5");
const world: fc.Arbitrary<World> = fc
  .array(fc.tuple(host, fc.record({ cluster: fc.constantFrom("a", "b", "c", "d"), isBad: fc.boolean() })), {
    maxLength: 5,
  })
  .map((entries) => new Map(entries));
const goodWorld = world.map(
  (entries) => new Map(Array.from(entries, ([name, { cluster }]) => [name, { cluster, isBad: false }])),
);

type Command =
  | { readonly type: "apply"; readonly world: World }
  | { readonly type: "step" | "disconnect" | "connect"; readonly proxy: number };

const commandOf = (worlds: fc.Arbitrary<World>): fc.Arbitrary<Command> =>
  fc.oneof(
    { weight: 3, arbitrary: worlds.map((next) => ({ type: "apply" as const, world: next })) },
    { weight: 8, arbitrary: fc.nat(1).map((proxy) => ({ type: "step" as const, proxy })) },
    { weight: 1, arbitrary: fc.nat(1).map((proxy) => ({ type: "disconnect" as const, proxy })) },
    { weight: 2, arbitrary: fc.nat(1).map((proxy) => ({ type: "connect" as const, proxy })) },
  );

function render(entries: World): RenderedResource[] {
  const clusters = new Set(Array.from(entries.values(), ({ cluster }) => cluster));
  return [
    ...Array.from(clusters, (name): RenderedResource => {
      const causedBy = { kind: "backends", key: name } as const;
      return { type: types.clusters, name, message: { name, edsClusterConfig: {} }, causedBy };
    }),
    ...Array.from(clusters, (name): RenderedResource => {
      const causedBy = { kind: "endpoints", key: name } as const;
      return { type: types.endpoints, name, message: { clusterName: name }, causedBy };
    }),
    ...Array.from(entries, ([name, { cluster, isBad }]): RenderedResource => {
      const message = { name, routeConfigurationName: `${isBad ? "bad" : "good"} ${cluster}` };
      return { type: types.scopes, name, message, causedBy: { kind: "virtualHosts", key: name } };
    }),
    {
      type: types.listeners,
      name: "http",
      message: { name: "http" },
      causedBy: { kind: "listeners", key: "http" },
    },
  ];
}

const contentOf = (bytes: Uint8Array) =>
  (decodeMessage(types.scopes, bytes).routeConfigurationName ?? "").split(" ");

class Run {
  readonly reports = new Map<string, ApplyReport["state"]>();
  readonly applied: Promise<void>[] = [];
  readonly fleet = new Fleet({
    report: (reports) => {
      for (const { kind, key, state } of reports) this.reports.set(`${kind} ${key}`, state);
    },
    addressesOf: () => undefined,
    patience: 60_000,
    gathering: 0,
    absence: 60_000,
  });
  readonly proxies: SimulatedEnvoy[];
  readonly connected = new Set<number>();
  world: World = new Map();
  #resources = new Map<string, { readonly type: ResourceType; readonly name: string }>();

  constructor(onChange: (proxy: SimulatedEnvoy) => void) {
    this.proxies = [0, 1].map((index) => {
      const isBad = (_: string, bytes: Uint8Array) => Buffer.from(bytes).includes("bad ");
      return new SimulatedEnvoy(isBad, () => onChange(this.proxies[index]!));
    });
    this.apply(this.world);
  }

  async do(command: Command): Promise<void> {
    if (command.type === "apply") return this.apply(command.world);
    const { proxy: index } = command;
    const proxy = this.proxies[index]!;
    if (command.type === "step") proxy.step();
    else if (command.type === "disconnect") {
      if (this.connected.delete(index)) proxy.disconnect();
    } else if (!this.connected.has(index)) {
      this.connected.add(index);
      proxy.connect((stream) => this.fleet.connect(stream, { gateway: "a/b", peer: String(index) }));
      await pause(1);
    }
  }

  apply(next: World): void {
    this.world = next;
    const rendered = render(next);
    const resources = new Map(rendered.map(({ type, name }) => [`${type} ${name}`, { type, name }]));
    const removed = [...this.#resources].flatMap(([key, resource]) => (resources.has(key) ? [] : [resource]));
    this.#resources = resources;
    this.applied.push(this.fleet.apply({ set: rendered.map(encodeResource), removed }));
  }

  async settle(): Promise<void> {
    for (const proxy of [0, 1]) await this.do({ type: "connect", proxy });
    do {
      for (const proxy of this.proxies) proxy.step();
      await pause(this.proxies.some(({ isBusy }) => isBusy) ? 0 : 2);
    } while (this.proxies.some(({ isBusy }) => isBusy));
    await Promise.all(this.applied);
  }
}

const namesOf = (proxy: SimulatedEnvoy, type: ResourceType) => [...proxy.has.get(type)!.keys()].toSorted();

describe("whatever changes, whatever is refused, and whenever streams are cut", () => {
  it(
    "every proxy ends with what there is, the bad ones in a version that was good, and nothing else",
    { timeout: 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(commandOf(world), { maxLength: 60 }), async (commands) => {
          const run = new Run(() => {});
          for (const command of commands) await run.do(command);
          await run.settle();
          const clusters = [...new Set(Array.from(run.world.values(), ({ cluster }) => cluster))].toSorted();
          const bad = new Set([...run.world].flatMap(([name, { isBad }]) => (isBad ? [name] : [])));
          for (const proxy of run.proxies) {
            expect(namesOf(proxy, types.clusters)).toEqual(clusters);
            expect(namesOf(proxy, types.endpoints)).toEqual(clusters);
            expect(namesOf(proxy, types.listeners)).toEqual(["http"]);
            for (const [name, { cluster, isBad }] of run.world) {
              const held = proxy.has.get(types.scopes)!.get(name);
              const [quality, leadsTo] = held ? contentOf(held.bytes) : [isBad ? "good" : "none"];
              expect([quality, isBad ? cluster : leadsTo]).toEqual(["good", cluster]);
            }
            for (const name of namesOf(proxy, types.scopes)) expect(run.world.has(name)).toBe(true);
          }
          const refused = [...run.reports].flatMap(([key, { type }]) => (type === "refused" ? [key] : []));
          expect(new Set(refused)).toEqual(new Set([...bad].map((name) => `virtualHosts ${name}`)));
          expect(run.reports.get("listeners http")).toEqual({ type: "programmed" });
          expect(run.fleet.describe()).toMatchObject({ joining: 0, refused: bad.size });
          run.fleet.stop();
        }),
        { numRuns: 150 },
      );
    },
  );

  it("no proxy ever has a route to a cluster that is not there", { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(commandOf(goodWorld), { maxLength: 60 }), async (commands) => {
        const broken: string[] = [];
        const run = new Run((proxy) => {
          for (const [name, { bytes }] of proxy.has.get(types.scopes)!) {
            const [, cluster = ""] = contentOf(bytes);
            if (!proxy.has.get(types.clusters)!.has(cluster)) broken.push(`${name} → ${cluster}`);
          }
        });
        for (const command of commands) await run.do(command);
        await run.settle();
        expect(broken).toEqual([]);
        run.fleet.stop();
      }),
      { numRuns: 150 },
    );
  });
});
