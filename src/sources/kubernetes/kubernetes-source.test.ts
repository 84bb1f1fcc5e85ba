import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  Refusal,
  until,
  type ApiServer,
  type ApiServerOptions,
} from "../../../test/kubernetes/api-server.ts";
import { allTypes, httpRoute, namespace, secret, typeOf } from "../../../test/kubernetes/gateway-objects.ts";
import { clientOf, startServer } from "../../../test/kubernetes/start.ts";
import { RecordingSink } from "../../../test/sources/recording-sink.ts";
import { pathOf } from "../../../test/sources/manifests.ts";
import type { ResourceType } from "../../kubernetes/index.ts";
import { kubernetesSource, type KubernetesSourceOptions } from "./kubernetes-source.ts";

interface Setup extends Partial<KubernetesSourceOptions> {
  readonly types?: readonly ResourceType[];
  readonly server?: ApiServerOptions;
  readonly before?: (server: ApiServer) => void;
}

const routes = typeOf("HTTPRoute");
const secrets = typeOf("Secret");

async function prepare({ types = allTypes, server: serverOptions, before, ...options }: Setup = {}) {
  const server = await startServer(types, serverOptions);
  before?.(server);
  const sink = new RecordingSink();
  const faults: unknown[] = [];
  const source = kubernetesSource({
    client: clientOf(server),
    canWrite: () => true,
    lookEvery: 200,
    fault: (error) => faults.push(error),
    ...options,
  });
  onTestFinished(() => source.stop());
  return { server, sink, source, faults };
}

const conversionFailed = () => new Refusal(500, "InternalError", "conversion webhook failed");

async function start(setup: Setup = {}) {
  const prepared = await prepare(setup);
  await prepared.source.start(prepared.sink);
  return prepared;
}

