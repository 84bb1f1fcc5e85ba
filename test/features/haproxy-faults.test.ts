import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import { haproxyDriver, type HaproxyOptions } from "../../src/drivers/haproxy/index.ts";
import type { Certificate, Listener } from "../../src/model/index.ts";
import { makeCertificate } from "../certificates.ts";
import { need } from "../components/need.ts";
import { answering, freePort, get, hostOf, httpListener, HaproxyUnderTest } from "../haproxy-driver.ts";
import { rule } from "../model-items.ts";

const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "gw-ha-"));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function started(options: HaproxyOptions = {}): Promise<HaproxyUnderTest> {
  const plane = await new HaproxyUnderTest(newFolder(), options).start();
  ends.push(() => plane.driver.stop());
  return plane;
}

/** A program in HAProxy's place that does something first. */
function instead(haproxy: string, first: string): string {
  const path = join(newFolder(), "haproxy");
  writeFileSync(path, `#!/bin/sh\n${first}\nexec ${haproxy} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

async function backend(name: string): Promise<number> {
  const server = http.createServer((request, response) => {
    request.resume();
    response.setHeader("x-from", name);
    response.end(name);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function tlsListener(): Promise<Listener> {
  return httpListener({ protocol: "tls" });
}

function shownTo(port: number, servername: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = tls.connect({ host: "127.0.0.1", port, servername, rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject?.CN));
      socket.destroy();
    });
    socket.on("error", () => resolve("refused"));
  });
}

describe("faults around HAProxy", () => {
  it("a process that is killed is started again, and reports tell", { timeout: 30_000 }, async (context) => {
    need(context, "haproxy");
    const plane = await started();
    const listener = await httpListener();
    await plane.apply({
      listeners: [listener],
      virtualHosts: [hostOf(listener, "*", [answering("x.test")])],
    });
    const { pid } = plane.driver.describe();
    expect(plane.stateOf(listener.key)?.type).toBe("programmed");
    process.kill(pid!, "SIGKILL");
    await plane.until("pending", () => plane.reports.some(({ state }) => state.type === "pending"));
    await plane.until("programmed", () => plane.stateOf(listener.key)?.type === "programmed");
    expect((await get(listener.port, "/")).location).toBe("http://x.test/");
    expect(plane.driver.describe().pid).not.toBe(pid);
    await plane.apply({ virtualHosts: [hostOf(listener, "*", [answering("y.test")])] });
    expect((await get(listener.port, "/")).location).toBe("http://y.test/");
  });

  it(
    "one that dies again and again is started after a growing wait",
    { timeout: 60_000 },
    async (context) => {
      need(context, "haproxy");
      const plane = await started();
      const listener = await httpListener();
      await plane.apply({ listeners: [listener] });
      for (let turn = 0; turn < 3; turn++) {
        const { pid } = plane.driver.describe();
        process.kill(pid!, "SIGKILL");
        await plane.until("another process", () => {
          const next = plane.driver.describe().pid;
          return next !== undefined && next !== pid;
        });
      }
      expect((await get(listener.port, "/")).status).toBe(404);
      expect(plane.driver.describe().starts).toBe(4);
    },
  );

  it(
    "a certificate that only HAProxy refuses is found, told in its words, and keeps nobody from being served",
    { timeout: 60_000 },
    async (context) => {
      need(context, "haproxy");
      const plane = await started();
      const listener = await tlsListener();
      const good = {
        key: "Secret/shop/good",
        ...(await makeCertificate({ commonName: "good", names: ["good.test"] })),
      };
      // Node takes it, and the TLS library of HAProxy does not.
      const weakCertificate = await makeCertificate({ commonName: "weak", algorithm: "short rsa" });
      const weak = { key: "Secret/shop/weak", ...weakCertificate };
      const served = (name: string, { key }: Certificate) => ({
        key: `${listener.key}|${name}`,
        listener: listener.key,
        hostname: name,
        section: `Gateway/shop/web/${name}`,
        action: { type: "http", certificates: [key] } as const,
      });
      await plane.apply({
        certificates: [good, weak],
        listeners: [listener],
        serverNames: [served("good.test", good), served("weak.test", weak)],
      });
      expect(await shownTo(listener.port, "good.test")).toBe("good");
      const refusals = plane.reports.filter(({ state }) => state.type === "refused");
      expect(refusals).toHaveLength(1);
      expect(refusals[0]).toMatchObject({ kind: "certificates", key: weak.key });
      expect(JSON.stringify(refusals)).toMatch(/unable to load SSL certificate/);
      // One that was good stays when its successor is refused, without a new process being noticed.
      await plane.apply({ certificates: [{ ...good, ...weakCertificate }] });
      expect(plane.stateOf(good.key)).toMatchObject({ type: "refused" });
      expect(await shownTo(listener.port, "good.test")).toBe("good");
      await plane.apply({ certificates: [good] });
      expect(plane.stateOf(good.key)).toMatchObject({ type: "programmed" });
    },
  );

  it("a process that takes its time is waited for", { timeout: 30_000 }, async (context) => {
    const haproxy = need(context, "haproxy");
    const plane = await started({ executable: instead(haproxy, "sleep 0.5") });
    const listener = await httpListener();
    await plane.apply({ listeners: [listener] });
    expect((await get(listener.port, "/")).status).toBe(404);
    await plane.apply({ virtualHosts: [hostOf(listener, "*", [answering("x.test")])] });
    expect((await get(listener.port, "/")).location).toBe("http://x.test/");
  });

  it("a program that is not HAProxy, or is not there, is told at the start", async (context) => {
    need(context, "haproxy");
    for (const executable of ["/nonexistent/haproxy", "/bin/true"]) {
      const plane = new HaproxyUnderTest(newFolder(), { executable });
      await expect(plane.start()).rejects.toMatchObject({ code: "GATEWRIGHT_HAPROXY_MISSING" });
    }
  });

  it("a program that is missing is told in words that a user of the command line can follow", async (context) => {
    need(context, "haproxy");
    const driver = haproxyDriver({ folder: newFolder(), executable: "/nonexistent/haproxy" });
    await expect(driver.start(() => {})).rejects.toThrow(
      /^\/nonexistent\/haproxy is not a program\. Install it .*`gatewright doctor` says what is there\.$/,
    );
  });

  it(
    "endpoints, hosts and certificates change without a new process",
    { timeout: 60_000 },
    async (context) => {
      need(context, "haproxy");
      const plane = await started();
      const [one, two] = [await backend("one"), await backend("two")];
      const listener = await httpListener();
      const key = "Service/shop/web/80";
      const to = {
        redirect: undefined,
        backends: [{ weight: 1, target: { type: "backend", backend: key } as const }],
      };
      const { redirect: _, ...action } = { ...answering("x").action, ...to };
      const rule = { ...answering("x"), action };
      const endpoints = (...ports: readonly number[]) => ({
        key,
        endpoints: ports.map((port) => ({ address: "127.0.0.1", port })),
      });
      await plane.apply({
        backends: [{ key, protocol: "http" }],
        endpoints: [endpoints(one)],
        listeners: [listener],
        virtualHosts: [hostOf(listener, "a.test", [rule])],
      });
      const { starts, pid } = plane.driver.describe();
      for (let turn = 0; turn < 20; turn++) {
        const [port, name] = turn % 2 === 0 ? [two, "two"] : [one, "one"];
        await plane.apply({ endpoints: [endpoints(port)] });
        expect((await get(listener.port, "/")).headers["x-from"]).toBe(name);
        await plane.apply({ virtualHosts: [hostOf(listener, `${turn}.test`, [rule])] });
        expect((await get(listener.port, "/", { host: `${turn}.test` })).status).toBe(200);
      }
      expect(plane.driver.describe()).toMatchObject({ starts, pid });
    },
  );

  it(
    "keys are in files for this user alone, and gone when nobody needs them",
    { timeout: 30_000 },
    async (context) => {
      need(context, "haproxy");
      const plane = await started();
      const listener = await tlsListener();
      const certificate = { key: "Secret/shop/a", ...(await makeCertificate({ names: ["a.test"] })) };
      const serverName = {
        key: `${listener.key}|a.test`,
        listener: listener.key,
        hostname: "a.test",
        section: "Gateway/shop/web/a",
        action: { type: "http", certificates: [certificate.key] } as const,
      };
      await plane.apply({ certificates: [certificate], listeners: [listener], serverNames: [serverName] });
      expect(statSync(plane.folder).mode & 0o777).toBe(0o700);
      const keys = join(plane.folder, "certificates");
      expect(statSync(keys).mode & 0o777).toBe(0o700);
      const files = readdirSync(keys);
      expect(files).toHaveLength(1);
      expect(statSync(join(keys, files[0]!)).mode & 0o777).toBe(0o600);
      expect(plane.configuration).not.toMatch(/PRIVATE KEY/);
      await plane.apply({ serverNames: [serverName.key], certificates: [certificate.key] });
      expect(readdirSync(keys)).toEqual([]);
    },
  );

  it(
    "backends come into use without a new process, until the spare sections are used up",
    { timeout: 60_000 },
    async (context) => {
      need(context, "haproxy");
      const plane = await started();
      const port = await backend("web");
      const listener = await httpListener();
      await plane.apply({ listeners: [listener] });
      const { redirect: _, ...action } = answering("x").action;
      const use = async (number: number) => {
        const key = `Service/shop/web-${number}/80`;
        const backends = [{ weight: 1, target: { type: "backend", backend: key } as const }];
        const rule = { ...answering("x"), action: { ...action, backends } };
        await plane.apply({
          backends: [{ key, protocol: "http" }],
          endpoints: [{ key, endpoints: [{ address: "127.0.0.1", port }] }],
          virtualHosts: [hostOf(listener, `${number}.test`, [rule])],
        });
      };
      const statusOf = async (number: number) =>
        (await get(listener.port, "/", { host: `${number}.test` })).status;
      const { starts } = plane.driver.describe();
      for (let number = 0; number < 20; number++) {
        await use(number);
        expect(await statusOf(number)).toBe(200);
      }
      expect(plane.driver.describe().starts).toBe(starts);
      for (let number = 20; number < 40; number++) await use(number);
      expect(plane.driver.describe().starts).toBe(starts + 1);
      for (let number = 0; number < 40; number++) expect(await statusOf(number)).toBe(200);
      await plane.apply({ endpoints: [{ key: "Service/shop/web-3/80", endpoints: [] }] });
      expect(await statusOf(3)).toBe(503);
      expect(await statusOf(4)).toBe(200);
    },
  );

  it(
    "a time that is over when nobody waits for it any more does no harm",
    { timeout: 30_000 },
    async (context) => {
      need(context, "haproxy");
      const server = http.createServer((request, response) => {
        request.resume().on("end", () => {
          setTimeout(() => response.end("late"), request.url === "/late" ? 4_000 : 0);
        });
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      ends.push(() => {
        server.closeAllConnections();
        server.close();
      });
      const listener = await httpListener();
      const plane = await started();
      const web = { key: "Service/shop/web/80", protocol: "http" } as const;
      const backends = [{ weight: 1, target: { type: "backend", backend: web.key } }] as const;
      await plane.apply({
        listeners: [listener],
        backends: [web],
        endpoints: [
          {
            key: web.key,
            endpoints: [{ address: "127.0.0.1", port: (server.address() as AddressInfo).port }],
          },
        ],
        virtualHosts: [
          hostOf(listener, "*", [
            rule("/late", { timeouts: { idle: 400 }, backends }),
            rule("/", { backends }),
          ]),
        ],
      });
      const late = net.connect(listener.port, "127.0.0.1");
      ends.push(() => late.destroy());
      // A body of no declared length is watched while it comes; its end is the end of that.
      late.write("POST /late HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n");
      late.write("1\r\nx\r\n0\r\n\r\n");
      const [answer] = (await once(late, "data")) as [Buffer];
      expect(answer.toString("latin1")).toMatch(/^HTTP\/1\.1 200 /);
      expect((await get(listener.port, "/")).status).toBe(200);
      expect(plane.driver.describe().starts).toBe(1);
    },
  );

  it("who is well changes without a new process", { timeout: 60_000 }, async (context) => {
    need(context, "haproxy");
    const absent = await freePort();
    const ports = [await backend("one"), await backend("two"), absent];
    const listener = await httpListener();
    const plane = await started();
    const healthCheck = {
      path: "/",
      interval: 100,
      timeout: 5_000,
      unhealthyThreshold: 1,
      healthyThreshold: 1,
      expectedStatuses: [],
    } as const;
    const web = { key: "Service/shop/web/80", protocol: "http", healthCheck } as const;
    const backends = [{ weight: 1, target: { type: "backend", backend: web.key } }] as const;
    await plane.apply({
      listeners: [listener],
      backends: [web],
      endpoints: [{ key: web.key, endpoints: ports.map((port) => ({ address: "127.0.0.1", port })) }],
      virtualHosts: [hostOf(listener, "*", [rule("/", { backends })])],
    });
    const takers = async () => {
      const answers = [];
      for (let request = 0; request < 6; request++) answers.push(await get(listener.port, "/"));
      return answers.map(({ status, headers }) => headers["x-from"] ?? status);
    };
    expect(new Set(await takers())).toEqual(new Set(["one", "two"]));
    const later = http.createServer((_, response) => response.setHeader("x-from", "three").end());
    ends.push(() => later.close().closeAllConnections());
    await new Promise<void>((resolve) => later.listen(absent, "127.0.0.1", resolve));
    await expect.poll(takers, { timeout: 20_000 }).toContain("three");
    expect(plane.driver.describe().starts).toBe(1);
  });

  it("HAProxy ends when its driver was killed", { timeout: 30_000 }, async (context) => {
    const haproxy = need(context, "haproxy");
    const plane = await started();
    await plane.apply({ listeners: [await httpListener()] });
    // Another HAProxy with the same scripts, whose parent is a shell.
    const folder = newFolder();
    const scripts = plane.configuration.split("\n").filter((line) => /^ +(?:lua-|nbthread)/.test(line));
    const frontend = `frontend f\n    mode tcp\n    timeout client 1s\n    bind unix@${folder}/socket\n`;
    writeFileSync(join(folder, "haproxy.cfg"), `global\n${scripts.join("\n")}\n${frontend}`);
    const environment = { ...process.env, GATEWRIGHT_FOLDER: plane.folder, GATEWRIGHT_MAPS: plane.mapFolder };
    const command = `GATEWRIGHT_PARENT=$$ ${haproxy} -db -f ${folder}/haproxy.cfg & echo $!; wait`;
    const shell = spawn("sh", ["-c", command], { env: environment, stdio: ["ignore", "pipe", "ignore"] });
    const [pid] = (await once(shell.stdout, "data")) as [Buffer];
    const isAlive = () => existsSync(`/proc/${String(pid).trim()}`);
    await plane.until("the other HAProxy", () => existsSync(join(folder, "socket")));
    expect(isAlive()).toBe(true);
    shell.kill("SIGKILL");
    await plane.until("its end", () => !isAlive());
  });
});

describe("the access log of HAProxy", () => {
  it(
    "has a record for each request in the common form, whatever is in it",
    { timeout: 30_000 },
    async (context) => {
      need(context, "haproxy");
      const records: Record<string, unknown>[] = [];
      const plane = await started({
        accessLog: (record) => void records.push(record as Record<string, unknown>),
      });
      const web = await backend("web");
      const listener = await httpListener();
      const key = "Service/shop/web/80";
      const { redirect: _, ...action } = answering("route").action;
      const rule = {
        ...answering("route"),
        action: {
          ...action,
          route: { ...action.route, ruleName: "named" },
          backends: [{ weight: 1, target: { type: "backend", backend: key } as const }],
        },
      };
      await plane.apply({
        backends: [{ key, protocol: "http" }],
        endpoints: [{ key, endpoints: [{ address: "127.0.0.1", port: web }] }],
        listeners: [listener],
        virtualHosts: [hostOf(listener, "a.test", [rule])],
      });
      await get(listener.port, "/a/../b?secret=1", { "x-request-id": "mine-1" });
      await get(listener.port, '/"}%0d%0a{"x":"y', { "x-request-id": 'bad"id\\' });
      await get(listener.port, "/", { host: "other.test" });
      await plane.until("three records", () => records.length === 3);
      expect(records[0]).toMatchObject({
        gateway: "shop/web",
        listener: listener.key,
        route: "HTTPRoute/shop/route",
        rule: "0/named",
        method: "GET",
        host: "a.test",
        path: "/b",
        protocol: "HTTP/1.1",
        status: 200,
        backend: key,
        endpoint: `127.0.0.1:${web}`,
        clientAddress: "127.0.0.1",
        requestId: "mine-1",
      });
      expect(records[0]!["time"]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      expect(records[0]!["durationMs"]).toBeTypeOf("number");
      expect(records[1]!["path"]).toBe("/%22%7D%0d%0a%7B%22x%22:%22y");
      expect(records[1]!["requestId"]).toMatch(/^[0-9a-f-]{36}$/);
      expect(records[2]).toMatchObject({ host: "other.test", status: 404 });
      expect(records[2]).not.toHaveProperty("route");
    },
  );
});

describe("ports", () => {
  it("the port that is bound need not be the one that clients use", { timeout: 30_000 }, async (context) => {
    need(context, "haproxy");
    const plane = await started();
    const bindPort = await freePort();
    const listener = { ...(await httpListener()), bindPort };
    const { redirect: _, ...action } = answering("x").action;
    const redirect = { port: "listener", statusCode: 302 } as const;
    const rules = [{ ...answering("x"), action: { ...action, redirect } }];
    await plane.apply({ listeners: [listener], virtualHosts: [hostOf(listener, "*", rules)] });
    expect(plane.stateOf(listener.key)).toMatchObject({
      type: "programmed",
      addresses: [{ address: "127.0.0.1", port: bindPort }],
    });
    expect((await get(bindPort, "/")).location).toBe(`http://a.test:${listener.port}/`);
  });

  it(
    "two Gateways with one port are both served, and clients are sent to the port that is open",
    { timeout: 30_000 },
    async (context) => {
      need(context, "haproxy");
      const notices: string[] = [];
      const plane = await started({ notify: (notice) => void notices.push(notice) });
      const first = await httpListener();
      const second = { ...first, key: `shop/other/tcp/${first.port}`, gateway: "shop/other" };
      const { redirect: _, ...action } = answering("x").action;
      const redirect = { port: "listener", statusCode: 302 } as const;
      const rules = [{ ...answering("x"), action: { ...action, redirect } }];
      await plane.apply({
        listeners: [first, second],
        virtualHosts: [hostOf(first, "*", rules), hostOf(second, "*", rules)],
      });
      const state = plane.stateOf(second.key) as { readonly addresses: readonly { readonly port: number }[] };
      const { port } = state.addresses[0]!;
      expect(port).not.toBe(first.port);
      expect((await get(port, "/")).location).toBe(`http://a.test:${port}/`);
      expect((await get(first.port, "/")).location).toBe(`http://a.test:${first.port}/`);
      expect(notices).toHaveLength(1);
      expect(readFileSync(join(plane.folder, "session-secret"), "utf8").length).toBeGreaterThan(40);
    },
  );
});
