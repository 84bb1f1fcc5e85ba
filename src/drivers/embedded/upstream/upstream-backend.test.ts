import { describe, expect, it } from "vitest";
import { bytesBackend, closedPort, httpBackend } from "../../../../test/http-backends.ts";
import { closed, opened } from "../../../../test/http-gateway.ts";
import { eventually } from "../../../../test/tcp-servers.ts";
import type { UpstreamHandler, UpstreamLimits, UpstreamRequest } from "./upstream-call.ts";
import { createUpstreamBackend, type UpstreamBackend } from "./upstream-backend.ts";
import type { UpstreamError } from "./upstream-error.ts";

const request: UpstreamRequest = {
  method: "GET",
  scheme: "http",
  authority: "a.test",
  path: "/",
  headers: [],
  body: "none",
};

class Recorder implements UpstreamHandler {
  text = "";
  status = 0;
  ended = false;
  error: UpstreamError | undefined;

  onInformational(): void {}
  onHead(status: number): void {
    this.status = status;
  }
  onData(chunk: Buffer): void {
    this.text += String(chunk);
  }
  onEnd(): void {
    this.ended = true;
  }
  onDrain(): void {}
  onUpgrade(): void {}
  onError(error: UpstreamError): void {
    this.error = error;
  }
}

function backendOf(ports: readonly number[], limits: Partial<UpstreamLimits> = {}): UpstreamBackend {
  const backend = createUpstreamBackend({
    backend: { key: "b", protocol: "http" },
    endpoints: ports.map((port) => ({ address: "127.0.0.1", port })),
    limits,
  });
  closed(() => backend.close());
  return backend;
}

async function call(backend: UpstreamBackend, changes: Partial<UpstreamRequest> = {}): Promise<Recorder> {
  const recorder = new Recorder();
  backend.pick()!.call({ ...request, ...changes }, recorder, "http/1.1");
  await eventually(() => recorder.ended || recorder.error !== undefined);
  return recorder;
}

describe("UpstreamBackend", () => {
  it("keeps connections, and uses the warmest one", async () => {
    const server = await opened(httpBackend((_request, response) => response.end("ok")));
    const backend = backendOf([server.port]);
    await Promise.all([call(backend), call(backend), call(backend)]);
    expect(server.connections).toBe(3);
    for (let index = 0; index < 5; index++) expect((await call(backend)).text).toBe("ok");
    expect(server.connections).toBe(3);
    expect(backend.connections).toBe(3);
  });

  it("resolves names", async () => {
    const server = await opened(httpBackend((_request, response) => response.end("ok")));
    const backend = backendOf([]);
    backend.setEndpoints([{ address: "localhost", port: server.port }]);
    expect((await call(backend)).text).toBe("ok");
  });

  it("drops a connection on which something came that nobody asked for", async () => {
    const server = await opened(
      bytesBackend((socket) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        setTimeout(() => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"), 20);
      }),
    );
    const backend = backendOf([server.port]);
    expect((await call(backend)).text).toBe("ok");
    await eventually(() => backend.connections === 0);
    expect((await call(backend)).text).toBe("ok");
  });

  it.each([
    [
      "right behind the answer",
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\n",
      "ok",
    ],
    ["in the same piece as 304", "HTTP/1.1 304 x\r\n\r\nabc", ""],
  ])("takes nothing that comes %s", async (_case, bytes, text) => {
    const server = await opened(bytesBackend(bytes));
    const backend = backendOf([server.port]);
    const recorder = await call(backend);
    expect(recorder).toMatchObject({ ended: true, text, error: undefined });
    expect(backend.connections).toBe(0);
  });

  it("does not use a connection again whose request was not sent to its end", async () => {
    const server = await opened(bytesBackend("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
    const backend = backendOf([server.port]);
    const recorder = new Recorder();
    const running = backend.pick()!.call({ ...request, method: "POST", body: 100 }, recorder, "http/1.1");
    running.write(Buffer.from("part"));
    await eventually(() => recorder.ended);
    expect(recorder.text).toBe("ok");
    expect(backend.connections).toBe(0);
  });

  it("never sends more of a body than was announced", async () => {
    const seen: string[] = [];
    const server = await opened(bytesBackend((_socket, bytes) => seen.push(bytes)));
    const backend = backendOf([server.port]);
    const running = backend.pick()!.call({ ...request, method: "POST", body: 3 }, new Recorder(), "http/1.1");
    await eventually(() => backend.connections === 1);
    running.write(Buffer.from("abcdef"));
    running.end();
    await eventually(() => backend.connections === 0);
    expect(seen.join("")).not.toContain("abc");
  });

  it("does nothing more for a call that is over", async () => {
    const server = await opened(httpBackend((_request, response) => response.end("ok")));
    const backend = backendOf([server.port]);
    const first = new Recorder();
    const old = backend.pick()!.call(request, first, "http/1.1");
    await eventually(() => first.ended);
    const second = new Recorder();
    backend.pick()!.call(request, second, "http/1.1");
    old.abort();
    old.write(Buffer.from("x"));
    old.end();
    old.pause();
    await eventually(() => second.ended);
    expect(second).toMatchObject({ text: "ok", error: undefined });
    expect(server.connections).toBe(1);
  });

  it("has a bound on connections", async () => {
    const server = await opened(bytesBackend(() => {}));
    const backend = backendOf([server.port], { maxConnectionsPerEndpoint: 2 });
    const waiting = [new Recorder(), new Recorder()];
    const calls = waiting.map((recorder) => backend.pick()!.call(request, recorder, "http/1.1"));
    expect((await call(backend)).error).toMatchObject({ failure: "overflow", unprocessed: true });
    expect(backend.connections).toBe(2);
    for (const running of calls) running.abort();
    expect(backend.connections).toBe(0);
  });

  it("gives up on a connection that does not become usable", async () => {
    const server = await opened(bytesBackend(() => {}));
    const tls = { hostname: "a.test", trusted: "system", subjectAltNames: [] } as const;
    const backend = createUpstreamBackend({
      backend: { key: "b", protocol: "http", tls },
      endpoints: [{ address: "127.0.0.1", port: server.port }],
      tls,
      limits: { connectTimeout: 60 },
    });
    expect((await call(backend)).error).toMatchObject({ failure: "connect", unprocessed: true });
    expect(backend.connections).toBe(0);
  });

  it("passes over an endpoint that cannot be reached, for a while, unless it is the only one", async () => {
    const server = await opened(httpBackend((_request, response) => response.end("ok")));
    const down = await closedPort();
    const backend = backendOf([down, server.port], { unreachableFor: 100 });
    while ((await call(backend)).error === undefined);
    for (let index = 0; index < 6; index++) expect(backend.pick()!.port).toBe(server.port);
    await new Promise((resolve) => setTimeout(resolve, 110));
    expect(new Set([backend.pick()!.port, backend.pick()!.port]).size).toBe(2);
    const only = backendOf([down]);
    await call(only);
    expect(only.pick()!.port).toBe(down);
  });

  it("keeps endpoints that stay, with their connections", async () => {
    const server = await opened(httpBackend((_request, response) => response.end("ok")));
    const backend = backendOf([server.port]);
    await call(backend);
    const before = backend.pick();
    backend.setEndpoints([
      { address: "127.0.0.1", port: server.port },
      { address: "127.0.0.1", port: 1 },
      { address: "127.0.0.1", port: 1 },
    ]);
    expect(backend.endpoints).toHaveLength(2);
    expect(backend.endpoints[0]).toBe(before);
    backend.setEndpoints([]);
    expect(backend.pick()).toBeUndefined();
    await eventually(() => backend.connections === 0);
  });
});
