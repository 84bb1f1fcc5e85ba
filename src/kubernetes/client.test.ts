import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import {
  ApiServer,
  Refusal,
  send,
  until,
  type ApiServerOptions,
  type Interception,
} from "../../test/kubernetes/api-server.ts";
import { TcpRelay } from "../../test/kubernetes/tcp-relay.ts";
import { configMaps } from "../../test/kubernetes/resource-types.ts";
import { kubernetesClient, type KubernetesClient, type KubernetesClientOptions } from "./client.ts";
import { KubernetesError } from "./error.ts";

const open: { close?(): Promise<void>; stop?(): Promise<void> }[] = [];

async function start(
  options: ApiServerOptions = {},
  clientOptions: Partial<KubernetesClientOptions> = {},
): Promise<{ server: ApiServer; client: KubernetesClient }> {
  const server = await ApiServer.start([configMaps], options);
  const client = kubernetesClient({
    credentials: server.credentials(),
    userAgent: "gatewright-test",
    fieldManager: "gatewright",
    ...clientOptions,
  });
  open.push(server, client);
  return { server, client };
}

afterEach(async () => {
  for (const item of open.splice(0)) await (item.close?.() ?? item.stop?.());
});

const configMap = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "shop" },
  data,
});

async function failureOf(promise: Promise<unknown>): Promise<KubernetesError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(KubernetesError);
  return error as KubernetesError;
}

