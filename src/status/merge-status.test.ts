import { describe, expect, it } from "vitest";
import { mergeStatus, objectStatus, verdict, type ObjectStatus, type StatusContent } from "./index.ts";
import type { HTTPRoute } from "../resources/index.ts";

const ours = "gatewright.dev/gateway-controller";
const first = "2026-01-01T00:00:00Z";
const later = "2026-01-02T00:00:00Z";

function statusWith(content: StatusContent, generation = 1): ObjectStatus {
  return { key: "Gateway/shop/web", kind: "Gateway", namespace: "shop", name: "web", generation, content };
}

const gateway = (status: "True" | "False", generation = 1) =>
  statusWith(
    {
      shape: "gateway",
      conditions: [verdict("Accepted", status, status === "True" ? "Accepted" : "Invalid", "message")],
      listeners: [{ name: "http", supportedKinds: [], attachedRoutes: 0, conditions: [] }],
    },
    generation,
  );

const route = (namespace: string | undefined) =>
  statusWith({
    shape: "parents",
    controllerName: ours,
    entries: [
      {
        ref: {
          group: "gateway.networking.k8s.io",
          kind: "Gateway",
          name: "web",
          ...(namespace && { namespace }),
        },
        conditions: [verdict("Accepted", "True", "Accepted", "fine")],
      },
    ],
  });

describe("mergeStatus", () => {
  it("moves lastTransitionTime only when the status changes (6.4)", () => {
    const one = mergeStatus(undefined, gateway("True"), first);
    const two = mergeStatus(one, gateway("True", 2), later);
    expect(two).toMatchObject({ conditions: [{ lastTransitionTime: first, observedGeneration: 2 }] });
    const three = mergeStatus(two, gateway("False", 3), later);
    expect(three).toMatchObject({ conditions: [{ lastTransitionTime: later, status: "False" }] });
  });

  it("returns the same object when nothing changes, so that nothing is written", () => {
    const one = mergeStatus(undefined, gateway("True"), first);
    expect(mergeStatus(one, gateway("True"), later)).toBe(one);
  });

  it("keeps conditions and fields of others, in their place (5.24)", () => {
    const foreign = {
      type: "example.com/Scanned",
      status: "True",
      reason: "Done",
      message: "",
      lastTransitionTime: first,
    };
    const merged = mergeStatus({ conditions: [foreign], theirs: 1 }, gateway("True"), later);
    expect(merged).toMatchObject({ conditions: [foreign, { type: "Accepted" }], theirs: 1 });
  });

  it("removes a condition of ours that no longer applies", () => {
    const old = {
      type: "OverlappingTLSConfig",
      status: "True",
      reason: "x",
      message: "",
      lastTransitionTime: first,
    };
    expect(mergeStatus({ conditions: [old] }, gateway("True"), later).conditions).toHaveLength(1);
  });

  it("does not step back behind a newer observedGeneration (2.1.12)", () => {
    const newer = mergeStatus(undefined, gateway("True", 5), first);
    expect(mergeStatus(newer, gateway("False", 4), later)).toBe(newer);
  });

  it("keeps the parents of other controllers and replaces its own (attack 19)", () => {
    const theirs = { parentRef: { name: "web" }, controllerName: "example.com/other", conditions: [] };
    const stale = { parentRef: { name: "gone" }, controllerName: ours, conditions: [] };
    const merged = mergeStatus({ parents: [theirs, stale] }, route(undefined), first);
    expect(merged.parents).toEqual([
      theirs,
      {
        parentRef: { group: "gateway.networking.k8s.io", kind: "Gateway", name: "web" },
        controllerName: ours,
        conditions: [expect.objectContaining({ type: "Accepted", lastTransitionTime: first })],
      },
    ]);
  });

  it("adds nothing to a list that is full, and takes nobody's place (attack 19)", () => {
    const gateways = (...names: string[]) =>
      statusWith({
        shape: "ancestors",
        controllerName: ours,
        entries: names.map((name) => ({
          ref: { group: "gateway.networking.k8s.io", kind: "Gateway", name },
          conditions: [verdict("Accepted", "True", "Accepted", "fine")],
        })),
      });
    const names = (status: object) =>
      (status as { ancestors: { ancestorRef: { name: string } }[] }).ancestors.map(
        ({ ancestorRef }) => ancestorRef.name,
      );
    const theirs = { ancestorRef: { name: "theirs" }, controllerName: "example.com/other", conditions: [] };
    const first = Array.from({ length: 15 }, (_, index) => `m${index}`);
    const full = mergeStatus({ ancestors: [theirs] }, gateways(...first), "2026-01-01T00:00:00Z");
    expect(names(full)).toEqual(["theirs", ...first]);
    expect(mergeStatus(full, gateways("a", ...first, "z"), later)).toBe(full);
    const freed = mergeStatus(full, gateways("a", ...first.slice(1), "z"), later);
    expect(names(freed)).toEqual(["theirs", ...first.slice(1), "a"]);
  });

  it("tells parents apart by namespace, section and port", () => {
    const one = mergeStatus(undefined, route("a"), first);
    const two = mergeStatus(one, route("b"), later);
    expect(two.parents).toMatchObject([
      { parentRef: { namespace: "b" }, conditions: [{ lastTransitionTime: later }] },
    ]);
  });

  it("says where an Ingress is reached, and nothing where nothing stands", () => {
    const at = (...addresses: readonly { readonly type: string; readonly value: string }[]) =>
      statusWith({ shape: "load-balancer", addresses, isServed: true, remarks: [] });
    const none = {};
    expect(mergeStatus(none, at(), first)).toBe(none);
    const reached = at({ type: "IPAddress", value: "192.0.2.1" }, { type: "Hostname", value: "lb.test" });
    const merged = mergeStatus(none, reached, first);
    expect(merged).toEqual({ loadBalancer: { ingress: [{ ip: "192.0.2.1" }, { hostname: "lb.test" }] } });
    expect(mergeStatus(merged, reached, later)).toBe(merged);
    expect(mergeStatus(merged, at(), later)).toEqual({ loadBalancer: {} });
  });

  it("survives a status that makes no sense", () => {
    const merged = mergeStatus(
      { conditions: "x", listeners: [1, null], parents: {} },
      gateway("True"),
      first,
    );
    expect(merged).toMatchObject({ conditions: [{ type: "Accepted" }], listeners: [{ name: "http" }] });
  });
});

