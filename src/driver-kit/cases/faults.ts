import assert from "node:assert/strict";
import net from "node:net";
import { makeCa, makeCertificate } from "../certificates.ts";
import { casesOf } from "../contract-case.ts";
import { rule, serverNameItem, virtualHostItem } from "../items.ts";
import type { Plane } from "../plane.ts";
import { freePort } from "../traffic/free-port.ts";
import { isRefused } from "../traffic/stream-client.ts";

const test = casesOf("faults");

/** Somebody else's server on a port. */
async function occupy(plane: Plane): Promise<{ readonly port: number; readonly leave: () => Promise<void> }> {
  const port = await freePort();
  const server = net.createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(port, "0.0.0.0", resolve));
  const leave = () => new Promise<void>((resolve) => server.close(() => resolve()));
  plane.atEnd(leave);
  return { port, leave };
}

export const faultCases = [
  test(
    "a port that is taken is refused with its reason, and opened when it is free",
    "HTTPRoute",
    async (plane) => {
      const web = await plane.http("web");
      const { port, leave } = await occupy(plane);
      const listener = await plane.listener("http", { port });
      await plane.apply({
        ...plane.backends,
        listeners: [listener],
        virtualHosts: [virtualHostItem(listener, "*", [rule("/", web)])],
      });
      const state = plane.stateOf("listeners", listener.key);
      assert.equal(state?.type, "refused", JSON.stringify(state));
      assert.equal(state.reason, "PortUnavailable");
      assert.match(state.message, new RegExp(String(port)));
      await leave();
      await plane.untilState("listeners", listener.key, "programmed");
      assert.equal((await plane.site(listener).get("/")).from, "web");
    },
  ),

  test("a port that is taken does not keep the others from opening", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const { port } = await occupy(plane);
    const [taken, free] = [await plane.listener("http", { port }), await plane.listener("http")];
    await plane.apply({
      ...plane.backends,
      listeners: [taken, free],
      virtualHosts: [taken, free].map((listener) => virtualHostItem(listener, "*", [rule("/", web)])),
    });
    assert.equal(plane.stateOf("listeners", taken.key)?.type, "refused");
    assert.equal((await plane.site(free).get("/")).from, "web");
    await plane.apply({ listeners: [taken.key], virtualHosts: [`${taken.key}|*`] });
    assert.equal((await plane.site(free).get("/")).from, "web");
  }),

  test("a certificate that cannot be used is refused, and nobody else notices", "Gateway", async (plane) => {
    const ca = await makeCa();
    const web = await plane.http("web");
    const [good, other] = [
      await makeCertificate({ names: ["good.test"], ca }),
      await makeCertificate({ names: ["x"], ca }),
    ];
    const bad = {
      "garbage.test": { certificates: "this is no PEM", privateKey: good.privateKey },
      "other-key.test": { certificates: good.certificates, privateKey: other.privateKey },
    };
    const serve = (name: string) => ({ type: "http", certificates: [`Secret/kit/${name}`] }) as const;
    const names = ["good.test", ...Object.keys(bad)];
    const { at, get } = await plane.serveTls(Object.fromEntries(names.map((name) => [name, serve(name)])), {
      certificates: [
        { key: "Secret/kit/good.test", ...good },
        ...Object.entries(bad).map(([name, content]) => ({ key: `Secret/kit/${name}`, ...content })),
      ],
      rules: [rule("/", web)],
    });
    const fromGood = () =>
      get("/", { host: "good.test", tls: { ca: ca.certificate, servername: "good.test" } });
    assert.equal((await fromGood()).from, "web");
    for (const name of Object.keys(bad)) {
      const state = plane.stateOf("certificates", `Secret/kit/${name}`);
      assert.equal(state?.type, "refused", name);
      assert.ok(state.message.length > 0);
      assert.doesNotMatch(state.message, /PRIVATE KEY/);
      assert.equal(await isRefused(at, { servername: name, rejectUnauthorized: false }), true, name);
    }
    assert.equal(plane.stateOf("certificates", "Secret/kit/good.test")?.type ?? "programmed", "programmed");
  }),

  test("a certificate that is put right is used, and reported so", "Gateway", async (plane) => {
    const ca = await makeCa();
    const web = await plane.http("web");
    const key = "Secret/kit/a";
    const { get } = await plane.serveTls(
      { "a.test": { type: "http", certificates: [key] } },
      { certificates: [{ key, certificates: "none", privateKey: "none" }], rules: [rule("/", web)] },
    );
    assert.equal(plane.stateOf("certificates", key)?.type, "refused");
    await plane.apply({ certificates: [{ key, ...(await makeCertificate({ names: ["a.test"], ca })) }] });
    const tls = { ca: ca.certificate, servername: "a.test" };
    assert.equal((await get("/", { host: "a.test", tls })).from, "web");
    await plane.untilState("certificates", key, "programmed");
  }),

  test("the last good certificate stays in force when its successor is refused", "Gateway", async (plane) => {
    const ca = await makeCa();
    const web = await plane.http("web");
    const key = "Secret/kit/a";
    const { get, listener } = await plane.serveTls(
      { "a.test": { type: "http", certificates: [key] } },
      {
        certificates: [{ key, ...(await makeCertificate({ names: ["a.test"], ca })) }],
        rules: [rule("/", web)],
      },
    );
    await plane.apply({ certificates: [{ key, certificates: "broken", privateKey: "broken" }] });
    assert.equal(plane.stateOf("certificates", key)?.type, "refused");
    const tls = { ca: ca.certificate, servername: "a.test" };
    assert.equal((await get("/", { host: "a.test", tls })).from, "web");
    const again = serverNameItem(listener, "b.test", { type: "http", certificates: [key] });
    await plane.apply({ serverNames: [again] });
    assert.equal((await get("/", { host: "a.test", tls })).from, "web");
  }),

  test("clients that say nothing, or leave in the middle, do no harm", "HTTPRoute", async (plane) => {
    const web = await plane.http("web", { answer: () => ({ delay: 200 }) });
    const { at, get } = await plane.serve([rule("/", web)]);
    const sockets = Array.from({ length: 30 }, (_, index) => {
      const socket = net.connect(at.port, at.address);
      socket.on("error", () => {});
      if (index % 3 === 1) socket.write("GET / HTTP/1.1\r\nHost:");
      if (index % 3 === 2) socket.write("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
      return socket;
    });
    plane.atEnd(() => sockets.forEach((socket) => socket.destroy()));
    assert.equal((await get("/")).from, "web");
    for (const socket of sockets) socket.destroy();
    assert.equal((await get("/")).from, "web");
  }),
];
