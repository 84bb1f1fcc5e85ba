import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { Refusal, send, until, type ApiServer } from "../../../test/kubernetes/api-server.ts";
import { allTypes, httpRoute, typeOf } from "../../../test/kubernetes/gateway-objects.ts";
import { mergePatch } from "../../../test/kubernetes/object-store.ts";
import { events } from "../../../test/kubernetes/resource-types.ts";
import { clientOf, startServer } from "../../../test/kubernetes/start.ts";
import { RecordingSink } from "../../../test/sources/recording-sink.ts";
import { eventRecorder, type KubernetesObject } from "../../kubernetes/index.ts";
import type { ObjectStatus } from "../../status/index.ts";
import { kubernetesSource } from "./kubernetes-source.ts";

const routes = typeOf("HTTPRoute");
const gateways = typeOf("Gateway");
const ours = "gatewright.dev/gateway-controller";

type Parent = {
  controllerName: string;
  conditions: { type: string; status: string; lastTransitionTime: string }[];
};

function routeStatus(
  name: string,
  accepted: "True" | "False" = "True",
  more: Partial<ObjectStatus> = {},
): ObjectStatus {
  const reason = accepted === "True" ? "Accepted" : "NoMatchingParent";
  return {
    key: `HTTPRoute/shop/${name}`,
    kind: "HTTPRoute",
    namespace: "shop",
    name,
    generation: 1,
    content: {
      shape: "parents",
      controllerName: ours,
      entries: [
        {
          ref: { group: "gateway.networking.k8s.io", kind: "Gateway", name: "main" },
          conditions: [{ type: "Accepted", status: accepted, reason, message: `says ${reason}` }],
        },
      ],
    },
    ...more,
  };
}

async function start(before: (server: ApiServer) => void = () => undefined) {
  const server = await startServer([...allTypes, events]);
  before(server);
  const leadership = { isLeader: true };
  const postponed = { contain: "nothing" };
  const client = clientOf(server);
  const canWrite = () => leadership.isLeader;
  const recorder = eventRecorder(client, { component: ours, canWrite });
  const postpone = (_: object, after: object) => JSON.stringify(after).includes(postponed.contain);
  const source = kubernetesSource({
    client,
    canWrite,
    postpone,
    recorder,
    statusesPerSecond: 10_000,
    silentKinds: ["HTTPProxy"],
  });
  onTestFinished(async () => {
    await source.stop();
    await recorder.stop();
  });
  const sink = new RecordingSink();
  await source.start(sink);
  await until(() => server.watchers.size > 10);
  const parentsOf = (name: string) =>
    (server.store(routes).get(`shop/${name}`)["status"] as { parents?: Parent[] } | undefined)?.parents ?? [];
  const patches = () => server.requests.filter(({ method }) => method === "PATCH").length;
  return { server, source, sink, leadership, postponed, parentsOf, patches };
}

const withRoutes =
  (...names: string[]) =>
  (server: ApiServer) => {
    for (const name of names) server.create(routes, httpRoute(name));
  };

const theirs = { parentRef: { name: "main" }, controllerName: "example.com/other", conditions: [] };

