import assert from "node:assert/strict";
import type { Certificate, ServerNameAction } from "../../model/index.ts";
import { makeCa, makeCertificate } from "../certificates.ts";
import { casesOf } from "../contract-case.ts";
import { endpointsItem, noTarget, rule, serverNameItem, streamRouteItem, to } from "../items.ts";
import type { Plane, Running } from "../plane.ts";
import { isRefused, openDatagrams } from "../traffic/stream-client.ts";
import type { StreamBackend } from "../traffic/stream-backend.ts";

const tcp = casesOf("TCP");
const udp = casesOf("UDP");
const tls = casesOf("TLS streams");

async function serveStream(plane: Plane, protocol: "tcp" | "udp", ...backends: Running<StreamBackend>[]) {
  const listener = await plane.listener(protocol);
  const routes = [streamRouteItem(listener, ...backends.map((backend) => to(backend)))];
  await plane.apply({ ...plane.backends, listeners: [listener], streamRoutes: routes });
  return { listener, at: plane.at(listener) };
}

/** The backend that greets a new connection. */
async function greeterOf(
  plane: Plane,
  at: Parameters<Plane["lines"]>[0],
  options?: Parameters<Plane["lines"]>[1],
) {
  const client = await plane.lines(at, options);
  const name = await client.readLine();
  client.close();
  return name;
}

const route = { kind: "TLSRoute", namespace: "kit", name: "route", rule: 0 } as const;

const passTo = (...backends: readonly Running<unknown>[]): ServerNameAction => ({
  type: "passthrough",
  route,
  backends: backends.map((backend) => to(backend)),
});

const terminateFor = (
  certificate: Certificate,
  ...backends: readonly Running<unknown>[]
): ServerNameAction => ({
  type: "terminate",
  certificates: [certificate.key],
  route,
  backends: backends.map((backend) => to(backend)),
});