describe("kubernetesSource", () => {
  it("hands over all there is in one call, then what changes", async () => {
    const { server, sink } = await start({
      before: (api) => {
        api.create(typeOf("Namespace"), namespace("shop"));
        for (let i = 0; i < 50; i++) api.create(routes, httpRoute(`r${i}`));
        api.create(typeOf("GatewayClass"), {
          metadata: { name: "gw" },
          spec: { controllerName: "example.com/x" },
        });
      },
    });
    expect(sink.batches).toHaveLength(1);
    expect(sink.objects.size).toBe(52);
    expect(sink.reports).toEqual([]);
    server.create(routes, httpRoute("new", "/new"));
    server.store(routes).delete("shop/r0");
    await sink.until(() => sink.objects.has("HTTPRoute/shop/new") && !sink.objects.has("HTTPRoute/shop/r0"));
    expect(pathOf(sink.objects.get("HTTPRoute/shop/new"))).toBe("/new");
  });

  it("hands over nothing as well, so that an empty cluster is a start", async () => {
    const { sink } = await start();
    expect(sink.batches).toEqual([[]]);
  });

  it("what comes within a moment is handed over together", async () => {
    const { server, sink } = await start();
    await until(() => server.watchers.size > 10);
    server.create(routes, httpRoute("a"));
    server.create(typeOf("Namespace"), namespace("shop"));
    server.create(routes, httpRoute("b"));
    await sink.until(() => sink.objects.size === 3);
    expect(sink.batches.length).toBeLessThanOrEqual(3);
  });

  it("an object that is deleted and made anew at once is told of as two", async () => {
    const { server, sink } = await start({ before: (api) => api.create(routes, httpRoute("r")) });
    server.store(routes).delete("shop/r");
    server.create(routes, httpRoute("r"));
    await until(() => sink.batches.length >= 3);
    expect(sink.batches.slice(1).map((batch) => batch.map(({ resource }) => resource !== undefined))).toEqual(
      [[false], [true]],
    );
  });

  it("does not wait for kinds that are not installed, and reads them when they are", async () => {
    const without = allTypes.filter(({ kind }) => kind !== "HTTPRoute" && kind !== "XMesh");
    const { server, sink } = await start({ types: without });
    expect(sink.batches).toHaveLength(1);
    expect(sink.problems).toEqual([]);
    server.serve(routes);
    server.create(routes, httpRoute("a"));
    await sink.until(() => sink.objects.has("HTTPRoute/shop/a"));
    server.unserve(routes);
    await sink.until(() => !sink.objects.has("HTTPRoute/shop/a"));
    server.serve(routes);
    server.create(routes, httpRoute("b"));
    await sink.until(() => sink.objects.has("HTTPRoute/shop/b"));
    expect(sink.problems).toEqual([]);
  });

  it("reads the newest version that is served", async () => {
    const old = [
      typeOf("HTTPRoute", "v1beta1"),
      typeOf("TCPRoute", "v1alpha2"),
      typeOf("GatewayClass"),
      typeOf("GatewayClass", "v1beta1"),
    ];
    const core = allTypes.filter(({ group }) => group === "" || group === "discovery.k8s.io");
    const { server, sink } = await start({
      types: [...core, ...old],
      before: (api) => {
        api.create(typeOf("HTTPRoute", "v1beta1"), httpRoute("a"));
        api.create(typeOf("GatewayClass"), {
          metadata: { name: "gw" },
          spec: { controllerName: "example.com/x" },
        });
      },
    });
    expect(sink.keys).toEqual(["GatewayClass/gw", "HTTPRoute/shop/a"]);
    expect(sink.objects.get("HTTPRoute/shop/a")?.apiVersion).toBe("gateway.networking.k8s.io/v1");
    expect(server.requests.some(({ path }) => path.includes("/v1beta1/gatewayclasses"))).toBe(false);
  });

  it("follows when a version goes and another comes, without letting go of the objects", async () => {
    const old = typeOf("HTTPRoute", "v1beta1");
    const { server, sink } = await start({
      types: [...allTypes.filter(({ kind }) => kind !== "HTTPRoute"), old],
      before: (api) => void api.create(old, httpRoute("a")),
    });
    const store = server.store(old);
    server.serve(routes);
    for (const object of store.objects.values())
      server.store(routes).objects.set("shop/a", { ...object, apiVersion: "gateway.networking.k8s.io/v1" });
    server.stores.delete(`${old.group}/${old.version}/${old.plural}`);
    server.endWatches();
    await until(() =>
      server.requests.some(
        ({ path, query }) => path.endsWith("/v1/httproutes") && query.get("watch") === "true",
      ),
    );
    server.create(routes, httpRoute("b"));
    await sink.until(() => sink.objects.has("HTTPRoute/shop/b"));
    expect(sink.batches.flat().some(({ resource }) => resource === undefined)).toBe(false);
  });

  it("an object that we cannot read is a problem of its own, and its last good version stays", async () => {
    const bad = {
      ...httpRoute("bad"),
      spec: { rules: [{ matches: [{ path: { type: "Exact", value: 7 } }] }] },
    };
    const { server, sink } = await start({
      before: (api) => {
        api.create(routes, bad);
        api.create(routes, httpRoute("good", "/1"));
      },
    });
    expect(sink.keys).toEqual(["HTTPRoute/shop/good"]);
    expect(sink.problems).toEqual([
      {
        severity: "error",
        origin: "gateway.networking.k8s.io/v1/httproutes/shop/bad",
        object: "HTTPRoute shop/bad",
        field: "spec.rules[0].matches[0].path.value",
        message: expect.any(String) as string,
      },
    ]);
    const good = server.store(routes).get("shop/good");
    server.store(routes).update({ ...good, spec: bad.spec }, false);
    await sink.until(() => sink.problems.length === 2);
    expect(sink.problems[1]).toMatchObject({ object: "HTTPRoute shop/good", lastGoodInForce: true });
    expect(pathOf(sink.objects.get("HTTPRoute/shop/good"))).toBe("/1");
    server.store(routes).delete("shop/bad");
    server
      .store(routes)
      .update({ ...server.store(routes).get("shop/good"), spec: httpRoute("x", "/2").spec }, false);
    await sink.until(() => sink.problems.length === 0);
    expect(pathOf(sink.objects.get("HTTPRoute/shop/good"))).toBe("/2");
    server.store(routes).update({ ...server.store(routes).get("shop/good"), spec: bad.spec }, false);
    await sink.until(() => sink.problems.length === 1);
    server.store(routes).delete("shop/good");
    await sink.until(() => sink.problems.length === 0 && sink.objects.size === 0);
  });

  it("fields that we do not know, and kubectl's copy, are left out", async () => {
    const { sink } = await start({
      before: (api) => {
        const route = httpRoute("a");
        const annotations = { "kubectl.kubernetes.io/last-applied-configuration": "{}", mine: "1" };
        api.create(routes, {
          ...route,
          metadata: { ...route.metadata, annotations, managedFields: [{ manager: "kubectl" }] },
          spec: { ...(route as { spec?: object }).spec, fromTheFuture: true },
        });
      },
    });
    expect(sink.objects.get("HTTPRoute/shop/a")?.metadata.annotations).toEqual({ mine: "1" });
    expect(JSON.stringify(sink.objects.get("HTTPRoute/shop/a"))).not.toMatch(/fromTheFuture|kubectl/);
  });

  it("a status alone changes nothing for those who read", async () => {
    const { server, sink } = await start({ before: (api) => void api.create(routes, httpRoute("a")) });
    await until(() => server.watchers.size > 10);
    const object = server.store(routes).get("shop/a");
    server.store(routes).update({ ...object, status: { parents: [] } }, true);
    server.create(routes, httpRoute("b"));
    await sink.until(() => sink.objects.has("HTTPRoute/shop/b"));
    expect(sink.batches.flat().filter(({ key }) => key === "shop/a")).toHaveLength(1);
    const { resourceVersion: _version, ...metadata } = object.metadata;
    server.store(routes).update({ ...object, metadata: { ...metadata, labels: { new: "label" } } }, false);
    await sink.until(() => sink.objects.get("HTTPRoute/shop/a")?.metadata.labels["new"] === "label");
  });

  it("what came and went while the server was away is told when it is back", async () => {
    const { server, sink } = await start({
      before: (api) => {
        for (const name of ["a", "b", "c"]) api.create(routes, httpRoute(name));
      },
    });
    await until(() => server.watchers.size > 10);
    const before = sink.objects.get("HTTPRoute/shop/b");
    await server.stop();
    server.store(routes).delete("shop/a");
    server.create(routes, httpRoute("d"));
    server.compact();
    await sink.until(() => sink.problems.length > 0);
    expect(sink.problems[0]).toMatchObject({ severity: "warning" });
    expect(sink.keys).toEqual(["HTTPRoute/shop/a", "HTTPRoute/shop/b", "HTTPRoute/shop/c"]);
    await server.listen();
    await sink.until(() => sink.keys.join() === "HTTPRoute/shop/b,HTTPRoute/shop/c,HTTPRoute/shop/d");
    expect(sink.objects.get("HTTPRoute/shop/b")).toBe(before);
    await sink.until(() => sink.problems.length === 0, 15_000);
  }, 30_000);

  it("waits for a server that is not there yet, and says so", async () => {
    const { server, sink, source } = await prepare({
      before: (api) => void api.create(routes, httpRoute("a")),
    });
    await server.stop();
    const started = source.start(sink);
    await sink.until(() => sink.problems.length > 0);
    expect(sink.batches).toEqual([]);
    await server.listen();
    await started;
    expect(sink.batches).toHaveLength(1);
    expect(sink.keys).toEqual(["HTTPRoute/shop/a"]);
  }, 20_000);

  it("a kind that we may not read does not keep us from the others", async () => {
    const { sink } = await start({
      before: (api) => {
        api.create(routes, httpRoute("a"));
        api.intercept = ({ path }) => {
          if (path.endsWith("/services")) throw new Refusal(403, "Forbidden", "may not");
          return false;
        };
      },
    });
    expect(sink.keys).toEqual(["HTTPRoute/shop/a"]);
    expect(sink.lines).toEqual([
      expect.stringMatching(/^error https:.* May not list services in all namespaces: a ClusterRole/),
    ]);
  });

  it("HTTPProxies that cannot be read keep nobody waiting, and come when they can be", async () => {
    let isBroken = true;
    const { server, sink } = await start({
      patience: 300,
      before: (api) => {
        api.create(routes, httpRoute("a"));
        api.intercept = (request) => {
          if (isBroken && request.path.endsWith("/httpproxies")) throw conversionFailed();
          return false;
        };
      },
    });
    expect(sink.keys).toEqual(["HTTPRoute/shop/a"]);
    expect(sink.lines).toEqual([expect.stringMatching(/^error https:.* conversion webhook failed/)]);
    isBroken = false;
    const metadata = { name: "p", namespace: "shop" };
    server.create(typeOf("HTTPProxy"), { metadata, spec: { virtualhost: { fqdn: "a.example" } } });
    await sink.until(() => sink.objects.has("HTTPProxy/shop/p"), 15_000);
    expect(sink.problems).toEqual([]);
  }, 20_000);

  it("a kind that could not be read, and goes, is looked for again", async () => {
    const proxies = typeOf("HTTPProxy");
    let isBroken = true;
    const { server, sink } = await start({
      patience: 300,
      before: (api) => {
        api.intercept = ({ path }) => {
          if (isBroken && path.endsWith("/httpproxies")) throw conversionFailed();
          return false;
        };
      },
    });
    isBroken = false;
    server.unserve(proxies);
    await sink.until(() => sink.problems.length === 0, 15_000);
    server.serve(proxies);
    const metadata = { name: "p", namespace: "shop" };
    server.create(proxies, { metadata, spec: { virtualhost: { fqdn: "a.example" } } });
    await sink.until(() => sink.objects.size > 0, 15_000);
    expect(sink.keys).toEqual(["HTTPProxy/shop/p"]);
  }, 40_000);

  it.each(["HTTPRoute", "EndpointSlice", "BackendTLSPolicy"] as const)(
    "without %ss there is no start: proxies keep what they have",
    async (kind) => {
      const { plural } = typeOf(kind);
      let isBroken = true;
      const { sink, source } = await prepare({
        patience: 100,
        before: (api) => {
          api.create(routes, httpRoute("a"));
          api.intercept = ({ path }) => {
            if (isBroken && path.endsWith(`/${plural}`)) throw conversionFailed();
            return false;
          };
        },
      });
      const started = source.start(sink);
      await sink.until(() => sink.problems.length > 0);
      await sleep(800);
      expect(sink.batches).toEqual([]);
      isBroken = false;
      await started;
      expect(sink.keys).toEqual(["HTTPRoute/shop/a"]);
    },
    20_000,
  );

  it("a server that has not loaded its roles yet is waited for, though it says 403", async () => {
    let isStarting = true;
    const { sink, source } = await prepare({
      before: (api) => {
        api.create(routes, httpRoute("a"));
        api.intercept = ({ path }) => {
          if (isStarting && path === "/readyz") throw new Refusal(500, "InternalError", "rbac not ready");
          if (isStarting) throw new Refusal(403, "Forbidden", "may not");
          return false;
        };
      },
    });
    const started = source.start(sink);
    await sleep(1_000);
    expect(sink.batches).toEqual([]);
    isStarting = false;
    await started;
    expect(sink.keys).toEqual(["HTTPRoute/shop/a"]);
  }, 20_000);

  it("with namespaces asks in these alone", async () => {
    const { server, sink } = await start({
      namespaces: ["shop", "blog"],
      before: (api) => {
        for (const name of ["shop", "blog", "other"]) api.create(routes, httpRoute("a", "/", name));
        api.intercept = ({ path }) => {
          if (path.startsWith("/api/v1/namespaces/") || !path.startsWith("/api/v1/namespaces")) return false;
          throw new Refusal(403, "Forbidden", "may not");
        };
      },
    });
    // Of labels that are not known nothing is made up.
    expect(sink.keys).toEqual(["HTTPRoute/blog/a", "HTTPRoute/shop/a"]);
    expect(sink.problems).toMatchObject([
      { severity: "warning", message: expect.stringContaining("labels of Namespaces are not known") },
    ]);
    expect(server.requests.filter(({ path }) => path.endsWith("/v1/httproutes"))).toEqual([]);
    server.store(routes).delete("blog/a");
    await sink.until(() => !sink.objects.has("HTTPRoute/blog/a"));
    expect(sink.objects.has("HTTPRoute/shop/a")).toBe(true);
  });

  it("a sink that throws is heard of, and hears on", async () => {
    const { server, source, faults } = await prepare();
    const sink = new RecordingSink();
    let calls = 0;
    await source.start({
      apply: (changes) => {
        calls++;
        sink.apply(changes);
        throw new Error("clumsy");
      },
      report: () => undefined,
    });
    await until(() => server.watchers.size > 10);
    server.create(routes, httpRoute("a"));
    await until(() => calls === 2);
    expect(faults).toHaveLength(2);
    expect(sink.keys).toEqual(["HTTPRoute/shop/a"]);
  });

  it("10,000 routes are read in little time", async () => {
    const { source, sink } = await prepare({
      before: (api) => {
        for (let i = 0; i < 10_000; i++) api.create(routes, httpRoute(`r${i}`, `/${i}`));
      },
    });
    await source.start(sink);
    expect(sink.objects.size).toBe(10_000);
    expect(sink.batches).toHaveLength(1);
  }, 30_000);
});

