import assert from "node:assert/strict";
import type { Redirect } from "../../model/index.ts";
import { makeCa, makeCertificate } from "../certificates.ts";
import { casesOf } from "../contract-case.ts";
import { rule, to } from "../items.ts";
import type { Plane } from "../plane.ts";

const test = casesOf("redirects");

async function serveRedirect(plane: Plane, redirect: Partial<Redirect>, path = "/") {
  const site = await plane.serve([
    rule(path, { redirect: { port: "listener", statusCode: 302, ...redirect } }),
  ]);
  return { ...site, location: async (target: string) => (await site.get(target)).header("location") };
}

async function expectStatus(plane: Plane, statusCode: Redirect["statusCode"]): Promise<void> {
  const { get, listener } = await serveRedirect(plane, { hostname: "new.test", statusCode });
  for (const method of ["GET", "POST"]) {
    const answer = await get("/a?b=c", { method, ...(method === "POST" ? { body: "x" } : {}) });
    assert.equal(answer.status, statusCode);
    assert.equal(answer.header("location"), `http://new.test:${listener.port}/a?b=c`);
  }
}

export const redirectCases = [
  test("301", "HTTPRoute", (plane) => expectStatus(plane, 301)),
  test("302", "HTTPRoute", (plane) => expectStatus(plane, 302)),
  test("303", "HTTPRoute303RedirectStatusCode", (plane) => expectStatus(plane, 303)),
  test("307", "HTTPRoute307RedirectStatusCode", (plane) => expectStatus(plane, 307)),
  test("308", "HTTPRoute308RedirectStatusCode", (plane) => expectStatus(plane, 308)),

  test("what is not given is the request's own", "HTTPRoute", async (plane) => {
    const { get, listener } = await serveRedirect(plane, { statusCode: 301 });
    const answer = await get("/deep/path?x=1&y=%20", { host: "www.shop.test" });
    assert.equal(answer.header("location"), `http://www.shop.test:${listener.port}/deep/path?x=1&y=%20`);
  }),

  test("the scheme's own port is left out, any other is shown", "HTTPRouteSchemeRedirect", async (plane) => {
    const https = await serveRedirect(plane, { scheme: "https", hostname: "a.test", port: 443 });
    assert.equal(await https.location("/x"), "https://a.test/x");
    const odd = await serveRedirect(plane, { scheme: "https", hostname: "a.test", port: 80 });
    assert.equal(await odd.location("/x"), "https://a.test:80/x");
    const same = await serveRedirect(plane, { scheme: "https", hostname: "a.test" });
    assert.equal(await same.location("/x"), `https://a.test:${same.listener.port}/x`);
  }),

  test("a port of its own", "HTTPRoutePortRedirect", async (plane) => {
    const plain = await serveRedirect(plane, { hostname: "a.test", port: 8083 });
    assert.equal(await plain.location("/x"), "http://a.test:8083/x");
    const usual = await serveRedirect(plane, { hostname: "a.test", port: 80 });
    assert.equal(await usual.location("/x"), "http://a.test/x");
  }),

  test(
    "a full path takes the place of the request's, the query is kept",
    "HTTPRoutePathRedirect",
    async (plane) => {
      const { location } = await serveRedirect(plane, {
        hostname: "a.test",
        port: 80,
        path: { type: "full", value: "/new/home" },
      });
      assert.equal(await location("/old/place?x=1"), "http://a.test/new/home?x=1");
    },
  ),

  test("a prefix is replaced, with one slash at the seam", "HTTPRoutePathRedirect", async (plane) => {
    const change = { hostname: "a.test", port: 80 } as const;
    const words = await serveRedirect(
      plane,
      { ...change, path: { type: "prefix", prefix: "/old", value: "/new" } },
      "/old",
    );
    assert.equal(await words.location("/old"), "http://a.test/new");
    assert.equal(await words.location("/old/x/y?z"), "http://a.test/new/x/y?z");
    const root = await serveRedirect(
      plane,
      { ...change, path: { type: "prefix", prefix: "/old", value: "/" } },
      "/old",
    );
    assert.equal(await root.location("/old"), "http://a.test/");
    assert.equal(await root.location("/old/x"), "http://a.test/x");
  }),

  test("a path that could mean another host stays a path", "HTTPRoute", async (plane) => {
    const { location, listener } = await serveRedirect(plane, { hostname: "a.test" });
    assert.equal(await location("//evil.test/x"), `http://a.test:${listener.port}/evil.test/x`);
  }),

  test("over TLS the request's own scheme is https", "Gateway", async (plane) => {
    const ca = await makeCa();
    const certificate = { key: "Secret/kit/a", ...(await makeCertificate({ names: ["a.test"], ca })) };
    const { get, listener } = await plane.serveTls(
      { "a.test": { type: "http", certificates: [certificate.key] } },
      {
        certificates: [certificate],
        rules: [
          rule("/own", { redirect: { port: "listener", statusCode: 302 } }),
          rule("/usual", { redirect: { port: 443, statusCode: 302 } }),
        ],
      },
    );
    const tls = { ca: ca.certificate, servername: "a.test" };
    const location = async (path: string) => (await get(path, { host: "a.test", tls })).header("location");
    assert.equal(await location("/own"), `https://a.test:${listener.port}/own`);
    assert.equal(await location("/usual"), "https://a.test/usual");
  }),

  test("a backend's own redirect holds for it alone", "HTTPRoute", async (plane) => {
    const [one, two] = [await plane.http("one"), await plane.http("two")];
    const redirect: Redirect = { hostname: "new.test", port: 80, statusCode: 301 };
    const { get } = await plane.serve([rule("/", { backends: [to(one, { redirect }), to(two)] })]);
    const takers = new Set<string | number>();
    for (let request = 0; request < 20; request++) takers.add((await get("/")).from);
    assert.deepEqual(takers, new Set([301, "two"]));
  }),

  test("nothing of a redirected request reaches a backend", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const redirect: Redirect = { hostname: "a.test", port: 80, statusCode: 301 };
    const { get } = await plane.serve([rule("/old", { redirect }), rule("/", web)]);
    assert.equal((await get("/old/x")).status, 301);
    assert.equal((await get("/x")).from, "web");
    assert.equal(web.requests.length, 1);
  }),
];
