/** One reading of a request for everybody: routing, authorisation and the backend. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exchangeRaw, statusesIn } from "../../src/driver-kit/traffic/raw-client.ts";
import { connectLines, isRefused } from "../../src/driver-kit/traffic/stream-client.ts";
import type { SeenRequest } from "../../src/driver-kit/traffic/seen-request.ts";
import { makeCertificate } from "../certificates.ts";
import { httpBackend } from "./support/backends.ts";
import { startGateway } from "./support/gateway-under-test.ts";
import { httpGateway, httpRoute, secret, service } from "./support/objects.ts";

const ways = [
  "/admin",
  "/admin/",
  "/admin/x",
  "//admin",
  "/./admin",
  "/x/../admin",
  "/x/..//admin",
  "/%61dmin",
  "/%61%64%6d%69%6e",
  "/x/%2e%2e/admin",
  "/x/%2E%2e/admin",
  "/x%2F..%2Fadmin",
  "/x/..%2fadmin",
  "/x/..%5cadmin",
  "/x%5c..%5cadmin",
  "/x\\..\\admin",
  "/x/..;/admin",
  "/x/.;/../admin",
  "/api..;/admin",
  "/api%2e%2e/admin",
  "/%c0%ae%c0%ae/admin",
  "/x/%252e%252e/admin",
  "/admin%00",
  "/admin%20",
  "/admin#x",
  "/admin?x",
  "/admin;x",
  "/ADMIN",
  "http://shop.test/admin",
  "http://other.test/admin",
];

/** What a careless server makes of a target: everything decoded, parameters cut off, dots followed, case lost. */
function carelessly(target: string): string {
  let path = target.split("?", 1)[0]!;
  for (let round = 0; round < 2; round++) {
    try {
      path = decodeURIComponent(path);
    } catch {
      path = path.replace(/%2f/gi, "/").replace(/%5c/gi, "\\").replace(/%2e/gi, ".");
    }
  }
  const segments: string[] = [];
  for (const segment of path.replaceAll("\\", "/").split("/")) {
    const [name = ""] = segment.split(";", 1);
    if (name === "..") segments.pop();
    else if (name !== "" && name !== ".") segments.push(name);
  }
  return `/${segments.join("/")}`;
}

describe("a path that is guarded", () => {
  it("is guarded in all its spellings", async () => {
    const [admin, web] = [await httpBackend("admin"), await httpBackend("web")];
    const auth = await httpBackend("auth", { answer: () => ({ status: 403, body: "no" }) });
    const rules = `
  rules:
    - matches: [{ path: { value: /admin } }]
      filters: [{ type: ExternalAuth, externalAuth: { protocol: HTTP, backendRef: { name: auth, port: 80 }, http: {} } }]
      backendRefs: [{ name: admin, port: 80 }]
    - backendRefs: [{ name: web, port: 80 }]`;
    const gateway = await startGateway(
      httpGateway +
        httpRoute(rules) +
        [admin, web, auth].map(({ name, port }) => service(name, [port])).join(""),
    );
    for (const target of ways) {
      const request = `GET ${target} HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n`;
      const received = await exchangeRaw(gateway.at(), request, { silence: 100 });
      expect([target, statusesIn(received).length]).toEqual([target, 1]);
    }
    expect(admin.requests).toEqual([]);
    // Doubly escaped, in another case, or with a parameter (RFC 3986 3.3) it is another path to everybody who reads it by the book.
    const byTheBook = ({ target }: SeenRequest) => !/%25|ADMIN|admin;/.test(target);
    const leaked = web.requests
      .filter(byTheBook)
      .map(({ target }) => target)
      .filter((target) => /^\/admin(\/|$)/.test(carelessly(target)));
    expect(leaked).toEqual([]);
    for (const { target } of auth.requests) expect(target).toMatch(/^\/admin(?:[/?]|$)/);
  });

  it("is forwarded as it was matched, and never with a double slash", async () => {
    const web = await httpBackend("web");
    const rules = `
  rules:
    - matches: [{ path: { value: /login } }]
      filters: [{ type: URLRewrite, urlRewrite: { path: { type: ReplacePrefixMatch, replacePrefixMatch: / } } }]
      backendRefs: [{ name: web, port: 80 }]`;
    const gateway = await startGateway(httpGateway + httpRoute(rules) + service("web", [web.port]));
    expect((await gateway.get({ path: "/loginx" })).status).toBe(404);
    const segment = fc.constantFrom("", "a", "..", ".", "%2e", "%2F", "b%20c", ";x", "login");
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { maxLength: 6 }), async (segments) => {
        const { status, seen } = await gateway.get({ path: `/login/${segments.join("/")}` });
        expect([200, 400, 404]).toContain(status);
        expect(seen?.target ?? "/").toMatch(/^\/(?!\/)/);
        expect(seen?.target ?? "/").not.toContain("//");
        expect(seen?.target ?? "/").not.toMatch(/\/\.\.?(\/|$)/);
      }),
      { numRuns: 60, seed: 26 },
    );
  });
});