describe("statuses", () => {
  it("stand beside those of others, and are written once", async () => {
    const { server, source, parentsOf, patches } = await start((api) => {
      const route = api.create(routes, httpRoute("a"));
      api.store(routes).update({ ...route, status: { parents: [theirs] } }, true);
    });
    await source.writeStatuses([routeStatus("a")]);
    await source.statusesWritten();
    expect(parentsOf("a").map(({ controllerName }) => controllerName)).toEqual(["example.com/other", ours]);
    expect(patches()).toBe(1);
    await source.writeStatuses([routeStatus("a")]);
    await source.statusesWritten();
    expect(patches()).toBe(1);
    expect(server.requests.filter(({ path, method }) => method === "GET" && path.endsWith("/a"))).toEqual([]);
  });

  it("keep the time of their last transition while they do not change", async () => {
    const { source, parentsOf } = await start((api) => {
      const route = api.create(routes, httpRoute("a"));
      const conditions = [
        {
          type: "Accepted",
          status: "True",
          reason: "Old",
          message: "",
          lastTransitionTime: "2020-01-01T00:00:00Z",
        },
      ];
      const parentRef = { group: "gateway.networking.k8s.io", kind: "Gateway", name: "main" };
      const status = { parents: [{ parentRef, controllerName: ours, conditions }] };
      api.store(routes).update({ ...route, status }, true);
    });
    await source.writeStatuses([routeStatus("a")]);
    await source.statusesWritten();
    expect(parentsOf("a")[0]?.conditions[0]).toMatchObject({
      reason: "Accepted",
      lastTransitionTime: "2020-01-01T00:00:00Z",
    });
    await source.writeStatuses([routeStatus("a", "False")]);
    await source.statusesWritten();
    expect(parentsOf("a")[0]?.conditions[0]?.lastTransitionTime).not.toBe("2020-01-01T00:00:00Z");
  });

  it("of several controller names of ours go into one object", async () => {
    const { source, parentsOf } = await start(withRoutes("a"));
    const { content } = routeStatus("a");
    const second = {
      ...content,
      controllerName: "openshift.io/gateway-controller",
    } as ObjectStatus["content"];
    await source.writeStatuses([routeStatus("a"), routeStatus("a", "True", { content: second })]);
    await source.statusesWritten();
    expect(parentsOf("a").map(({ controllerName }) => controllerName)).toEqual([
      ours,
      "openshift.io/gateway-controller",
    ]);
  });

  it("are written by the leader alone, and all of them when one becomes it", async () => {
    const { source, leadership, parentsOf, patches } = await start(withRoutes("a", "b"));
    leadership.isLeader = false;
    await source.writeStatuses([routeStatus("a")]);
    await source.writeStatuses([routeStatus("a", "False"), routeStatus("b")]);
    source.writeAllStatuses();
    await source.statusesWritten();
    expect(patches()).toBe(0);
    leadership.isLeader = true;
    source.writeAllStatuses();
    await source.statusesWritten();
    expect(patches()).toBe(2);
    expect(parentsOf("a")[0]?.conditions[0]?.status).toBe("False");
    source.writeAllStatuses();
    await source.statusesWritten();
    expect(patches()).toBe(2);
  });

  it("that are postponed are written later, unless something else is to be said by then", async () => {
    const { source, postponed, parentsOf, patches } = await start(withRoutes("a", "b"));
    await source.writeStatuses([routeStatus("a"), routeStatus("b")]);
    await source.statusesWritten();
    postponed.contain = "says NoMatchingParent";
    await source.writeStatuses([routeStatus("a", "False"), routeStatus("b", "False")]);
    await source.writeStatuses([routeStatus("b")]);
    await source.statusesWritten();
    expect(patches()).toBe(2);
    postponed.contain = "nothing";
    source.writeAllStatuses();
    await source.statusesWritten();
    expect(patches()).toBe(3);
    expect(parentsOf("a")[0]?.conditions[0]?.status).toBe("False");
    expect(parentsOf("b")[0]?.conditions[0]?.status).toBe("True");
  });

  it("come back when somebody takes them away, but are not fought over", async () => {
    const { server, source, parentsOf, patches } = await start(withRoutes("a"));
    await source.writeStatuses([routeStatus("a")]);
    await source.statusesWritten();
    const takeAway = () => {
      const { resourceVersion: _version, ...metadata } = server.store(routes).get("shop/a").metadata;
      server
        .store(routes)
        .update({ ...server.store(routes).get("shop/a"), metadata, status: { parents: [theirs] } }, true);
    };
    takeAway();
    await until(() => parentsOf("a").length === 2);
    const before = patches();
    for (let i = 0; i < 20; i++) {
      takeAway();
      await sleep(10);
    }
    expect(patches() - before).toBeLessThanOrEqual(1);
  });

  it("of an object that changes under our hands end up right", async () => {
    const { server, source, parentsOf } = await start(withRoutes("a"));
    server.intercept = ({ method }) => {
      if (method === "PATCH") {
        server.intercept = undefined;
        const route = server.store(routes).get("shop/a");
        server.store(routes).update({ ...route, status: { parents: [theirs] } }, true);
      }
      return false;
    };
    await source.writeStatuses([routeStatus("a")]);
    await source.statusesWritten();
    expect(parentsOf("a").map(({ controllerName }) => controllerName)).toEqual(["example.com/other", ours]);
  });

  it("that somebody took away before our write was answered come back", async () => {
    const { server, source, parentsOf } = await start(withRoutes("a"));
    const store = server.store(routes);
    server.intercept = async ({ method, body }, response) => {
      if (method !== "PATCH") return false;
      server.intercept = undefined;
      const answer = store.update(mergePatch(store.get("shop/a"), body) as KubernetesObject, true);
      store.update({ ...store.get("shop/a"), status: { parents: [theirs] } }, true);
      // Both are told of before the answer comes.
      await sleep(100);
      send(response, 200, answer);
      return true;
    };
    await source.writeStatuses([routeStatus("a")]);
    await until(() => parentsOf("a").length === 2);
    expect(parentsOf("a").map(({ controllerName }) => controllerName)).toEqual(["example.com/other", ours]);
  });

  it("of objects that are gone are forgotten", async () => {
    const { server, source, sink, patches } = await start(withRoutes("a"));
    await source.writeStatuses([routeStatus("a")]);
    await source.statusesWritten();
    server.store(routes).delete("shop/a");
    await sink.until(() => sink.objects.size === 0);
    source.writeAllStatuses();
    await source.statusesWritten();
    expect(patches()).toBe(1);
  });

  it("that may not be written are a problem, told once", async () => {
    const { server, source, sink } = await start(withRoutes("a", "b"));
    server.intercept = ({ method }) => {
      if (method === "PATCH") throw new Refusal(403, "Forbidden", "may not");
      return false;
    };
    await source.writeStatuses([routeStatus("a"), routeStatus("b")]);
    await sink.until(() => sink.problems.length > 0);
    expect(sink.lines).toEqual([expect.stringContaining("must allow patch on httproutes/status")]);
  });

  it("10,000 at once all arrive, and their echo changes nothing", async () => {
    const names = Array.from({ length: 10_000 }, (_, i) => `r${i}`);
    const { server, source, sink, parentsOf } = await start(withRoutes(...names));
    server.intercept = ({ method }) => {
      // Now and then the server has enough.
      if (method === "PATCH" && Math.random() < 0.01) throw new Refusal(429, "TooManyRequests", "later", 0);
      return false;
    };
    await source.writeStatuses(names.map((name) => routeStatus(name)));
    await source.statusesWritten();
    expect(names.filter((name) => parentsOf(name).length !== 1)).toEqual([]);
    expect(sink.batches).toHaveLength(1);
  }, 120_000);
});

