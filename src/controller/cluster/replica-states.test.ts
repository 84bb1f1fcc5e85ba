import { describe, expect, it } from "vitest";
import type { ItemState } from "../../drivers/index.ts";
import { ReplicaStates, type ReplicaReport } from "./replica-states.ts";

const key = "shop/web/tcp/80";
const id = `listeners|${key}`;
const known = { version: "v1", gateway: "shop/web" };
const programmed: ItemState = { type: "programmed" };
const pending: ItemState = { type: "pending", message: "a proxy has not answered yet" };
const absent: ItemState = { type: "pending", message: "no proxy is connected yet", isAbsent: true };
const refused: ItemState = { type: "refused", message: "no such cipher" };

const said = (state: ItemState, version = "v1"): ReplicaReport => ({
  kind: "listeners",
  key,
  state,
  version,
  gateway: "shop/web",
});
const make = () => new ReplicaStates({ patience: 5_000, absence: 10_000 });

/** What is decided when we say the one and two others the other two. */
function decide(own: ItemState, ...others: ItemState[]): ItemState | undefined {
  const states = make();
  states.takeOwn(said(own));
  others.forEach((state, i) => states.replace(`other-${i}`, [said(state)]));
  const decision = states.decideListener(id, known, 0);
  return "state" in decision ? decision.state : undefined;
}

describe("ReplicaStates", () => {
  it("a listener is programmed when all replicas that have proxies say so, and one has some", () => {
    expect(decide(programmed)).toEqual(programmed);
    expect(decide(programmed, programmed)).toEqual(programmed);
    expect(decide(absent, programmed)).toEqual(programmed);
    expect(decide(programmed, absent, absent)).toEqual(programmed);
    expect(decide(absent, absent)).toEqual(absent);
    expect(decide(programmed, pending)).toEqual(pending);
    expect(decide(pending, programmed, absent)).toEqual(pending);
    expect(decide(programmed, refused, pending)).toEqual(refused);
    expect(decide(refused, programmed)).toEqual(refused);
  });

  it("a replica whose proxies have another version is waited for, and then told of", () => {
    const states = make();
    states.takeOwn(said(programmed));
    states.replace("b", [said(programmed, "v0")]);
    expect(states.decideListener(id, known, 1_000)).toEqual({ until: 6_000 });
    expect(states.decideListener(id, known, 5_999)).toEqual({ until: 6_000 });
    expect(states.decideListener(id, known, 6_000)).toMatchObject({
      state: { type: "pending", message: expect.stringContaining("controller b") as string },
    });
    states.change("b", [said(programmed)]);
    expect(states.decideListener(id, known, 6_001)).toEqual({ state: programmed });
    // The next difference has its own time.
    states.change("b", [said(programmed, "v2")]);
    expect(states.decideListener(id, known, 20_000)).toEqual({ until: 25_000 });
  });

  it("a replica that has not heard of a listener counts only if it has proxies of that Gateway", () => {
    const states = make();
    states.takeOwn(said(programmed));
    const elsewhere = { kind: "listeners", key: "shop/other/tcp/80", gateway: "shop/other" } as const;
    states.replace("b", [{ ...elsewhere, state: programmed, version: "x" }]);
    expect(states.decideListener(id, known, 0)).toEqual({ state: programmed });
    const sibling = { kind: "listeners", key: "shop/web/tcp/443", gateway: "shop/web" } as const;
    states.change("b", [{ ...sibling, state: programmed, version: "x" }]);
    expect(states.decideListener(id, known, 0)).toEqual({ until: 5_000 });
  });

  it("proxies that move from one replica to another are given time", () => {
    const states = make();
    states.takeOwn(said(absent));
    states.replace("b", [said(programmed)]);
    expect(states.decideListener(id, known, 0)).toEqual({ state: programmed });
    states.replace("b", [said(absent)]);
    expect(states.decideListener(id, known, 1_000)).toEqual({ until: 11_000 });
    states.takeOwn(said(programmed));
    expect(states.decideListener(id, known, 2_000)).toEqual({ state: programmed });
    states.takeOwn(said(absent));
    expect(states.decideListener(id, known, 3_000)).toEqual({ until: 13_000 });
    expect(states.decideListener(id, known, 13_000)).toEqual({ state: absent });
    states.takeOwn(said(programmed));
    expect(states.decideListener(id, known, 14_000)).toEqual({ state: programmed });
    states.takeOwn(said(absent));
    states.forget("b");
    expect(states.decideListener(id, known, 14_001)).toEqual({ state: absent });
  });

  it("one refusal of a route or a certificate is enough, and over when all say so", () => {
    const states = make();
    const item = "virtualHosts|a";
    expect(states.decideItem(item)).toEqual(programmed);
    states.replace("b", [{ kind: "virtualHosts", key: "a", state: refused }]);
    expect(states.decideItem(item)).toEqual(refused);
    states.takeOwn({ kind: "virtualHosts", key: "a", state: refused });
    expect(states.change("b", [{ kind: "virtualHosts", key: "a" }])).toEqual(new Set([item]));
    expect(states.decideItem(item)).toEqual(refused);
    states.drop(item);
    expect(states.decideItem(item)).toEqual(programmed);
  });

  it("a replica that comes back says everything anew", () => {
    const states = make();
    states.takeOwn(said(programmed));
    states.replace("b", [said(refused), { kind: "virtualHosts", key: "a", state: refused }]);
    expect([...states.replace("b", [said(programmed)])].toSorted()).toEqual([id, "virtualHosts|a"]);
    expect(states.decideListener(id, known, 0)).toEqual({ state: programmed });
    expect(states.decideItem("virtualHosts|a")).toEqual(programmed);
    expect(states.change("c", [said(refused)])).toEqual(new Set());
    expect(states.decideListener(id, known, 0)).toEqual({ state: programmed });
  });
});
