import { request } from "node:http";
import { statSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi, type TestContext } from "vitest";
import {
  backendItem,
  endpointsItem,
  listenerItem,
  rule,
  virtualHostItem,
} from "../../src/driver-kit/items.ts";
import { exchangeRaw } from "../../src/driver-kit/traffic/raw-client.ts";
import { freePort } from "../../src/driver-kit/traffic/free-port.ts";
import { startHttpBackend } from "../../src/driver-kit/traffic/http-backend.ts";
import { requestHttp1 } from "../../src/driver-kit/traffic/http-client.ts";
import type { ApplyReport, ItemState } from "../../src/drivers/index.ts";
import { hostedEnvoy } from "../../src/infrastructure/host/index.ts";
import type { Backend, Listener } from "../../src/model/index.ts";
import { need } from "../components/need.ts";
import { RealEnvoy, type ControlPlane } from "../envoy/real-envoy.ts";
import { modelChanges } from "../model-changes.ts";

async function backend(name: string) {
  const server = await startHttpBackend({ name });
  onTestFinished(() => server.stop());
  const item = backendItem(name);
  return { name, port: server.port, backend: item, endpoints: endpointsItem(item, server.port) };
}

async function real(context: TestContext, options: { leafLifetime?: number } = {}): Promise<RealEnvoy> {
  const envoy = await RealEnvoy.make(need(context, "envoy"), options);
  onTestFinished(() => envoy.stop());
  return envoy;
}

const joined = ({ driver }: ControlPlane) => vi.waitUntil(() => driver.isJoined, 15_000);

async function statusOf(listener: Listener, host: string, path = "/"): Promise<number> {
  const { status } = await requestHttp1({ address: "127.0.0.1", port: listener.port }, { host, path });
  return status;
}

/** Asks for the host in a loop and counts the answers. */
class Asking {
  readonly seen = new Map<number | string, number>();
  #isOver = false;
  readonly #loops: Promise<void>[];

  constructor(listener: Listener, hosts: readonly string[]) {
    this.#loops = hosts.map((host) => this.#ask(listener, host));
  }

  async end(): Promise<ReadonlyMap<number | string, number>> {
    this.#isOver = true;
    await Promise.all(this.#loops);
    return this.seen;
  }

  async #ask(listener: Listener, host: string): Promise<void> {
    while (!this.#isOver) {
      const answer = await statusOf(listener, host).catch(
        (error: NodeJS.ErrnoException) => error.code ?? "error",
      );
      this.seen.set(answer, (this.seen.get(answer) ?? 0) + 1);
      await pause(2);
    }
  }
}

