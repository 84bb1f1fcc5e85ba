/*
 * Messages that HAProxy would pass on by itself though they are malformed or mean something to one connection only. What clients send
 * comes from the contract where all drivers agree; here is the rest.
 */
import { afterEach, describe, expect, it, type TestContext } from "vitest";
import { backendItem, endpointsItem, rule } from "../../src/driver-kit/items.ts";
import { Plane, type Site } from "../../src/driver-kit/plane.ts";
import { exchangeRaw } from "../../src/driver-kit/traffic/raw-client.ts";
import { haproxyDriver } from "../../src/drivers/haproxy/index.ts";
import type { RuleAction } from "../../src/model/index.ts";
import { need } from "../components/need.ts";
import { bytesBackend } from "../http-backends.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** A site with one backend, which answers with these bytes. */
async function siteOf(context: TestContext, bytes: string, action: Partial<RuleAction> = {}): Promise<Site> {
  need(context, "haproxy");
  const server = await bytesBackend(bytes);
  ends.push(() => server.close());
  const driver = haproxyDriver({ limits: { grace: 500 } });
  const plane = new Plane(driver, { createDriver: () => driver });
  ends.push(() => plane.stop());
  await plane.start();
  const backend = backendItem("raw");
  const backends = [{ weight: 1, target: { type: "backend", backend: backend.key } as const }];
  return plane.serve([rule("/", { backends, ...action })], {
    backends: [backend],
    endpoints: [endpointsItem(backend, server.port)],
  });
}

const request = "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n";

/** An answer as it is, and through the section that tries again. */
const ways: readonly (readonly [name: string, action: Partial<RuleAction>])[] = [
  ["once", {}],
  ["with retries", { retry: { attempts: 1, statusCodes: [503], backoff: 1 } }],
];

describe.each(ways)("answers of HAProxy's backends, asked %s", (_, action) => {
  it("lose what belongs to the backend's connection", { timeout: 30_000 }, async (context) => {
    const fields =
      "Connection: x-inner, Content-Length\r\nX-Inner: 1\r\nProxy-Connection: x-inner\r\nX-Own: 1\r\n";
    const { at } = await siteOf(context, `HTTP/1.1 200 OK\r\n${fields}Content-Length: 2\r\n\r\nok`, action);
    const received = (await exchangeRaw(at, request)).toLowerCase();
    expect(received).toMatch(/^http\/1\.1 200 /);
    expect(received).toContain("\r\nx-own: 1\r\n");
    expect(received).toContain("\r\ncontent-length: 2\r\n");
    expect(received).not.toContain("x-inner");
    expect(received).not.toContain("connection:");
  });
});
