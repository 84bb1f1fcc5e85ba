import assert from "node:assert/strict";
import type { Rewrite } from "../../model/index.ts";
import { casesOf } from "../contract-case.ts";
import { rule, to } from "../items.ts";
import type { Plane } from "../plane.ts";

const test = casesOf("rewrites");

async function expectTargets(
  plane: Plane,
  path: string,
  rewrite: Rewrite,
  expected: Readonly<Record<string, string>>,
): Promise<void> {
  const web = await plane.http("web");
  const { get } = await plane.serve([rule(path, { rewrite, backends: [to(web)] })]);
  for (const [sent, seen] of Object.entries(expected)) {
    assert.equal((await get(sent)).seen?.target, seen, `${sent} with ${JSON.stringify(rewrite.path)}`);
  }
}

export const rewriteCases = [
  test("the host that the backend sees", "HTTPRouteHostRewrite", async (plane) => {
    const web = await plane.http("web");
    const { get } = await plane.serve([
      rule("/", { rewrite: { hostname: "inside.test" }, backends: [to(web)] }),
    ]);
    const { seen } = await get("/x?y", { host: "outside.test" });
    assert.equal(seen?.host, "inside.test");
    assert.equal(seen.target, "/x?y");
  }),

  test(
    "a full path takes the place of the request's, the query is kept",
    "HTTPRoutePathRewrite",
    async (plane) => {
      const path = { type: "full", value: "/all/here" } as const;
      await expectTargets(plane, "/", { path }, { "/": "/all/here", "/a/b?x=1&y": "/all/here?x=1&y" });
    },
  ),

  test("a prefix is replaced, with one slash at the seam", "HTTPRoutePathRewrite", async (plane) => {
    const path = { type: "prefix", prefix: "/old", value: "/new" } as const;
    await expectTargets(
      plane,
      "/old",
      { path },
      {
        "/old": "/new",
        "/old/": "/new/",
        "/old/x": "/new/x",
        "/old?x=/old": "/new?x=/old",
        "/old/old": "/new/old",
        "/old/a%2Fb": "/new/a%2Fb",
      },
    );
  }),

  test("a prefix replaced by / leaves no double slash", "HTTPRoutePathRewrite", async (plane) => {
    const path = { type: "prefix", prefix: "/old", value: "/" } as const;
    await expectTargets(plane, "/old", { path }, { "/old": "/", "/old/": "/", "/old/x": "/x" });
  }),

  test("a prefix replaced by one with a slash at its end", "HTTPRoutePathRewrite", async (plane) => {
    const path = { type: "prefix", prefix: "/old", value: "/new/" } as const;
    await expectTargets(plane, "/old", { path }, { "/old/x": "/new/x" });
  }),

  test("replacements are literal text", "HTTPRoutePathRewrite", async (plane) => {
    const path = { type: "prefix", prefix: "/old", value: "/$1&$uri%20~" } as const;
    await expectTargets(plane, "/old", { path }, { "/old/x": "/$1&$uri%20~/x" });
  }),

  test("a backend's own rewrite holds for it alone", "HTTPRoutePathRewrite", async (plane) => {
    const [one, two] = [await plane.http("one"), await plane.http("two")];
    const rewrite: Rewrite = { path: { type: "full", value: "/only/one" } };
    const { get } = await plane.serve([rule("/", { backends: [to(one, { rewrite }), to(two)] })]);
    for (let request = 0; request < 20; request++) {
      const answer = await get("/x");
      assert.equal(answer.seen?.target, answer.from === "one" ? "/only/one" : "/x");
    }
  }),
];
