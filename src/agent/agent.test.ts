import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { listener, rule, virtualHost } from "../../test/agent/model-items.ts";
import { streamPair } from "../../test/agent/stream-pair.ts";
import { modelChanges } from "../../test/model-changes.ts";
import type { ApplyReport, Driver, Report } from "../drivers/index.ts";
import { modelKinds, type ModelChanges } from "../model/index.ts";
import type { ChannelStream } from "../channel/index.ts";
import { agentDriver, createAgent, type Agent, type AgentDriver } from "./index.ts";
import { decodeChanges, encodeMessage, type Changes } from "./protocol.ts";

/** Machines may be busy. */
const patience = { timeout: 10_000 };

/** A driver that says yes to every listener and keeps what it was handed. */
class RecordingDriver implements Driver {
  readonly name = "recording";
  readonly features = new Set<string>();
  readonly batches: ModelChanges[] = [];
  readonly held = new Map<string, unknown>();
  report: Report = () => {};
  gate: Promise<void> | undefined;
  refuse: string | undefined;
  isStopped = false;

  start(report: Report): Promise<void> {
    this.report = report;
    return Promise.resolve();
  }

  async apply(changes: ModelChanges): Promise<void> {
    this.batches.push(changes);
    await this.gate;
    const reports: ApplyReport[] = [];
    for (const kind of modelKinds) {
      for (const [key, item] of changes[kind]) {
        if (item) this.held.set(`${kind}|${key}`, item);
        else this.held.delete(`${kind}|${key}`);
        if (item && kind === "listeners") reports.push({ kind, key, state: { type: "programmed" } });
        if (item && key === this.refuse)
          reports.push({ kind, key, state: { type: "refused", message: "not like this" } });
      }
    }
    this.report(reports);
  }

  stop(): Promise<void> {
    this.isStopped = true;
    return Promise.resolve();
  }
}

class Fleet {
  readonly driver: AgentDriver;
  readonly reports: ApplyReport[] = [];
  readonly #agents: Agent[] = [];
  accepts = true;

  constructor(options: { absence?: number; patience?: number } = {}) {
    this.driver = agentDriver({ driver: "recording", features: new Set(), ...options });
    void this.driver.start((reports) => this.reports.push(...reports));
  }

  async join(name = "pod") {
    const proxy = new RecordingDriver();
    const cuts: (() => void)[] = [];
    const agent = createAgent({
      driver: proxy,
      name,
      version: "0",
      longestWait: 20,
      connect: () => {
        if (!this.accepts) return Promise.reject(new Error("connection refused"));
        const { near, far, cut } = streamPair();
        cuts.push(cut);
        this.driver.connect(far);
        return Promise.resolve(near);
      },
    });
    await agent.start();
    this.#agents.push(agent);
    return { agent, proxy, cut: () => cuts.at(-1)?.() };
  }

  last(key: string): ApplyReport | undefined {
    return this.reports.findLast((report) => report.key === key);
  }

  async stop(): Promise<void> {
    for (const agent of this.#agents) await agent.stop();
    await this.driver.stop();
  }
}

/** An agent that has taken what it got, and says so when a test wants it to. */
class Joining {
  readonly sets: Changes[] = [];
  readonly #stream: ChannelStream;
  #answered = 0;

  constructor(driver: AgentDriver) {
    const { near, far } = streamPair();
    this.#stream = near;
    driver.connect(far);
    near.listen({ message: (bytes) => this.sets.push(decodeChanges(bytes)!), closed() {} });
    near.send(encodeMessage({ type: "hello", name: "joining", version: "0", driver: "recording", has: {} }));
  }