describe("Secrets and ConfigMaps", () => {
  const undecryptable = () => new Refusal(500, "InternalError", "no matching key was found");
  const wanted = (name: string, inNamespace = "shop") => ({ kind: "Secret", namespace: inNamespace, name });

  it("are read by name, and only those that are wanted", async () => {
    const { server, sink, source } = await start({
      before: (api) => {
        for (const name of ["a", "b", "c"]) api.create(secrets, secret(name));
        api.create(typeOf("ConfigMap"), { metadata: { name: "ca", namespace: "shop" }, data: {} });
      },
    });
    expect(sink.keys).toEqual([]);
    await source.want(
      [wanted("a"), wanted("missing"), { kind: "ConfigMap", namespace: "shop", name: "ca" }],
      [],
    );
    expect(sink.keys).toEqual(["ConfigMap/shop/ca", "Secret/shop/a"]);
    expect(sink.batches).toHaveLength(2);
    const asked = server.requests.filter(({ path }) => path.includes("/secrets"));
    expect(
      asked.every(
        ({ path, query }) => path === "/api/v1/namespaces/shop/secrets" && query.get("fieldSelector"),
      ),
    ).toBe(true);
    server.create(secrets, secret("missing"));
    await sink.until(() => sink.objects.has("Secret/shop/missing"));
    await source.want([wanted("b")], [wanted("a")]);
    expect(sink.keys).toEqual(["ConfigMap/shop/ca", "Secret/shop/b", "Secret/shop/missing"]);
    await until(() => server.watchers.size === allTypes.length - 2 + 3);
  });

  it("one that we may not read does not keep the others waiting", async () => {
    const { sink, source } = await start({
      before: (api) => {
        api.create(secrets, secret("a"));
        api.intercept = ({ path }) => {
          if (path.includes("/namespaces/vault/")) throw new Refusal(403, "Forbidden", "may not");
          return false;
        };
      },
    });
    await source.want([wanted("a"), wanted("x", "vault")], []);
    expect(sink.keys).toEqual(["Secret/shop/a"]);
    expect(sink.problems).toMatchObject([{ severity: "error", object: "Secret vault/x" }]);
    await source.want([], [wanted("x", "vault")]);
    expect(sink.problems).toEqual([]);
  });

  it("one that cannot be read does not keep the others waiting, and heals by itself", async () => {
    let isBroken = true;
    const { server, sink, source } = await start({
      patience: 300,
      before: (api) => {
        for (let i = 0; i < 5; i++) api.create(secrets, secret(`s${i}`));
        api.create(secrets, secret("broken"));
        api.intercept = ({ query }) => {
          if (isBroken && query.get("fieldSelector") === "metadata.name=broken") throw undecryptable();
          return false;
        };
      },
    });
    await source.want([wanted("broken"), ...[0, 1, 2, 3, 4].map((i) => wanted(`s${i}`))], []);
    expect(sink.keys).toHaveLength(5);
    expect(sink.problems).toMatchObject([
      {
        severity: "error",
        object: "Secret shop/broken",
        message: expect.stringMatching(/^cannot be read: .* no matching key/) as string,
      },
    ]);
    isBroken = false;
    await sink.until(() => sink.objects.has("Secret/shop/broken"), 15_000);
    expect(sink.problems).toEqual([]);
    // What was read once stays, whatever becomes of its watch.
    isBroken = true;
    server.endWatches();
    await sink.until(() => sink.problems.length > 0);
    await sleep(1_000);
    expect(sink.problems).toMatchObject([{ severity: "warning", object: "Secret shop/broken" }]);
    expect(sink.objects.has("Secret/shop/broken")).toBe(true);
  }, 30_000);

  it("many that cannot be read do not take the places of the others", async () => {
    const { sink, source } = await start({
      patience: 500,
      before: (api) => {
        api.create(secrets, secret("good"));
        api.intercept = ({ query }) => {
          if (query.get("fieldSelector")?.includes("broken")) throw undecryptable();
          return false;
        };
      },
    });
    const broken = Array.from({ length: 100 }, (_, i) => wanted(`broken${i}`));
    const begun = performance.now();
    await source.want([...broken, wanted("good")], []);
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(sink.keys).toEqual(["Secret/shop/good"]);
    expect(sink.problems).toHaveLength(100);
  }, 20_000);

  it.each([
    ["is not ready", 500, 500],
    ["is overloaded", 429, 200],
    ["refers us to later", 503, 200],
  ])(
    "are waited for while the server as a whole %s",
    async (_name, list, ready) => {
      let isAway = false;
      const { sink, source } = await start({
        patience: 100,
        before: (api) => {
          api.create(secrets, secret("a"));
          api.intercept = ({ path }) => {
            if (isAway && path.endsWith("/secrets")) throw new Refusal(list, "InternalError", "etcd is away");
            if (isAway && path === "/readyz" && ready !== 200) throw new Refusal(ready, "InternalError");
            return false;
          };
        },
      });
      isAway = true;
      let isThere = false;
      const asked = source.want([wanted("a")], []).then(() => (isThere = true));
      await sleep(1_000);
      expect(isThere).toBe(false);
      isAway = false;
      await asked;
      expect(sink.keys).toEqual(["Secret/shop/a"]);
    },
    20_000,
  );

  it("are waited for while the server is gone", async () => {
    const { server, sink, source } = await start({
      patience: 100,
      before: (api) => void api.create(secrets, secret("a")),
    });
    await server.stop();
    const asked = source.want([wanted("a")], []);
    await sleep(1_500);
    expect(sink.keys).toEqual([]);
    await server.listen();
    await asked;
    expect(sink.keys).toEqual(["Secret/shop/a"]);
  }, 20_000);

  it("a thousand at once are no storm", async () => {
    const { server, sink, source } = await start({
      before: (api) => {
        for (let i = 0; i < 1_000; i++) api.create(secrets, secret(`s${i}`));
      },
      server: { maxConcurrentStreams: 250 },
    });
    const batches = sink.batches.length;
    await source.want(
      Array.from({ length: 1_000 }, (_, i) => wanted(`s${i}`)),
      [],
    );
    expect(sink.objects.size).toBe(1_000);
    expect(sink.batches.length - batches).toBeLessThan(200);
    await until(() => server.watchers.size > 1_000);
    expect(server.connections).toBeLessThanOrEqual(7);
    await sleep(0);
  }, 30_000);
});
