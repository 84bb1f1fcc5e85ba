import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { Refusal, until, type ApiServer } from "../../test/kubernetes/api-server.ts";
import { httpRoutes } from "../../test/kubernetes/resource-types.ts";
import { clientOf, startServer } from "../../test/kubernetes/start.ts";
import { statusWriter, type StatusWrite, type StatusWriterOptions } from "./status-writer.ts";

type Raw = Readonly<Record<string, unknown>>;

async function start(options: Partial<StatusWriterOptions> = {}) {
  const server = await startServer([httpRoutes]);
  const troubles: string[] = [];
  const writer = statusWriter(clientOf(server), {
    canWrite: () => true,
    trouble: (message) => troubles.push(message),
    ...options,
  });
  onTestFinished(() => writer.stop());
  const add = (name: string, status?: Raw) => {
    const object = server.create(httpRoutes, { metadata: { name, namespace: "shop" }, spec: {} });
    return status ? server.store(httpRoutes).update({ ...object, status }, true) : object;
  };
  const statusOf = (name: string) =>
    server.store(httpRoutes).get(`shop/${name}`)["status"] as Raw | undefined;
  return { server, writer, troubles, add, statusOf };
}

/** Sets `parents` of "us" to a value, beside those of others. */
function write(server: ApiServer, name: string, value: number, isKnown = true): StatusWrite {
  const base = isKnown ? server.store(httpRoutes).objects.get(`shop/${name}`) : undefined;
  return {
    key: `HTTPRoute/shop/${name}`,
    type: httpRoutes,
    name,
    namespace: "shop",
    known: () =>
      base && { resourceVersion: base.metadata.resourceVersion, status: base["status"] as Raw | undefined },
    merge: (status) => {
      const parents = (status?.["parents"] ?? []) as { by: string; value: number }[];
      if (parents.some((parent) => parent.by === "us" && parent.value === value)) return status;
      return { ...status, parents: [...parents.filter(({ by }) => by !== "us"), { by: "us", value }] };
    },
  };
}

