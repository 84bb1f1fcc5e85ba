import { afterEach, describe, expect, it, vi } from "vitest";
import { channelServer, connectChannel, makeAuthority, type ChannelAuthority } from "../../channel/index.ts";
import type { ApplyReport, Driver, ItemState, Report } from "../../drivers/index.ts";
import { modelKinds, type Listener, type ModelChanges } from "../../model/index.ts";
import { LeaderLink } from "./leader-link.ts";
import { replicaMethod } from "./replica-protocol.ts";
import { ReplicatedDriver } from "./replicated-driver.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const listener = (port: number): Listener => ({
  key: "shop/web/tcp/80",
  gateway: "shop/web",
  port,
  transport: "tcp",
  protocol: "http",
  addresses: [],
});
const { key } = listener(80);
const absent: ItemState = { type: "pending", message: "no proxy is connected yet", isAbsent: true };

function changesOf(listeners: readonly (readonly [string, Listener | undefined])[]): ModelChanges {
  const changes = Object.fromEntries(modelKinds.map((kind) => [kind, new Map()]));
  return { ...changes, listeners: new Map(listeners) } as unknown as ModelChanges;
}

/** A driver whose proxies say what the test says. */
class Proxies implements Driver {
  readonly name = "test";
  readonly features = new Set<string>();
  report: Report = () => undefined;
  state: ItemState = absent;

  start(report: Report): Promise<void> {
    this.report = report;
    return Promise.resolve();
  }

  apply(changes: ModelChanges): Promise<void> {
    for (const [name, item] of changes.listeners) if (item) this.say(this.state, name);
    return Promise.resolve();
  }

  say(state: ItemState, name = key): void {
    this.state = state;
    this.report([{ kind: "listeners", key: name, state }]);
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}

class Replica {
  readonly proxies = new Proxies();
  readonly driver: ReplicatedDriver;
  readonly told = new Map<string, ItemState>();
  readonly history: string[] = [];
  port = 0;

  constructor(isLeader: () => boolean) {
    this.driver = new ReplicatedDriver({
      driver: this.proxies,
      isLeader,
      patience: 300,
      absence: 300,
      grace: 300,
    });
  }

  async start(authority: ChannelAuthority): Promise<void> {
    await this.driver.start((reports: readonly ApplyReport[]) => {
      for (const { kind, key: name, state } of reports) {
        this.told.set(`${kind} ${name}`, state);
        if (this.history.at(-1) !== state.type) this.history.push(state.type);
      }
    });
    const server = channelServer({ address: "127.0.0.1", port: 0, services: [this.driver.service] });
    this.port = await server.start(await authority.issueServer());
    ends.push(
      () => this.driver.stop(),
      () => server.stop(),
    );
  }

  reportTo(authority: ChannelAuthority, name: string, leader: () => Replica | undefined): LeaderLink {
    const link = new LeaderLink({
      leader: () => (leader() ? `127.0.0.1:${leader()!.port}` : undefined),
      connect: async (address) =>
        connectChannel({ address, path: replicaMethod, certificate: await authority.issueController(name) }),
      follow: (subscriber) => this.driver.follow(subscriber),
      trouble: () => undefined,
      every: 20,
    });
    ends.push(() => link.stop());
    return link;
  }

