/** Values that mean something somewhere: they are refused, or they stay what they are. Nobody else notices. */
import { describe, expect, it } from "vitest";
import { exchangeRaw, statusesIn } from "../../src/driver-kit/traffic/raw-client.ts";
import { parseResource, type Resource } from "../../src/resources/index.ts";
import type { AccessRecord } from "../../src/drivers/embedded/http/access-log.ts";
import { memorySource } from "../../src/sources/index.ts";
import { httpBackend } from "./support/backends.ts";
import { objectsIn, startGateway, startGatewayFrom } from "./support/gateway-under-test.ts";
import { httpGateway, httpRoute, service } from "./support/objects.ts";

const evil = [
  "\n",
  "\r\nX-Injected: yes",
  "\r\n\r\nHTTP/1.1 200 OK",
  ";",
  "{",
  "}",
  '"',
  "'",
  "`",
  "\\",
  "#",
  "$host",
  "\u0000",
  "\u2028",
  "%0d%0aX-Injected:%20yes",
  "../../../../var/run/secrets/token",
  "__proto__",
  "constructor",
];

type Fields = Record<string, unknown>;
const base = { parentRefs: [{ name: "web" }], hostnames: ["evil.test"] };
const backendRefs = [{ name: "web", port: 80 }];
const ruleWith = (rule: Fields): Fields => ({ ...base, rules: [{ backendRefs, ...rule }] });
const filterWith = (type: string, member: string, content: Fields): Fields =>
  ruleWith({
    filters: [{ type, [member]: content }],
    ...(type === "RequestRedirect" && { backendRefs: undefined }),
  });

/** Field → the spec of an HTTPRoute that has the text there. */
const places: Readonly<Record<string, (text: string) => Fields>> = {
  hostname: (text) => ({ ...ruleWith({}), hostnames: [`a${text}.test`] }),
  "parent's section": (text) => ({ ...ruleWith({}), parentRefs: [{ name: "web", sectionName: `a${text}` }] }),
  "name of the rule": (text) => ruleWith({ name: `a${text}` }),
  path: (text) => ruleWith({ matches: [{ path: { type: "PathPrefix", value: `/a${text}` } }] }),
  "exact path": (text) => ruleWith({ matches: [{ path: { type: "Exact", value: `/a${text}` } }] }),
  "expression of a path": (text) =>
    ruleWith({ matches: [{ path: { type: "RegularExpression", value: `/a${text}` } }] }),
  "name of a header": (text) => ruleWith({ matches: [{ headers: [{ name: `a${text}`, value: "b" }] }] }),
  "value of a header": (text) => ruleWith({ matches: [{ headers: [{ name: "a", value: `b${text}` }] }] }),
  "name of a query parameter": (text) =>
    ruleWith({ matches: [{ queryParams: [{ name: `a${text}`, value: "b" }] }] }),
  "value of a query parameter": (text) =>
    ruleWith({ matches: [{ queryParams: [{ name: "a", value: `b${text}` }] }] }),
  "name of a Service": (text) => ruleWith({ backendRefs: [{ name: `web${text}`, port: 80 }] }),
  "name of a header that is set": (text) =>
    filterWith("RequestHeaderModifier", "requestHeaderModifier", { set: [{ name: `x${text}`, value: "1" }] }),
  "value of a header that is set": (text) =>
    filterWith("RequestHeaderModifier", "requestHeaderModifier", {
      set: [{ name: "x-set", value: `1${text}` }],
    }),
  "value of a header that is added to the answer": (text) =>
    filterWith("ResponseHeaderModifier", "responseHeaderModifier", {
      add: [{ name: "x-add", value: `1${text}` }],
    }),
  "name of a header that is removed": (text) =>
    filterWith("RequestHeaderModifier", "requestHeaderModifier", { remove: [`x${text}`] }),
  "host of a redirect": (text) =>
    filterWith("RequestRedirect", "requestRedirect", { hostname: `a${text}.test` }),
  "path of a redirect": (text) =>
    filterWith("RequestRedirect", "requestRedirect", {
      path: { type: "ReplaceFullPath", replaceFullPath: `/a${text}` },
    }),
  "host of a rewrite": (text) => filterWith("URLRewrite", "urlRewrite", { hostname: `a${text}.test` }),
  "path of a rewrite": (text) =>
    filterWith("URLRewrite", "urlRewrite", {
      path: { type: "ReplaceFullPath", replaceFullPath: `/a${text}` },
    }),
  "prefix of a rewrite": (text) =>
    filterWith("URLRewrite", "urlRewrite", {
      path: { type: "ReplacePrefixMatch", replacePrefixMatch: `/a${text}` },
    }),
  "name of a mirror": (text) =>
    filterWith("RequestMirror", "requestMirror", { backendRef: { name: `web${text}`, port: 80 } }),
  "origin of CORS": (text) => filterWith("CORS", "cors", { allowOrigins: [`https://a${text}.test`] }),
  "header of CORS": (text) =>
    filterWith("CORS", "cors", { allowOrigins: ["*"], exposeHeaders: [`x${text}`] }),
  "name of a session": (text) => ruleWith({ sessionPersistence: { sessionName: `a${text}` } }),
  "path of an authorisation server": (text) =>
    filterWith("ExternalAuth", "externalAuth", {
      protocol: "HTTP",
      backendRef: { name: "web", port: 80 },
      http: { path: `/a${text}` },
    }),
};

function routeWith(spec: Fields): Resource | undefined {
  const parsed = parseResource({
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "HTTPRoute",
    metadata: { name: "evil", namespace: "shop" },
    spec: JSON.parse(JSON.stringify(spec)) as unknown,
  });
  return parsed.outcome === "resource" ? parsed.resource : undefined;
}