describe("Events", () => {
  const stored = (server: ApiServer) =>
    [...server.store(events).objects.values()].map(
      (event) => `${String(event["reason"])} ${String(event["note"])}`,
    );

  it("tell of a refusal, once for each reason", async () => {
    const { server, source } = await start(withRoutes("a", "b"));
    await source.writeStatuses([routeStatus("a", "False"), routeStatus("b")]);
    await until(() => stored(server).length === 1);
    expect(stored(server)).toEqual(["NoMatchingParent Gateway main: says NoMatchingParent"]);
    await source.writeStatuses([routeStatus("a", "False", { generation: 2 })]);
    await source.statusesWritten();
    await source.writeStatuses([routeStatus("a", "True")]);
    await source.statusesWritten();
    await sleep(50);
    expect(stored(server)).toHaveLength(1);
  });

  it("name the field of an object that cannot be read, by the leader, once for each version", async () => {
    const bad = (value: unknown) => ({
      ...httpRoute("bad"),
      spec: { rules: [{ matches: [{ path: { type: "Exact", value } }] }] },
    });
    const { server, source, sink, leadership } = await start(withRoutes("good"));
    leadership.isLeader = false;
    server.create(routes, bad(7));
    server.create(typeOf("HTTPProxy"), { metadata: { name: "theirs", namespace: "shop" }, spec: 7 });
    await sink.until(() => sink.problems.length === 2);
    await sleep(50);
    expect(stored(server)).toEqual([]);
    leadership.isLeader = true;
    source.writeAllStatuses();
    source.writeAllStatuses();
    await until(() => stored(server).length === 1);
    expect(stored(server)).toEqual([
      expect.stringMatching(
        /^Unreadable The object cannot be read, so it is left out: spec\.rules\[0\]\.matches\[0\]\.path\.value: /,
      ),
    ]);
    const good = server.store(routes).get("shop/good");
    server.store(routes).update({ ...good, spec: bad(8).spec }, false);
    await until(() => stored(server).length === 2);
    expect(stored(server)[1]).toContain("so the version before it stays in force: spec.rules[0]");
    const [first] = server.store(events).objects.values();
    expect(first).toMatchObject({ type: "Warning", regarding: { kind: "HTTPRoute", name: "bad" } });
    expect(first?.["series"]).toBeUndefined();
  });

  it("name the listener of a Gateway", async () => {
    const { server, source } = await start((api) => {
      const listeners = [{ name: "web", port: 80, protocol: "HTTP" }];
      api.create(gateways, {
        metadata: { name: "main", namespace: "shop" },
        spec: { gatewayClassName: "x", listeners },
      });
    });
    const pending = { type: "Programmed", status: "False", reason: "Pending", message: "waits" } as const;
    const refused = {
      type: "ResolvedRefs",
      status: "False",
      reason: "InvalidCertificateRef",
      message: "no Secret shop/tls",
    } as const;
    await source.writeStatuses([
      {
        key: "Gateway/shop/main",
        kind: "Gateway",
        namespace: "shop",
        name: "main",
        generation: 1,
        content: {
          shape: "gateway",
          conditions: [pending],
          listeners: [{ name: "web", supportedKinds: [], attachedRoutes: 0, conditions: [refused] }],
        },
      },
    ]);
    await until(() => stored(server).length === 1);
    expect(stored(server)).toEqual(["InvalidCertificateRef Listener web: no Secret shop/tls"]);
  });

  it("tell what an Ingress has no place for, by the leader, when it is new", async () => {
    const ingresses = typeOf("Ingress");
    const { server, source, leadership } = await start((api) => {
      const backend = { service: { name: "web", port: { number: 80 } } };
      api.create(ingresses, {
        metadata: { name: "web", namespace: "shop" },
        spec: { defaultBackend: backend },
      });
    });
    const field = "metadata.annotations[x]";
    const say = (...reasons: readonly string[]) =>
      source.writeStatuses([
        {
          key: "Ingress/shop/web",
          kind: "Ingress",
          namespace: "shop",
          name: "web",
          generation: 1,
          content: {
            shape: "load-balancer",
            addresses: [{ type: "IPAddress", value: "192.0.2.1" }],
            isServed: true,
            remarks: reasons.map((reason) => ({ severity: "error", reason, field, message: "is wrong" })),
          },
        },
      ]);
    leadership.isLeader = false;
    await say("SnippetRefused");
    expect(stored(server)).toEqual([]);
    leadership.isLeader = true;
    await say("SnippetRefused");
    await say("SnippetRefused", "InvalidPath");
    await until(() => stored(server).length === 2);
    expect(stored(server).toSorted()).toEqual([
      `InvalidPath ${field}: is wrong`,
      `SnippetRefused ${field}: is wrong`,
    ]);
    await source.statusesWritten();
    expect(server.store(ingresses).get("shop/web")["status"]).toEqual({
      loadBalancer: { ingress: [{ ip: "192.0.2.1" }] },
    });
  });
});