  get listener(): ItemState | undefined {
    return this.told.get(`listeners ${key}`);
  }
}

async function two() {
  const authority = await makeAuthority();
  const [a, b] = [new Replica(() => true), new Replica(() => false)];
  await a.start(authority);
  await b.start(authority);
  await a.driver.apply(changesOf([[key, listener(80)]]));
  await b.driver.apply(changesOf([[key, listener(80)]]));
  const link = b.reportTo(authority, "b.1", () => a);
  return { a, b, link, authority };
}

describe("ReplicatedDriver", () => {
  it("tells the leader what proxies of other replicas have, as it changes", async () => {
    const { a, b } = await two();
    expect(a.listener).toEqual(absent);
    b.proxies.say({ type: "programmed" });
    await vi.waitFor(() => expect(a.listener).toEqual({ type: "programmed" }), { timeout: 10_000 });
    b.proxies.say({ type: "refused", message: "no" });
    await vi.waitFor(() => expect(a.listener).toEqual({ type: "refused", message: "no" }), {
      timeout: 10_000,
    });
    b.proxies.say({ type: "programmed" });
    await vi.waitFor(() => expect(a.listener).toEqual({ type: "programmed" }), { timeout: 10_000 });
  });

  it("waits for others to have the version that is applied, and tells if they do not come to have it", async () => {
    const { a, b } = await two();
    b.proxies.say({ type: "programmed" });
    await vi.waitFor(() => expect(a.listener?.type).toBe("programmed"), { timeout: 10_000 });
    a.history.splice(0);
    let isDone = false;
    const applied = a.driver.apply(changesOf([[key, listener(81)]])).then(() => (isDone = true));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isDone).toBe(false);
    await b.driver.apply(changesOf([[key, listener(81)]]));
    await applied;
    expect(a.history).toEqual(["programmed"]);

    await a.driver.apply(changesOf([[key, listener(82)]]));
    expect(a.listener).toMatchObject({
      type: "pending",
      message: expect.stringContaining("controller b.1") as string,
    });
    await b.driver.apply(changesOf([[key, listener(82)]]));
    await vi.waitFor(() => expect(a.listener).toEqual({ type: "programmed" }), { timeout: 10_000 });
  });

  it("a replica that is ahead changes nothing", async () => {
    const { a, b } = await two();
    b.proxies.say({ type: "programmed" });
    await vi.waitFor(() => expect(a.listener?.type).toBe("programmed"), { timeout: 10_000 });
    a.history.splice(0);
    await b.driver.apply(changesOf([[key, listener(81)]]));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await a.driver.apply(changesOf([[key, listener(81)]]));
    expect(a.listener).toEqual({ type: "programmed" });
    expect(a.history).not.toContain("pending");
  });

  it("a replica that goes is believed for a while", async () => {
    const { a, b, link } = await two();
    b.proxies.say({ type: "programmed" });
    await vi.waitFor(() => expect(a.listener?.type).toBe("programmed"), { timeout: 10_000 });
    link.stop();
    const went = performance.now();
    await vi.waitFor(() => expect(a.listener).toEqual(absent), { timeout: 10_000 });
    expect(performance.now() - went).toBeGreaterThan(250);
  });

  it("only the leader listens; replicas find the next one", async () => {
    const authority = await makeAuthority();
    let leading = 0;
    const replicas = [0, 1, 2].map((i) => new Replica(() => leading === i));
    for (const replica of replicas) {
      await replica.start(authority);
      await replica.driver.apply(changesOf([[key, listener(80)]]));
    }
    const [a, b, c] = replicas as [Replica, Replica, Replica];
    c.proxies.say({ type: "programmed" });
    b.reportTo(authority, "b.1", () => (leading === 1 ? undefined : replicas[leading]));
    c.reportTo(authority, "c.1", () => replicas[leading]);
    await vi.waitFor(() => expect(a.listener).toEqual({ type: "programmed" }), { timeout: 10_000 });
    expect(b.listener).toEqual(absent);
    leading = 1;
    a.driver.forgetOthers();
    await vi.waitFor(() => expect(b.listener).toEqual({ type: "programmed" }), { timeout: 10_000 });
    expect(a.listener).toEqual(absent);
  });

  it("attack 21: a message that is none of the protocol's ends the stream and changes nothing", async () => {
    const { a, authority } = await two();
    for (const text of [
      "",
      "{",
      "null",
      "[]",
      `{"reports":[null]}`,
      `{"reports":[{"kind":"x","key":"y"}]}`,
    ]) {
      const stream = await connectChannel({
        address: `127.0.0.1:${a.port}`,
        path: replicaMethod,
        certificate: await authority.issueController("evil.1"),
      });
      const closed = new Promise<string>((resolve) => stream.listen({ message() {}, closed: resolve }));
      stream.send(Buffer.from(text));
      expect(await closed).toBe("message out of place");
    }
    expect(a.listener).toEqual(absent);
  });
});
