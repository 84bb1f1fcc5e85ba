/*
 * What the contract does not ask, of Envoy beside the embedded gateway: the same items, the same requests, the same answers.
 */
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, type TestContext } from "vitest";
import { makeCa, makeCertificate } from "../../src/driver-kit/certificates.ts";
import {
  authBy,
  backendItem,
  endpointsItem,
  exact,
  rule,
  serverNameItem,
  targetOf,
  to,
  virtualHostItem,
} from "../../src/driver-kit/items.ts";
import { Plane } from "../../src/driver-kit/plane.ts";
import { eventually, pause } from "../../src/driver-kit/traffic/deadline.ts";
import { exchangeRaw } from "../../src/driver-kit/traffic/raw-client.ts";
import { seenHeader } from "../../src/driver-kit/traffic/seen-request.ts";
import { embeddedDriver } from "../../src/drivers/index.ts";
import { hostedEnvoy } from "../../src/infrastructure/host/index.ts";
import type { ExternalAuth } from "../../src/model/index.ts";
import { need } from "../components/need.ts";
import { httpBackend } from "../http-backends.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

type Make = (context: TestContext, accessLog?: (record: object) => void) => Promise<Plane>;

async function started(driver: ConstructorParameters<typeof Plane>[0]): Promise<Plane> {
  const plane = new Plane(driver, { createDriver: () => driver });
  ends.push(() => plane.stop());
  await plane.start();
  return plane;
}

const envoy: Make = (context, accessLog) =>
  started(
    hostedEnvoy({
      binary: need(context, "envoy"),
      concurrency: 1,
      grace: 1_000,
      ...(accessLog ? { accessLog } : {}),
    }),
  );
const embedded: Make = (_, accessLog) =>
  started(embeddedDriver({ limits: { grace: 1_000 }, ...(accessLog ? { accessLog } : {}) }));

const sectionOf = (name: string) => `Gateway/kit/gateway/${name}`;

