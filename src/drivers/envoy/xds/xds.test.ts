import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ScriptedProxy, types, type Seen } from "../../../../test/envoy/scripted-proxy.ts";
import { modelChanges } from "../../../../test/model-changes.ts";
import { channelServer, makeAuthority, type ChannelAuthority } from "../../../channel/index.ts";
import type { Listener } from "../../../model/index.ts";
import type { ApplyReport, ItemState } from "../../driver.ts";
import { envoyDriver, type EnvoyDriver, type RenderedChanges } from "../driver.ts";
import { decodeMessage } from "../messages/index.ts";
import type { RenderedResource, ResourceType } from "../rendered-resource.ts";
import { envoyControlPlane, type EnvoyControlPlane } from "./index.ts";

const gateway = "shop/web";
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

interface Running {
  readonly port: number;
  readonly authority: ChannelAuthority;
  readonly controlPlane: EnvoyControlPlane;
}

/** Resources instead of a model: the renderer hands on what the test says. */
class Plane {
  readonly driver: EnvoyDriver;
  readonly reports: ApplyReport[] = [];
  readonly states = new Map<string, ItemState>();
  #next: RenderedChanges = { resources: [], removed: [], problems: [] };

  readonly at: Running;

  constructor(at: Running, options: { patience?: number; absence?: number } = {}) {
    this.at = at;
    this.driver = envoyDriver({
      features: new Set(),
      renderer: { apply: () => this.#next },
      controlPlane: at.controlPlane,
      gateway,
      patience: 2_000,
      absence: 50,
      addressesOf: () => [{ address: "127.0.0.1", port: 80 }],
      ...options,
    });
  }

  async start(): Promise<this> {
    await this.driver.start((reports) => {
      this.reports.push(...reports);
      for (const { kind, key, state } of reports) this.states.set(`${kind} ${key}`, state);
    });
    ends.push(() => this.driver.stop());
    return this;
  }

  async proxy(of = gateway): Promise<ScriptedProxy> {
    const proxy = await ScriptedProxy.connect(this.at, of);
    ends.push(() => proxy.close());
    return proxy;
  }

  /** A proxy that has taken all there is. */
  async joined(node?: string): Promise<ScriptedProxy> {
    const proxy = await this.proxy();
    const before = this.driver.describe().proxies.length;
    await proxy.start(node);
    await vi.waitUntil(() => this.driver.describe().proxies.length > before);
    return proxy;
  }

  apply(
    resources: readonly RenderedResource[],
    removed: readonly { type: ResourceType; name: string }[] = [],
    problems: RenderedChanges["problems"] = [],
  ): Promise<void> {
    this.#next = { resources, removed, problems };
    const listeners = resources.filter(({ causedBy }) => causedBy.kind === "listeners");
    return this.driver.apply(
      modelChanges({ listeners: listeners.map(({ causedBy: { key } }) => ({ key }) as Listener) }),
    );
  }
}

async function plane(options: ConstructorParameters<typeof Plane>[1] = {}): Promise<Plane> {
  const authority = await makeAuthority();
  const controlPlane = envoyControlPlane({ patience: 300 });
  const server = channelServer({
    address: "127.0.0.1",
    port: 0,
    services: [controlPlane.service],
    limits: { grace: 20 },
  });
  const port = await server.start(await authority.issueServer());
  ends.push(() => server.stop());
  return new Plane({ port, authority, controlPlane }, options).start();
}

const scope = (name: string, version = "1", causedBy = name): RenderedResource => ({
  type: types.scopes,
  name,
  message: { name, routeConfigurationName: version },
  causedBy: { kind: "virtualHosts", key: causedBy },
});
const cluster = (name: string, timeout = 1): RenderedResource => ({
  type: types.clusters,
  name,
  message: { name, connectTimeout: timeout, edsClusterConfig: {} },
  causedBy: { kind: "backends", key: name },
});
const endpoints = (name: string, ...ports: number[]): RenderedResource => ({
  type: types.endpoints,
  name,
  message: {
    clusterName: name,
    endpoints: [
      {
        lbEndpoints: ports.map((portValue) => ({
          endpoint: { address: { socketAddress: { address: "127.0.0.1", portValue } } },
        })),
      },
    ],
  },
  causedBy: { kind: "endpoints", key: name },
});
const listener = (name: string, version = "1"): RenderedResource => ({
  type: types.listeners,
  name,
  message: { name, statPrefix: version },
  causedBy: { kind: "listeners", key: name },
});
/** One that cannot be in force without this secret. */
const listenerWith = (name: string, sds: string): RenderedResource => ({
  ...listener(name),
  type: types.listeners,
  message: {
    name,
    filterChains: [
      {
        transportSocket: {
          name: "tls",
          typedConfig: {
            type: "envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext",
            value: {
              commonTlsContext: { tlsCertificateSdsSecretConfigs: [{ name: sds, sdsConfig: { ads: {} } }] },
            },
          },
        },
      },
    ],
  },
});
const secret = (name: string, onDemandFor: string | undefined, content: string): RenderedResource => ({
  type: types.secrets,
  name,
  message: { name, genericSecret: { secret: { inlineString: content } } },
  causedBy: { kind: "certificates", key: name },
  ...(onDemandFor !== undefined && { onDemandFor }),
});

const brief = (seen: readonly Seen[]) =>
  seen.map(({ type, set, removed }) => {
    const short = Object.entries(types).find(([, full]) => full === type)![0];
    return [short, ...set.map((name) => `+${name}`), ...removed.map((name) => `-${name}`)].join(" ");
  });

describe("a proxy that comes", () => {
  it("is told that there is nothing, if there is nothing", async () => {
    const { proxy, driver } = await bare();
    expect(brief([await startOf(proxy, types.clusters)])).toEqual(["clusters"]);
    expect(brief([await startOf(proxy, types.listeners)])).toEqual(["listeners"]);
    await vi.waitFor(() => expect(driver.isJoined).toBe(true), { timeout: 10_000 });
  });

  it("gets all that there is in one response for each type, and then the listeners are programmed", async () => {
    const on = await plane();
    const many = Array.from({ length: 300 }, (_, i) => scope(`h${i}`));
    await on.apply([...many, listener("http")]);
    expect(on.states.get("listeners http")).toEqual({
      type: "pending",
      message: "No proxy of the Gateway is connected.",
      isAbsent: true,
    });
    const proxy = await on.joined();
    expect(proxy.seen.map(({ set }) => set.length).toSorted((a, b) => a - b)).toEqual([0, 1, 300]);
    await vi.waitFor(
      () => {
        const addresses = [{ address: "127.0.0.1", port: 80 }];
        expect(on.states.get("listeners http")).toEqual({ type: "programmed", addresses });
      },
      { timeout: 10_000 },
    );
  });

  it("gets by name what it names, and hears what is not there", async () => {
    const on = await plane();
    await on.apply([endpoints("a", 1), endpoints("b", 2)]);
    const proxy = await on.proxy();
    proxy.judge = () => undefined;
    proxy.subscribe(types.endpoints, ["b", "none"]);
    // A cluster waits for its endpoints: none is an answer, too.
    expect(brief([await proxy.next()])).toEqual(["endpoints +b +none"]);
    proxy.subscribe(types.secrets, ["none"]);
    expect(brief([await proxy.next()])).toEqual(["secrets -none"]);
    await on.apply([endpoints("none", 3), endpoints("a", 4)]);
    expect(brief(await proxy.quiet())).toEqual(["endpoints +none"]);
    proxy.unsubscribe(types.endpoints, ["b"]);
    await proxy.quiet();
    await on.apply([endpoints("b", 9)]);
    expect(await proxy.quiet()).toEqual([]);
  });

  it("comes back and gets only what is different, in order", async () => {
    const on = await plane();
    const hosts = Array.from({ length: 200 }, (_, i) => scope(`h${i}`));
    await on.apply([cluster("a"), endpoints("a", 1), ...hosts, listener("http")]);
    const first = await on.proxy();
    first.judge = () => undefined;
    first.subscribe(types.clusters);
    await first.next();
    first.subscribe(types.endpoints, ["a"]);
    first.subscribe(types.listeners);
    first.subscribe(types.scopes);
    for (let i = 0; i < 3; i++) await first.next();
    await vi.waitFor(() => expect(on.driver.isJoined).toBe(true), { timeout: 10_000 });
    first.close();

    const again = await on.proxy();
    again.judge = () => undefined;
    for (const type of [types.clusters, types.listeners, types.scopes]) {
      again.subscribe(type, ["*"], first.has.get(type)!);
    }
    again.subscribe(types.endpoints, ["a"], first.has.get(types.endpoints)!);
    expect(await again.quiet()).toEqual([]);
    await vi.waitFor(() => expect(on.driver.isJoined).toBe(true), { timeout: 10_000 });
    again.close();

    await on.apply(
      [scope("h7", "2"), cluster("b"), endpoints("b", 1), scope("new")],
      [{ type: types.scopes, name: "h8" }],
    );
    const third = await on.proxy();
    third.judge = () => undefined;
    for (const type of [types.clusters, types.scopes, types.listeners]) {
      third.subscribe(type, ["*"], first.has.get(type)!);
    }
    expect(brief([await third.next()])).toEqual(["clusters +b"]);
    third.subscribe(types.endpoints, ["b"]);
    expect(brief(await third.quiet())).toEqual(["endpoints +b", "scopes +h7 +new", "scopes -h8"]);
  });

  it("attack 21: gets nothing of another Gateway, whatever it calls itself", async () => {
    const on = await plane();
    await on.apply([scope("a"), listener("http"), secret("s", undefined, "private")]);
    const proxy = await on.proxy("shop/other");
    proxy.send({
      node: { id: "web-1", cluster: gateway },
      typeUrl: `type.googleapis.com/${types.listeners}`,
    });
    proxy.subscribe(types.secrets, ["s"]);
    expect(await proxy.quiet(100)).toEqual([]);
    await vi.waitFor(() => expect(proxy.closed).toMatch(/Gateway shop\/other is not served here/), {
      timeout: 10_000,
    });
    expect(proxy.seen).toEqual([]);
  });

  it("attack 21: gets no secret that it has not named", async () => {
    const on = await plane();
    await on.apply([secret("s", undefined, "private")]);
    const proxy = await on.proxy();
    proxy.subscribe(types.secrets, []);
    proxy.subscribe(types.secrets, ["*"]);
    expect(await proxy.quiet(100)).toEqual([]);
  });

  it.each([
    ["asks for", (proxy: ScriptedProxy, names: string[]) => proxy.subscribe(types.endpoints, names)],
    [
      "says that it has",
      (proxy: ScriptedProxy, names: string[], round: number) =>
        proxy.subscribe(Object.values(types)[round]!, [], new Map(names.map((name) => [name, "1"]))),
    ],
  ])(
    "attack 21: is sent away if it %s more names than a proxy can have, and others are not",
    { timeout: 60_000 },
    async (_, tell) => {
      const on = await plane();
      await on.apply([listener("http")]);
      const other = await on.joined();
      const proxy = await on.proxy();
      for (let round = 0; round < 6 && proxy.closed === undefined; round++) {
        const names = Array.from({ length: 15 }, (_, index) => `${round}-${index}-${"x".repeat(1_000_000)}`);
        tell(proxy, names, round);
        await pause(100);
      }
      // Its words may be lost: it is still sending.
      await vi.waitFor(() => expect(proxy.closed).toBeDefined(), { timeout: 30_000 });
      expect(other.closed).toBeUndefined();
      expect((await on.joined()).closed).toBeUndefined();
    },
  );

  it("may name and give back as many as it likes, one after the other", async () => {
    const on = await plane();
    const proxy = await on.joined();
    for (let round = 0; round < 5; round++) {
      const names = Array.from({ length: 40 }, (_, index) => `${round}-${index}-${"x".repeat(500_000)}`);
      proxy.subscribe(types.endpoints, names);
      proxy.unsubscribe(types.endpoints, names);
      await pause(100);
    }
    await on.apply([listener("http")]);
    await vi.waitUntil(() => proxy.has.get(types.listeners)?.has("http"));
    expect(proxy.closed).toBeUndefined();
  });

  it("is sent away if it sends what is no message", async () => {
    const on = await plane();
    const proxy = await on.proxy();
    proxy.sendBytes(Buffer.from([0x0a, 0xff, 0xff, 0x01]));
    await vi.waitFor(() => expect(proxy.closed).toMatch(/ends before/), { timeout: 10_000 });
  });
});

describe("changes", () => {
  it("are made before they are broken", async () => {
    const on = await plane();
    await on.apply([cluster("old"), endpoints("old", 1), scope("a", "old"), listener("one")]);
    const proxy = await on.joined();
    proxy.subscribe(types.endpoints, ["old"]);
    await proxy.next();
    await vi.waitFor(() => expect(on.driver.isJoined).toBe(true), { timeout: 10_000 });

    proxy.judge = undefined;
    let isDone = false;
    const applied = on
      .apply(
        [cluster("new"), endpoints("new", 2), scope("a", "new"), scope("b", "new"), listener("two")],
        [
          { type: types.listeners, name: "one" },
          { type: types.clusters, name: "old" },
          { type: types.endpoints, name: "old" },
        ],
      )
      .finally(() => (isDone = true));
    const step = async (...expected: string[]) => {
      const seen = [await proxy.next(), ...(await proxy.quiet(20))];
      expect(brief(seen)).toEqual(expected);
      expect(isDone).toBe(false);
      return seen;
    };
    const accept = (seen: readonly Seen[]) => seen.forEach((one) => proxy.accept(one));
    const [clusters, ahead] = await step("clusters +new", "endpoints +new");
    // Envoy asks for the endpoints, which are there already, and says yes to the cluster only when it has them.
    proxy.subscribe(types.endpoints, ["new"]);
    proxy.accept(ahead!);
    expect(await proxy.quiet(20)).toEqual([]);
    proxy.accept(clusters!);
    accept(await step("scopes +a +b"));
    accept(await step("listeners +two"));
    accept(await step("listeners -one"));
    const last = await proxy.next();
    expect(brief([last])).toEqual(["clusters -old"]);
    proxy.accept(last);
    proxy.accept(await proxy.next());
    await applied;
    expect(on.states.get("listeners two")?.type).toBe("programmed");
  });

  it("of a cluster bring its endpoints once more, without being asked", async () => {
    const on = await plane();
    await on.apply([cluster("a"), endpoints("a", 1), cluster("b"), endpoints("b", 1)]);
    const proxy = await on.joined();
    proxy.subscribe(types.endpoints, ["a", "b"]);
    await proxy.next();
    await on.apply([cluster("a", 2)]);
    expect(brief(await proxy.quiet())).toEqual(["clusters +a", "endpoints +a"]);
    await on.apply([cluster("a", 2), endpoints("a", 1)]);
    expect(await proxy.quiet()).toEqual([]);
  });

  /** Asks for the endpoints of what clusters it is told of, as Envoy does. */
  const asking = (proxy: ScriptedProxy, refused?: string) => (seen: Seen) => {
    if (seen.type !== types.clusters) return undefined;
    if (refused !== undefined && seen.set.includes(refused)) return `no ${refused}`;
    proxy.subscribe(types.endpoints, seen.set);
    return undefined;
  };

  /** A proxy that has a cluster with its endpoints. */
  const withCluster = async () => {
    const on = await plane();
    await on.apply([cluster("a"), endpoints("a", 1)]);
    const proxy = await on.joined();
    proxy.subscribe(types.endpoints, ["a"]);
    await proxy.next();
    return { on, proxy };
  };

  it("of a cluster that is new bring its endpoints, and go on to where they were asked for", async () => {
    const { on, proxy } = await withCluster();
    proxy.judge = asking(proxy);
    await on.apply([cluster("b"), endpoints("b", 1), cluster("c"), endpoints("c", 1)]);
    expect(brief(await proxy.quiet())).toEqual(["clusters +b +c", "endpoints +b +c"]);
    await on.apply([endpoints("b", 2)]);
    expect(brief(await proxy.quiet())).toEqual(["endpoints +b"]);
  });

  it("of a cluster that is refused leave nothing behind of its endpoints", async () => {
    const { on, proxy } = await withCluster();
    proxy.judge = asking(proxy, "b");
    await on.apply([cluster("b"), endpoints("b", 1)]);
    expect(brief(await proxy.quiet())).toEqual(["clusters +b", "endpoints +b"]);
    proxy.judge = asking(proxy);
    await on.apply([endpoints("b", 2)]);
    expect(await proxy.quiet()).toEqual([]);
    await on.apply([cluster("b", 2)]);
    expect(brief(await proxy.quiet())).toEqual(["clusters +b", "endpoints +b"]);
  });

  it("that a slow proxy has not seen are not kept: it gets the newest", async () => {
    const on = await plane({ patience: 10_000 });
    await on.apply([scope("a", "0")]);
    const proxy = await on.joined();
    proxy.judge = undefined;
    const applied = Array.from({ length: 100 }, (_, i) =>
      on.apply([scope("a", String(i + 1)), scope(`b${i % 3}`, String(i))]),
    );
    const first = await proxy.next();
    expect(await proxy.quiet()).toEqual([]);
    proxy.judge = () => undefined;
    proxy.accept(first);
    await Promise.all(applied);
    const rest = await proxy.quiet();
    expect(brief(rest)).toEqual(["scopes +b0 +a +b1 +b2"].map(() => expect.stringMatching(/^scopes/)));
    const { resource } = rest[0]!.response.resources!.find(({ name }) => name === "a")!;
    const { bytes } = resource as { bytes: Uint8Array };
    expect(decodeMessage(types.scopes, bytes).routeConfigurationName).toBe("100");
  });

  it("do not wait for ever for a proxy that is silent, and reach it when it speaks again", async () => {
    const on = await plane({ patience: 80 });
    const [proxy, other] = [await on.joined(), await on.joined()];
    proxy.judge = undefined;
    await on.apply([scope("a"), listener("http")]);
    expect(on.states.get("listeners http")).toEqual({
      type: "pending",
      message: "A proxy has not answered yet.",
    });
    await on.apply([scope("b")]);
    expect(brief(await other.quiet())).toEqual(["scopes +a", "listeners +http", "scopes +b"]);
    const held = await proxy.next();
    proxy.judge = () => undefined;
    proxy.accept(held);
    expect(brief(await proxy.quiet())).toEqual(["scopes +b", "listeners +http"]);
    await on.apply([]);
    expect(on.states.get("listeners http")?.type).toBe("programmed");
  });
});

describe("refusals", () => {
  it("attack 23: are traced to the one to blame; the others go through; it is not sent again until it changes", async () => {
    const on = await plane();
    const proxy = await on.joined();
    proxy.judge = ({ set }) => (set.includes("h13") ? "duplicate key in a scope" : undefined);
    const hosts = Array.from({ length: 40 }, (_, i) => scope(`h${i}`, "1", `host ${i}`));
    await on.apply(hosts);
    expect(proxy.has.get(types.scopes)!.size).toBe(39);
    expect(on.reports).toEqual([
      {
        kind: "virtualHosts",
        key: "host 13",
        state: { type: "refused", message: "duplicate key in a scope" },
      },
    ]);
    const responses = proxy.seen.length;
    expect(responses).toBeLessThan(20);

    // Others change, and it is offered again as it is: nothing comes of it.
    await on.apply([scope("h14", "2", "host 14"), scope("h13", "1", "host 13")]);
    expect(brief(proxy.seen.slice(responses))).toEqual(["scopes +h14"]);
    expect(on.driver.describe()).toMatchObject({ refused: 1, sent: { refusals: 1 } });

    proxy.judge = () => undefined;
    await on.apply([scope("h13", "2", "host 13")]);
    expect(on.reports.at(-1)).toEqual({
      kind: "virtualHosts",
      key: "host 13",
      state: { type: "programmed" },
    });
    expect(on.reports).toHaveLength(2);
  });

  it("make the others be sent in other bytes, since Envoy would skip what it has seen in what it refused", async () => {
    const on = await plane();
    const proxy = await on.joined();
    await proxy.quiet();
    proxy.judge = ({ set }) => (set.includes("bad") ? "no" : undefined);
    await on.apply([scope("a"), scope("bad")]);
    const seen = (await proxy.quiet()).flatMap(({ response }) => response.resources ?? []);
    const [first, second] = seen.filter(({ name }) => name === "a");
    expect(second!.version).toBe(first!.version);
    expect(second!.resource).not.toEqual(first!.resource);
    const { bytes } = second!.resource as { bytes: Uint8Array };
    expect(decodeMessage(types.scopes, bytes)).toMatchObject({ name: "a", routeConfigurationName: "1" });
  });

  it("that name the resource are believed first", async () => {
    const on = await plane();
    const proxy = await on.joined();
    await proxy.quiet();
    proxy.judge = ({ set }) => (set.includes("h13") ? "Error adding h13: no" : undefined);
    await on.apply(Array.from({ length: 1000 }, (_, i) => scope(`h${i}`)));
    // All, then all without those that the words could mean, then these alone.
    expect((await proxy.quiet()).map(({ set }) => set.length)).toEqual([1000, 998, 1, 1]);
  });

  it("attack 23: of many at once all end, and cost no more than they must", async () => {
    const on = await plane();
    const proxy = await on.joined();
    const isBad = (name: string) => Number(name.slice(1)) % 10 === 0;
    proxy.judge = ({ set }) => (set.some(isBad) ? "no" : undefined);
    await on.apply(Array.from({ length: 200 }, (_, i) => scope(`h${i}`)));
    expect(proxy.has.get(types.scopes)!.size).toBe(180);
    expect(on.reports.filter(({ state }) => state.type === "refused")).toHaveLength(20);
    const responses = proxy.seen.length;
    await on.apply([scope("more")]);
    expect(proxy.seen.length).toBe(responses + 1);
  });

  it("of something that is then removed are over", async () => {
    const on = await plane();
    const proxy = await on.joined();
    proxy.judge = ({ set }) => (set.includes("bad") ? "no" : undefined);
    await on.apply([scope("bad")]);
    await on.apply([], [{ type: types.scopes, name: "bad" }]);
    expect(on.reports.map(({ state }) => state.type)).toEqual(["refused", "programmed"]);
    expect(on.driver.describe().refused).toBe(0);
  });

  it("keep the last good version, for proxies that join later, too", async () => {
    const on = await plane();
    const proxy = await on.joined();
    await on.apply([scope("a", "good")]);
    const good = proxy.has.get(types.scopes)!.get("a");
    proxy.judge = () => "no";
    await on.apply([scope("a", "bad")]);
    expect(proxy.has.get(types.scopes)!.get("a")).toBe(good);
    expect(on.states.get("virtualHosts a")).toEqual({ type: "refused", message: "no" });

    const joining = await on.proxy();
    const contents: unknown[] = [];
    joining.judge = ({ type, response }) => {
      if (type !== types.scopes) return undefined;
      const { bytes } = response.resources![0]!.resource as { bytes: Uint8Array };
      const { routeConfigurationName } = decodeMessage(types.scopes, bytes);
      contents.push(routeConfigurationName);
      return routeConfigurationName === "bad" ? "no" : undefined;
    };
    joining.subscribe(types.clusters);
    joining.subscribe(types.listeners);
    joining.subscribe(types.scopes);
    await vi.waitFor(() => expect(contents).toEqual(["bad", "good"]), { timeout: 10_000 });
    await vi.waitFor(() => expect(on.driver.describe().proxies).toHaveLength(2), { timeout: 10_000 });
  });

  it("of a port that is taken are tried again until it is free", async () => {
    const on = await plane();
    const proxy = await on.joined();
    proxy.judge = ({ type }) =>
      type === types.listeners ? "http: cannot bind '0.0.0.0:80': Address already in use" : undefined;
    await on.apply([listener("http")]);
    expect(on.states.get("listeners http")).toMatchObject({ type: "refused", reason: "PortUnavailable" });
    proxy.judge = () => undefined;
    await vi.waitFor(() => expect(on.states.get("listeners http")?.type).toBe("programmed"), {
      timeout: 10_000,
    });
  });

  it("of what cannot be rendered come from us, and hold whatever the proxies have", async () => {
    const on = await plane();
    await on.apply([], [], [{ kind: "certificates", key: "c", message: "not a key" }]);
    expect(on.states.get("certificates c")).toEqual({ type: "refused", message: "not a key" });
    await on.apply([], [], [{ kind: "certificates", key: "c" }]);
    expect(on.states.get("certificates c")).toEqual({ type: "programmed" });
    const count = on.reports.length;
    await on.apply([], [], [{ kind: "certificates", key: "c" }]);
    expect(on.reports).toHaveLength(count);
  });
});

describe("several proxies", () => {
  it("count once they have had their first full set: one that joins changes no status, one that goes is forgotten", async () => {
    const on = await plane();
    await on.apply([listener("http"), scope("a")]);
    const one = await on.joined();
    await vi.waitFor(() => expect(on.states.get("listeners http")?.type).toBe("programmed"), {
      timeout: 10_000,
    });
    on.reports.length = 0;
    const two = await on.proxy();
    two.subscribe(types.clusters);
    await two.next();
    await on.apply([listener("http", "2")]);
    expect(on.reports.map(({ state }) => state.type)).toEqual(["programmed"]);

    one.judge = undefined;
    const applied = on.apply([listener("http", "3")]);
    await one.next();
    one.close();
    await applied;
    expect(on.driver.describe()).toMatchObject({ proxies: [], joining: 1 });
    await vi.waitFor(() => expect(on.states.get("listeners http")?.type).toBe("pending"), {
      timeout: 10_000,
    });
  });

  it("that are all gone leave programmed what they had, for a while, and nothing that is new or different", async () => {
    const on = await plane({ absence: 60_000 });
    await on.apply([listener("http"), listener("changes"), listener("refused")]);
    const proxy = await on.joined();
    proxy.judge = ({ set }) => (set.includes("refused") ? "no" : undefined);
    await on.apply([listener("refused", "2")]);
    expect(on.states.get("listeners refused")?.type).toBe("refused");
    proxy.close();
    await vi.waitFor(() => expect(on.driver.isJoined).toBe(false), { timeout: 10_000 });
    await on.apply([listener("http"), listener("changes", "2"), listener("new")]);
    expect(on.states.get("listeners http")?.type).toBe("programmed");
    const absent = { type: "pending", message: "No proxy of the Gateway is connected.", isAbsent: true };
    for (const name of ["changes", "new", "refused"]) {
      expect(on.states.get(`listeners ${name}`)).toEqual(absent);
    }
  });

  it("that came with what they had from before leave it programmed just the same", async () => {
    const before = await plane();
    await before.apply([listener("http")]);
    const { has } = await before.joined();
    const on = await plane({ absence: 60_000 });
    await on.apply([listener("http")]);
    const proxy = await on.proxy();
    proxy.judge = () => undefined;
    proxy.subscribe(types.clusters);
    proxy.subscribe(types.listeners, ["*"], has.get(types.listeners)!);
    await vi.waitFor(() => expect(on.driver.isJoined).toBe(true), { timeout: 10_000 });
    proxy.close();
    await vi.waitFor(() => expect(on.driver.isJoined).toBe(false), { timeout: 10_000 });
    await on.apply([listener("http")]);
    expect(on.states.get("listeners http")?.type).toBe("programmed");
  });

  it("that are all gone leave nothing programmed whose certificate they never took", async () => {
    const on = await plane({ absence: 60_000 });
    await on.apply([listenerWith("https", "s"), secret("s", undefined, "bad")]);
    const proxy = await on.proxy();
    proxy.judge = ({ type }) => (type === types.secrets ? "no" : undefined);
    proxy.subscribe(types.secrets, ["s"]);
    for (const type of [types.clusters, types.listeners]) proxy.subscribe(type);
    await vi.waitFor(() => expect(on.driver.isJoined).toBe(true), { timeout: 10_000 });
    expect(on.states.get("certificates s")?.type).toBe("refused");
    proxy.close();
    await vi.waitFor(() => expect(on.states.get("certificates s")?.type).toBe("programmed"), {
      timeout: 10_000,
    });
    await on.apply([listenerWith("https", "s")]);
    expect(on.states.get("listeners https")).toMatchObject({ type: "pending", isAbsent: true });
  });

  it("that come and go without ever taking anything do not put off that nobody is there", async () => {
    const on = await plane({ absence: 200 });
    await on.apply([listener("http")]);
    const proxy = await on.joined();
    proxy.close();
    for (let visits = 0; on.states.get("listeners http")?.type !== "pending"; visits++) {
      expect(visits).toBeLessThan(100);
      const visitor = await on.proxy();
      visitor.subscribe(types.clusters);
      await visitor.next();
      visitor.close();
    }
  });

  it("that are about to end lose their listeners and are not waited for", async () => {
    const on = await plane();
    await on.apply([listener("http"), scope("a")]);
    const [one, two] = [await on.joined("web-1"), await on.joined("web-2")];
    for (const proxy of [one, two]) await proxy.quiet();
    on.driver.drain(new Set(["web-1"]));
    expect(brief(await one.quiet())).toEqual(["listeners -http"]);
    expect(await two.quiet()).toEqual([]);
    one.judge = undefined;
    await on.apply([listener("http", "2"), scope("a", "2")]);
    expect(on.states.get("listeners http")?.type).toBe("programmed");
    expect(on.driver.describe().proxies).toEqual(["web-2"]);
    expect(brief(await one.quiet())).toEqual(["scopes +a"]);
  });

  it("that are about to end do so also if they come, or come back, only then, until they are gone", async () => {
    const on = await plane();
    await on.apply([listener("http"), scope("a")]);
    const drained = await on.joined("web-1");
    const has = drained.has.get(types.listeners)!;
    const had = new Map(has);
    on.driver.drain(new Set(["web-1", "web-2"]));
    await vi.waitFor(() => expect(has.size).toBe(0), { timeout: 10_000 });
    drained.close();

    const listenersOf = (seen: readonly Seen[]) => brief(seen).filter((line) => line.startsWith("listeners"));
    const comeBack = async (node: string, versions: ReadonlyMap<string, string>) => {
      const proxy = await on.proxy();
      proxy.judge = () => undefined;
      proxy.send({ node: { id: node }, typeUrl: `type.googleapis.com/${types.clusters}` });
      proxy.subscribe(types.listeners, ["*"], versions);
      const first = listenersOf(await proxy.quiet(150));
      await on.apply([listener("http", node)]);
      expect(listenersOf(await proxy.quiet())).toEqual([]);
      expect(on.driver.describe()).toMatchObject({ proxies: [], joining: 0, draining: 1 });
      proxy.close();
      await vi.waitFor(() => expect(on.driver.describe().draining).toBe(0), { timeout: 10_000 });
      return first;
    };
    // It was between two streams when the word came.
    expect(await comeBack("web-2", had)).toEqual(["listeners -http"]);
    expect(await comeBack("web-1", has)).toEqual(["listeners"]);

    on.driver.drain(new Set(["web-1"]));
    await on.joined("web-2");
    await vi.waitFor(() => expect(on.states.get("listeners http")?.type).toBe("programmed"), {
      timeout: 10_000,
    });
  });

  it("that refuse make it refused, though another took it", async () => {
    const on = await plane();
    await on.joined();
    const two = await on.joined();
    two.judge = () => "not here";
    await on.apply([listener("http")]);
    expect(on.states.get("listeners http")).toEqual({ type: "refused", message: "not here" });
    two.close();
    await vi.waitFor(() => expect(on.states.get("listeners http")?.type).toBe("programmed"), {
      timeout: 10_000,
    });
  });
});

describe("secrets on demand", () => {
  it("are found by the longest match, under the name asked for, and follow changes", async () => {
    const on = await plane();
    await on.apply([secret("s1", "*.shop.test", "wild"), secret("s2", "a.shop.test", "exact")]);
    const proxy = await on.joined();
    await proxy.quiet();
    const ask = async (name: string) => {
      proxy.subscribe(types.secrets, [name]);
      return contentOf(await proxy.next(), name);
    };
    expect(await ask("a.shop.test")).toEqual(["a.shop.test", "exact"]);
    expect(await ask("b.c.shop.test")).toEqual(["b.c.shop.test", "wild"]);
    expect(await ask("shop.test")).toBe("removed");
    expect(await ask("*.shop.test")).toBe("removed");

    await on.apply([secret("s1", "*.shop.test", "wilder")]);
    expect(contentOf(await proxy.next(), "b.c.shop.test")).toEqual(["b.c.shop.test", "wilder"]);
    await on.apply([secret("s3", "*.c.shop.test", "nearer")]);
    expect(contentOf(await proxy.next(), "b.c.shop.test")).toEqual(["b.c.shop.test", "nearer"]);
    await on.apply([], [{ type: types.secrets, name: "s2" }]);
    expect(contentOf(await proxy.next(), "a.shop.test")).toEqual(["a.shop.test", "wilder"]);
    await on.apply([secret("any", "*", "any")]);
    expect(contentOf(await proxy.next(), "shop.test")).toEqual(["shop.test", "any"]);
    await on.apply(
      [],
      ["s1", "s3", "any"].map((name) => ({ type: types.secrets, name })),
    );
    expect(brief(await proxy.quiet()).join()).toMatch(/-a\.shop\.test|-b\.c\.shop\.test/);
  });

  it("do not pile up under names that clients make up below a wildcard", async () => {
    const on = await plane();
    await on.apply([secret("s1", "*.shop.test", "wild"), secret("s2", "a.shop.test", "exact")]);
    const proxy = await on.joined();
    await proxy.quiet();
    const holds = () => proxy.has.get(types.secrets) ?? new Map<string, string>();
    proxy.subscribe(types.secrets, ["a.shop.test", "first.shop.test"]);
    await proxy.next();
    const asked = Array.from({ length: 6_000 }, (_, index) => `made-up-${index}.shop.test`);
    for (let at = 0; at < asked.length; at += 100) {
      const some = asked.slice(at, at + 100);
      proxy.subscribe(types.secrets, some);
      await vi.waitUntil(() => some.every((name) => holds().has(name)));
    }
    await vi.waitUntil(() => !holds().has("first.shop.test"));
    expect(holds().size).toBeLessThan(4_200);
    expect(holds().has("a.shop.test")).toBe(true);
    expect(holds().has(asked.at(-1)!)).toBe(true);
    await proxy.quiet();
    proxy.unsubscribe(types.secrets, ["first.shop.test"]);
    proxy.subscribe(types.secrets, ["first.shop.test"]);
    expect(contentOf(await proxy.next(), "first.shop.test")).toEqual(["first.shop.test", "wild"]);
  });
});

function contentOf(seen: Seen, name: string): unknown {
  if (seen.removed.includes(name)) return "removed";
  const resource = seen.response.resources!.find((candidate) => candidate.name === name);
  const { bytes } = resource!.resource as { bytes: Uint8Array };
  const { name: inside, genericSecret } = decodeMessage(types.secrets, bytes);
  return [inside, genericSecret?.secret?.inlineString];
}

async function bare() {
  const on = await plane();
  return { driver: on.driver, proxy: await on.proxy() };
}

async function startOf(proxy: ScriptedProxy, type: ResourceType): Promise<Seen> {
  proxy.judge = () => undefined;
  proxy.subscribe(type);
  return proxy.next();
}
