import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { listener, rule, virtualHost } from "../../test/agent/model-items.ts";
import { streamPair } from "../../test/agent/stream-pair.ts";
import { modelChanges } from "../../test/model-changes.ts";
import type { ApplyReport, Driver, Report } from "../drivers/index.ts";
import { modelKinds, type ModelChanges } from "../model/index.ts";
import { agentDriver, createAgent, type Agent, type AgentDriver } from "./index.ts";

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

  constructor(absence?: number) {
    this.driver = agentDriver({
      driver: "recording",
      features: new Set(),
      ...(absence !== undefined && { absence }),
    });
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
    fleet = new Fleet(30);
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
});