describe.each([
  ["HTTP/2", ["h2", "http/1.1"], "2.0"],
  ["HTTP/1.1", ["http/1.1"], "1.1"],
] as const)("kubernetesClient over %s", (_name, protocols, httpVersion) => {
  it("creates, reads, changes and deletes", async () => {
    const { server, client } = await start({ protocols });
    const created = await client.create(configMaps, configMap("a", { k: "1" }));
    expect(server.requests[0]).toMatchObject({ method: "POST", httpVersion });
    expect(server.requests[0]?.query.get("fieldManager")).toBe("gatewright");
    expect(created.metadata.uid).toBeDefined();
    expect(await client.get(configMaps, "missing", "shop")).toBeUndefined();
    await client.replace(configMaps, { ...created, data: { k: "2" } });
    expect(await failureOf(client.replace(configMaps, created))).toMatchObject({
      code: "KUBERNETES_REFUSED",
      status: 409,
      reason: "Conflict",
      isConflict: true,
      isAlreadyExists: false,
    });
    expect(await failureOf(client.create(configMaps, configMap("a")))).toMatchObject({
      isConflict: false,
      isAlreadyExists: true,
    });
    await client.patch(configMaps, "a", "shop", { data: { z: "3" } });
    expect(await client.get(configMaps, "a", "shop")).toMatchObject({ data: { k: "2", z: "3" } });
    await client.apply(configMaps, configMap("b", { x: "1" }), { force: true });
    expect(server.requests.at(-1)?.query.get("force")).toBe("true");
    await client.replaceStatus(configMaps, { ...configMap("b"), status: { ok: true } });
    expect(await client.get(configMaps, "b", "shop")).toMatchObject({
      data: { x: "1" },
      status: { ok: true },
    });
    await client.delete(configMaps, "a", "shop", { uid: "another", propagation: "Background" });
    expect(await client.get(configMaps, "a", "shop")).toBeDefined();
    await client.delete(configMaps, "a", "shop", { uid: created.metadata.uid ?? "" });
    await client.delete(configMaps, "a", "shop");
    expect(await client.get(configMaps, "a", "shop")).toBeUndefined();
  });

  it("lists by pages, and says what the objects are", async () => {
    const { server, client } = await start({ protocols }, { pageSize: 10 });
    for (let i = 0; i < 25; i++) {
      server
        .store(configMaps)
        .create({ metadata: { name: `c${i}`, namespace: i % 5 ? "shop" : "x" } } as never);
    }
    const { items, resourceVersion } = await client.list(configMaps);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(Array.from({ length: 25 }, (_, i) => `c${i}`));
    expect(items[3]).toMatchObject({ apiVersion: "v1", kind: "ConfigMap" });
    expect(resourceVersion).toBe(String(server.version));
    expect(server.requests).toHaveLength(3);
    expect((await client.list(configMaps, { namespace: "x" })).items).toHaveLength(5);
    expect((await client.list(configMaps, { fieldSelector: "metadata.name=c7" })).items).toHaveLength(1);
  });

  it("lists without managed fields where nobody asks for them", async () => {
    const { server, client } = await start({ protocols });
    const managedFields = [{ manager: "kubectl" }];
    server.store(configMaps).create({ metadata: { name: "a", namespace: "shop", managedFields } } as never);
    const { items: all } = await client.list(configMaps);
    const { items: bare } = await client.list(configMaps, { withoutManagedFields: true });
    expect(all[0]?.metadata["managedFields"]).toEqual(managedFields);
    expect(bare[0]?.metadata).toMatchObject({ name: "a" });
    expect(bare[0]?.metadata).not.toHaveProperty("managedFields");
  });

  it("lists in one piece when the pages expire on the way", async () => {
    const { server, client } = await start({ protocols }, { pageSize: 10 });
    for (let i = 0; i < 25; i++)
      server.create(configMaps, { metadata: { name: `c${i}`, namespace: "shop" } });
    server.intercept = ({ query }) => {
      if (query.get("continue")) {
        server.create(configMaps, { metadata: { name: "late", namespace: "shop" } });
        server.compact();
        server.intercept = undefined;
      }
      return false;
    };
    expect((await client.list(configMaps)).items).toHaveLength(26);
    expect(server.requests.at(-1)?.query.get("limit")).toBeNull();
  });

  it("comes back when the server says so", async () => {
    const { server, client } = await start({ protocols });
    let busy = 2;
    server.intercept = () => {
      if (busy-- > 0) throw new Refusal(429, "TooManyRequests", "later", 0);
      return false;
    };
    await client.create(configMaps, configMap("a"));
    expect(server.requests).toHaveLength(3);
    server.intercept = () => {
      throw new Refusal(503, "ServiceUnavailable", "much later", 3_600);
    };
    expect(await failureOf(client.get(configMaps, "a", "shop"))).toMatchObject({
      status: 503,
      retryAfter: 3_600,
    });
    server.intercept = () => {
      throw new Refusal(500, "InternalError");
    };
    expect(await failureOf(client.get(configMaps, "a", "shop"))).toMatchObject({ status: 500 });
  });

  it("is there again after the server was away", async () => {
    const { server, client } = await start({ protocols });
    await client.create(configMaps, configMap("a"));
    await server.stop();
    const error = await failureOf(client.get(configMaps, "a", "shop"));
    expect(error.code).toBe("KUBERNETES_UNREACHABLE");
    expect(error.message).toContain("ECONNREFUSED");
    await server.listen();
    expect(await client.get(configMaps, "a", "shop")).toBeDefined();
  });

  it("repeats what only reads when the connection breaks, and nothing else", async () => {
    const { server, client } = await start({ protocols });
    await client.create(configMaps, configMap("a"));
    const breakOnce = () => {
      server.intercept = () => {
        server.intercept = undefined;
        server.cut();
        return true;
      };
    };
    breakOnce();
    expect(await client.get(configMaps, "a", "shop")).toBeDefined();
    breakOnce();
    const error = await failureOf(client.patch(configMaps, "a", "shop", { data: { k: "1" } }));
    expect(error.code).toBe("KUBERNETES_UNREACHABLE");
  });

  it("an answer that is cut short is no answer", async () => {
    const { server, client } = await start({ protocols });
    let cuts = 0;
    server.intercept = (_request, response) => {
      cuts++;
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"metadata":{}');
      setTimeout(() => server.cut(), 20);
      return true;
    };
    expect((await failureOf(client.get(configMaps, "a", "shop"))).code).toBe("KUBERNETES_UNREACHABLE");
    expect(cuts).toBe(2);
  });

  it("does not wait forever", async () => {
    const { server, client } = await start({ protocols }, { requestTimeout: 100 });
    server.intercept = () => true;
    expect(await failureOf(client.get(configMaps, "a", "shop"))).toMatchObject({
      code: "KUBERNETES_TIMEOUT",
    });
    server.intercept = (_request, response) => {
      response.writeHead(200);
      response.write("{");
      return true;
    };
    expect(await failureOf(client.get(configMaps, "a", "shop"))).toMatchObject({
      code: "KUBERNETES_TIMEOUT",
    });
  });

  it("names what is not JSON", async () => {
    const { server, client } = await start({ protocols });
    server.intercept = (_request, response) => {
      response.writeHead(200);
      response.end("<html>");
      return true;
    };
    expect(await failureOf(client.get(configMaps, "a", "shop"))).toMatchObject({
      code: "KUBERNETES_BAD_ANSWER",
    });
    server.intercept = (_request, response) => {
      send(response, 200, []);
      return true;
    };
    expect(await failureOf(client.list(configMaps))).toMatchObject({ code: "KUBERNETES_BAD_ANSWER" });
  });
});

