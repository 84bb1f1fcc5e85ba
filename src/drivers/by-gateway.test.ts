import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modelKinds, type ModelChanges, type ModelItems, type ModelKind } from "../model/index.ts";
import { driverByGateway, type ApplyReport, type Driver, type Report } from "./index.ts";
import { emptyChanges } from "./gateway-items.ts";
import { referencesOf } from "./item-references.ts";

type Items = ModelItems[ModelKind];

/** Remembers all it was told. Everything is in force at once, unless the test says otherwise. */
class Recorder implements Driver {
  readonly name = "recorder";
  readonly features: ReadonlySet<string> = new Set();
  readonly held = new Map<string, Items>();
  readonly calls: string[] = [];
  report: Report = () => {};
  started: Promise<void> = Promise.resolve();
  failure: Error | undefined;

  start(report: Report): Promise<void> {
    this.calls.push("start");
    this.report = report;
    return this.started;
  }

  apply(changes: ModelChanges): Promise<void> {
    if (this.failure) return Promise.reject(this.failure);
    for (const kind of modelKinds) {
      for (const [key, item] of changes[kind]) {
        this.calls.push(`${item ? "set" : "delete"} ${kind}|${key}`);
        if (item) this.held.set(`${kind}|${key}`, item);
        else this.held.delete(`${kind}|${key}`);
      }
    }
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.calls.push("stop");
    return Promise.resolve();
  }
}

function setup(prepare: (child: Recorder, gateway: string) => void = () => {}) {
  const made: { gateway: string; child: Recorder }[] = [];
  const reports: ApplyReport[] = [];
  const faults: string[] = [];
  const driver = driverByGateway({
    name: "by-gateway",
    features: new Set(),
    create: (gateway) => {
      const child = new Recorder();
      prepare(child, gateway);
      made.push({ gateway, child });
      return child;
    },
    fault: (gateway, error) => faults.push(`${gateway}: ${String(error)}`),
  });
  const childOf = (gateway: string) => made.findLast((one) => one.gateway === gateway)?.child;
  return {
    driver,
    made,
    reports,
    faults,
    childOf,
    start: () => driver.start((list) => reports.push(...list)),
  };
}

function changes(parts: {
  readonly [Kind in ModelKind]?: readonly ([string] | ModelItems[Kind])[];
}): ModelChanges {
  const all = emptyChanges();
  for (const kind of modelKinds) {
    for (const part of parts[kind] ?? []) {
      const [key, item] = Array.isArray(part) ? [part[0], undefined] : [(part as Items).key, part];
      (all[kind] as Map<string, unknown>).set(key, item);
    }
  }
  return all;
}

const listener = (gateway: string, port = 80, trusted?: string[]): ModelItems["listeners"] => ({
  key: `${gateway}/tcp/${port}`,
  gateway,
  port,
  transport: "tcp",
  protocol: "http",
  addresses: [],
  ...(trusted && { clientValidation: { trusted, mode: "require" } }),
});

const to = (backend: string) => ({ weight: 1, target: { type: "backend", backend } as const });

const stream = (on: string, ...backends: string[]): ModelItems["streamRoutes"] => ({
  key: on,
  listener: on,
  section: "Gateway/a/web/tcp",
  route: { kind: "TCPRoute", namespace: "a", name: "r", rule: 0 },
  backends: backends.map(to),
});

const serverName = (on: string, hostname: string, ...certificates: string[]): ModelItems["serverNames"] => ({
  key: `${on}|${hostname}`,
  listener: on,
  hostname,
  section: "Gateway/a/web/https",
  action: { type: "http", certificates },
});

type HostRule = ModelItems["virtualHosts"]["rules"][number];