describe("bytes that can be read in two ways", () => {
  const hidden = "GET /hidden HTTP/1.1\r\nHost: shop.test\r\n\r\n";
  const post = "POST /shown HTTP/1.1\r\nHost: shop.test\r\n";

  it.each([
    [
      "a length and a coding",
      `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    ],
    ["two lengths", `${post}Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`],
    ["a coding that is none", `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`],
    ["two codings", `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`],
    [
      "a folded header",
      `${post}X: a\r\n Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${hidden}`,
    ],
    [
      "a bare line feed",
      `POST /shown HTTP/1.1\nHost: shop.test\nContent-Length: 0\n\n${hidden.replaceAll("\r", "")}`,
    ],
    ["a size of a chunk that is none", `${post}Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n${hidden}`],
    ["two hosts", `GET /shown HTTP/1.1\r\nHost: shop.test\r\nHost: other.test\r\n\r\n`],
  ])("are refused: %s", async (_, bytes) => {
    const web = await httpBackend("web");
    const gateway = await startGateway(
      httpGateway +
        httpRoute("  rules: [{ backendRefs: [{ name: web, port: 80 }] }]") +
        service("web", [web.port]),
    );
    const received = await exchangeRaw(gateway.at(), bytes, { silence: 150 });
    expect(statusesIn(received)[0]).toBeGreaterThanOrEqual(400);
    expect(web.requests.map(({ target }) => target)).not.toContain("/hidden");
  });

  it("take the host of the target where the two differ", async () => {
    const [one, two] = [await httpBackend("one"), await httpBackend("two")];
    const gateway = await startGateway(
      httpGateway +
        httpRoute("  hostnames: [one.test]\n  rules: [{ backendRefs: [{ name: one, port: 80 }] }]", "one") +
        httpRoute("  hostnames: [two.test]\n  rules: [{ backendRefs: [{ name: two, port: 80 }] }]", "two") +
        service("one", [one.port]) +
        service("two", [two.port]),
    );
    const request = "GET http://one.test/x HTTP/1.1\r\nHost: two.test\r\nConnection: close\r\n\r\n";
    const received = await exchangeRaw(gateway.at(), request, { silence: 150 });
    expect(statusesIn(received)).toEqual([200]);
    expect(one.requests[0]).toMatchObject({ target: "/x", host: "one.test" });
    expect(two.requests).toEqual([]);
  });
});

describe("the certificate of one tenant", () => {
  it("is never shown for another's name", async () => {
    const [ofA, ofB] = [
      await makeCertificate({ names: ["a.test"], commonName: "tenant a" }),
      await makeCertificate({ names: ["b.test"], commonName: "tenant b" }),
    ];
    const listenerSet = (tenant: string) => `
---
apiVersion: gateway.networking.k8s.io/v1
kind: ListenerSet
metadata: { name: own, namespace: ${tenant} }
spec:
  parentRef: { name: web, namespace: shop }
  listeners:
    - { name: https, port: 443, protocol: HTTPS, hostname: ${tenant}.test, tls: { certificateRefs: [{ name: own }] } }
`;
    const gateway = await startGateway(
      httpGateway.replace("  listeners:", "  allowedListeners: { namespaces: { from: All } }\n  listeners:") +
        listenerSet("a") +
        listenerSet("b") +
        secret("own", ofA, "a") +
        secret("own", ofB, "b"),
    );
    const shown = async (servername: string) => {
      const client = await connectLines(gateway.at(443), { servername, rejectUnauthorized: false });
      const { subject } = client.peer!;
      client.close();
      return subject.CN;
    };
    expect([await shown("a.test"), await shown("b.test")]).toEqual(["tenant a", "tenant b"]);
    for (const servername of ["c.test", "x.a.test", ""]) {
      expect(await isRefused(gateway.at(443), { servername, rejectUnauthorized: false })).toBe(true);
    }
    await gateway.delete("ListenerSet", "a/own");
    expect(await isRefused(gateway.at(443), { servername: "a.test", rejectUnauthorized: false })).toBe(true);
    expect(await shown("b.test")).toBe("tenant b");
  });
});
