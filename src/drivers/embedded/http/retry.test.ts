import { describe, expect, it } from "vitest";
import {
  bytesBackend,
  closedPort,
  echoBackend,
  echoOf,
  httpBackend,
  type HttpBackendServer,
} from "../../../../test/http-backends.ts";
import { ask } from "../../../../test/http-client.ts";
import { opened, simpleGateway } from "../../../../test/http-gateway.ts";
import { backoffOf } from "./retry.ts";

/** Answers these statuses one after the other, then 200. */
function moody(...statuses: number[]): Promise<HttpBackendServer> {
  return opened(
    httpBackend((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += String(chunk)));
      request.on("end", () => response.writeHead(statuses.shift() ?? 200).end(body));
    }),
  );
}

const retry = { statusCodes: [500, 503], attempts: 2, backoff: 1 };

describe("retries", () => {
  it("repeat a request for the status codes of the rule, with its body", async () => {
    const backend = await moody(500, 503);
    const gateway = await simpleGateway(backend.port, { retry });
    const answer = await ask(gateway.port, "/", { method: "POST", body: "hello" });
    expect(answer).toMatchObject({ status: 200, text: "hello" });
    expect(backend.requests).toHaveLength(3);
    expect(gateway.service.metrics.retries).toBe(2);
  });

  it("pass on the last answer when there are no tries left", async () => {
    const backend = await moody(500, 500, 500, 500);
    const gateway = await simpleGateway(backend.port, { retry });
    expect((await ask(gateway.port, "/")).status).toBe(500);
    expect(backend.requests).toHaveLength(3);
  });

  it("do not happen for other codes, nor without a stanza", async () => {
    const backend = await moody(502, 500);
    const first = await simpleGateway(backend.port, { retry });
    expect((await ask(first.port, "/")).status).toBe(502);
    const second = await simpleGateway(backend.port);
    expect((await ask(second.port, "/")).status).toBe(500);
    expect(backend.requests).toHaveLength(2);
  });

  it("follow a connection that breaks", async () => {
    let connections = 0;
    const backend = await opened(
      bytesBackend((socket) => {
        if (++connections <= 2) socket.destroy();
        else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      }),
    );
    const gateway = await simpleGateway(backend.port, { retry });
    expect((await ask(gateway.port, "/", { method: "POST", body: "x" })).text).toBe("ok");
    expect(connections).toBe(3);
  });

  it("follow a try that took too long", async () => {
    let count = 0;
    const backend = await opened(
      httpBackend((_request, response) => {
        if (++count > 1) response.end("ok");
      }),
    );
    const gateway = await simpleGateway(backend.port, { retry, timeouts: { backendRequest: 60 } });
    expect((await ask(gateway.port, "/")).text).toBe("ok");
    expect(count).toBe(2);
  });

  it("wait at least as long as the rule says", async () => {
    const times: number[] = [];
    const backend = await opened(
      httpBackend((_request, response) => {
        times.push(performance.now());
        response.writeHead(500).end();
      }),
    );
    const gateway = await simpleGateway(backend.port, { retry: { ...retry, backoff: 50 } });
    await ask(gateway.port, "/");
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(50);
    expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(100);
    for (let count = 1; count < 9; count++) {
      expect(backoffOf({ ...retry, backoff: 10 }, count)).toBeGreaterThanOrEqual(10);
      expect(backoffOf({ ...retry, backoff: 10 }, count)).toBeLessThanOrEqual(10 * 32 * 1.5 + 2);
    }
  });

  it("end with the request's own time-out", async () => {
    const backend = await opened(httpBackend((_request, response) => response.writeHead(500).end()));
    const gateway = await simpleGateway(backend.port, {
      retry: { statusCodes: [500], attempts: 100, backoff: 30 },
      timeouts: { request: 150 },
    });
    const start = performance.now();
    expect((await ask(gateway.port, "/")).status).toBe(504);
    expect(performance.now() - start).toBeLessThan(600);
    const { length } = backend.requests;
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(backend.requests).toHaveLength(length);
  });

  it("do not happen for a body that is too long to keep", async () => {
    const backend = await moody(500, 500);
    const gateway = await simpleGateway(backend.port, { retry }, { limits: { maxReplayBytes: 1000 } });
    expect((await ask(gateway.port, "/", { method: "POST", body: "x".repeat(1001) })).status).toBe(500);
    expect(backend.requests).toHaveLength(1);
    const answer = await ask(gateway.port, "/", { method: "POST", body: "x".repeat(1000) });
    expect(answer).toMatchObject({ status: 200, text: "x".repeat(1000) });
  });

  it("stay within the backend's budget", async () => {
    const backend = await opened(httpBackend((_request, response) => response.writeHead(500).end()));
    const gateway = await simpleGateway(
      0,
      { retry },
      {
        backends: {
          echo: {
            ports: [backend.port],
            changes: { retryBudget: { percent: 0, interval: 10_000, minRetries: 3, minInterval: 60_000 } },
          },
        },
      },
    );
    for (let index = 0; index < 5; index++) expect((await ask(gateway.port, "/")).status).toBe(500);
    expect(backend.requests).toHaveLength(5 + 3);
  });
});