describe("kubernetesClient", () => {
  it("opens a further connection when the server takes no more streams", async () => {
    const { server, client } = await start({ maxConcurrentStreams: 10 });
    server.intercept = async () => {
      await until(() => server.requests.length === 25);
      return false;
    };
    const gets = Array.from({ length: 25 }, () => client.get(configMaps, "a", "shop"));
    expect(await Promise.all(gets)).toEqual(Array.from({ length: 25 }, () => undefined));
    expect(server.connections).toBe(3);
  });

  it("sends no more than it may at once, and lets nobody wait without end", async () => {
    const { server, client } = await start({}, { mostRequests: 4, requestTimeout: 2_000 });
    // So that there is a connection: on a slow machine, making one would take all the time that they have.
    await client.get(configMaps, "a", "shop");
    let open = 0;
    let mostOpen = 0;
    server.intercept = (_request, response) => {
      mostOpen = Math.max(mostOpen, ++open);
      response.once("close", () => open--);
      return true;
    };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10_010 }, () => client.get(configMaps, "a", "shop")),
    );
    const errors = outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? [outcome.reason as KubernetesError] : [],
    );
    expect(errors).toHaveLength(10_010);
    expect(errors.filter(({ code }) => code === "KUBERNETES_OVERLOADED")).toHaveLength(6);
    expect(mostOpen).toBe(4);
    // Those whose time is over go without having been sent, but for the few that get their turn in that very moment.
    expect(server.requests.length).toBeLessThan(500);
    server.intercept = undefined;
    expect(await client.get(configMaps, "a", "shop")).toBeUndefined();
  });

  it("cuts a connection that does not answer any more", async () => {
    const { server } = await start();
    const relay = await TcpRelay.start(server.url);
    const client = kubernetesClient({
      credentials: { ...server.credentials(), server: new URL(relay.url) },
      userAgent: "test",
      fieldManager: "test",
      pingEvery: 50,
    });
    open.push(client, relay);
    await client.create(configMaps, configMap("a"));
    const path = "/api/v1/configmaps?watch=true&resourceVersion=0";
    const { body } = await client.open({ method: "GET", path });
    const closed = new Promise((resolve) => body.once("close", resolve));
    body.on("error", () => undefined);
    body.resume();
    relay.freeze();
    await closed;
    relay.thaw();
    expect(await client.get(configMaps, "a", "shop")).toBeDefined();
  });

  it("reaches no other place by a strange name", async () => {
    const { server, client } = await start();
    expect(await failureOf(client.get(configMaps, "..", "shop"))).toMatchObject({
      code: "KUBERNETES_BAD_NAME",
    });
    await client.get(configMaps, "../../secrets/x?y", "shop");
    expect(server.requests[0]?.path).toBe("/api/v1/namespaces/shop/configmaps/..%2F..%2Fsecrets%2Fx%3Fy");
  });

  it("trusts nobody but the cluster's authority", async () => {
    const { server } = await start();
    const client = kubernetesClient({
      credentials: { ...server.credentials(), tls: async () => ({}) },
      userAgent: "test",
      fieldManager: "test",
    });
    open.push(client);
    expect((await failureOf(client.get(configMaps, "a", "shop"))).message).toMatch(/certificate/);
    expect(server.requests).toHaveLength(0);
  });

  it("refuses everything once it is closed", async () => {
    const { client } = await start();
    await client.close();
    expect(await failureOf(client.list(configMaps))).toMatchObject({ code: "KUBERNETES_CLOSED" });
  });
});

