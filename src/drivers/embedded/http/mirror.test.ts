import { describe, expect, it } from "vitest";
import type { Mirror } from "../../../model/index.ts";
import {
  bytesBackend,
  closedPort,
  echoBackend,
  echoOf,
  httpBackend,
} from "../../../../test/http-backends.ts";
import { ask } from "../../../../test/http-client.ts";
import { opened, simpleGateway, toBackend } from "../../../../test/http-gateway.ts";
import { eventually } from "../../../../test/tcp-servers.ts";

function mirror(backend: string, numerator = 1, denominator = 1): Mirror {
  return { target: { type: "backend", backend }, numerator, denominator };
}

describe("mirrors", () => {
  it("get the request as the backend gets it, and their answers go nowhere", async () => {
    const backend = await opened(echoBackend("main"));
    const seen: { method: string; path: string; body: string; header: unknown }[] = [];
    const shadow = await opened(
      httpBackend((request, response) => {
        let body = "";
        request.on("data", (chunk) => (body += String(chunk)));
        request.on("end", () => {
          seen.push({ method: request.method!, path: request.url!, body, header: request.headers["x-a"] });
          response.writeHead(500, { "x-shadow": "1" }).end("shadow");
        });
      }),
    );
    const gateway = await simpleGateway(
      0,
      {
        requestHeaders: { set: [{ name: "x-a", value: "1" }], add: [], remove: [] },
        rewrite: { path: { type: "full", value: "/new" } },
        mirrors: [mirror("shadow"), mirror("shadow")],
        to: [toBackend("echo", { mirrors: [mirror("shadow")] })],
      },
      { backends: { echo: { ports: [backend.port] }, shadow: { ports: [shadow.port] } } },
    );
    const answer = await ask(gateway.port, "/old", { method: "POST", body: "hello" });
    expect(echoOf(answer)).toMatchObject({ backend: "main", body: "hello" });
    expect(answer.headers).not.toHaveProperty("x-shadow");
    await eventually(() => seen.length === 3);
    expect(seen[0]).toEqual({ method: "POST", path: "/new", body: "hello", header: "1" });
  });

  it("take exactly their share", async () => {
    const backend = await opened(echoBackend());
    const shadow = await opened(echoBackend());
    const gateway = await simpleGateway(
      0,
      { mirrors: [mirror("shadow", 3, 10)] },
      { backends: { echo: { ports: [backend.port] }, shadow: { ports: [shadow.port] } } },
    );
    for (let index = 0; index < 40; index++) await ask(gateway.port, "/");
    await eventually(() => shadow.requests.length === 12);
    expect(backend.requests).toHaveLength(40);
  });

  it("never hold a request up: down, silent or slow to read", async () => {
    const backend = await opened(echoBackend());
    const silent = await opened(bytesBackend(() => {}));
    const stuck = await opened(bytesBackend((socket) => socket.pause()));
    const gateway = await simpleGateway(
      0,
      {
        mirrors: [
          mirror("down"),
          mirror("silent"),
          mirror("stuck"),
          mirror("unknown"),
          { target: { type: "error", status: 500, reason: "x" }, numerator: 1, denominator: 1 },
        ],
      },
      {
        backends: {
          echo: { ports: [backend.port] },
          down: { ports: [await closedPort()] },
          silent: { ports: [silent.port] },
          stuck: { ports: [stuck.port] },
        },
        limits: { maxMirrorLagBytes: 100_000 },
      },
    );
    const body = Buffer.alloc(16 * 1024 * 1024, "x");
    const answer = await ask(gateway.port, "/", { method: "POST", body });
    expect(answer.status).toBe(200);
    expect(gateway.service.metrics.mirrorsGivenUp).toBeGreaterThanOrEqual(1);
  });
});