describe("without a retry stanza", () => {
  it("another endpoint is asked where one cannot be reached, and that one is left alone for a while", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(
      0,
      {},
      { backends: { echo: { ports: [await closedPort(), backend.port] } } },
    );
    for (let index = 0; index < 10; index++) {
      const answer = await ask(gateway.port, "/", { method: "POST", body: "hello" });
      expect(echoOf(answer).body).toBe("hello");
    }
    expect(gateway.service.metrics.retries).toBe(1);
  });

  it("a kept connection that the backend closed meanwhile does not fail a GET", async () => {
    const backend = await opened(
      bytesBackend((socket, _request, count) => {
        if (count === 1) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        else socket.destroy();
      }),
    );
    const gateway = await simpleGateway(backend.port);
    expect((await ask(gateway.port, "/")).text).toBe("ok");
    expect((await ask(gateway.port, "/")).text).toBe("ok");
    // The backend may have acted on it: the client has to decide.
    expect((await ask(gateway.port, "/", { method: "POST", body: "x" })).status).toBe(503);
  });

  it("does not use a connection longer than the backend says it waits", async () => {
    const backend = await opened(
      bytesBackend("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 2\r\n\r\nok"),
    );
    const gateway = await simpleGateway(backend.port);
    await ask(gateway.port, "/");
    await ask(gateway.port, "/");
    expect(backend.accepted).toHaveLength(2);
  });
});

describe("failures", () => {
  it.each([
    ["cannot be reached", () => closedPort(), 503],
    [
      "closes the connection",
      async () => (await opened(bytesBackend((socket) => socket.destroy()))).port,
      503,
    ],
    ["speaks no HTTP", async () => (await opened(bytesBackend("hello\r\n\r\n"))).port, 502],
    [
      "contradicts itself",
      async () =>
        (
          await opened(
            bytesBackend(
              "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            ),
          )
        ).port,
      502,
    ],
  ])("of a backend that %s", async (_case, port, status) => {
    const gateway = await simpleGateway(await port());
    expect((await ask(gateway.port, "/")).status).toBe(status);
    expect(gateway.log[0]).toMatchObject({ status, backend: "echo" });
  });

  it("of a backend that never answers are 504, by the request, by the try and by silence", async () => {
    const backend = await opened(bytesBackend(() => {}));
    for (const timeouts of [{ request: 50 }, { backendRequest: 50 }]) {
      const gateway = await simpleGateway(backend.port, { timeouts });
      expect((await ask(gateway.port, "/")).status).toBe(504);
    }
    const gateway = await simpleGateway(backend.port, {}, { upstreamLimits: { idleTimeout: 50 } });
    expect((await ask(gateway.port, "/")).status).toBe(504);
  });

  it("of time break an answer that has begun", async () => {
    const backend = await opened(
      bytesBackend((socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart")),
    );
    const gateway = await simpleGateway(backend.port, { timeouts: { request: 60 } });
    await expect(ask(gateway.port, "/")).rejects.toThrow(/aborted|hang up|ECONNRESET/);
  });

  it("of time are not counted where the time-out is switched off", async () => {
    const backend = await opened(
      httpBackend((_request, response) => setTimeout(() => response.end("late"), 150)),
    );
    const gateway = await simpleGateway(
      backend.port,
      { timeouts: { request: 0 } },
      { upstreamLimits: { idleTimeout: 50 } },
    );
    expect((await ask(gateway.port, "/")).text).toBe("late");
  });
});
