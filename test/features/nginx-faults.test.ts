/*
 * What the contract cannot do to a driver, done to NGINX: processes that are killed, configurations that are refused, a program that is slow or
 * not there.
 */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, type TestContext } from "vitest";
import { matches, regex, rule, to, virtualHostItem } from "../../src/driver-kit/items.ts";
import { Plane } from "../../src/driver-kit/plane.ts";
import { requestHttp1 } from "../../src/driver-kit/traffic/http-client.ts";
import { nginxDriver, type NginxOptions } from "../../src/drivers/index.ts";
import { readDirectives, type ReadDirective } from "../../src/drivers/nginx/config/read-directives.ts";
import { need } from "../components/need.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "gn-"));
  chmodSync(folder, 0o755);
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function startPlane(context: TestContext, options: NginxOptions = {}) {
  need(context, "nginx");
  const folder = newFolder();
  const driver = nginxDriver({ grace: 500, workers: 1, folder, ...options });
  const plane = new Plane(driver, { createDriver: () => driver });
  await plane.start();
  ends.push(() => plane.stop());
  /** Of the NGINX that was started last. */
  const own = () => {
    const [inner] = readdirSync(folder);
    const numbers = readdirSync(join(folder, inner!)).filter((name) => /^[0-9]+$/.test(name));
    return join(folder, inner!, numbers.sort((a, b) => Number(b) - Number(a))[0]!);
  };
  return { plane, driver, folder, own, master: () => Number(readFileSync(join(own(), "pid"), "utf8")) };
}