describe("kubernetesClient, to write,", () => {
  /** What the last request was, on which protocol it went, and what came of it. */
  async function startAsking() {
    const { server, client } = await start({}, { requestTimeout: 2_000 });
    await client.create(configMaps, configMap("a"));
    const told = async (request: Promise<unknown>) => {
      const outcome = await request.then(
        () => "done",
        (error: KubernetesError) => error.code,
      );
      return `${server.requests.at(-1)?.method} ${server.requests.at(-1)?.httpVersion} ${outcome}`;
    };
    const get = () => told(client.get(configMaps, "a", "shop"));
    const patch = () => told(client.patch(configMaps, "a", "shop", { data: { é: "1" } }));
    await expect.poll(patch, { interval: 5, timeout: 10_000 }).toBe("PATCH 1.1 done");
    return { server, client, get, patch };
  }

  const cutShort: Interception = ({ httpVersion }, response) => {
    if (httpVersion !== "1.1") return false;
    response.writeHead(200, { "content-length": "100" });
    response.write("{");
    setImmediate(() => (response as unknown as ServerResponse).socket?.destroy());
    return true;
  };

  it("has connections of HTTP/1.1 beside those of what it reads", async () => {
    const { server, client, get, patch } = await startAsking();
    expect(await get()).toBe("GET 2.0 done");
    expect(await client.get(configMaps, "a", "shop")).toMatchObject({ data: { é: "1" } });
    const { body, cancel } = await client.open({ method: "GET", path: "/api/v1/configmaps?watch=true" });
    body.on("error", () => undefined);
    expect(server.requests.at(-1)?.httpVersion).toBe("2.0");
    cancel();
    expect(await patch()).toBe("PATCH 1.1 done");
  });

  it("says so when an answer is cut short there, and goes on by HTTP/2", async () => {
    const { server, patch } = await startAsking();
    server.intercept = cutShort;
    expect(await patch()).toBe("PATCH 1.1 KUBERNETES_UNREACHABLE");
    for (let turn = 0; turn < 20; turn++) expect(await patch()).toBe("PATCH 2.0 done");
  });

  it("waits there for no answer twice", async () => {
    const { server, patch } = await startAsking();
    server.intercept = ({ httpVersion }) => httpVersion === "1.1";
    expect(await patch()).toBe("PATCH 1.1 KUBERNETES_TIMEOUT");
    for (let turn = 0; turn < 20; turn++) expect(await patch()).toBe("PATCH 2.0 done");
  });

  it("lets a connection go that the server closes after its answer", async () => {
    const { server, patch } = await startAsking();
    server.intercept = ({ httpVersion }, response) => {
      if (httpVersion === "1.1") response.setHeader("connection", "close");
      return false;
    };
    const seen = new Set<string>();
    for (let turn = 0; turn < 40; turn++) seen.add(await patch());
    expect([...seen].toSorted()).toEqual(["PATCH 1.1 done", "PATCH 2.0 done"]);
  });

  it("sends no credentials that would be more than a header", async () => {
    const { server } = await start();
    const token = { value: "fine" };
    const credentials = {
      ...server.credentials(),
      headers: () => Promise.resolve({ authorization: `Bearer ${token.value}` }),
    };
    const client = kubernetesClient({ credentials, userAgent: "test", fieldManager: "test" });
    open.push(client);
    await client.get(configMaps, "a", "shop");
    token.value = "x\r\nImpersonate-User: admin";
    const { code, message } = await failureOf(client.get(configMaps, "a", "shop"));
    expect(code).toBe("KUBERNETES_CREDENTIALS");
    expect(message).not.toContain("admin");
    expect(server.requests).toHaveLength(1);
  });
});