describe.each([
  ["Envoy", envoy],
  ["the embedded gateway", embedded],
])("%s", (_, make) => {
  it("lets nothing in behind the body that was decided before it", { timeout: 30_000 }, async (context) => {
    const plane = await make(context);
    const bodies: string[] = [];
    const server = await httpBackend((request, response) => {
      request.resume().on("end", () => {
        bodies.push(JSON.stringify(request.trailers));
        response.end("ok");
      });
    });
    ends.push(() => server.close());
    const web = backendItem("web");
    const guard = await plane.http("guard", {
      answer: () => ({ status: 200, headers: { "x-user": "anna" } }),
    });
    const auth = authBy(targetOf(guard), { responseHeaders: ["x-user"] });
    const requestHeaders = { set: [{ name: "x-user", value: "anna" }], add: [], remove: ["x-removed"] };
    const { at } = await plane.serve(
      [rule("/auth", { auth, backends: [to(web)] }), rule("/set", { requestHeaders, backends: [to(web)] })],
      { backends: [web, guard.backend], endpoints: [endpointsItem(web, server.port), guard.endpoints] },
    );
    for (const path of ["/auth", "/set"]) {
      const trailers = "X-User: root\r\nX-Removed: 1\r\nHost: evil.test\r\nX-Forwarded-For: 6.6.6.6\r\n";
      const head = `POST ${path} HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\nTrailer: X-User\r\n\r\n`;
      expect(await exchangeRaw(at, `${head}2\r\nhi\r\n0\r\n${trailers}\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
    }
    expect(bodies).toHaveLength(2);
    for (const text of bodies) expect(text).not.toMatch(/root|evil|6\.6/i);
    expect(bodies[1]).not.toMatch(/removed/i);
  });

  it("lets no trailer of an authorized request through to HTTP/2", { timeout: 30_000 }, async (context) => {
    const plane = await make(context);
    const seen: string[] = [];
    const server = http2.createServer((request, response) => {
      request.resume().on("end", () => {
        seen.push(String(request.trailers["x-user"]));
        response.end("ok");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ends.push(async () => void server.close());
    const web = backendItem("web", { protocol: "h2c" });
    const guard = await plane.http("guard", {
      answer: () => ({ status: 200, headers: { "x-user": "anna" } }),
    });
    const auth = authBy(targetOf(guard), { responseHeaders: ["x-user"] });
    const { at } = await plane.serve([rule("/", { auth, backends: [to(web)] })], {
      backends: [web, guard.backend],
      endpoints: [endpointsItem(web, (server.address() as AddressInfo).port), guard.endpoints],
    });
    const head = "POST / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n";
    expect(await exchangeRaw(at, `${head}2\r\nhi\r\n0\r\nX-User: root\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(seen).toEqual(["undefined"]);
  });

  it("tells backends about the client in its own words", { timeout: 30_000 }, async (context) => {
    const plane = await make(context);
    const { get } = await plane.serve([rule("/", await plane.http("web"))]);
    const headers = {
      "x-forwarded-for": "10.1.2.3",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "evil.test",
      "x-request-id": "id-of-the-client",
      "x-gatewright-scope": "forged",
      "x-gatewright-session": "forged",
      "x-envoy-upstream-rq-timeout-ms": "1",
      "x-envoy-retry-on": "5xx",
    };
    const answer = await get("/x", { host: "a.test:8080", headers });
    const { seen } = answer;
    const told = (name: string) => seenHeader(seen!, name);
    expect(seen?.host).toBe("a.test:8080");
    // For a client on the same machine Envoy gives the machine's own address.
    expect(told("x-forwarded-for")?.replaceAll(" ", "")).toMatch(/^10\.1\.2\.3,[0-9.]+$/);
    expect(told("x-forwarded-proto")).toBe("http");
    expect(told("x-forwarded-host")).toBe("a.test:8080");
    expect(told("x-request-id")).toBe("id-of-the-client");
    expect(answer.header("server")).toBeUndefined();
    const ours = seen!.headers.filter(
      ([name, value]) =>
        /^x-(?:gatewright|envoy)-/.test(name) &&
        value !== "forged" &&
        headers[name as keyof typeof headers] === undefined,
    );
    expect(ours).toEqual([]);
  });

  it(
    "falls through all virtual hosts of a section, whatever the case of the host",
    { timeout: 30_000 },
    async (context) => {
      const plane = await make(context);
      const listener = await plane.listener("http");
      const names = ["a.b.c.test", "*.b.c.test", "*.c.test", "*.test", "*"];
      const virtualHosts = [];
      for (const [index, name] of names.entries()) {
        virtualHosts.push(virtualHostItem(listener, name, [rule(`/${index}`, await plane.http(name))]));
      }
      await plane.apply({ ...plane.backends, listeners: [listener], virtualHosts });
      const { get } = plane.site(listener);
      for (const [index, name] of names.entries()) {
        expect((await get(`/${index}`, { host: "a.b.c.test" })).from).toBe(name);
      }
      expect((await get("/0", { host: "A.B.c.test:99" })).from).toBe("a.b.c.test");
      expect((await get("/1", { host: "A.b.c.test" })).from).toBe("*.b.c.test");
      expect((await get("/2", { host: "A.b.c.test" })).from).toBe("*.c.test");
      expect((await get("/4", { host: "x.b.c.test" })).from).toBe("*");
      expect((await get("/4", { host: "[::1]:80" })).from).toBe("*");
      expect((await get("/9", { host: "a.b.c.test" })).status).toBe(404);
    },
  );

  it(
    "skips virtual hosts of other sections and goes on behind them",
    { timeout: 30_000 },
    async (context) => {
      const plane = await make(context);
      const listener = await plane.listener("http");
      const [one, two] = [await plane.http("one"), await plane.http("two")];
      await plane.apply({
        ...plane.backends,
        listeners: [listener],
        virtualHosts: [
          virtualHostItem(listener, "a.b.test", [rule("/own", one)], sectionOf("one")),
          virtualHostItem(listener, "*.b.test", [rule("/", two)], sectionOf("two")),
          virtualHostItem(listener, "*", [rule("/rest", one)], sectionOf("one")),
        ],
      });
      const { get } = plane.site(listener);
      expect((await get("/rest", { host: "a.b.test" })).from).toBe("one");
      expect((await get("/other", { host: "a.b.test" })).status).toBe(404);
      expect((await get("/rest", { host: "x.b.test" })).from).toBe("two");
    },
  );

  it("lets TRACE through only where a rule names it", { timeout: 30_000 }, async (context) => {
    const plane = await make(context);
    const [web, trace] = [await plane.http("web"), await plane.http("trace")];
    const { at } = await plane.serve([
      rule({ path: exact("/trace"), method: "TRACE" }, trace),
      rule("/", web),
    ]);
    const ask = (path: string) =>
      exchangeRaw(at, `TRACE ${path} HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n`);
    expect(await ask("/trace")).toMatch(/^HTTP\/1\.1 200/);
    expect(await ask("/x")).toMatch(/^HTTP\/1\.1 404/);
    expect(web.requests).toEqual([]);
  });

  it(
    "answers TRACE by the exact host that refuses it, whatever its case, and goes on where a rule of it might take it",
    { timeout: 30_000 },
    async (context) => {
      const plane = await make(context);
      const listener = await plane.listener("http");
      const [web, trace] = [await plane.http("web"), await plane.http("trace")];
      const traced = (path: string) => rule({ path: exact(path), method: "TRACE" }, trace);
      await plane.apply({
        ...plane.backends,
        listeners: [listener],
        virtualHosts: [
          virtualHostItem(listener, "a.b.test", [rule("/", web)]),
          virtualHostItem(listener, "c.b.test", [traced("/own")]),
          virtualHostItem(listener, "*.b.test", [traced("/trace")]),
        ],
      });
      const { at } = plane.site(listener);
      const ask = async (host: string, path: string) => {
        const answer = await exchangeRaw(
          at,
          `TRACE ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
        );
        return answer.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length);
      };
      for (const host of ["a.b.test", "A.b.test", "a.b.test:99"]) {
        expect([host, await ask(host, "/trace")]).toEqual([host, "404"]);
      }
      for (const host of ["x.b.test", "c.b.test", "C.b.test"]) {
        expect([host, await ask(host, "/trace")]).toEqual([host, "200"]);
      }
      expect(web.requests).toEqual([]);
    },
  );

  it(
    "shows no port in a redirect that has none, whatever the Host had",
    { timeout: 30_000 },
    async (context) => {
      const plane = await make(context);
      const redirect = { scheme: "https", port: 443, statusCode: 301 } as const;
      const { get } = await plane.serve([rule("/", { redirect })]);
      for (const host of ["a.test", "a.test:8080", "A.test:8080"]) {
        const location = (await get("/x?y=1", { host })).header("location");
        expect({ host, location: location?.toLowerCase() }).toEqual({
          host,
          location: "https://a.test/x?y=1",
        });
      }
      expect((await get("/", { host: "[::1]:8080" })).header("location")).toBe("https://[::1]/");
    },
  );

  it(
    "takes no success but 200 of an authorization server for a yes",
    { timeout: 30_000 },
    async (context) => {
      const plane = await make(context);
      const web = await plane.http("web");
      const guard = await plane.http("guard", {
        answer: ({ target }) => ({ status: Number(target.slice(1)) }),
      });
      const auth: ExternalAuth = {
        protocol: "http",
        target: targetOf(guard),
        pathPrefix: "",
        requestHeaders: [],
        responseHeaders: ["x-user"],
        maxBodySize: 0,
      };
      const { get } = await plane.serve([rule("/", { auth, backends: [to(web)] })]);
      expect((await get("/204")).status).toBe(403);
      expect((await get("/201")).status).toBe(403);
      // What the server may say, nobody else may.
      const { seen } = await get("/200", { headers: { "x-user": "root" } });
      expect(seenHeader(seen!, "x-user")).toBeUndefined();
    },
  );

  it("keeps server names of two ports apart", { timeout: 30_000 }, async (context) => {
    const plane = await make(context);
    const ca = await makeCa();
    const listeners = [await plane.listener("tls"), await plane.listener("tls")];
    const certificates = await Promise.all(
      ["first", "second"].map(async (commonName) => ({
        key: `Secret/kit/${commonName}`,
        ...(await makeCertificate({ names: ["a.test"], commonName, ca })),
      })),
    );
    await plane.apply({
      certificates,
      listeners,
      serverNames: listeners.map((listener, index) =>
        serverNameItem(listener, "a.test", { type: "http", certificates: [certificates[index]!.key] }),
      ),
    });
    for (const [index, listener] of listeners.entries()) {
      const client = await plane.lines(plane.at(listener), { ca: ca.certificate, servername: "a.test" });
      client.close();
      expect(client.peer?.subject.CN).toBe(["first", "second"][index]);
    }
  });

  it(
    "tells HTTP below a wildcard that is passed on from the rest of it",
    { timeout: 30_000 },
    async (context) => {
      const plane = await make(context);
      const ca = await makeCa();
      const passed = await plane.http("passed", { tls: await makeCertificate({ names: ["b.a.test"], ca }) });
      const web = await plane.http("web");
      const certificate = {
        key: "Secret/kit/web",
        ...(await makeCertificate({ names: ["www.a.test"], ca })),
      };
      const route = { kind: "TLSRoute", namespace: "kit", name: "route", rule: 0 } as const;
      const { get } = await plane.serveTls(
        {
          "*.a.test": { type: "passthrough", route, backends: [to(passed)] },
          "www.a.test": { type: "http", certificates: [certificate.key] },
        },
        { certificates: [certificate], rules: [rule("/", web)] },
      );
      const from = async (name: string) =>
        (await get("/", { host: name, tls: { ca: ca.certificate, servername: name } })).from;
      expect(await from("www.a.test")).toBe("web");
      expect(await from("b.a.test")).toBe("passed");
    },
  );

  it(
    "finds misdirected requests among wildcards and hosts in any case",
    { timeout: 30_000 },
    async (context) => {
      const plane = await make(context);
      const ca = await makeCa();
      const names = ["*.one.test", "*.two.test", "three.test"];
      const listener = await plane.listener("tls");
      const certificate = { key: "Secret/kit/all", ...(await makeCertificate({ names, ca })) };
      const hosts = [];
      for (const name of names)
        hosts.push({ name, backend: await plane.http(name), section: sectionOf(name) });
      await plane.apply({
        ...plane.backends,
        certificates: [certificate],
        listeners: [listener],
        serverNames: hosts.map(({ name, section }) =>
          serverNameItem(listener, name, { type: "http", certificates: [certificate.key] }, section),
        ),
        virtualHosts: hosts.map(({ name, backend, section }) =>
          virtualHostItem(listener, name, [rule("/", backend)], section),
        ),
      });
      const { get } = plane.site(listener);
      const ask = async (servername: string, host: string) =>
        (await get("/", { host, tls: { ca: ca.certificate, servername } })).from;
      expect(await ask("a.one.test", "a.one.test")).toBe("*.one.test");
      expect(await ask("a.one.test", "B.ONE.test")).toBe("*.one.test");
      expect(await ask("a.one.test", "b.two.test")).toBe(421);
      expect(await ask("a.one.test", "three.test")).toBe(421);
      expect(await ask("three.test", "THREE.test")).toBe("three.test");
      expect(await ask("three.test", "x.one.test")).toBe(421);
      expect(await ask("three.test", "none.test")).toBe(404);
    },
  );

  it("logs requests in the form of all drivers", { timeout: 30_000 }, async (context) => {
    const records: Record<string, unknown>[] = [];
    const plane = await make(context, (record) => records.push(record as Record<string, unknown>));
    const web = await plane.http("web");
    const given = rule("/api", {
      rewrite: { path: { type: "full", value: "/inside" } },
      backends: [to(web)],
    });
    const named = {
      ...given,
      action: { ...given.action, route: { ...given.action.route, ruleName: "100%" } },
    };
    const { get, listener } = await plane.serve([named]);
    await get("/api/../api/x?secret=1", {
      method: "POST",
      host: "shop.test:80",
      body: "four",
      headers: { "x-request-id": "abc" },
    });
    await get("/none", { host: "shop.test" });
    await eventually(10_000, "two records", () => records.length >= 2);
    const [first, second] = records;
    const { time, durationMs, bytesOut, host, rule: ruleName, ...rest } = first!;
    expect(Number.isNaN(Date.parse(String(time)))).toBe(false);
    expect(durationMs).toBeTypeOf("number");
    expect(bytesOut).toBeGreaterThan(10);
    expect(host).toBe("shop.test");
    expect(String(ruleName)).toMatch(/^[0-9]+\/100%$/);
    expect(rest).toEqual({
      gateway: "kit/gateway",
      listener: listener.key,
      route: "HTTPRoute/kit/route",
      method: "POST",
      path: "/api/x",
      protocol: "HTTP/1.1",
      status: 200,
      bytesIn: 4,
      backend: web.backend.key,
      endpoint: `127.0.0.1:${web.port}`,
      clientAddress: "127.0.0.1",
      requestId: "abc",
    });
    expect(second).toMatchObject({ path: "/none", status: 404 });
    expect(second).not.toHaveProperty("route");
    expect(second).not.toHaveProperty("backend");
  });

  it("refuses heads that are too large", { timeout: 30_000 }, async (context) => {
    const plane = await make(context);
    const { at } = await plane.serve([rule("/", await plane.http("web"))]);
    const head = (more: string) => `GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n${more}\r\n`;
    expect(await exchangeRaw(at, head("X-A: 1\r\n"))).toMatch(/^HTTP\/1\.1 200/);
    expect(await exchangeRaw(at, head(`X-A: ${"a".repeat(70_000)}\r\n`))).toMatch(/^HTTP\/1\.1 431/);
    const many = Array.from({ length: 200 }, (__, index) => `X-${index}: 1\r\n`).join("");
    expect(await exchangeRaw(at, head(many))).toMatch(/^HTTP\/1\.1 431/);
  });

  it(
    "loses no request of open connections when wildcards and exact hosts change",
    { timeout: 30_000 },
    async (context) => {
      const plane = await make(context);
      const [web, other] = [await plane.http("web"), await plane.http("other")];
      const listener = await plane.listener("http");
      const hosts = (backend: typeof web) => [
        virtualHostItem(listener, "*.test", [rule("/", backend)]),
        virtualHostItem(listener, "a.test", [rule({ path: exact("/only") }, backend)]),
      ];
      await plane.apply({ ...plane.backends, listeners: [listener], virtualHosts: hosts(web) });
      const { get } = plane.site(listener);
      const statuses = new Set<number>();
      let isOver = false;
      const load = (async () => {
        while (!isOver) statuses.add((await get("/", { host: "a.test" })).status);
      })();
      for (let turn = 0; turn < 20; turn++) {
        await plane.apply({ virtualHosts: hosts(turn % 2 === 0 ? other : web) });
        await plane.apply({ endpoints: [endpointsItem(web.backend, web.port)] });
      }
      await pause(50);
      isOver = true;
      await load;
      expect([...statuses]).toEqual([200]);
    },
  );
});
