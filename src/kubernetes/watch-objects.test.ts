import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { Refusal, until, type ApiServer, type ApiServerOptions } from "../../test/kubernetes/api-server.ts";
import { RecordingHandler } from "../../test/kubernetes/recording-handler.ts";
import { configMaps, httpRoutes } from "../../test/kubernetes/resource-types.ts";
import { clientOf, startServer } from "../../test/kubernetes/start.ts";
import { TcpRelay } from "../../test/kubernetes/tcp-relay.ts";
import type { KubernetesClient, KubernetesClientOptions } from "./client.ts";
import type { KubernetesObject } from "./object.ts";
import { watchObjects, type WatchOptions } from "./watch-objects.ts";

interface Setup extends Partial<WatchOptions> {
  readonly server?: ApiServerOptions;
  readonly client?: Partial<KubernetesClientOptions>;
  readonly handler?: RecordingHandler;
  readonly before?: (server: ApiServer) => void;
}

const configMap = { apiVersion: "v1", kind: "ConfigMap" };
const quick = { first: 10, longest: 50 };

async function start(setup: Setup = {}) {
  const {
    server: serverOptions,
    client: clientOptions,
    before,
    handler = new RecordingHandler(),
    ...options
  } = setup;
  const type = options.type ?? httpRoutes;
  const server = await startServer([httpRoutes, configMaps], serverOptions);
  before?.(server);
  const client = clientOf(server, clientOptions);
  const watch = watchObjects(client, { backOff: quick, ...options, type }, handler);
  onTestFinished(() => watch.stop());
  const add = (name: string) => server.create(httpRoutes, { metadata: { name, namespace: "shop" } });
  const remove = (name: string) => server.store(httpRoutes).delete(`shop/${name}`);
  const isWatching = () => until(() => server.watchers.size === 1, "a watch");
  return { server, client, handler, watch, add, remove, isWatching };
}

describe.each([
  ["HTTP/2", { protocols: ["h2", "http/1.1"] }],
  ["HTTP/1.1", { protocols: ["http/1.1"] }],
] as const)("watchObjects over %s", (_name, server) => {
  it("tells all, then what changes", async () => {
    const { handler, watch, add, remove, isWatching } = await start({
      server,
      client: { pageSize: 2 },
      before: (api) => {
        for (const name of ["a", "b", "c"]) api.create(httpRoutes, { metadata: { name, namespace: "shop" } });
      },
    });
    await watch.synced;
    expect(handler.names).toEqual(["a", "b", "c"]);
    await isWatching();
    add("d");
    remove("a");
    await until(() => handler.names.join() === "b,c,d");
    expect(handler.replacements).toBe(1);
    expect(handler.troubles).toEqual([]);
  });

  it("hands a list on in parts where that is wanted, and begins anew when the pages expire on the way", async () => {
    const listings: string[][] = [];
    const ended: number[] = [];
    const handler = Object.assign(new RecordingHandler(), {
      listing: () => {
        const names: string[] = [];
        const index = listings.push(names) - 1;
        return {
          take: (objects: readonly KubernetesObject[]) =>
            void names.push(objects.map(({ metadata }) => metadata.name).join("+")),
          end: () => void ended.push(index),
        };
      },
    });
    const { watch } = await start({
      server,
      client: { pageSize: 2 },
      handler,
      before: (api) => {
        for (const name of ["a", "b", "c"]) api.create(httpRoutes, { metadata: { name, namespace: "shop" } });
        api.intercept = ({ query }) => {
          if (query.get("continue")) {
            api.store(httpRoutes).delete("shop/a");
            api.compact();
            api.intercept = undefined;
          }
          return false;
        };
      },
    });
    await watch.synced;
    expect(listings).toEqual([["a+b"], ["b+c"]]);
    expect(ended).toEqual([1]);
    expect(handler.replacements).toBe(0);
  });

  it("tells objects without managedFields if nobody wants them", async () => {
    const withFields = (name: string) =>
      ({ metadata: { name, namespace: "shop", managedFields: [{ manager: "kubectl" }] } }) as never;
    const {
      server: api,
      handler,
      watch,
      isWatching,
    } = await start({
      server,
      withoutManagedFields: true,
      before: (before) => before.create(httpRoutes, withFields("a")),
    });
    await watch.synced;
    await isWatching();
    api.create(httpRoutes, withFields("b"));
    await until(() => handler.objects.size === 2);
    for (const { metadata } of handler.objects.values()) expect(metadata).not.toHaveProperty("managedFields");
  });

  it("goes on where it was when the server ends the watch or the connection breaks", async () => {
    const { server: api, handler, watch, add, remove, isWatching } = await start({ server });
    await watch.synced;
    await isWatching();
    add("a");
    await until(() => handler.objects.size === 1);
    for (const end of [() => api.endWatches(), () => api.cut()]) {
      end();
      await until(() => api.watchers.size === 0);
      const name = `while-away-${handler.objects.size}`;
      add(name);
      add("fleeting");
      remove("fleeting");
      await until(() => handler.objects.has(`shop/${name}`) && !handler.objects.has("shop/fleeting"));
      await isWatching();
    }
    expect(handler.replacements).toBe(1);
  });

  it("outlives a restart of the server, and says that it is away", async () => {
    const { server: api, handler, watch, add, isWatching } = await start({ server });
    await watch.synced;
    await isWatching();
    await api.stop();
    await until(() => handler.troubles.length > 0);
    expect(handler.troubles[0]).toMatchObject({ kind: "unreachable" });
    add("a");
    await api.listen();
    await until(() => handler.names.join() === "a");
    expect(handler.troubles.at(-1)).toBeUndefined();
    expect(handler.replacements).toBe(1);
  });

  it("a cut in the middle of a line loses nothing", async () => {
    const { server: api, handler, watch, add, isWatching } = await start({ server });
    await watch.synced;
    await isWatching();
    api.write('{"type":"ADDED","object":{"metadata":{"na');
    await sleep(20);
    add("a");
    api.cut();
    await until(() => handler.names.join() === "a");
    expect(handler.faults).toEqual([]);
  });
});