describe("a real Envoy", () => {
  it("attack 23: refuses one host and takes the others; its words are told of that host, until it is mended", async (context) => {
    const envoy = await real(context);
    await envoy.start();
    const control = await envoy.control((changes) => ({
      ...changes,
      resources: changes.resources.map((resource) => {
        if (resource.type !== "envoy.config.route.v3.ScopedRouteConfiguration") return resource;
        const { virtualHosts: hosts = [] } = resource.message.routeConfiguration ?? {};
        if (resource.causedBy.key.endsWith("|h7.test") === false || isMended) return resource;
        const routeConfiguration = {
          ...resource.message.routeConfiguration,
          virtualHosts: [...hosts, ...hosts],
        };
        return { ...resource, message: { ...resource.message, routeConfiguration } };
      }),
    }));
    let isMended = false;
    await joined(control);
    const web = await backend("web");
    const listener = listenerItem("http", await freePort());
    const host = (i: number) => virtualHostItem(listener, `h${i}.test`, [rule("/", web)]);
    await control.driver.apply(
      modelChanges({
        backends: [web.backend],
        endpoints: [web.endpoints],
        listeners: [listener],
        virtualHosts: Array.from({ length: 30 }, (_, i) => host(i)),
      }),
    );
    const bad = `virtualHosts ${listener.key}|h7.test`;
    expect(control.states.get(bad)).toMatchObject({
      type: "refused",
      message: expect.stringMatching(/single wildcard domain/),
    });
    expect(control.states.get(`listeners ${listener.key}`)?.type).toBe("programmed");
    expect(control.reports.filter(({ state }) => state.type === "refused")).toHaveLength(1);
    expect(await statusOf(listener, "h6.test")).toBe(200);
    expect(await statusOf(listener, "h29.test")).toBe(200);
    const { refusals } = control.driver.describe().sent;
    await control.driver.apply(modelChanges({ virtualHosts: [virtualHostItem(listener, "other.test", [])] }));
    expect(control.driver.describe().sent.refusals).toBe(refusals);

    isMended = true;
    await control.driver.apply(modelChanges({ virtualHosts: [{ ...host(7), rules: [rule("/x", web)] }] }));
    expect(control.states.get(bad)?.type).toBe("programmed");
    expect(await statusOf(listener, "h7.test", "/x")).toBe(200);
  });

  it(
    "fails no request while routes with backends of their own come, change and go",
    { timeout: 60_000 },
    async (context) => {
      const envoy = await real(context);
      await envoy.start();
      const control = await envoy.control();
      await joined(control);
      const [one, two] = [await backend("one"), await backend("two")];
      const listener = listenerItem("http", await freePort());
      const always = virtualHostItem(listener, "always.test", [rule("/", one)]);
      await control.driver.apply(
        modelChanges({
          backends: [one.backend],
          endpoints: [one.endpoints],
          listeners: [listener],
          virtualHosts: [always],
        }),
      );
      const asking = new Asking(listener, ["always.test", "comes.test", "comes.test", "comes.test"]);
      for (let turn = 0; turn < 30; turn++) {
        const own: Backend = { ...two.backend, key: `Service/kit/turn-${turn}/80` };
        const host = virtualHostItem(listener, "comes.test", [rule("/", { backend: own })]);
        await control.driver.apply(
          modelChanges({
            backends: [own],
            endpoints: [endpointsItem(own, two.port)],
            virtualHosts: [host],
          }),
        );
        expect(await statusOf(listener, "comes.test")).toBe(200);
        // To a backend that is new, and from one that goes in the same change.
        const next: Backend = { ...own, key: `Service/kit/next-${turn}/80` };
        await control.driver.apply(
          modelChanges({
            backends: [own.key, next],
            endpoints: [own.key, endpointsItem(next, two.port)],
            virtualHosts: [{ ...host, rules: [rule("/", { backend: next })] }],
          }),
        );
        await control.driver.apply(
          modelChanges({ backends: [next.key], endpoints: [next.key], virtualHosts: [host.key] }),
        );
        expect(await statusOf(listener, "comes.test")).toBe(404);
      }
      const seen = await asking.end();
      expect(new Set(seen.keys())).toEqual(new Set([200, 404]));
      expect(seen.get(200)).toBeGreaterThan(50);
    },
  );

  it(
    "that meets a controller that has just started gets nothing that it has",
    { timeout: 60_000 },
    async (context) => {
      const envoy = await real(context);
      await envoy.start();
      const first = await envoy.control();
      await joined(first);
      const web = await backend("web");
      const listener = listenerItem("http", await freePort());
      const all = modelChanges({
        backends: [web.backend],
        endpoints: [web.endpoints],
        listeners: [listener],
        virtualHosts: Array.from({ length: 500 }, (_, i) =>
          virtualHostItem(listener, `h${i}.test`, [rule("/", web)]),
        ),
      });
      await first.driver.apply(all);
      const whole = first.driver.describe().sent;
      expect(whole.resources).toBeGreaterThan(500);
      await first.stop();
      expect(await statusOf(listener, "h499.test")).toBe(200);

      const second = await envoy.control();
      await second.driver.apply(all);
      await joined(second);
      await vi.waitUntil(() => second.states.get(`listeners ${listener.key}`)?.type === "programmed", 5_000);
      expect(second.driver.describe().sent).toMatchObject({ responses: 0, bytes: 0, refusals: 0 });
      await second.driver.apply(modelChanges({ virtualHosts: [virtualHostItem(listener, "h3.test", [])] }));
      expect(second.driver.describe().sent).toMatchObject({ responses: 1, resources: 1 });
      expect(await statusOf(listener, "h3.test")).toBe(404);
    },
  );

  it(
    "gets as much for a change of one host among 2,000 as among 20",
    { timeout: 60_000 },
    async (context) => {
      const envoy = await real(context);
      await envoy.start();
      const control = await envoy.control();
      await joined(control);
      const web = await backend("web");
      const listener = listenerItem("http", await freePort());
      const host = (i: number, path = "/") => virtualHostItem(listener, `h${i}.test`, [rule(path, web)]);
      const bytesFor = async (path: string) => {
        const before = control.driver.describe().sent;
        await control.driver.apply(modelChanges({ virtualHosts: [host(5, path)] }));
        const after = control.driver.describe().sent;
        expect(await statusOf(listener, "h5.test", path)).toBe(200);
        return { bytes: after.bytes - before.bytes, resources: after.resources - before.resources };
      };
      await control.driver.apply(
        modelChanges({
          backends: [web.backend],
          endpoints: [web.endpoints],
          listeners: [listener],
          virtualHosts: Array.from({ length: 20 }, (_, i) => host(i)),
        }),
      );
      const few = await bytesFor("/a");
      await control.driver.apply(
        modelChanges({ virtualHosts: Array.from({ length: 2_000 }, (_, i) => host(i)) }),
      );
      const many = await bytesFor("/b");
      expect(many.resources).toBe(1);
      expect(many.bytes - few.bytes).toBeLessThan(20);
      expect(many.bytes).toBeLessThan(4_000);
    },
  );

  it(
    "attack 24: keeps its stream's rights by new certificates, which it finds in their folder",
    { timeout: 60_000 },
    async (context) => {
      const envoy = await real(context, { leafLifetime: 9_000 });
      await envoy.start();
      const control = await envoy.control();
      await joined(control);
      const listener = listenerItem("http", await freePort());
      await control.driver.apply(modelChanges({ listeners: [listener] }));
      // Well past the end of the certificate that it began with.
      const until = Date.now() + 14_000;
      for (let turn = 0; Date.now() < until; turn++) {
        await control.driver.apply(
          modelChanges({ virtualHosts: [virtualHostItem(listener, `h${turn}.test`, [])] }),
        );
        await pause(250);
      }
      await joined(control);
      expect(await statusOf(listener, "none.test")).toBe(404);
      expect(envoy.errors.join("")).not.toMatch(/certificate|handshake/i);
    },
  );

  it("attack 22: tells the outside whether it is ready, and its metrics, and nothing else", async (context) => {
    const envoy = await real(context);
    await envoy.start();
    const at = { address: "127.0.0.1", port: envoy.statusPort };
    await pause(300);
    // Nothing is open before the first configuration has come.
    await expect(requestHttp1(at, { path: "/ready" })).rejects.toThrow("ECONNREFUSED");
    const control = await envoy.control();
    await joined(control);
    const ready = await vi.waitFor(() => requestHttp1(at, { path: "/ready" }), { timeout: 5_000 });
    expect({ status: ready.status, body: ready.body.toString().trim() }).toEqual({
      status: 200,
      body: "LIVE",
    });
    // 1.6.4: load balancers learn no more than that.
    const balancers = { address: "127.0.0.1", port: envoy.readinessPort };
    expect((await requestHttp1(balancers, { path: "/healthz/ready" })).status).toBe(200);
    for (const path of ["/metrics", "/ready", "/stats/prometheus", "/config_dump"]) {
      expect((await requestHttp1(balancers, { path })).status).toBe(404);
    }
    const metrics = await requestHttp1(at, { path: "/metrics" });
    expect(metrics.body.toString()).toContain("# TYPE envoy_server_live gauge");
    const others = [
      "/",
      "/config_dump",
      "/ready/../config_dump",
      "/metrics/..%2fconfig_dump",
      "/metrics?/../config_dump",
      "//config_dump",
      "/stats/prometheus",
      "/ready/",
      "/certs",
      "/quitquitquit",
    ];
    for (const path of others) {
      const answer = await exchangeRaw(at, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect({ path, head: answer.toString().split("\r\n", 1)[0] }).toEqual({
        path,
        head: "HTTP/1.1 404 Not Found",
      });
    }
    const post = await exchangeRaw(
      at,
      "POST /ready HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    );
    expect(post.toString()).toMatch(/^HTTP\/1\.1 404/);
    expect(statSync(envoy.adminSocket).mode & 0o777).toBe(0o600);
  });
});

describe("Envoy as a child process", () => {
  it(
    "comes back after it was killed under load, and the statuses tell",
    { timeout: 60_000 },
    async (context) => {
      const driver = hostedEnvoy({ binary: need(context, "envoy"), concurrency: 1, grace: 500 });
      onTestFinished(() => driver.stop());
      const told: ApplyReport[] = [];
      const states = new Map<string, ItemState>();
      await driver.start((reports) => {
        told.push(...reports);
        for (const { kind, key, state } of reports) states.set(`${kind} ${key}`, state);
      });
      const web = await backend("web");
      const listener = listenerItem("http", await freePort());
      const host = virtualHostItem(listener, "a.test", [rule("/", web)]);
      await driver.apply(
        modelChanges({
          backends: [web.backend],
          endpoints: [web.endpoints],
          listeners: [listener],
          virtualHosts: [host],
        }),
      );
      const asking = new Asking(listener, ["a.test", "a.test"]);
      const before = driver.pid!;
      process.kill(before, "SIGKILL");
      const state = () => states.get(`listeners ${listener.key}`);
      await vi.waitFor(
        () => {
          const message = expect.stringContaining("Envoy was ended by SIGKILL") as string;
          expect(state()).toEqual({ type: "pending", message, isAbsent: true });
        },
        { timeout: 5_000 },
      );
      // What is applied meanwhile is there when it is back.
      await driver.apply(
        modelChanges({ virtualHosts: [virtualHostItem(listener, "b.test", [rule("/", web)])] }),
      );
      await vi.waitUntil(() => state()?.type === "programmed", 15_000);
      expect(driver.pid).not.toBe(before);
      expect(await statusOf(listener, "a.test")).toBe(200);
      expect(await statusOf(listener, "b.test")).toBe(200);
      const seen = await asking.end();
      // Refused while it was away; never a wrong answer.
      expect([...seen.keys()].filter((key) => typeof key === "number")).toEqual([200]);
    },
  );

  it("says where to get it if it is not there, and what it said if it does not run", async () => {
    const missing = hostedEnvoy({ binary: "/nowhere/envoy" });
    await expect(missing.start(() => undefined)).rejects.toMatchObject({
      code: "GATEWRIGHT_PROXY_MISSING",
      message: expect.stringContaining("/nowhere/envoy is not a program"),
    });
    const broken = hostedEnvoy({ binary: "/bin/false" });
    await expect(broken.start(() => undefined)).rejects.toMatchObject({
      code: "GATEWRIGHT_PROXY_FAILED",
      message: expect.stringContaining("ended with code 1"),
    });
  });

  it("lets requests under way end when it stops, and leaves nothing behind", async (context) => {
    const driver = hostedEnvoy({ binary: need(context, "envoy"), concurrency: 1, grace: 5_000 });
    await driver.start(() => undefined);
    const server = await startHttpBackend({
      name: "slow",
      answer: () => ({ delay: 700 }),
    });
    onTestFinished(() => server.stop());
    const item = backendItem("slow");
    const listener = listenerItem("http", await freePort());
    await driver.apply(
      modelChanges({
        backends: [item],
        endpoints: [endpointsItem(item, server.port)],
        listeners: [listener],
        virtualHosts: [virtualHostItem(listener, "*", [rule("/", { backend: item })])],
      }),
    );
    const { adminSocket, pid } = driver;
    const answer = new Promise<number>((resolve, reject) => {
      const call = request({ host: "127.0.0.1", port: listener.port, path: "/" }, (response) => {
        response.resume().once("end", () => resolve(response.statusCode ?? 0));
      });
      call.once("error", reject);
      call.end();
    });
    await pause(200);
    await driver.stop();
    expect(await answer).toBe(200);
    expect(() => process.kill(pid!, 0)).toThrow("ESRCH");
    expect(statSync(adminSocket!, { throwIfNoEntry: false })).toBeUndefined();
  });
});