describe("statusWriter", () => {
  it("writes what may wait once a second for each object, the latest, and what may not at once", async () => {
    const { server, writer, add, statusOf } = await start();
    add("a", {});
    const live = (value: number, mayWait: boolean): StatusWrite => ({
      ...write(server, "a", value),
      known: () => {
        const { metadata, status } = server.store(httpRoutes).get("shop/a") as unknown as {
          metadata: { resourceVersion: string };
          status: Raw;
        };
        return { resourceVersion: metadata.resourceVersion, status };
      },
      mayWait: () => mayWait,
    });
    const value = () => (statusOf("a")?.["parents"] as { value: number }[] | undefined)?.[0]?.value;
    writer.write(live(1, true));
    await until(() => value() === 1);
    await until(() => writer.pending === 0);
    const began = performance.now();
    for (let count = 2; count < 30; count++) {
      writer.write(live(count, true));
      await sleep(5);
    }
    await writer.settled();
    expect(value()).toBe(29);
    expect(server.requests.length).toBeLessThanOrEqual(2 + (performance.now() - began) / 1000);
    const before = server.requests.length;
    writer.write(live(30, true));
    writer.write(live(31, false));
    await until(() => value() === 31);
    await until(() => writer.pending === 0);
    expect(server.requests).toHaveLength(before + 1);
  });

  it("writes with one request where the object is known, and with none where nothing changes", async () => {
    const { server, writer, add, statusOf } = await start();
    add("a", { other: 1 });
    writer.write(write(server, "a", 1));
    await writer.settled();
    expect(statusOf("a")).toEqual({ other: 1, parents: [{ by: "us", value: 1 }] });
    expect(server.requests.map(({ method }) => method)).toEqual(["PATCH"]);
    expect(server.requests[0]).toMatchObject({
      path: "/apis/gateway.networking.k8s.io/v1/namespaces/shop/httproutes/a/status",
      body: { metadata: { resourceVersion: expect.any(String) as string }, status: { parents: [{}] } },
    });
    writer.write(write(server, "a", 1));
    await writer.settled();
    expect(server.requests).toHaveLength(1);
  });

  it("keeps what another wrote in between", async () => {
    const { server, writer, add, statusOf } = await start();
    const object = add("a");
    const stale = write(server, "a", 1);
    server.store(httpRoutes).update({ ...object, status: { parents: [{ by: "them", value: 7 }] } }, true);
    writer.write(stale);
    await writer.settled();
    expect(statusOf("a")).toEqual({
      parents: [
        { by: "them", value: 7 },
        { by: "us", value: 1 },
      ],
    });
    expect(server.requests.map(({ method }) => method)).toEqual(["PATCH", "GET", "PATCH"]);
  });

  it("two writers on one object lose nothing", async () => {
    const { server, add, statusOf } = await start();
    add("a");
    const writers = ["x", "y", "z"].map(() => statusWriter(clientOf(server), { canWrite: () => true }));
    writers.forEach((each, i) => {
      const by = `writer-${i}`;
      each.write({
        ...write(server, "a", 0),
        merge: (status) => {
          const parents = (status?.["parents"] ?? []) as { by: string }[];
          if (parents.some((parent) => parent.by === by)) return status;
          return { parents: [...parents, { by }] };
        },
      });
    });
    await Promise.all(writers.map((each) => each.settled()));
    expect(statusOf("a")?.["parents"]).toHaveLength(3);
  });

  it("the last word on an object is the one that is written", async () => {
    const { server, writer, add, statusOf } = await start({ concurrency: 1 });
    add("a");
    add("b");
    server.intercept = async () => {
      await sleep(20);
      return false;
    };
    for (let i = 1; i <= 50; i++) writer.write(write(server, "a", i));
    writer.write(write(server, "b", 1));
    expect(writer.pending).toBeLessThanOrEqual(3);
    await writer.settled();
    expect(statusOf("a")).toEqual({ parents: [{ by: "us", value: 50 }] });
    expect(statusOf("b")).toEqual({ parents: [{ by: "us", value: 1 }] });
    // The first was under way already, so the last met a conflict.
    expect(server.requests.length).toBeLessThanOrEqual(5);
  });

  it("an object that is gone has no status", async () => {
    const { server, writer, troubles } = await start();
    writer.write(write(server, "gone", 1));
    await writer.settled();
    expect(troubles).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  it("403 is told once, whatever the number of objects", async () => {
    const { server, writer, troubles, add } = await start();
    for (const name of ["a", "b", "c"]) add(name);
    server.intercept = ({ method }) => {
      if (method === "PATCH") throw new Refusal(403, "Forbidden", "may not");
      return false;
    };
    for (const name of ["a", "b", "c"]) writer.write(write(server, name, 1));
    await until(() => server.requests.length === 3);
    await until(() => troubles.length === 1);
    expect(troubles[0]).toContain("must allow patch on httproutes/status");
    await sleep(50);
    expect(server.requests).toHaveLength(3);
    expect(writer.pending).toBe(3);
  });

  it("a status that the server refuses is told and not sent again", async () => {
    const { server, writer, troubles, add } = await start();
    add("a");
    server.intercept = () => {
      throw new Refusal(422, "Invalid", "parents: too many");
    };
    writer.write(write(server, "a", 1));
    await writer.settled();
    expect(troubles[0]).toContain("parents: too many");
    expect(server.requests).toHaveLength(1);
  });

  it("tries again when the server comes back, with the newest", async () => {
    const { server, writer, add, statusOf } = await start();
    add("a");
    await server.stop();
    writer.write(write(server, "a", 1));
    await sleep(100);
    writer.write(write(server, "a", 2));
    await server.listen();
    await writer.settled();
    expect(statusOf("a")).toEqual({ parents: [{ by: "us", value: 2 }] });
  });

  it("a storm keeps its bounds and loses none", async () => {
    const { server, writer, add } = await start({ concurrency: 16, perSecond: 20_000, burst: 100 });
    for (let i = 0; i < 2_000; i++) add(`r${i}`);
    let now = 0;
    let most = 0;
    server.intercept = async () => {
      most = Math.max(most, ++now);
      await sleep(0);
      now--;
      return false;
    };
    for (let i = 0; i < 2_000; i++) writer.write(write(server, `r${i}`, 1));
    await writer.settled();
    expect(most).toBeLessThanOrEqual(16);
    expect(server.requests).toHaveLength(2_000);
    const written = [...server.store(httpRoutes).objects.values()].filter(
      ({ status }) => status !== undefined,
    );
    expect(written).toHaveLength(2_000);
  }, 60_000);

  it("urgent ones go before all that wait", async () => {
    const { server, writer, add } = await start({ concurrency: 1 });
    for (const name of ["a", "b", "c", "d"]) add(name);
    for (const name of ["a", "b", "c"]) writer.write(write(server, name, 1));
    writer.write({ ...write(server, "d", 1), isUrgent: true });
    await writer.settled();
    expect(server.requests.map(({ path }) => path.split("/").at(-2))).toEqual(["a", "d", "b", "c"]);
  });

  it("those that wait for their turn keep it", async () => {
    const { server, writer, add } = await start({ concurrency: 1, perSecond: 50, burst: 1 });
    const names = ["a", "b", "c", "d"];
    for (const name of names) add(name);
    for (const name of names) writer.write(write(server, name, 1));
    await writer.settled();
    expect(server.requests.map(({ path }) => path.split("/").at(-2))).toEqual(names);
  });

  it("does not write faster than it may", async () => {
    const { server, writer, add } = await start({ perSecond: 50, burst: 5 });
    for (let i = 0; i < 15; i++) add(`r${i}`);
    const begun = performance.now();
    for (let i = 0; i < 15; i++) writer.write(write(server, `r${i}`, 1));
    await writer.settled();
    expect(performance.now() - begun).toBeGreaterThan(180);
  });

  it("writes nothing without leave, and forgets when leave ends", async () => {
    let isLeader = false;
    const { server, writer, add } = await start({ canWrite: () => isLeader, concurrency: 1 });
    for (let i = 0; i < 10; i++) add(`r${i}`);
    writer.write(write(server, "r0", 1));
    expect(writer.pending).toBe(0);
    isLeader = true;
    server.intercept = () => {
      isLeader = false;
      return false;
    };
    for (let i = 0; i < 10; i++) writer.write(write(server, `r${i}`, 1));
    await writer.settled();
    expect(server.requests).toHaveLength(1);
  });
});