/** A rule as any virtual host may have it, the same object whenever it is asked for: most rules are the same in two versions of a host. */
const hostRule = (backends: string[], mirror?: string): HostRule => {
  const key = `HTTPRoute/a/r/${[...backends, "", mirror].join("-")}/0`;
  const known = hostRules.get(key);
  if (known) return known;
  const made: HostRule = {
    key,
    match: { path: { type: "prefix", value: "/" }, headers: [], queryParams: [] },
    action: {
      route: { kind: "HTTPRoute", namespace: "a", name: "r", rule: 0 },
      protocol: "http",
      mirrors: mirror === undefined ? [] : [{ target: to(mirror).target, numerator: 1, denominator: 1 }],
      backends: backends.map(to),
      timeouts: {},
    },
  };
  hostRules.set(key, made);
  return made;
};
const hostRules = new Map<string, HostRule>();

const virtualHost = (on: string, hostname: string, rules: HostRule[]): ModelItems["virtualHosts"] => ({
  key: `${on}|${hostname}`,
  listener: on,
  hostname,
  section: "Gateway/a/web/http",
  rules,
});

const backend = (key: string, trusted?: string[], clientCertificate?: string): ModelItems["backends"] => ({
  key,
  protocol: "http",
  ...(trusted && {
    tls: {
      hostname: "example.com",
      trusted,
      subjectAltNames: [],
      ...(clientCertificate !== undefined && { clientCertificate }),
    },
  }),
});

const endpoints = (key: string, ...addresses: string[]): ModelItems["endpoints"] => ({
  key,
  endpoints: addresses.map((address) => ({ address, port: 80 })),
});

const certificate = (key: string, certificates = "pem"): ModelItems["certificates"] => ({
  key,
  certificates,
});