/** One that has ended and that nobody has asked for is no process any more. */
function isAlive(pid: string): boolean {
  return existsSync(`/proc/${pid}`) && !/^\S+ \(.*\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

/** A program that stands before NGINX. */
function programBefore(script: string): string {
  const path = join(newFolder(), "nginx");
  writeFileSync(path, `#!/bin/sh\n${script}\nexec /usr/sbin/nginx "$@"\n`, { mode: 0o755 });
  return path;
}

describe("the NGINX driver lives through faults", () => {
  it(
    "a master that was killed is started again, and its workers do not stay",
    { timeout: 30_000 },
    async (context) => {
      const { plane, master, driver } = await startPlane(context);
      const web = await plane.http("web");
      const { listener, at } = await plane.serve([rule("/", web)]);
      const before = master();
      const workers = readFileSync(`/proc/${before}/task/${before}/children`, "utf8").trim().split(" ");
      process.kill(before, "SIGKILL");
      await plane.untilState("listeners", listener.key, "pending");
      await plane.untilState("listeners", listener.key, "programmed");
      expect((await requestHttp1(at, {})).from).toBe("web");
      expect(master()).not.toBe(before);
      for (const worker of workers) expect(isAlive(worker)).toBe(false);
      expect(driver.describe().listeners[0]?.restarts).toBe(1);
    },
  );

  it("a worker that was killed is replaced by its master", { timeout: 30_000 }, async (context) => {
    const { plane, master } = await startPlane(context);
    const web = await plane.http("web");
    const { at } = await plane.serve([rule("/", web)]);
    const [worker] = readFileSync(`/proc/${master()}/task/${master()}/children`, "utf8").trim().split(" ");
    process.kill(Number(worker), "SIGKILL");
    await expect
      .poll(
        () =>
          requestHttp1(at, {})
            .then(({ from }) => from)
            .catch(() => undefined),
        { timeout: 5_000 },
      )
      .toBe("web");
  });

  it(
    "a change made while NGINX was dead is in force when it is back",
    { timeout: 30_000 },
    async (context) => {
      const { plane, master } = await startPlane(context);
      const [one, two] = [await plane.http("one"), await plane.http("two")];
      const { listener, at } = await plane.serve([rule("/", one)]);
      process.kill(master(), "SIGKILL");
      await plane.apply({ virtualHosts: [virtualHostItem(listener, "*", [rule("/", two)])] });
      await plane.untilState("listeners", listener.key, "programmed");
      await expect
        .poll(
          () =>
            requestHttp1(at, {})
              .then(({ from }) => from)
              .catch(() => undefined),
          { timeout: 5_000 },
        )
        .toBe("two");
    },
  );

  it(
    "what NGINX refuses is reported in its words, keeps its last good version, and stops nobody else",
    { timeout: 30_000 },
    async (context) => {
      const program = programBefore(
        'case "$*" in *"-t "*) if grep -q 777ms "$(echo "$@" | sed "s/.*-c //")"; then echo "nginx: [emerg] 777 is an odd number" >&2; exit 1; fi;; esac',
      );
      const { plane } = await startPlane(context, { program });
      const [one, two] = [await plane.http("one"), await plane.http("two")];
      const listener = await plane.listener("http");
      const host = (name: string, backend: typeof one, request?: number) =>
        virtualHostItem(listener, name, [
          rule("/", { backends: [to(backend)], timeouts: request === undefined ? {} : { request } }),
        ]);
      await plane.apply({
        ...plane.backends,
        listeners: [listener],
        virtualHosts: [host("a.test", one), host("b.test", one)],
      });
      const { get } = plane.site(listener);
      await plane.apply({ virtualHosts: [host("a.test", two, 777), host("b.test", two, 888)] });
      const state = plane.stateOf("virtualHosts", `${listener.key}|a.test`);
      expect(state).toMatchObject({
        type: "refused",
        message: expect.stringContaining("777 is an odd number"),
      });
      expect((await get("/", { host: "a.test" })).from).toBe("one");
      expect((await get("/", { host: "b.test" })).from).toBe("two");
      expect(plane.stateOf("listeners", listener.key)?.type).toBe("programmed");
      await plane.apply({ virtualHosts: [host("a.test", two, 999)] });
      expect(plane.stateOf("virtualHosts", `${listener.key}|a.test`)?.type).toBe("programmed");
      expect((await get("/", { host: "a.test" })).from).toBe("two");
    },
  );

  it("a program that is slow to start is waited for", { timeout: 30_000 }, async (context) => {
    const { plane } = await startPlane(context, { program: programBefore("sleep 1") });
    const web = await plane.http("web");
    const { get } = await plane.serve([rule("/", web)]);
    expect((await get("/")).from).toBe("web");
  });

  it("a program that is not there is said before anything else", async () => {
    const driver = nginxDriver({ program: "/nowhere/nginx" });
    await expect(driver.start(() => {})).rejects.toMatchObject({
      code: "GATEWRIGHT_NGINX_MISSING",
      message: expect.stringContaining("apt-get install nginx"),
    });
  });

  it(
    "nothing is left behind, and nobody else can look into what is there",
    { timeout: 30_000 },
    async (context) => {
      const { plane, folder, driver } = await startPlane(context);
      const web = await plane.http("web");
      await plane.serve([rule("/", web)]);
      const [inner] = readdirSync(folder);
      const { statSync } = await import("node:fs");
      expect(statSync(join(folder, inner!)).mode & 0o077).toBe(0);
      await driver.stop();
      expect(readdirSync(folder)).toEqual([]);
    },
  );
});

describe("nothing of an object becomes configuration", () => {
  const hostile = [
    '"; } server { listen 81; #',
    "a\r\nx-evil: 1",
    "$request_uri ${host}",
    "\\",
    "'",
    "\u2028",
    "{%}",
    "\0",
    "x".repeat(100_000),
  ];

  function count(directives: readonly ReadDirective[]): number {
    return directives.reduce((sum, { block }) => sum + 1 + (block ? count(block) : 0), 0);
  }

  it(
    "values that would end a string or a line change no directive and no header",
    { timeout: 60_000 },
    async (context) => {
      const { plane, own } = await startPlane(context);
      const web = await plane.http("web");
      const serve = (value: string) => [
        rule("/", {
          requestHeaders: {
            set: [{ name: "x-set", value }],
            add: [{ name: `x-${value}`, value: "1" }],
            remove: [value],
          },
          responseHeaders: { set: [{ name: "x-back", value }], add: [], remove: [value] },
          rewrite: { hostname: value, path: { type: "full", value: `/${value}` } },
          cors: {
            allowOrigins: [value],
            allowCredentials: false,
            allowMethods: [value],
            allowHeaders: [value],
            exposeHeaders: [value],
            maxAge: 1,
          },
          session: { type: "cookie", name: value, lifetime: "session", path: value },
          backends: [to(web)],
        }),
        rule(
          {
            path: { type: "exact", value: `/${value}` },
            headers: [{ name: "x-a", type: "exact", value }],
            queryParams: [{ name: value, type: "exact", value }],
          },
          web,
        ),
      ];
      const { listener, at } = await plane.serve(serve("benign"));
      const read = () => readDirectives(readFileSync(join(own(), "nginx.conf"), "utf8"));
      const before = count(read());
      for (const value of hostile) {
        await plane.apply({ virtualHosts: [virtualHostItem(listener, "*", serve(value))] });
        expect(count(read())).toBe(before);
        const seen = web.requests.length;
        const answer = await requestHttp1(at, { path: "/x" }).catch(() => undefined);
        // A host of 100,000 letters is refused by the backend; all else must have come through as one request.
        expect(web.requests.length - seen).toBeLessThanOrEqual(1);
        for (const { headers } of web.requests.slice(seen)) {
          expect(headers.map(([name]) => name)).not.toContain("x-evil");
        }
        expect(answer?.headers.map(([name]) => name) ?? []).not.toContain("x-evil");
      }
    },
  );
});

describe("regular expressions that would keep NGINX busy", () => {
  it("have their request refused, and others are served", { timeout: 30_000 }, async (context) => {
    const { plane } = await startPlane(context);
    const web = await plane.http("web");
    const listener = await plane.listener("http");
    const costly = Array.from({ length: 64 }, (_, index) => `.*(a|b).{700}[xy]{50}z${index}`);
    const hosts = {
      "paths.test": costly.map((value) => rule({ path: regex(`/${value}`) }, web)),
      "headers.test": costly.map((value) => rule({ headers: [matches("x-r", value)] }, web)),
      "other.test": [rule("/", web)],
    };
    await plane.apply({
      ...plane.backends,
      listeners: [listener],
      virtualHosts: Object.entries(hosts).map(([name, rules]) =>
        virtualHostItem(listener, name, name === "other.test" ? rules : [...rules, rule("/", web)]),
      ),
    });
    const { get } = plane.site(listener);
    const text = "abbabaab".repeat(875);
    const [byPath, byHeader, other] = await Promise.all([
      get(`/${text}`, { host: "paths.test" }),
      get("/", { host: "headers.test", headers: { "x-r": text } }),
      get(`/${text}`, { host: "other.test" }),
    ]);
    // None of the rules was passed over: one that was not asked might have forbidden the request.
    expect([byPath.status, byPath.body]).toEqual([400, "the request takes too long to match\n"]);
    expect(byHeader.status).toBe(400);
    expect(other.from).toBe("web");
    expect((await get("/short", { host: "paths.test" })).from).toBe("web");
  });
});

describe("access logs of NGINX", () => {
  it("have the form of all drivers", { timeout: 30_000 }, async (context) => {
    const records: object[] = [];
    const { plane } = await startPlane(context, { accessLog: (record) => records.push(record) });
    const web = await plane.http("web");
    const { listener, get } = await plane.serve([rule("/", web)]);
    await get('/a?x="quoted"', { host: "www.shop.test", method: "POST", body: "12345" });
    await expect.poll(() => records.length, { timeout: 5_000 }).toBe(1);
    expect(records[0]).toMatchObject({
      gateway: listener.gateway,
      listener: listener.key,
      route: "HTTPRoute/kit/route",
      method: "POST",
      host: "www.shop.test",
      path: "/a",
      protocol: "HTTP/1.1",
      status: 200,
      backend: web.backend.key,
      endpoint: `127.0.0.1:${web.port}`,
      clientAddress: "127.0.0.1",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      requestId: expect.stringMatching(/./),
      rule: expect.stringMatching(/^\d+$/),
      bytesIn: expect.any(Number),
      bytesOut: expect.any(Number),
      durationMs: expect.any(Number),
    });
  });
});