/** Name → value of the head of an answer, as a proxy behind us would read it. */
const headOf = (received: string) => received.split("\r\n\r\n", 1)[0]!.toLowerCase();

describe("a value in an object", () => {
  it.each(Object.keys(places))("cannot break out of its place: %s", async (place) => {
    const web = await httpBackend("web");
    const source = memorySource(
      objectsIn(
        httpGateway +
          httpRoute("  hostnames: [good.test]\n  rules: [{ backendRefs: [{ name: web, port: 80 }] }]") +
          service("web", [web.port]),
      ),
    );
    const gateway = await startGatewayFrom(source);
    for (const text of evil) {
      const resource = routeWith(places[place]!(text));
      if (!resource) continue;
      source.set(resource);
      await gateway.controller.settled();
      const request =
        "GET /a HTTP/1.1\r\nHost: evil.test\r\nOrigin: https://x.test\r\nConnection: close\r\n\r\n";
      const received = await exchangeRaw(gateway.at(), request, { silence: 100 });
      expect([text, statusesIn(received).length]).toEqual([text, 1]);
      expect(headOf(received)).not.toMatch(/^x-injected/m);
      for (const seen of web.requests) {
        const names = seen.headers.map(([name]) => name);
        expect([text, names.includes("x-injected")]).toEqual([text, false]);
        expect(seen.target).toMatch(/^\/[\x21-\x7e]*$/);
      }
      expect((await gateway.get({ host: "good.test" })).from).toBe("web");
    }
    expect(gateway.faults).toEqual([]);
  });

  it("can be named like a member of every object", async () => {
    const web = await httpBackend("web");
    const objects = ["constructor", "tostring", "hasownproperty"].map((name) =>
      httpRoute(
        `  hostnames: [${name}.test]\n  rules: [{ name: ${name}, matches: [{ headers: [{ name: __proto__, value: constructor }] }], backendRefs: [{ name: web, port: 80 }] }]`,
        name,
      ),
    );
    const gateway = await startGateway(httpGateway + objects.join("") + service("web", [web.port]));
    const headers = Object.fromEntries([["__proto__", "constructor"]]) as Record<string, string>;
    expect((await gateway.get({ host: "constructor.test", headers })).from).toBe("web");
    expect((await gateway.get({ host: "constructor.test" })).status).toBe(404);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("a regular expression", () => {
  const withExpression = (value: string) => `
  hostnames: [evil.test]
  rules:
    - matches: [{ path: { type: RegularExpression, value: ${JSON.stringify(value)} } }]
      backendRefs: [{ name: web, port: 80 }]`;

  it.each([
    ["looks ahead", "/(?=a)"],
    ["looks behind", "/(?<!a)b"],
    ["refers back", "/(a)\\1"],
    ["is not balanced", "/((a)"],
    ["has a class without an end", "/[a"],
    ["repeats nothing", "*"],
    ["repeats too often", "/(((a{1000}){1000}){1000})"],
  ])("that %s is refused, and says so", async (_, expression) => {
    const began = performance.now();
    const gateway = await startGateway(httpGateway + httpRoute(withExpression(expression)));
    expect(gateway.condition("HTTPRoute", "shop/shop", "Accepted")).toBe("False/UnsupportedValue");
    expect(gateway.message("HTTPRoute", "shop/shop", "Accepted")).toContain(
      "spec.rules[0].matches[0].path.value",
    );
    expect((await gateway.get({ host: "evil.test" })).status).toBe(404);
    expect(performance.now() - began).toBeLessThan(3000);
  });

  it("takes time in proportion to the path, whatever it is", async () => {
    const web = await httpBackend("web");
    const gateway = await startGateway(
      httpGateway + httpRoute(withExpression("/(a+)+(a|aa)*(.*)*b")) + service("web", [web.port]),
    );
    const began = performance.now();
    expect((await gateway.get({ host: "evil.test", path: `/${"a".repeat(8000)}!` })).status).toBe(404);
    expect(performance.now() - began).toBeLessThan(3000);
    expect((await gateway.get({ host: "evil.test", path: `/${"a".repeat(800)}b` })).from).toBe("web");
  });
});

describe("the access log", () => {
  it("has one line per request, whatever clients send", async () => {
    const records: AccessRecord[] = [];
    const gateway = await startGateway(httpGateway + httpRoute("  hostnames: [a.test]"), {
      driver: { accessLog: (record) => void records.push(record) },
    });
    const lines = [
      "GET /a%0d%0ainjected HTTP/1.1\r\nHost: a.test",
      "GET /a\x0binjected HTTP/1.1\r\nHost: a.test",
      "GET /a\x1b[31minjected HTTP/1.1\r\nHost: a.test",
      "GET / HTTP/1.1\r\nHost: a.test\x0d injected",
      'GET /"},{"status":200 HTTP/1.1\r\nHost: a.test',
      "GET /\xff\xfe HTTP/1.1\r\nHost: a.test",
      "IN\x1bJECT / HTTP/1.1\r\nHost: a.test",
      "GET / HTTP/1.1\r\nHost: a.test\r\nX-Request-Id: a\x07b",
    ];
    for (const line of lines)
      await exchangeRaw(gateway.at(), `${line}\r\nConnection: close\r\n\r\n`, { silence: 100 });
    await expect.poll(() => records.length).toBeGreaterThan(0);
    for (const record of records) {
      const text = JSON.stringify(record);
      expect(text).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      expect(JSON.parse(text)).toEqual(record);
      expect(record.path).not.toMatch(/\p{Cc}/u);
      expect(record.host).not.toMatch(/\p{Cc}/u);
    }
  });
});