describe("driverByGateway", () => {
  it("hands each Gateway its own items, with what they refer to", async () => {
    const { driver, start, childOf } = setup();
    await start();
    await driver.apply(
      changes({
        certificates: [certificate("ca"), certificate("client"), certificate("web"), certificate("unused")],
        backends: [backend("one", ["ca"], "client"), backend("two"), backend("mirror")],
        endpoints: [endpoints("one", "10.0.0.1"), endpoints("two", "10.0.0.2"), endpoints("mirror")],
        listeners: [listener("a/web"), listener("b/web")],
        serverNames: [serverName("b/web/tcp/80", "*", "web")],
        virtualHosts: [
          virtualHost("a/web/tcp/80", "*", [hostRule(["one"], "mirror")]),
          virtualHost("b/web/tcp/80", "*", [hostRule(["two"])]),
        ],
      }),
    );
    expect([...childOf("a/web")!.held.keys()]).toEqual([
      "certificates|ca",
      "certificates|client",
      "backends|one",
      "backends|mirror",
      "endpoints|one",
      "endpoints|mirror",
      "listeners|a/web/tcp/80",
      "virtualHosts|a/web/tcp/80|*",
    ]);
    expect([...childOf("b/web")!.held.keys()]).toEqual([
      "certificates|web",
      "backends|two",
      "endpoints|two",
      "listeners|b/web/tcp/80",
      "serverNames|b/web/tcp/80|*",
      "virtualHosts|b/web/tcp/80|*",
    ]);
  });

  it("keeps what the rules of a virtual host refer to that stay, wherever they stand", async () => {
    const { driver, start, childOf } = setup();
    await start();
    const [one, two, three] = [hostRule(["one"]), hostRule(["two"]), hostRule(["three"], "one")];
    await driver.apply(
      changes({
        backends: [backend("one"), backend("two"), backend("three")],
        listeners: [listener("a/web")],
      }),
    );
    const heldWith = async (...rules: HostRule[]) => {
      await driver.apply(changes({ virtualHosts: [virtualHost("a/web/tcp/80", "*", rules)] }));
      const keys = [...childOf("a/web")!.held.keys()];
      return keys.flatMap((key) => (key.startsWith("backends|") ? [key.slice("backends|".length)] : []));
    };
    expect(await heldWith(one, two)).toEqual(["one", "two"]);
    expect(await heldWith(two, one)).toEqual(["one", "two"]);
    expect(await heldWith(two, three, two)).toEqual(["one", "two", "three"]);
    expect(await heldWith(three)).toEqual(["one", "three"]);
    expect(await heldWith(two)).toEqual(["two"]);
  });

  it("hands over a change to those that it means something to, and nothing else", async () => {
    const { driver, start, childOf } = setup();
    await start();
    await driver.apply(
      changes({
        backends: [backend("shared"), backend("own")],
        endpoints: [endpoints("shared"), endpoints("own")],
        listeners: [listener("a/web"), listener("b/web")],
        streamRoutes: [stream("a/web/tcp/80", "shared", "own"), stream("b/web/tcp/80", "shared")],
      }),
    );
    for (const gateway of ["a/web", "b/web"]) childOf(gateway)!.calls.length = 0;
    await driver.apply(changes({ endpoints: [endpoints("own", "10.0.0.1")] }));
    expect([childOf("a/web")!.calls, childOf("b/web")!.calls]).toEqual([["set endpoints|own"], []]);
    await driver.apply(changes({ endpoints: [endpoints("shared", "10.0.0.1")] }));
    expect(childOf("b/web")!.calls).toEqual(["set endpoints|shared"]);
    await driver.apply(changes({ streamRoutes: [stream("a/web/tcp/80", "own")] }));
    expect(childOf("a/web")!.calls.slice(2)).toEqual([
      "delete backends|shared",
      "delete endpoints|shared",
      "set streamRoutes|a/web/tcp/80",
    ]);
  });

  it("starts a driver with the first item of its Gateway and stops it with the last", async () => {
    const { driver, start, made } = setup();
    await start();
    expect(made).toEqual([]);
    await driver.apply(changes({ listeners: [listener("a/web")] }));
    await driver.apply(changes({ listeners: [["a/web/tcp/80"]] }));
    await driver.apply(changes({ listeners: [listener("a/web")] }));
    await driver.stop();
    expect(made.map(({ child }) => child.calls)).toEqual([
      ["start", "set listeners|a/web/tcp/80", "delete listeners|a/web/tcp/80", "stop"],
      ["start", "set listeners|a/web/tcp/80", "stop"],
    ]);
  });

  it("begins the next driver of a Gateway only when the last one has ended", async () => {
    const order: string[] = [];
    let release = () => {};
    const { driver, start } = setup((child) => {
      const number = order.filter((one) => one.startsWith("made")).length + 1;
      order.push(`made ${number}`);
      child.start = () => Promise.resolve(void order.push(`start ${number}`));
      child.stop = () =>
        new Promise((resolve) => {
          release = () => {
            order.push(`stopped ${number}`);
            resolve();
          };
        });
    });
    await start();
    await driver.apply(changes({ listeners: [listener("a/web")] }));
    await driver.apply(changes({ listeners: [["a/web/tcp/80"]] }));
    const again = driver.apply(changes({ listeners: [listener("a/web")] }));
    await new Promise((resolve) => setImmediate(resolve));
    release();
    await again;
    expect(order).toEqual(["made 1", "start 1", "made 2", "stopped 1", "start 2"]);
  });

  it("makes another driver with all that there is, when asked to", async () => {
    const { driver, start, made } = setup();
    await start();
    await driver.renew("a/web");
    await driver.apply(changes({ listeners: [listener("a/web"), listener("b/web")] }));
    await driver.renew("a/web");
    expect(made.map(({ gateway, child }) => [gateway, ...child.calls])).toEqual([
      ["a/web", "start", "set listeners|a/web/tcp/80", "stop"],
      ["b/web", "start", "set listeners|b/web/tcp/80"],
      ["a/web", "start", "set listeners|a/web/tcp/80"],
    ]);
  });

  it("keeps the order of changes while a driver starts", async () => {
    let go = () => {};
    const { driver, start, childOf } = setup((child) => {
      child.started = new Promise((resolve) => (go = resolve));
    });
    await start();
    const first = driver.apply(changes({ listeners: [listener("a/web")] }));
    const second = driver.apply(changes({ listeners: [listener("a/web", 81)] }));
    const third = driver.apply(changes({ listeners: [["a/web/tcp/81"]] }));
    await Promise.resolve();
    expect(childOf("a/web")!.calls).toEqual(["start"]);
    go();
    await Promise.all([first, second, third]);
    expect(childOf("a/web")!.calls).toEqual([
      "start",
      "set listeners|a/web/tcp/80",
      "set listeners|a/web/tcp/81",
      "delete listeners|a/web/tcp/81",
    ]);
  });

  it("refuses the listeners of a driver that does not start, and tries again with the next change", async () => {
    let attempts = 0;
    const { driver, start, childOf, reports, faults } = setup((child, gateway) => {
      if (gateway === "a/web" && attempts++ === 0) child.started = Promise.reject(new Error("no room"));
    });
    await start();
    await driver.apply(changes({ listeners: [listener("a/web"), listener("b/web")] }));
    expect(reports).toEqual([
      { kind: "listeners", key: "a/web/tcp/80", state: { type: "refused", message: "no room" } },
    ]);
    expect(faults[0]).toBe("a/web: Error: no room");
    await driver.apply(changes({ listeners: [listener("a/web", 81)] }));
    expect([...childOf("a/web")!.held.keys()]).toEqual(["listeners|a/web/tcp/80", "listeners|a/web/tcp/81"]);
  });

  it("rejects only if no Gateway's driver could do anything", async () => {
    const { driver, start, childOf } = setup();
    await start();
    await driver.apply(changes({ listeners: [listener("a/web"), listener("b/web")] }));
    childOf("a/web")!.failure = new Error("broken");
    await driver.apply(changes({ listeners: [listener("a/web", 81), listener("b/web", 81)] }));
    await expect(driver.apply(changes({ listeners: [listener("a/web", 82)] }))).rejects.toThrow("broken");
  });

  it("passes reports through, and calls a shared item refused while one driver refuses it", async () => {
    const { driver, start, childOf, reports } = setup();
    await start();
    await driver.apply(
      changes({
        certificates: [certificate("web")],
        listeners: [listener("a/web"), listener("b/web")],
        serverNames: [serverName("a/web/tcp/80", "*", "web"), serverName("b/web/tcp/80", "*", "web")],
      }),
    );
    const say = (gateway: string, state: ApplyReport["state"]) => {
      childOf(gateway)!.report([{ kind: "certificates", key: "web", state }]);
      return reports.at(-1)?.state;
    };
    expect(say("a/web", { type: "refused", message: "by a" })).toEqual({ type: "refused", message: "by a" });
    expect(say("b/web", { type: "refused", message: "by b" })).toEqual({ type: "refused", message: "by b" });
    expect(say("a/web", { type: "programmed" })).toEqual({ type: "refused", message: "by b" });
    const gone = childOf("b/web")!;
    await driver.apply(changes({ listeners: [["b/web/tcp/80"]], serverNames: [["b/web/tcp/80|*"]] }));
    expect(reports.at(-1)).toEqual({ kind: "certificates", key: "web", state: { type: "programmed" } });
    const before = reports.length;
    gone.report([{ kind: "listeners", key: "b/web/tcp/80", state: { type: "programmed" } }]);
    expect(reports).toHaveLength(before);
  });
});