describe("watchObjects", () => {
  it("a bookmark moves the version on, so that a compaction does no harm", async () => {
    const { server, handler, watch, isWatching } = await start();
    await watch.synced;
    await isWatching();
    server.create(configMaps, { metadata: { name: "other", namespace: "shop" } });
    server.bookmark();
    server.compact();
    await sleep(20);
    server.endWatches();
    await until(() => server.requests.filter(({ query }) => query.get("watch")).length === 2);
    await isWatching();
    expect(server.requests.at(-1)?.query.get("resourceVersion")).toBe(String(server.version));
    expect(server.requests.at(-1)?.query.get("allowWatchBookmarks")).toBe("true");
    expect(handler.replacements).toBe(1);
  });

  it("asks the server to end the watch after five to ten minutes", async () => {
    const { server, isWatching } = await start();
    await isWatching();
    const seconds = Number(server.requests.at(-1)?.query.get("timeoutSeconds"));
    expect(seconds).toBeGreaterThanOrEqual(300);
    expect(seconds).toBeLessThanOrEqual(600);
  });

  it("410 as an answer: lists anew", async () => {
    const { server, handler, watch, add, remove, isWatching } = await start();
    await watch.synced;
    await isWatching();
    add("a");
    await until(() => handler.objects.size === 1);
    await server.stop();
    remove("a");
    add("b");
    server.compact();
    await server.listen();
    await until(() => handler.names.join() === "b");
    expect(handler.replacements).toBe(2);
  });

  it("410 as an event: lists anew, and only once", async () => {
    const { server, handler, watch, isWatching } = await start();
    await watch.synced;
    await isWatching();
    server.write(
      '{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}\n',
    );
    await until(() => handler.replacements === 2);
    await isWatching();
    await sleep(50);
    expect(handler.replacements).toBe(2);
    expect(handler.troubles).toEqual([]);
  });

  it("a server that always answers 410 is not asked without a pause", async () => {
    const { server, watch } = await start({
      backOff: { first: 100, longest: 100 },
      before: (api) => {
        api.intercept = ({ query }) => {
          if (query.get("watch")) throw new Refusal(410, "Expired");
          return false;
        };
      },
    });
    await watch.synced;
    await sleep(400);
    expect(server.requests.length).toBeLessThan(25);
  });

  it("a watch that ends at once is not opened without a pause", async () => {
    const { server } = await start({
      backOff: { first: 100, longest: 100 },
      before: (api) => {
        api.intercept = ({ query }, response) => {
          if (!query.get("watch")) return false;
          response.writeHead(200);
          response.end();
          return true;
        };
      },
    });
    await sleep(400);
    expect(server.requests.length).toBeLessThan(12);
  });

  it.each([
    ["not JSON", "{oops\n"],
    ["no event", '{"hello":1}\n'],
    ["no object", '{"type":"ADDED","object":7}\n'],
  ])("a line that is %s: says so and lists anew", async (_name, line) => {
    const { server, handler, watch, add, isWatching } = await start();
    await watch.synced;
    await isWatching();
    server.write(line);
    await until(() => handler.replacements === 2);
    expect(handler.troubles.map((trouble) => trouble?.kind)).toEqual(["malformed", undefined]);
    await isWatching();
    add("a");
    await until(() => handler.objects.size === 1);
  });

  it("what comes after a line that cannot be read does not hide that something was lost", async () => {
    const server = await startServer([httpRoutes]);
    const client = clientOf(server);
    const handler = new RecordingHandler();
    const bodies: Readable[] = [];
    const open = async () => {
      const body = new Readable({ read: () => undefined });
      bodies.push(body);
      return { body, cancel: () => undefined };
    };
    const list: KubernetesClient["list"] = (...asked) => client.list(...asked);
    const watch = watchObjects(
      { list, open } as unknown as KubernetesClient,
      { type: httpRoutes, backOff: { first: 100 } },
      handler,
    );
    onTestFinished(() => watch.stop());
    await until(() => bodies.length === 1);
    const [first] = bodies;
    const object = { metadata: { name: "later", resourceVersion: "200" } };
    first?.emit("data", Buffer.from("{oops\n"));
    await sleep(0);
    first?.emit("data", Buffer.from(`${JSON.stringify({ type: "ADDED", object })}\n`));
    await until(() => bodies.length === 2);
    expect(server.requests.filter(({ query }) => !query.has("watch"))).toHaveLength(2);
    expect(handler.names).toEqual([]);
  });

  it("errors with a silent watch that lived in between are not three in a row", async () => {
    const { server, handler, watch } = await start();
    await watch.synced;
    const opened = () => server.requests.filter(({ query }) => query.get("watch")).length;
    for (let i = 1; i <= 3; i++) {
      await until(() => opened() === i && server.watchers.size === 1);
      if (i === 3) await sleep(1_100);
      server.write('{"type":"ERROR","object":{"kind":"Status","code":500,"message":"etcd is away"}}\n');
    }
    await until(() => opened() === 4);
    expect(handler.replacements).toBe(1);
  });

  it("other errors as an event: goes on, and lists anew after the third", async () => {
    const { server, handler, watch } = await start();
    await watch.synced;
    const opened = () => server.requests.filter(({ query }) => query.get("watch")).length;
    for (let i = 1; i <= 3; i++) {
      await until(() => opened() === i && server.watchers.size === 1);
      server.write('{"type":"ERROR","object":{"kind":"Status","code":500,"message":"etcd is away"}}\n');
    }
    await until(() => handler.replacements === 2);
    expect(handler.troubles[0]?.message).toContain("etcd is away");
  });

  it("what comes in one piece is told in one piece", async () => {
    const { server, handler, watch, isWatching } = await start();
    await watch.synced;
    await isWatching();
    const line = (name: string) =>
      `${JSON.stringify({ type: "ADDED", object: { metadata: { name, resourceVersion: "200" } } })}\n`;
    server.write(line("a") + line("b") + line("c"));
    await until(() => handler.batches.length > 0);
    expect(handler.batches).toEqual([["set a", "set b", "set c"]]);
    const large = line("ä".repeat(300_000));
    server.write(large.slice(0, 100_001));
    await sleep(10);
    server.write(large.slice(100_001));
    await until(() => handler.objects.size === 4);
  });

  it("a handler that throws is heard of, and hears on", async () => {
    class Clumsy extends RecordingHandler {
      override changed(events: Parameters<RecordingHandler["changed"]>[0]): void {
        super.changed(events);
        throw new Error("clumsy");
      }
    }
    const { handler, watch, add, isWatching } = await start({ handler: new Clumsy() });
    await watch.synced;
    await isWatching();
    add("a");
    await until(() => handler.faults.length === 1);
    add("b");
    await until(() => handler.faults.length === 2);
    expect(handler.names).toEqual(["a", "b"]);
    expect(handler.replacements).toBe(1);
  });

  it("waits for a CustomResourceDefinition, and notices when it goes", async () => {
    const type = { ...httpRoutes, plural: "widgets", kind: "Widget" };
    const { server, handler, watch } = await start({ type });
    await until(() => handler.troubles.length === 1);
    expect(handler.troubles[0]).toMatchObject({
      kind: "not-served",
      message: expect.stringContaining("widgets.gateway.networking.k8s.io") as string,
    });
    server.serve(type);
    server.create(type, { metadata: { name: "w", namespace: "shop" } });
    await watch.synced;
    expect(handler.names).toEqual(["w"]);
    expect(handler.troubles).toEqual([expect.anything(), undefined]);
    server.unserve(type);
    await until(() => handler.troubles.at(-1)?.kind === "not-served");
    expect(handler.names).toEqual([]);
    server.serve(type);
    server.create(type, { metadata: { name: "again", namespace: "shop" } });
    await until(() => handler.names.join() === "again");
  });

  it("a server that says 404 to everything has not lost its objects", async () => {
    const { server, handler, watch, add, isWatching } = await start();
    add("a");
    await watch.synced;
    await isWatching();
    await until(() => handler.objects.size === 1);
    server.intercept = (_request, response) => {
      response.writeHead(404);
      response.end("404 page not found\n");
      return true;
    };
    server.endWatches();
    await until(() => handler.troubles.at(-1)?.kind === "unreachable");
    expect(handler.names).toEqual(["a"]);
    server.intercept = undefined;
    await until(() => handler.troubles.at(-1) === undefined);
    expect(handler.names).toEqual(["a"]);
  });

  it.each(["list", "watch"])("403 on %s names what is missing", async (verb) => {
    const { server, handler } = await start({
      namespace: "shop",
      before: (api) => {
        api.intercept = ({ query }) => {
          if (verb === (query.get("watch") ? "watch" : "list")) throw new Refusal(403, "Forbidden", "no");
          return false;
        };
      },
    });
    await until(() => handler.troubles.length > 0);
    expect(handler.troubles[0]).toMatchObject({
      kind: "forbidden",
      message: expect.stringContaining(
        `May not ${verb} httproutes.gateway.networking.k8s.io in namespace shop: a Role must allow`,
      ) as string,
    });
    server.intercept = undefined;
    await until(() => server.watchers.size === 1);
    // The server knows of the watch before we do.
    await until(() => handler.troubles.at(-1) === undefined);
  });

  it("a 403 counts as unreadable only if the server is ready then, whatever came before it", async () => {
    let isStarting = false;
    const { handler } = await start({
      patience: 50,
      before: (api) => {
        api.intercept = ({ path }) => {
          if (isStarting && path === "/readyz") throw new Refusal(500, "InternalError", "rbac not ready");
          if (path.endsWith("/httproutes"))
            throw isStarting ? new Refusal(403, "Forbidden") : new Refusal(500, "InternalError");
          return false;
        };
      },
    });
    await until(() => handler.troubles.at(-1)?.isUnreadable === true);
    isStarting = true;
    await until(() => handler.troubles.at(-1)?.kind === "forbidden");
    await sleep(300);
    expect(handler.troubles.at(-1)).not.toHaveProperty("isUnreadable");
    isStarting = false;
    await until(() => handler.troubles.at(-1)?.isUnreadable === true);
  });

  it("notices a network that fell silent", async () => {
    const { server } = await start();
    const relay = await TcpRelay.start(server.url);
    onTestFinished(() => relay.stop());
    const client = clientOf(server, {
      credentials: { ...server.credentials(), server: new URL(relay.url) },
      pingEvery: 50,
      connectTimeout: 200,
    });
    const handler = new RecordingHandler();
    const watch = watchObjects(client, { type: httpRoutes, backOff: quick }, handler);
    onTestFinished(() => watch.stop());
    await watch.synced;
    await until(() => server.watchers.size === 2);
    relay.freeze();
    server.create(httpRoutes, { metadata: { name: "unseen", namespace: "shop" } });
    await until(() => handler.troubles.length > 0);
    relay.thaw();
    await until(() => handler.objects.size === 1);
    expect(handler.names).toEqual(["unseen"]);
  });

  it("tells nothing after it was stopped", async () => {
    const { server, handler, watch, add, isWatching } = await start();
    await watch.synced;
    await isWatching();
    watch.stop();
    await until(() => server.watchers.size === 0);
    add("late");
    await sleep(50);
    expect(handler.batches).toEqual([]);
    expect(handler.troubles).toEqual([]);
  });

  it("ends with its client", async () => {
    const { client, handler, watch } = await start();
    await client.close();
    await watch.synced;
    await sleep(50);
    expect(handler.troubles).toEqual([]);
  });

  it("moves to another connection when the server asks for that, and loses nothing", async () => {
    const { server, handler, watch, client, add, isWatching } = await start();
    await watch.synced;
    await isWatching();
    server.goAway();
    add("on-the-old-one");
    await until(() => handler.objects.size === 1);
    expect(await client.get(httpRoutes, "on-the-old-one", "shop")).toBeDefined();
    expect(server.connections).toBe(2);
    server.endWatches();
    add("on-the-new-one");
    await until(() => handler.objects.size === 2);
    expect(handler.replacements).toBe(1);
    expect(handler.troubles).toEqual([]);
  });

  it("more watches than there are places for: those left over are read again and again, and all can be written", async () => {
    const { server, client } = await start({ server: { maxConcurrentStreams: 1 } });
    const handlers = Array.from({ length: 70 }, () => new RecordingHandler());
    const watches = handlers.map((handler, i) => {
      const fieldSelector = `metadata.name=c${i}`;
      return watchObjects(client, { type: configMaps, fieldSelector, backOff: quick }, handler);
    });
    onTestFinished(() => watches.forEach((watch) => watch.stop()));
    await Promise.all(watches.map(({ synced }) => synced));
    for (let i = 0; i < handlers.length; i++) {
      server.create(configMaps, { metadata: { name: `c${i}`, namespace: "shop" } });
    }
    await until(() => handlers.every(({ objects }) => objects.size === 1));
    const troubled = handlers.filter(({ troubles }) => troubles.at(-1));
    expect(troubled.length).toBeGreaterThan(0);
    for (const { troubles } of troubled) expect(troubles.at(-1)?.message).toContain("connections are full");
    const name = "written";
    await until(() => server.watchers.size >= 63);
    await expect
      .poll(() => client.create(configMaps, { ...configMap, metadata: { name, namespace: "shop" } }))
      .toBeDefined();
  }, 30_000);

  it("hundreds of watches by name share a connection", async () => {
    const { server, client } = await start({ server: { maxConcurrentStreams: 1_000 } });
    const handlers = Array.from({ length: 300 }, () => new RecordingHandler());
    const watches = handlers.map((handler, i) =>
      watchObjects(
        client,
        { type: configMaps, namespace: "shop", fieldSelector: `metadata.name=c${i}` },
        handler,
      ),
    );
    await Promise.all(watches.map(({ synced }) => synced));
    await until(() => server.watchers.size === 301);
    expect(server.connections).toBe(1);
    server.create(configMaps, { metadata: { name: "c299", namespace: "shop" } });
    await until(() => handlers[299]?.objects.size === 1);
    expect(handlers.filter(({ objects }) => objects.size > 0)).toHaveLength(1);
    for (const watch of watches) watch.stop();
  });
});
