/** What `explain` says is what the gateway does: the same objects, the same requests, both asked. */
import { beforeAll, afterAll, describe, expect, it } from "vitest";
import { createController, explain, type Controller, type Outcome } from "../../../src/controller/index.ts";
import { startHttpBackend, type HttpBackend } from "../../../src/driver-kit/traffic/http-backend.ts";
import { requestHttp1 } from "../../../src/driver-kit/traffic/http-client.ts";
import { embeddedDriver, type EmbeddedDriver } from "../../../src/drivers/embedded/index.ts";
import { memorySource } from "../../../src/sources/index.ts";
import { makeCertificate } from "../../certificates.ts";
import { objectsIn } from "../support/gateway-under-test.ts";
import { route, secret, service } from "../support/objects.ts";

const gatewayYaml = `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners:
    - { name: http, port: 80, protocol: HTTP }
    - { name: wild, port: 80, protocol: HTTP, hostname: "*.wild.test" }
    - { name: a, port: 443, protocol: HTTPS, hostname: a.test, tls: { certificateRefs: [{ name: tls }] } }
    - { name: b, port: 443, protocol: HTTPS, hostname: "*.b.test", tls: { certificateRefs: [{ name: tls }] } }
`;
const routes = [
  route(
    "HTTPRoute",
    `
  hostnames: [a.test, x.b.test]
  rules:
    - matches: [{ path: { value: /one } }, { path: { type: Exact, value: /exact } }]
      backendRefs: [{ name: one, port: 80 }]
    - matches: [{ path: { type: RegularExpression, value: "/r[0-9]+" } }]
      backendRefs: [{ name: two, port: 80 }]
    - matches: [{ path: { value: /one }, headers: [{ name: x-kind, value: special }] }]
      filters:
        - type: URLRewrite
          urlRewrite: { hostname: inner.test, path: { type: ReplacePrefixMatch, replacePrefixMatch: / } }
      backendRefs: [{ name: two, port: 80 }]
    - matches: [{ path: { value: /one }, method: POST, queryParams: [{ name: q, value: "1" }] }]
      backendRefs: [{ name: two, port: 80 }]
    - matches: [{ path: { value: /away } }]
      filters:
        - type: RequestRedirect
          requestRedirect: { scheme: https, hostname: other.test, path: { type: ReplaceFullPath, replaceFullPath: /new } }
    - matches: [{ path: { value: /gone } }]
      backendRefs: [{ name: nowhere, port: 80 }]
    - matches: [{ path: { value: /unready } }]
      backendRefs: [{ name: unready, port: 80 }]`,
    "named",
  ),
  route(
    "HTTPRoute",
    `
  hostnames: ["*.wild.test"]
  rules: [{ matches: [{ path: { value: /w } }], backendRefs: [{ name: one, port: 80 }] }]`,
    "wild",
  ),
  route(
    "HTTPRoute",
    `
  rules: [{ matches: [{ path: { value: /any } }], backendRefs: [{ name: two, port: 80 }] }]`,
    "any",
    "{ name: web, sectionName: http }",
  ),
].join("");

let controller: Controller;
let driver: EmbeddedDriver;
let backends: HttpBackend[] = [];

beforeAll(async () => {
  backends = [await startHttpBackend({ name: "one" }), await startHttpBackend({ name: "two" })];
  const [one, two] = backends as [HttpBackend, HttpBackend];
  const certificate = await makeCertificate({ names: ["a.test", "*.b.test"] });
  const objects = [
    gatewayYaml,
    routes,
    secret("tls", certificate),
    service("one", [one.port]),
    service("two", [two.port]),
    service("unready", []),
  ];
  driver = embeddedDriver({ bind: () => ({ host: "127.0.0.1", port: 0 }), limits: { grace: 300 } });
  controller = createController({ source: memorySource(objectsIn(objects.join("\n"))), driver });
  await controller.start();
});