const name = (prefix: string, most: number) =>
  fc.integer({ min: 1, max: most }).map((number) => `${prefix}${number}`);
const gateways = fc.constantFrom("a/web", "a/api", "b/web");
const listenerKeys = fc
  .tuple(gateways, fc.constantFrom(80, 443))
  .map(([gateway, port]) => `${gateway}/tcp/${port}`);
const lists = (of: fc.Arbitrary<string>) => fc.array(of, { maxLength: 3 });
const certificateKeys = name("c", 4);
const backendKeys = name("b", 4);

/** Few, so that most versions of a virtual host share some. */
const hostRulesOf = fc.constantFrom(
  hostRule(["b1", "b2"]),
  hostRule(["b2"], "b3"),
  hostRule(["b3", "b3"]),
  hostRule(["b4"], "b1"),
);

/** Any item of a small world, or the removal of one. References may lead to what is not there. */
const change: fc.Arbitrary<readonly [ModelKind, string, Items | undefined]> = fc
  .oneof(
    certificateKeys.map((key) => ["certificates", certificate(key)] as const),
    fc
      .tuple(backendKeys, fc.option(lists(certificateKeys)), fc.option(certificateKeys))
      .map(
        ([key, trusted, client]) =>
          ["backends", backend(key, trusted ?? undefined, client ?? undefined)] as const,
      ),
    backendKeys.map((key) => ["endpoints", endpoints(key)] as const),
    fc
      .tuple(gateways, fc.constantFrom(80, 443), lists(certificateKeys))
      .map(([gateway, port, trusted]) => ["listeners", listener(gateway, port, trusted)] as const),
    fc
      .tuple(listenerKeys, name("h", 2), lists(certificateKeys))
      .map(([on, hostname, keys]) => ["serverNames", serverName(on, hostname, ...keys)] as const),
    fc
      .tuple(listenerKeys, name("h", 2), fc.array(hostRulesOf, { maxLength: 3 }))
      .map(([on, hostname, rules]) => ["virtualHosts", virtualHost(on, hostname, rules)] as const),
    fc
      .tuple(listenerKeys, lists(backendKeys))
      .map(([on, keys]) => ["streamRoutes", stream(on, ...keys)] as const),
  )
  .chain(([kind, item]) =>
    fc.tuple(
      fc.constant(kind),
      fc.constant(item.key),
      fc.option(fc.constant(item as Items), { nil: undefined }),
    ),
  );

