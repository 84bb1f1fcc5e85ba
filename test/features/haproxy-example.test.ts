/*
 * The example of the generic controller's design (5.11 to 5.15), as it stands in test/golden/gateway/ingate-example, with real
 * requests through HAProxy. Endpoints are moved to this machine, and ports to free ones; nothing else is changed.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { CORE_SCHEMA, loadAll } from "js-yaml";
import { afterAll, describe, expect, it, type TestContext } from "vitest";
import type { Listener } from "../../src/model/index.ts";
import { parseResource, type Resource } from "../../src/resources/index.ts";
import { need } from "../components/need.ts";
import { Translated } from "../golden/translated.ts";
import { freePort, HaproxyUnderTest } from "../haproxy-driver.ts";

const ends: (() => unknown)[] = [];
const input = join(import.meta.dirname, "../golden/gateway/ingate-example/input.yaml");
const ports = new Map<number, number>();

async function backend(name: string): Promise<number> {
  const server = http.createServer((_, response) => response.end(name));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Slices lead to servers here, one for each Service. */
async function movedHere(document: unknown): Promise<unknown> {
  const { kind, metadata } = document as {
    readonly kind: string;
    readonly metadata: { readonly labels?: Record<string, string> };
  };
  if (kind !== "EndpointSlice") return document;
  const service = metadata.labels!["kubernetes.io/service-name"]!;
  return {
    ...(document as object),
    ports: [{ port: await backend(service) }],
    endpoints: [{ addresses: ["127.0.0.1"] }],
  };
}

async function exampleModel(): Promise<Translated["model"]> {
  const translated = new Translated({ allowLoopbackEndpoints: true });
  const resources: Resource[] = [];
  for (const document of loadAll(readFileSync(input, "utf8"), undefined, { schema: CORE_SCHEMA })) {
    const parsed = parseResource(await movedHere(document));
    if (!("resource" in parsed)) throw new Error(JSON.stringify(parsed));
    resources.push(parsed.resource);
  }
  translated.set(...resources);
  return translated.model;
}

function itemsOf<T>(collection: { entries(): Iterable<readonly [string, T]> }): readonly T[] {
  return Array.from(collection.entries(), ([, item]) => item);
}

async function onFreePort(listener: Listener): Promise<Listener> {
  const bindPort = await freePort();
  ports.set(listener.port, bindPort);
  return { ...listener, bindPort };
}

async function start(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "gw-ha-"));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  const plane = await new HaproxyUnderTest(folder).start();
  ends.push(() => plane.driver.stop());
  const model = await exampleModel();
  await plane.apply({
    certificates: itemsOf(model.certificates),
    backends: itemsOf(model.backends),
    endpoints: itemsOf(model.endpoints),
    listeners: await Promise.all(itemsOf(model.listeners).map(onFreePort)),
    serverNames: itemsOf(model.serverNames),
    virtualHosts: itemsOf(model.virtualHosts),
  });
}

/** Who answers, or the status. */
function ask(
  port: 80 | 443,
  host: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port: ports.get(port)!,
      path,
      headers: { host, ...headers },
      agent: false as const,
    };
    const answered = (response: http.IncomingMessage) => {
      let body = "";
      response.on("data", (chunk) => (body += String(chunk)));
      response.on("end", () => resolve(response.statusCode === 200 ? body : String(response.statusCode)));
    };
    const secure = { ...options, servername: host, rejectUnauthorized: false };
    (port === 443 ? https.get(secure, answered) : http.get(options, answered)).on("error", reject);
  });
}

function certificateFor(servername: string): Promise<string> {
  return new Promise((resolve) => {
    const options = { host: "127.0.0.1", port: ports.get(443)!, servername, rejectUnauthorized: false };
    const socket = tls.connect(options, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on("error", () => resolve("refused"));
  });
}

describe("the design's example through HAProxy", () => {
  let started: Promise<void> | undefined;
  const ready = (context: TestContext): Promise<void> => {
    need(context, "haproxy");
    return (started ??= start());
  };
  afterAll(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  it.for([80, 443] as const)(
    "5.15 routes of port %d go by host, path element and header",
    async (port, context) => {
      await ready(context);
      expect(await ask(port, "foo.example.com", "/login")).toBe("foo-svc");
      expect(await ask(port, "foo.example.com", "/login/x")).toBe("foo-svc");
      expect(await ask(port, "bar.example.com", "/", { env: "canary" })).toBe("bar-svc-canary");
      expect(await ask(port, "bar.example.com", "/")).toBe("bar-svc");
    },
  );

  it.for([80, 443] as const)(
    "5.18 on port %d /loginx is not /login, and values have their case",
    async (port, context) => {
      await ready(context);
      expect(await ask(port, "foo.example.com", "/loginx")).toBe("404");
      expect(await ask(port, "bar.example.com", "/", { env: "Canary" })).toBe("bar-svc");
      expect(await ask(port, "bar.example.com", "/", { ENV: "canary" })).toBe("bar-svc-canary");
    },
  );

  it("5.11 foo has its own certificate, all other names of the domain the wildcard one", async (context) => {
    await ready(context);
    expect(await certificateFor("foo.example.com")).toBe("Test only a");
    expect(await certificateFor("bar.example.com")).toBe("Test only b");
    expect(await certificateFor("a.b.example.com")).toBe("Test only b");
    expect(await certificateFor("example.org")).toBe("refused");
  });
});
