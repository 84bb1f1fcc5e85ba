import { describe, expect, it } from "vitest";
import type { SessionPersistence } from "../../../model/index.ts";
import { echoBackend, echoOf } from "../../../../test/http-backends.ts";
import { ask, type Answer } from "../../../../test/http-client.ts";
import { opened, simpleGateway, toBackend, type TestGateway } from "../../../../test/http-gateway.ts";

const cookie: SessionPersistence = { type: "cookie", name: "sid", lifetime: "session", path: "/" };

async function persistent(
  session: SessionPersistence,
  now?: () => number,
): Promise<{ gateway: TestGateway; ports: number[] }> {
  const servers = await Promise.all(["a", "b", "c", "d"].map((name) => opened(echoBackend(name))));
  const ports = servers.map(({ port }) => port);
  const gateway = await simpleGateway(
    0,
    { session, to: [toBackend("one", { weight: 3 }), toBackend("two")] },
    {
      backends: { one: { ports: ports.slice(0, 2) }, two: { ports: ports.slice(2) } },
      ...(now ? { now } : {}),
    },
  );
  return { gateway, ports };
}

function given(answer: Answer): string | undefined {
  return (answer.headers["set-cookie"] as string[] | undefined)?.[0];
}

describe("session persistence", () => {
  it("keeps a client with an endpoint by a cookie", async () => {
    const { gateway } = await persistent(cookie);
    const first = await ask(gateway.port, "/");
    expect(given(first)).toMatch(/^sid=[\w-]{47}; Path=\/; HttpOnly; SameSite=Strict$/);
    const sent = given(first)!.split(";")[0]!;
    for (let index = 0; index < 12; index++) {
      const answer = await ask(gateway.port, "/", { headers: { cookie: `sid=junk; x=y; ${sent}` } });
      expect(echoOf(answer).backend).toBe(echoOf(first).backend);
      expect(given(answer)).toBeUndefined();
    }
  });

  it("keeps a client with an endpoint by a header", async () => {
    const { gateway } = await persistent({ ...cookie, type: "header", name: "X-Session" });
    const first = await ask(gateway.port, "/");
    const token = String(first.headers["x-session"]);
    for (let index = 0; index < 8; index++) {
      const answer = await ask(gateway.port, "/", { headers: { "x-session": token } });
      expect(echoOf(answer).backend).toBe(echoOf(first).backend);
      expect(answer.headers["x-session"]).toBeUndefined();
    }
  });

  it("shows nothing of the endpoint, and takes no token that it did not make", async () => {
    const { gateway, ports } = await persistent(cookie);
    const token = given(await ask(gateway.port, "/"))!.slice(4, 51);
    const bytes = Buffer.from(token, "base64url");
    for (const port of ports) expect(bytes.toString("latin1")).not.toContain(String(port));
    const flipped = Buffer.from(bytes);
    flipped[10]! ^= 1;
    const later = Buffer.from(bytes);
    later[3]! ^= 1;
    for (const forged of [
      flipped.toString("base64url"),
      later.toString("base64url"),
      Buffer.from(`127.0.0.1:${ports[0]!}`).toString("base64url"),
      "",
      "x".repeat(5000),
    ]) {
      const answer = await ask(gateway.port, "/", { headers: { cookie: `sid=${forged}` } });
      expect(answer.status).toBe(200);
      expect(given(answer)).toBeDefined();
    }
  });

  it("begins anew when the endpoint is gone", async () => {
    const { gateway, ports } = await persistent(cookie);
    const first = await ask(gateway.port, "/");
    const left = ports.slice(0, 2).filter((_, index) => ["a", "b"][index] !== echoOf(first).backend);
    gateway.backends.get("one")!.setEndpoints(left.map((port) => ({ address: "127.0.0.1", port })));
    gateway.backends.get("two")!.setEndpoints([]);
    const sent = given(first)!.split(";")[0]!;
    let answer = await ask(gateway.port, "/", { headers: { cookie: sent } });
    if (answer.status === 503) answer = await ask(gateway.port, "/", { headers: { cookie: sent } });
    expect(answer.status).toBe(200);
    expect(echoOf(answer).backend).not.toBe(echoOf(first).backend);
    expect(given(answer)).toBeDefined();
  });

  it("ends after the absolute time-out, which a permanent cookie says", async () => {
    let now = 1_700_000_000_000;
    const { gateway } = await persistent(
      { ...cookie, lifetime: "permanent", absoluteTimeout: 60_000 },
      () => now,
    );
    const first = await ask(gateway.port, "/");
    expect(given(first)).toContain("; Max-Age=60");
    const sent = given(first)!.split(";")[0]!;
    now += 59_000;
    expect(given(await ask(gateway.port, "/", { headers: { cookie: sent } }))).toBeUndefined();
    now += 2_000;
    expect(given(await ask(gateway.port, "/", { headers: { cookie: sent } }))).toBeDefined();
  });
});