describe("the status of an HTTPProxy", () => {
  const content: StatusContent = {
    shape: "http-proxy",
    currentStatus: "invalid",
    description: "wrong",
    conditions: [verdict("Valid", "False", "ErrorPresent", "wrong")],
    errors: [{ type: "RouteError", reason: "A", message: "spec.routes[0]" }],
    warnings: [],
    isServed: true,
    addresses: [
      { type: "IPAddress", value: "192.0.2.1" },
      { type: "Hostname", value: "lb.example.com" },
    ],
  };

  it("has a word, the condition with all that is behind it, and where it is reached", () => {
    expect(mergeStatus(undefined, statusWith(content), first)).toEqual({
      currentStatus: "invalid",
      description: "wrong",
      conditions: [
        {
          type: "Valid",
          status: "False",
          reason: "ErrorPresent",
          message: "wrong",
          observedGeneration: 1,
          lastTransitionTime: first,
          errors: [{ type: "RouteError", status: "True", reason: "A", message: "spec.routes[0]" }],
        },
      ],
      loadBalancer: { ingress: [{ ip: "192.0.2.1" }, { hostname: "lb.example.com" }] },
    });
  });

  it("is not written again where nothing changes, and loses what no longer holds", () => {
    const written = mergeStatus(undefined, statusWith(content), first);
    expect(mergeStatus(written, statusWith(content), later)).toBe(written);
    const mended = { ...content, currentStatus: "valid" as const, errors: [], addresses: [] };
    const after = mergeStatus(written, statusWith(mended), later);
    expect(after).toMatchObject({ currentStatus: "valid", loadBalancer: {} });
    expect((after as { conditions: object[] }).conditions[0]).not.toHaveProperty("errors");
  });

  it("does not step back behind what somebody has judged already (2.1.12)", () => {
    const written = mergeStatus(undefined, statusWith(content, 5), first);
    expect(mergeStatus(written, statusWith({ ...content, description: "old" }, 4), later)).toBe(written);
  });
});

describe("objectStatus", () => {
  it("names the object and its generation", () => {
    const resource = {
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "HTTPRoute",
      metadata: { name: "a", namespace: "b", generation: 3, labels: {}, annotations: {} },
      spec: { rules: [] },
    } satisfies HTTPRoute;
    expect(objectStatus(resource, { shape: "conditions", conditions: [] })).toMatchObject({
      key: "HTTPRoute/b/a",
      generation: 3,
    });
  });
});
