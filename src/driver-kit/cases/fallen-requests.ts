import assert from "node:assert/strict";
import { casesOf } from "../contract-case.ts";
import { authBy, exact, rule, targetOf, to, virtualHostItem } from "../items.ts";
import type { Plane } from "../plane.ts";
import type { RuleAction } from "../../model/index.ts";

const test = casesOf("requests that fall to a less specific host");

/** `www.shop.test` takes `/` alone; everything else of it is the wildcard's, by a rule that asks for more. */
async function serveFallen(plane: Plane, action: Partial<RuleAction>) {
  const [web, any] = [await plane.http("web"), await plane.http("any")];
  const listener = await plane.listener("http");
  const virtualHosts = [
    virtualHostItem(listener, "*.shop.test", [rule("/", { backends: [to(any)], ...action })]),
    virtualHostItem(listener, "www.shop.test", [rule({ path: exact("/") }, web)]),
  ];
  await plane.apply({ ...plane.backends, listeners: [listener], virtualHosts });
  const { get } = plane.site(listener);
  const host = "www.shop.test";
  assert.equal((await get("/", { host })).from, "web");
  return {
    any,
    get: (path: string, options: Parameters<typeof get>[1] = {}) => get(path, { host, ...options }),
  };
}

export const fallenRequestCases = [
  test("are authorized by its rule", "HTTPRouteExternalAuth", async (plane) => {
    const guard = await plane.http("guard", { answer: () => ({ status: 403 }) });
    const auth = authBy(targetOf(guard));
    const { get, any } = await serveFallen(plane, { auth });
    assert.equal((await get("/fallen")).status, 403);
    assert.equal(any.requests.length, 0);
    const { get: getOne } = await serveFallen(plane, { backends: [to(any, { auth })] });
    assert.equal((await getOne("/fallen")).status, 403);
    assert.equal(any.requests.length, 0);
  }),

  test("have its policy for other origins", "HTTPRouteCORS", async (plane) => {
    const { get } = await serveFallen(plane, {
      cors: {
        allowOrigins: ["https://partner.test"],
        allowCredentials: false,
        allowMethods: ["GET"],
        allowHeaders: [],
        exposeHeaders: [],
        maxAge: 60,
      },
    });
    const answer = await get("/fallen", { headers: { origin: "https://partner.test" } });
    assert.equal(answer.header("access-control-allow-origin"), "https://partner.test");
  }),

  test("have its sessions", "SessionPersistence", async (plane) => {
    const { get } = await serveFallen(plane, {
      session: { type: "cookie", name: "shop", lifetime: "session", path: "/" },
    });
    assert.match((await get("/fallen")).header("set-cookie") ?? "", /^shop=/);
  }),

  test("have its limit of bodies", "RequestBodyLimit", async (plane) => {
    const { get, any } = await serveFallen(plane, { maxBodySize: 10 });
    const send = (body: string) =>
      get("/fallen", { method: "POST", body, headers: { "transfer-encoding": "chunked" } });
    assert.equal((await send("x".repeat(11))).status, 413);
    assert.equal((await send("x".repeat(10))).from, "any");
    assert.equal(any.requests.length, 1);
  }),
];