afterAll(async () => {
  await controller.stop();
  for (const backend of backends) await backend.stop();
});

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a client would see of it. */
function foretell({ method, url, headers }: Asked): unknown {
  const result = explain({ method, url, headers: Object.entries(headers) }, controller);
  if (result.outcome === "malformed") throw new Error(result.message);
  return simplify(result.explanation.outcome);
}

function simplify(outcome: Outcome): unknown {
  switch (outcome.type) {
    case "forwarded": {
      const [, , name] = outcome.backends[0]?.backend?.split("/") ?? [];
      return { from: name, target: outcome.request.target, host: outcome.request.host };
    }
    case "redirected":
      return { status: outcome.status, location: outcome.location };
    case "answered":
      return { status: outcome.status };
    default:
      return "no answer";
  }
}

async function really({ method, url, headers }: Asked): Promise<unknown> {
  const { protocol, host, pathname, search } = new URL(url);
  // Not pathname: the URL class would tidy it up.
  const path = url.slice(`${protocol}//${host}`.length) || `${pathname}${search}`;
  const port = protocol === "https:" ? 443 : 80;
  const at = driver.describe().listeners.find((listener) => listener.port === port)?.addresses[0];
  const tls = { servername: host, rejectUnauthorized: false };
  const { host: other, ...rest } = headers;
  try {
    const answer = await requestHttp1(at!, {
      method,
      path,
      host: other ?? host,
      headers: rest,
      ...(protocol === "https:" ? { tls } : {}),
    });
    const { seen, status } = answer;
    if (seen) return { from: answer.from, target: seen.target, host: seen.host };
    const location = answer.header("location");
    return location === undefined ? { status } : { status, location };
  } catch {
    return "no answer";
  }
}

const cases: [method: string, url: string, headers?: Readonly<Record<string, string>>][] = [
  ["GET", "http://a.test/one"],
  ["GET", "http://a.test/one/more?x=1&y=%20"],
  ["GET", "http://a.test/onemore"],
  ["GET", "http://A.TEST/one"],
  ["GET", "http://a.test/exact"],
  ["GET", "http://a.test/exact/"],
  ["GET", "http://a.test/r42"],
  ["GET", "http://a.test/r42x"],
  ["GET", "http://a.test/one/x", { "x-kind": "special" }],
  ["GET", "http://a.test/one", { "x-kind": "other" }],
  ["POST", "http://a.test/one?q=1"],
  ["POST", "http://a.test/one?q=2&q=1"],
  ["GET", "http://a.test/one?q=1"],
  ["GET", "http://a.test/away/x?q=1"],
  ["GET", "https://a.test/away"],
  ["GET", "http://a.test/gone"],
  ["GET", "http://a.test/unready"],
  ["GET", "http://a.test/nothing"],
  ["GET", "http://a.test/any/where"],
  ["GET", "http://other.test/any"],
  ["GET", "http://other.test/one"],
  ["GET", "http://x.wild.test/w"],
  ["GET", "http://x.y.wild.test/w"],
  ["GET", "http://x.wild.test/any"],
  ["GET", "http://wild.test/any"],
  ["GET", "http://a.test/one/../any"],
  ["GET", "http://a.test/%6fne"],
  ["GET", "http://a.test//one"],
  ["GET", "http://a.test/one/..;/any"],
  ["GET", "http://a.test/one%zz"],
  ["GET", "http://a.test/one", { host: "other.test" }],
  ["TRACE", "http://a.test/one"],
  ["OPTIONS", "http://a.test/one"],
  ["GET", "https://a.test/one"],
  ["GET", "https://a.test/one", { host: "x.b.test" }],
  ["GET", "https://x.b.test/one"],
  ["GET", "https://y.b.test/one"],
  ["GET", "https://x.b.test/one", { host: "y.b.test" }],
  ["GET", "https://other.test/one"],
];

describe("what explain says is what the gateway does", () => {
  it.each(cases)("%s %s %j", async (method, url, headers = {}) => {
    const asked = { method, url, headers };
    expect(foretell(asked)).toEqual(await really(asked));
  });
});