  answer(): void {
    const set = this.sets[this.#answered];
    if (!set) return;
    this.#answered++;
    const reports = set.items
      .filter(([kind]) => kind === "listeners")
      .map(([kind, key]): ApplyReport => ({ kind, key, state: { type: "programmed" } }));
    this.#stream.send(encodeMessage({ type: "reports", reports }));
    this.#stream.send(encodeMessage({ type: "applied", id: set.id }));
  }
}

/** The proxy takes nothing until it is let. */
function hold(proxy: RecordingDriver): { readonly open: () => void } {
  let open = () => {};
  proxy.gate = new Promise((resolve) => (open = resolve));
  return { open };
}

let fleet: Fleet;
afterEach(() => fleet.stop());

const aListener = listener("a/gw/tcp/80");
const aHost = virtualHost("a/gw/tcp/80|*", [rule("one"), rule("two")]);

describe("a fleet of agents", () => {
  it("says pending while nobody is there, and programmed when one has taken everything", async () => {
    fleet = new Fleet();
    await fleet.driver.apply(modelChanges({ listeners: [aListener] }));
    expect(fleet.last(aListener.key)?.state).toEqual({
      type: "pending",
      message: "no proxy is connected yet",
      isAbsent: true,
    });
    const { agent, proxy } = await fleet.join();
    await vi.waitFor(() => expect(fleet.last(aListener.key)?.state.type).toBe("programmed"), patience);
    expect(agent.isReady).toBe(true);
    expect(proxy.held.get(`listeners|${aListener.key}`)).toEqual(aListener);
  });

  it("resolves apply when every agent has the change, and hands over only what changed", async () => {
    fleet = new Fleet();
    const [first, second] = [await fleet.join("one"), await fleet.join("two")];
    await vi.waitFor(() => expect(first.agent.isReady && second.agent.isReady).toBe(true), patience);
    await fleet.driver.apply(modelChanges({ listeners: [aListener], virtualHosts: [aHost] }));
    const changed = { ...aHost, hostname: "b" };
    await fleet.driver.apply(modelChanges({ virtualHosts: [changed] }));
    for (const { proxy } of [first, second]) {
      expect(proxy.held.get(`virtualHosts|${aHost.key}`)).toEqual(changed);
      expect(proxy.batches.at(-1)?.listeners.size).toBe(0);
    }
  });

  it("keeps rules of one action together, across changes too", async () => {
    fleet = new Fleet();
    const { agent, proxy } = await fleet.join();
    await vi.waitFor(() => expect(agent.isReady).toBe(true), patience);
    const shared = rule("one");
    const both = virtualHost("v", [shared, { ...shared, key: "again" }]);
    await fleet.driver.apply(modelChanges({ virtualHosts: [both, virtualHost("w", [shared])] }));
    const v = proxy.held.get("virtualHosts|v") as typeof both;
    const w = proxy.held.get("virtualHosts|w") as typeof both;
    expect(v).toEqual(both);
    expect(v.rules[0]?.action).toBe(v.rules[1]?.action);
    expect(w.rules[0]?.action).toBe(v.rules[0]?.action);
  });

  it("sends nothing again to an agent that comes back with what it has", async () => {
    fleet = new Fleet();
    const { agent, proxy, cut } = await fleet.join();
    await vi.waitFor(() => expect(agent.isReady).toBe(true), patience);
    await fleet.driver.apply(modelChanges({ listeners: [aListener], virtualHosts: [aHost] }));
    const batches = proxy.batches.length;
    cut();
    await vi.waitFor(() => expect(agent.isConnected).toBe(true), patience);
    await fleet.driver.apply(modelChanges({ virtualHosts: [{ ...aHost, hostname: "b" }] }));
    await vi.waitFor(() => expect(proxy.batches.length).toBe(batches + 1), patience);
    expect(proxy.batches.at(-1)?.listeners.size).toBe(0);
    expect(fleet.last(aListener.key)?.state.type).toBe("programmed");
  });

  it("brings what was removed meanwhile to an agent that comes back", async () => {
    fleet = new Fleet();
    const { agent, proxy, cut } = await fleet.join();
    await vi.waitFor(() => expect(agent.isReady).toBe(true), patience);
    await fleet.driver.apply(modelChanges({ virtualHosts: [aHost] }));
    fleet.accepts = false;
    cut();
    await fleet.driver.apply(modelChanges({ virtualHosts: [aHost.key] }));
    fleet.accepts = true;
    await vi.waitFor(() => expect(proxy.held.size).toBe(0), patience);
    expect(agent.isReady).toBe(true);
  });

  it("reports what one agent refuses, and that it is over", async () => {
    fleet = new Fleet();
    const { agent, proxy } = await fleet.join();
    await vi.waitFor(() => expect(agent.isReady).toBe(true), patience);
    proxy.refuse = aHost.key;
    await fleet.driver.apply(modelChanges({ virtualHosts: [aHost] }));
    expect(fleet.last(aHost.key)?.state).toEqual({ type: "refused", message: "not like this" });
    proxy.refuse = undefined;
    proxy.report([{ kind: "virtualHosts", key: aHost.key, state: { type: "programmed" } }]);
    await vi.waitFor(() => expect(fleet.last(aHost.key)?.state.type).toBe("programmed"), patience);
  });

  it("is not moved by a replica that joins, and forgets one that leaves", async () => {
    fleet = new Fleet({ absence: 30 });
    const first = await fleet.join("one");
    await vi.waitFor(() => expect(first.agent.isReady).toBe(true), patience);
    await fleet.driver.apply(modelChanges({ listeners: [aListener] }));
    const said = fleet.reports.length;
    const second = await fleet.join("two");
    await vi.waitFor(() => expect(second.agent.isReady).toBe(true), patience);
    expect(fleet.reports.slice(said)).toEqual([]);
    fleet.accepts = false;
    first.cut();
    await pause(60);
    expect(fleet.last(aListener.key)?.state.type).toBe("programmed");
    second.cut();
    await vi.waitFor(() => expect(fleet.last(aListener.key)?.state.type).toBe("pending"), patience);
  });

  it("is not moved by a replica that joins while something changes", async () => {
    fleet = new Fleet();
    const first = await fleet.join("one");
    await vi.waitFor(() => expect(first.agent.isReady).toBe(true), patience);
    await fleet.driver.apply(modelChanges({ listeners: [aListener] }));
    const said = fleet.reports.length;
    const second = new Joining(fleet.driver);
    await vi.waitFor(() => expect(second.sets).toHaveLength(1), patience);
    const { open } = hold(first.proxy);
    const changed = { ...aListener, port: 81 };
    const another = listener("a/gw/tcp/90");
    const applied = fleet.driver.apply(modelChanges({ listeners: [changed, another] }));
    second.answer();
    await vi.waitFor(() => expect(second.sets).toHaveLength(2), patience);
    open();
    await applied;
    second.answer();
    await pause(20);
    expect(new Set(fleet.reports.slice(said).map(({ state }) => state.type))).toEqual(
      new Set(["programmed"]),
    );
    // From now on it is waited for.
    let isApplied = false;
    const next = fleet.driver.apply(modelChanges({ listeners: [aListener] })).then(() => (isApplied = true));
    await vi.waitFor(() => expect(second.sets).toHaveLength(3), patience);
    await pause(20);
    expect(isApplied).toBe(false);
    second.answer();
    await next;
  });

  it("counts a replica in the end, however often something changes", async () => {
    fleet = new Fleet();
    await fleet.driver.apply(modelChanges({ listeners: [aListener] }));
    const only = new Joining(fleet.driver);
    await vi.waitFor(() => expect(only.sets).toHaveLength(1), patience);
    // Faster than the proxy answers: something waits for it always.
    let n = 0;
    const change = () => fleet.driver.apply(modelChanges({ virtualHosts: [virtualHost(`v${n++}`, [])] }));
    const churn = setInterval(() => void change(), 1);
    const answers = setInterval(() => only.answer(), 50);
    onTestFinished(() => [churn, answers].forEach((timer) => clearInterval(timer)));
    await vi.waitFor(() => expect(fleet.last(aListener.key)?.state.type).toBe("programmed"), patience);
  });

  it("does not wait for ever for an agent that is silent, and says programmed when it answers after all", async () => {
    fleet = new Fleet({ patience: 50 });
    const [silent, other] = [await fleet.join("one"), await fleet.join("two")];
    await vi.waitFor(() => expect(silent.agent.isReady && other.agent.isReady).toBe(true), patience);
    await fleet.driver.apply(modelChanges({ listeners: [aListener] }));
    expect(fleet.last(aListener.key)?.state.type).toBe("programmed");
    let open = () => {};
    silent.proxy.gate = new Promise((resolve) => (open = resolve));
    const said = fleet.reports.length;
    await fleet.driver.apply(modelChanges({ listeners: [{ ...aListener, port: 81 }] }));
    const pending = { type: "pending", message: "a proxy has not answered yet" };
    expect(fleet.reports.slice(said).map(({ state }) => state)).toEqual([pending]);
    // It is known to be late, and nobody waits for it again.
    await fleet.driver.apply(modelChanges({ listeners: [listener("a/gw/tcp/90")] }));
    expect(fleet.last("a/gw/tcp/90")?.state).toEqual(pending);
    open();
    for (const key of [aListener.key, "a/gw/tcp/90"]) {
      await vi.waitFor(() => expect(fleet.last(key)?.state.type).toBe("programmed"), patience);
    }
    await fleet.driver.apply(modelChanges({ listeners: [aListener] }));
    expect(silent.proxy.held.get(`listeners|${aListener.key}`)).toEqual(aListener);
  });

  it("gives a slow agent only the newest version", async () => {
    fleet = new Fleet();
    const { agent, proxy } = await fleet.join();
    await vi.waitFor(() => expect(agent.isReady).toBe(true), patience);
    let open = () => {};
    proxy.gate = new Promise((resolve) => (open = resolve));
    const applied = Array.from({ length: 50 }, (_, n) =>
      fleet.driver.apply(modelChanges({ virtualHosts: [{ ...aHost, hostname: `h${n}` }] })),
    );
    await pause(10);
    open();
    await Promise.all(applied);
    expect(proxy.batches.length).toBeLessThan(5);
    expect(proxy.held.get(`virtualHosts|${aHost.key}`)).toMatchObject({ hostname: "h49" });
  });

  it("keeps nothing that an agent says of what it was not given", async () => {
    fleet = new Fleet();
    await fleet.driver.apply(modelChanges({ listeners: [aListener] }));
    const { near, far } = streamPair();
    fleet.driver.connect(far);
    const sets: Changes[] = [];
    near.listen({ message: (bytes) => sets.push(decodeChanges(bytes)!), closed() {} });
    near.send(encodeMessage({ type: "hello", name: "x", version: "0", driver: "recording", has: {} }));
    await vi.waitFor(() => expect(sets).toHaveLength(1), patience);
    near.send(encodeMessage({ type: "applied", id: sets[0]!.id }));
    const state = { type: "refused", message: "no" } as const;
    const keys = ["b/gw/tcp/1", "b/gw/tcp/2", aListener.key];
    const reports = keys.map((key): ApplyReport => ({ kind: "listeners", key, state }));
    near.send(encodeMessage({ type: "reports", reports }));
    await vi.waitFor(() => expect(fleet.last(aListener.key)?.state.type).toBe("refused"), patience);
    expect(new Set(fleet.reports.map(({ key }) => key))).toEqual(new Set([aListener.key]));
  });

  const hello = { type: "hello", name: "x", version: "0", driver: "recording", has: {} };
  const report = { kind: "listeners", key: "k", state: { type: "programmed" } };
  const reporting = (changed: object) => ({ type: "reports", reports: [{ ...report, ...changed }] });
  it.each<[string, unknown]>([
    ["no JSON", "{"],
    ["no object", null],
    ["no known type", { type: "hullo" }],
    ["a hello that does not say what it has", { type: "hello", name: "x" }],
    ["a hello with something else than versions", { ...hello, has: { listeners: { a: 1 } } }],
    ["a hello with no versions of a kind", { ...hello, has: { listeners: null } }],
    ["a hello with no name", { ...hello, name: {} }],
    ["reports of nothing", { type: "reports" }],
    ["reports that are no list", { type: "reports", reports: { length: 1 } }],
    ["a report that is none", { type: "reports", reports: [null] }],
    ["a report with no key", reporting({ key: 1 })],
    ["a report with no kind", reporting({ kind: undefined })],
    ["a report with no state", reporting({ state: undefined })],
    ["a report with a state of no known type", reporting({ state: { type: "fine" } })],
    ["a refusal without words", reporting({ state: { type: "refused" } })],
    ["a refusal for no known reason", reporting({ state: { type: "refused", message: "", reason: "x" } })],
    ["addresses that are none", reporting({ state: { type: "programmed", addresses: [{ port: 1 }] } })],
    ["an answer to nothing", { type: "applied", id: "1" }],
  ])("turns an agent away that sends %s, and serves the others", async (_, message) => {
    fleet = new Fleet();
    const other = await fleet.join("other");
    const { near, far } = streamPair();
    fleet.driver.connect(far);
    const closed = new Promise<string>((resolve) => near.listen({ message() {}, closed: resolve }));
    near.send(Buffer.from(typeof message === "string" ? message : JSON.stringify(message)));
    expect(await closed).toBe("message out of place");
    await vi.waitFor(() => expect(other.agent.isReady).toBe(true), patience);
    await fleet.driver.apply(modelChanges({ listeners: [aListener] }));
    await vi.waitFor(() => expect(fleet.last(aListener.key)?.state.type).toBe("programmed"), patience);
  });

  it("attack 21: of what a proxy says of an item no more is kept than helps", async () => {
    fleet = new Fleet();
    await fleet.driver.apply(modelChanges({ listeners: [listener("a"), listener("b")] }));
    const { near, far } = streamPair();
    fleet.driver.connect(far);
    near.listen({
      message(bytes) {
        const { id } = decodeChanges(bytes)!;
        const long = {
          type: "refused",
          message: "long ".repeat(1_000_000),
          more: "x".repeat(1_000_000),
        } as const;
        const many = Array.from({ length: 10_000 }, () => ({ address: "192.0.2.1", port: 80 }));
        const reports: ApplyReport[] = [
          { kind: "listeners", key: "a", state: long },
          { kind: "listeners", key: "b", state: { type: "programmed", addresses: many } },
        ];
        near.send(encodeMessage({ type: "reports", reports }));
        near.send(encodeMessage({ type: "applied", id }));
      },
      closed() {},
    });
    near.send(encodeMessage({ type: "hello", name: "pod", version: "0", driver: "recording", has: {} }));
    await vi.waitUntil(() => fleet.last("a")?.state.type === "refused", patience);
    expect(JSON.stringify(fleet.reports).length).toBeLessThan(50_000);
    expect(fleet.last("a")?.state).toEqual({
      type: "refused",
      message: expect.stringMatching(/^long long .*…$/),
    });
  });

  it("passes over what a newer agent says of kinds that are not known here", async () => {
    fleet = new Fleet();
    await fleet.driver.apply(modelChanges({ listeners: [aListener] }));
    const { near, far } = streamPair();
    fleet.driver.connect(far);
    near.listen({
      message: () => near.send(Buffer.from(JSON.stringify({ type: "applied", id: 1 }))),
      closed() {},
    });
    near.send(Buffer.from(JSON.stringify({ ...hello, has: { novelties: { a: "1" } } })));
    const reports = [
      { ...report, kind: "novelties" },
      { ...report, key: aListener.key },
    ];
    near.send(Buffer.from(JSON.stringify({ type: "reports", reports })));
    await vi.waitFor(() => expect(fleet.last(aListener.key)?.state.type).toBe("programmed"), patience);
  });
});