export const streamCases = [
  tcp(
    "bytes are copied in both directions, and each direction ends on its own",
    "TCPRoute",
    async (plane) => {
      const { at } = await serveStream(plane, "tcp", await plane.tcp("one"));
      const client = await plane.lines(at);
      assert.equal(await client.readLine(), "one");
      client.write("hello\nworld\n");
      assert.equal(await client.readLine(), "hello");
      assert.equal(await client.readLine(), "world");
      client.end();
      assert.equal(await client.readLine(), "bye");
      assert.equal(await client.readLine(), undefined);
    },
  ),

  tcp("clients that stay connected keep nobody else out", "TCPRoute", async (plane) => {
    const { at } = await serveStream(plane, "tcp", await plane.tcp("one"));
    // More than a proxy has room for unless it is told otherwise.
    for (let connected = 0; connected < 1_200; connected += 100) {
      const clients = await Promise.all(Array.from({ length: 100 }, () => plane.lines(at)));
      for (const client of clients) assert.equal(await client.readLine(), "one", `after ${connected} others`);
    }
  }),

  tcp("connections are shared out by weight", "TCPRoute", async (plane) => {
    const [one, two] = [await plane.tcp("one"), await plane.tcp("two")];
    const listener = await plane.listener("tcp");
    const streamRoutes = [streamRouteItem(listener, to(one, { weight: 3 }), to(two, { weight: 1 }))];
    await plane.apply({ ...plane.backends, listeners: [listener], streamRoutes });
    for (let connection = 0; connection < 200; connection++) await greeterOf(plane, plane.at(listener));
    assert.ok(one.clients >= 120 && one.clients <= 180, `${one.clients} of 200 connections, not about 150`);
  }),

  tcp("a changed route holds for new connections; open ones go on", "TCPRoute", async (plane) => {
    const [one, two] = [await plane.tcp("one"), await plane.tcp("two")];
    const { at, listener } = await serveStream(plane, "tcp", one);
    const client = await plane.lines(at);
    assert.equal(await client.readLine(), "one");
    await plane.apply({ streamRoutes: [streamRouteItem(listener, to(two))] });
    assert.equal(await greeterOf(plane, at), "two");
    client.write("still here\n");
    assert.equal(await client.readLine(), "still here");
  }),

  tcp(
    "without a route, a usable backend or an endpoint, connections are refused",
    "TCPRoute",
    async (plane) => {
      const [one, gone] = [await plane.tcp("one"), await plane.tcp("gone")];
      const { at, listener } = await serveStream(plane, "tcp", one);
      await plane.apply({ streamRoutes: [streamRouteItem(listener, { weight: 1, target: noTarget })] });
      assert.equal(await isRefused(at), true, "no usable backend");
      await plane.apply({
        streamRoutes: [streamRouteItem(listener, to(one))],
        endpoints: [endpointsItem(one.backend)],
      });
      assert.equal(await isRefused(at), true, "no endpoint");
      await gone.stop();
      await plane.apply({ endpoints: [endpointsItem(one.backend, gone.port)] });
      assert.equal(await isRefused(at), true, "the endpoint is down");
      await plane.apply({ streamRoutes: [listener.key] });
      assert.equal(await isRefused(at), true, "no route");
      await plane.apply({ streamRoutes: [streamRouteItem(listener, to(one))], endpoints: [one.endpoints] });
      assert.equal(await greeterOf(plane, at), "one");
    },
  ),

  udp("datagrams go to the backend, and its answers come back to who asked", "UDPRoute", async (plane) => {
    const { at } = await serveStream(plane, "udp", await plane.udp("one"));
    const [first, second] = [await openDatagrams(at), await openDatagrams(at)];
    plane.atEnd(() => first.close());
    plane.atEnd(() => second.close());
    assert.match(String(await first.exchange("hello")), /^one [0-9]+ hello$/);
    assert.match(String(await second.exchange("other")), /^one [0-9]+ other$/);
  }),

  udp("a client stays with its backend", "UDPRoute", async (plane) => {
    const [one, two] = [await plane.udp("one"), await plane.udp("two")];
    const { at } = await serveStream(plane, "udp", one, two);
    for (let client = 0; client < 4; client++) {
      const datagrams = await openDatagrams(at);
      plane.atEnd(() => datagrams.close());
      const sender = (await datagrams.exchange("first"))?.split(" ").slice(0, 2).join(" ");
      for (let turn = 0; turn < 5; turn++) {
        assert.equal((await datagrams.exchange(`turn ${turn}`))?.startsWith(`${sender} `), true);
      }
    }
    // A proxy that draws lots may need more of them.
    for (let more = 0; more < 40 && (one.clients === 0 || two.clients === 0); more++) {
      const datagrams = await openDatagrams(at);
      plane.atEnd(() => datagrams.close());
      await datagrams.exchange("more");
    }
    assert.ok(one.clients > 0 && two.clients > 0, "both backends have clients");
  }),

  udp(
    "a changed route holds for new clients, and without one nothing is answered",
    "UDPRoute",
    async (plane) => {
      const [one, two] = [await plane.udp("one"), await plane.udp("two")];
      const { at, listener } = await serveStream(plane, "udp", one);
      const ask = async (patience?: number) => {
        const datagrams = await openDatagrams(at);
        const answer = await datagrams.exchange("hello", patience);
        datagrams.close();
        return answer?.split(" ")[0];
      };
      assert.equal(await ask(), "one");
      await plane.apply({ streamRoutes: [streamRouteItem(listener, to(two))] });
      assert.equal(await ask(), "two");
      await plane.apply({ streamRoutes: [listener.key] });
      assert.equal(await ask(800), undefined);
    },
  ),

  tls(
    "passthrough: the server name chooses, and the backend's own certificate is seen",
    "TLSRoute",
    async (plane) => {
      const ca = await makeCa();
      const web = await plane.http("web", { tls: await makeCertificate({ names: ["a.test"], ca }) });
      const any = await plane.http("any", { tls: await makeCertificate({ names: ["x.b.test"], ca }) });
      const { at, get } = await plane.serveTls({ "a.test": passTo(web), "*.b.test": passTo(any) });
      const from = async (servername: string) =>
        (await get("/", { host: "whatever.test", tls: { ca: ca.certificate, servername } })).from;
      assert.equal(await from("a.test"), "web");
      assert.equal(await from("x.b.test"), "any");
      for (const servername of ["c.test", "b.test"]) {
        assert.equal(await isRefused(at, { servername, rejectUnauthorized: false }), true, servername);
      }
      assert.equal(await isRefused(at, { rejectUnauthorized: false }), true, "no server name");
    },
  ),

  tls(
    "passthrough: without a usable backend or an endpoint, connections are refused",
    "TLSRoute",
    async (plane) => {
      const ca = await makeCa();
      const web = await plane.http("web", { tls: await makeCertificate({ names: ["a.test"], ca }) });
      const { at } = await plane.serveTls(
        {
          "none.test": { type: "passthrough", route, backends: [{ weight: 1, target: noTarget }] },
          "empty.test": passTo(web),
          "routeless.test": { type: "passthrough", route: undefined, backends: [] },
        },
        { endpoints: [endpointsItem(web.backend)] },
      );
      for (const servername of ["none.test", "empty.test", "routeless.test"]) {
        assert.equal(await isRefused(at, { servername, rejectUnauthorized: false }), true, servername);
      }
    },
  ),

  tls("terminate: the backend gets plain bytes", "TLSRouteModeTerminate", async (plane) => {
    const ca = await makeCa();
    const certificate = { key: "Secret/kit/a", ...(await makeCertificate({ names: ["a.test"], ca })) };
    const one = await plane.tcp("one");
    const { at } = await plane.serveTls(
      { "a.test": terminateFor(certificate, one) },
      { certificates: [certificate] },
    );
    const client = await plane.lines(at, { ca: ca.certificate, servername: "a.test" });
    assert.equal(await client.readLine(), "one");
    client.write("in the clear\n");
    assert.equal(await client.readLine(), "in the clear");
  }),

  tls("passthrough and terminate on one port", "TLSRouteModeMixed", async (plane) => {
    const ca = await makeCa();
    const certificate = { key: "Secret/kit/a", ...(await makeCertificate({ names: ["a.test"], ca })) };
    const one = await plane.tcp("one");
    const web = await plane.http("web", { tls: await makeCertificate({ names: ["b.test"], ca }) });
    const { at, get } = await plane.serveTls(
      { "a.test": terminateFor(certificate, one), "b.test": passTo(web) },
      { certificates: [certificate] },
    );
    assert.equal(await greeterOf(plane, at, { ca: ca.certificate, servername: "a.test" }), "one");
    const answer = await get("/", { host: "b.test", tls: { ca: ca.certificate, servername: "b.test" } });
    assert.equal(answer.from, "web");
  }),

  tls("a server name may change from passthrough to HTTP and back", "TLSRoute", async (plane) => {
    const ca = await makeCa();
    const made = await makeCertificate({ names: ["a.test"], ca });
    const certificate = { key: "Secret/kit/a", ...made };
    const [secret, plain] = [await plane.http("secret", { tls: made }), await plane.http("plain")];
    const { get, listener } = await plane.serveTls(
      { "a.test": passTo(secret) },
      { certificates: [certificate], rules: [rule("/", plain)] },
    );
    const from = async () =>
      (await get("/", { host: "a.test", tls: { ca: ca.certificate, servername: "a.test" } })).from;
    assert.equal(await from(), "secret");
    const served = serverNameItem(listener, "a.test", { type: "http", certificates: [certificate.key] });
    await plane.apply({ serverNames: [served] });
    assert.equal(await from(), "plain");
    await plane.apply({ serverNames: [serverNameItem(listener, "a.test", passTo(secret))] });
    assert.equal(await from(), "secret");
  }),
];