function changesOf(list: readonly (readonly [ModelKind, string, Items | undefined])[]): ModelChanges {
  const all = emptyChanges();
  for (const [kind, key, item] of list) (all[kind] as Map<string, unknown>).set(key, item);
  return all;
}

/** From first principles: all that can be reached from what is the Gateway's. */
function closureOf(
  gateway: string,
  world: ReadonlyMap<string, readonly [ModelKind, Items]>,
): Map<string, Items> {
  const closure = new Map<string, Items>();
  const visit = (id: string) => {
    const found = world.get(id);
    if (!found || closure.has(id)) return;
    closure.set(id, found[1]);
    for (const { kind, key } of referencesOf(...found)) visit(`${kind}|${key}`);
  };
  for (const [id, [kind, item]] of world) {
    const of =
      kind === "listeners" ? item : "listener" in item && world.get(`listeners|${item.listener}`)?.[1];
    if (of && "gateway" in of && of.gateway === gateway) visit(id);
  }
  return closure;
}

describe("whatever changes come", () => {
  it("each driver holds exactly what can be reached from its Gateway", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 8 }), { maxLength: 12 }), async (batches) => {
        const { driver, start, childOf, made } = setup();
        await start();
        const world = new Map<string, readonly [ModelKind, Items]>();
        for (const batch of batches) {
          for (const [kind, key, item] of batch) {
            if (item) world.set(`${kind}|${key}`, [kind, item]);
            else world.delete(`${kind}|${key}`);
          }
          await driver.apply(changesOf(batch));
          for (const gateway of ["a/web", "a/api", "b/web"]) {
            const expected = closureOf(gateway, world);
            const held = childOf(gateway)?.held ?? new Map<string, Items>();
            expect(held).toEqual(expected);
          }
        }
        await driver.stop();
        expect(made.every(({ child }) => child.calls.at(-1) === "stop")).toBe(true);
      }),
      { seed: 20260101, numRuns: 300 },
    );
  });
});
