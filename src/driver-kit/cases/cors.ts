import assert from "node:assert/strict";
import type { CorsPolicy } from "../../model/index.ts";
import { casesOf } from "../contract-case.ts";
import { rule, to } from "../items.ts";
import type { Plane } from "../plane.ts";
import type { Answer } from "../traffic/answer.ts";

const test = casesOf("cross-origin requests");

const strict: CorsPolicy = {
  allowOrigins: ["https://www.shop.test", "https://*.partner.test"],
  allowCredentials: false,
  allowMethods: ["GET", "PUT"],
  allowHeaders: ["x-one", "x-two"],
  exposeHeaders: ["x-shown", "x-also"],
  maxAge: 600,
};

async function serveCors(plane: Plane, cors: CorsPolicy) {
  const web = await plane.http("web", {
    answer: () => ({ headers: { "access-control-allow-origin": "https://backend.test", vary: "Accept" } }),
  });
  const { get } = await plane.serve([rule("/", { cors, backends: [to(web)] })]);
  return {
    web,
    get,
    preflight: (origin: string, method = "PUT", requested = "x-one") =>
      get("/", {
        method: "OPTIONS",
        headers: {
          origin,
          "access-control-request-method": method,
          "access-control-request-headers": requested,
        },
      }),
  };
}

function cors(answer: Answer, name: string): string | undefined {
  return answer.header(`access-control-${name}`);
}

function list(value: string | undefined): string[] {
  return (value ?? "").split(",").map((part) => part.trim().toLowerCase());
}

function assertAnsweredHere(answer: Answer): void {
  assert.ok(answer.status === 200 || answer.status === 204, `status ${answer.status}`);
  assert.equal(answer.bytes.length, 0);
}

export const corsCases = [
  test(
    "a pre-flight request of an allowed origin is answered by the gateway",
    "HTTPRouteCORS",
    async (plane) => {
      const { preflight, web } = await serveCors(plane, strict);
      const answer = await preflight("https://www.shop.test");
      assertAnsweredHere(answer);
      assert.equal(cors(answer, "allow-origin"), "https://www.shop.test");
      assert.deepEqual(list(cors(answer, "allow-methods")), ["get", "put"]);
      assert.deepEqual(list(cors(answer, "allow-headers")), ["x-one", "x-two"]);
      assert.equal(cors(answer, "max-age"), "600");
      assert.equal(cors(answer, "allow-credentials"), undefined);
      assert.equal(web.requests.length, 0);
    },
  ),

  test("an origin that is not allowed gets no header that allows it", "HTTPRouteCORS", async (plane) => {
    const { preflight, get } = await serveCors(plane, strict);
    const origins = [
      "https://evil.test",
      "http://www.shop.test",
      "https://www.shop.test:8443",
      "https://www.shop.test.evil.test",
      "https://partner.test",
      "https://evilpartner.test",
      "null",
    ];
    for (const origin of origins) {
      assert.equal(cors(await preflight(origin), "allow-origin"), undefined, origin);
      const actual = await get("/", { headers: { origin } });
      assert.equal(cors(actual, "allow-origin"), undefined, origin);
      assert.equal(cors(actual, "expose-headers"), undefined, origin);
    }
  }),

  test("a wildcard in an origin's host stands for any labels", "HTTPRouteCORS", async (plane) => {
    const { preflight } = await serveCors(plane, strict);
    for (const origin of ["https://a.partner.test", "https://a.b.partner.test"]) {
      assert.equal(cors(await preflight(origin), "allow-origin"), origin);
    }
  }),

  test(
    "an actual request goes to the backend, and its answer is marked in the gateway's words alone",
    "HTTPRouteCORS",
    async (plane) => {
      const { get } = await serveCors(plane, strict);
      const answer = await get("/", { headers: { origin: "https://www.shop.test" } });
      assert.equal(answer.from, "web");
      assert.equal(cors(answer, "allow-origin"), "https://www.shop.test");
      assert.deepEqual(list(cors(answer, "expose-headers")), ["x-shown", "x-also"]);
      assert.equal(cors(answer, "allow-methods"), undefined);
      assert.deepEqual(list(answer.header("vary")).toSorted(), ["accept", "origin"]);
    },
  ),

  test("OPTIONS that is no pre-flight request goes to the backend", "HTTPRouteCORS", async (plane) => {
    const { get } = await serveCors(plane, strict);
    const headers = { origin: "https://www.shop.test" };
    assert.equal((await get("/", { method: "OPTIONS", headers })).from, "web");
  }),

  test("with * everything that is asked for is allowed by its name", "HTTPRouteCORS", async (plane) => {
    const { preflight, get } = await serveCors(plane, {
      ...strict,
      allowOrigins: ["*"],
      allowMethods: ["*"],
      allowHeaders: ["*"],
      allowCredentials: true,
    });
    const answer = await preflight("https://any.test", "PATCH", "x-mine,x-yours");
    assertAnsweredHere(answer);
    assert.equal(cors(answer, "allow-origin"), "https://any.test");
    assert.ok(list(cors(answer, "allow-methods")).includes("patch"));
    assert.deepEqual(list(cors(answer, "allow-headers")), ["x-mine", "x-yours"]);
    assert.equal(cors(answer, "allow-credentials"), "true");
    const actual = await get("/", { headers: { origin: "https://any.test" } });
    assert.equal(cors(actual, "allow-origin"), "https://any.test");
    assert.equal(cors(actual, "allow-credentials"), "true");
  }),

  test("a backend's own policy holds for it", "HTTPRouteCORS", async (plane) => {
    const web = await plane.http("web");
    const { get } = await plane.serve([rule("/", { backends: [to(web, { cors: strict })] })]);
    const answer = await get("/", { headers: { origin: "https://www.shop.test" } });
    assert.equal(cors(answer, "allow-origin"), "https://www.shop.test");
  }),

  test("a request without an Origin is none of this", "HTTPRouteCORS", async (plane) => {
    const { get } = await serveCors(plane, strict);
    assert.equal((await get("/")).from, "web");
  }),
];
