import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { describe, expect, it } from "vitest";
import { bytesBackend, echoBackend, echoOf, httpBackend } from "../../../../test/http-backends.ts";
import { ask, sendBytes } from "../../../../test/http-client.ts";
import { action, httpGateway, opened, rule, simpleGateway } from "../../../../test/http-gateway.ts";
import { eventually } from "../../../../test/tcp-servers.ts";

describe("HTTP/1.1", () => {
  it("forwards a request and its answer", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port);
    const answer = await ask(gateway.port, "/a/b?c=d", { headers: { "X-One": "1" } });
    expect(answer.status).toBe(200);
    expect(answer.headers["x-backend"]).toBe("echo");
    expect(echoOf(answer)).toMatchObject({
      method: "GET",
      path: "/a/b?c=d",
      headers: { "x-one": "1", host: "a.test" },
    });
  });

  it("says who the client is, whatever the client says", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port);
    const answer = await ask(gateway.port, "/", {
      headers: {
        "x-forwarded-for": "10.0.0.1",
        "x-forwarded-proto": "https",
        "x-forwarded-host": "evil.test",
        "x-forwarded-client-cert": "By=evil",
        "x-request-id": "my-id",
      },
    });
    const { headers } = echoOf(answer);
    expect(headers).toMatchObject({
      "x-forwarded-for": "10.0.0.1, 127.0.0.1",
      "x-forwarded-proto": "http",
      "x-forwarded-host": "a.test",
      "x-request-id": "my-id",
    });
    expect(headers).not.toHaveProperty("x-forwarded-client-cert");
  });

  it("makes a request id where there is none that can be trusted", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port);
    for (const headers of [{}, { "x-request-id": "two words" }, { "x-request-id": "x".repeat(200) }]) {
      const answer = await ask(gateway.port, "/", { headers });
      expect(echoOf(answer).headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it("keeps to itself what concerns one connection only", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port);
    const text = await sendBytes(
      gateway.port,
      "GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close, X-Hop, TE\r\nX-Hop: 1\r\nKeep-Alive: 5\r\nTE: trailers\r\n" +
        "Proxy-Connection: x\r\nUpgrade: websocket2\r\nTrailer: x\r\nX-Stays: 1\r\n\r\n",
    );
    const { names } = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)) as {
      names: string[];
    };
    expect(names).toEqual([
      "host",
      "x-stays",
      "x-forwarded-for",
      "x-forwarded-proto",
      "x-forwarded-host",
      "x-request-id",
    ]);
  });

  it.each([
    ["with a length", { "content-length": "11" }],
    ["in chunks", { "transfer-encoding": "chunked" }],
  ])("forwards a body %s", async (_case, headers) => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port);
    const answer = await ask(gateway.port, "/", { method: "POST", headers, body: "hello world" });
    expect(echoOf(answer)).toMatchObject({ method: "POST", body: "hello world", headers });
  });

  it("says that a POST without a body has none", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port);
    const text = await sendBytes(
      gateway.port,
      "POST / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n",
    );
    expect(text).toContain('"content-length":"0"');
  });

  it("forwards trailers both ways, except those that could mislead", async () => {
    const backend = await opened(
      httpBackend((request, response) => {
        request.resume();
        request.on("end", () => {
          response.writeHead(200, { trailer: "x-sum" });
          response.write(JSON.stringify(request.trailers));
          response.addTrailers({ "x-sum": "7", "content-type": "text/evil" });
          response.end();
        });
      }),
    );
    const gateway = await simpleGateway(backend.port);
    const request = http.request({
      host: "127.0.0.1",
      port: gateway.port,
      method: "POST",
      headers: { host: "a.test", "transfer-encoding": "chunked", trailer: "x-check" },
      agent: false,
    });
    request.write("x");
    request.addTrailers({ "x-check": "5", host: "evil.test" });
    request.end();
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    let text = "";
    for await (const chunk of response) text += String(chunk);
    expect(JSON.parse(text)).toEqual({ "x-check": "5" });
    expect(response.trailers).toEqual({ "x-sum": "7" });
  });

  it.each([
    [200, "HEAD", { "content-length": "5" }],
    [204, "GET", {}],
    [304, "GET", { etag: '"1"' }],
  ])("forwards %s to %s without a body", async (status, method, headers) => {
    const backend = await opened(
      httpBackend((_request, response) => response.writeHead(status, headers).end()),
    );
    const gateway = await simpleGateway(backend.port);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    for (let round = 0; round < 2; round++) {
      const answer = await ask(gateway.port, "/", { method, agent });
      expect(answer).toMatchObject({ status, text: "", headers });
      expect(answer.headers["transfer-encoding"]).toBeUndefined();
    }
    agent.destroy();
  });

  it("passes on interim answers", async () => {
    const backend = await opened(
      httpBackend((_request, response) => {
        response.writeEarlyHints({ link: "</style.css>; rel=preload; as=style" });
        response.writeProcessing();
        response.end("ok");
      }),
    );
    const gateway = await simpleGateway(backend.port);
    const text = await sendBytes(gateway.port, "GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n");
    expect(text).toMatch(/^HTTP\/1.1 103 Early Hints\r\nlink: <\/style.css>; rel=preload; as=style\r\n/i);
    expect(text).toContain("\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\n");
  });

  it("lets the backend decide about Expect: 100-continue", async () => {
    const order: string[] = [];
    const backend = await opened(
      bytesBackend((socket, bytes, count) => {
        order.push(bytes);
        if (count === 1) socket.write("HTTP/1.1 100 Continue\r\n\r\n");
        else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      }),
    );
    const gateway = await simpleGateway(backend.port);
    const request = http.request({
      host: "127.0.0.1",
      port: gateway.port,
      method: "PUT",
      headers: { host: "a.test", "content-length": "4", expect: "100-continue" },
      agent: false,
    });
    request.flushHeaders();
    await once(request, "continue");
    expect(order).toHaveLength(1);
    expect(order[0]).toContain("expect: 100-continue\r\n");
    request.end("body");
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    expect(response.statusCode).toBe(200);
    expect(order[1]).toBe("body");
    response.resume();
  });

  it("passes on a refusal instead of 100", async () => {
    const backend = await opened(bytesBackend("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n"));
    const gateway = await simpleGateway(backend.port);
    const text = await sendBytes(
      gateway.port,
      "PUT / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n",
    );
    expect(text).toMatch(/^HTTP\/1.1 413 /);
  });

  it("routes a request with an unknown expectation like any other", async () => {
    const backend = await opened(echoBackend());
    const gateway = await opened(
      httpGateway({
        hosts: [{ hostname: "a.test", rules: [rule("/", action({ to: ["echo"] }))] }],
        backends: { echo: { ports: [backend.port] } },
      }),
    );
    const headers = { expect: "the-unexpected" };
    const answer = await ask(gateway.port, "/", { headers });
    expect(answer.status).toBe(200);
    expect(echoOf(answer).headers).not.toHaveProperty("expect");
    expect((await ask(gateway.port, "/", { headers, host: "b.test" })).status).toBe(404);
    expect(gateway.log.map(({ status }) => status)).toEqual([200, 404]);
  });

  it("serves several requests on one connection, and reuses the backend's", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    for (let index = 0; index < 5; index++) {
      const answer = await ask(gateway.port, `/${index}`, { agent });
      expect(echoOf(answer).path).toBe(`/${index}`);
    }
    agent.destroy();
    expect(backend.connections).toBe(1);
    expect(gateway.service.metrics.clientConnections).toBeLessThanOrEqual(1);
  });

  it("answers pipelined requests in order", async () => {
    const backend = await opened(
      httpBackend((request, response) => {
        setTimeout(() => response.end(request.url), request.url === "/1" ? 40 : 0);
      }),
    );
    const gateway = await simpleGateway(backend.port);
    const text = await sendBytes(
      gateway.port,
      "GET /1 HTTP/1.1\r\nHost: a.test\r\n\r\nGET /2 HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n",
    );
    expect(text).toMatch(/\r\n\r\n\/1HTTP.*\r\n\r\n\/2$/s);
    expect(backend.connections).toBe(1);
  });

  it.each([
    ["bytes that are no request", "\x00\r\n\r\n"],
    [
      "a request whose body is broken",
      `POST /x HTTP/1.1\r\nHost: a.test\r\n${"Transfer-Encoding: chunked\r\n"}\r\nzz\r\n`,
    ],
  ])("answers whole requests before it refuses %s", async (_case, broken) => {
    const paths: string[] = [];
    const backend = await opened(
      httpBackend((request, response) => {
        paths.push(request.url!);
        setTimeout(() => response.end(request.url), 40);
      }),
    );
    const gateway = await simpleGateway(backend.port);
    const whole = ["/1", "/2"].map((path) => `GET ${path} HTTP/1.1\r\nHost: a.test\r\n\r\n`).join("");
    const text = await sendBytes(gateway.port, whole + broken);
    expect(text).toMatch(
      /^HTTP\/1.1 200.*\r\n\r\n\/1HTTP\/1.1 200.*\r\n\r\n\/2HTTP\/1.1 400.*connection: close/s,
    );
    expect(paths).toEqual(["/1", "/2"]);
    expect(gateway.service.metrics.abusiveConnections).toBe(1);
  });

  it("serves nothing that waits behind an answer that closes while it drains", async () => {
    const paths: string[] = [];
    const backend = await opened(
      httpBackend((request, response) => {
        paths.push(request.url!);
        void gateway.service.drain(gateway.listener.key, 1_000);
        response.end(request.url);
      }),
    );
    const gateway = await simpleGateway(backend.port);
    const text = await sendBytes(
      gateway.port,
      ["/1", "/2"].map((path) => `GET ${path} HTTP/1.1\r\nHost: a.test\r\n\r\n`).join(""),
    );
    expect(text).toMatch(/^HTTP\/1.1 200.*connection: close.*\r\n\r\n\/1$/is);
    expect(paths).toEqual(["/1"]);
  });

  it("answers a flood of pipelined requests one after the other", async () => {
    let active = 0;
    let most = 0;
    const backend = await opened(
      httpBackend((_request, response) => {
        most = Math.max(most, ++active);
        setImmediate(() => {
          active--;
          response.end("x");
        });
      }),
    );
    const gateway = await simpleGateway(backend.port);
    const flood = "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n".repeat(300);
    const last = "GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n";
    const text = await sendBytes(gateway.port, flood + last, { silence: 5_000 });
    expect(text.match(/HTTP\/1.1 200/g)).toHaveLength(301);
    expect(most).toBe(1);
  });

  it("serves HTTP/1.0 by closing the connection", async () => {
    const backend = await opened(
      httpBackend((_request, response) => {
        response.write("a");
        response.end("b");
      }),
    );
    const gateway = await simpleGateway(backend.port);
    const text = await sendBytes(gateway.port, "GET / HTTP/1.0\r\nHost: a.test\r\n\r\n");
    expect(text).toMatch(/\r\n\r\nab$/);
    expect(text.toLowerCase()).not.toContain("transfer-encoding");
  });

  it("streams an answer as it comes, and does not read ahead of a slow client", async () => {
    let sent = 0;
    const backend = await opened(
      httpBackend((_request, response) => {
        response.writeHead(200);
        const chunk = Buffer.alloc(64 * 1024, "x");
        const more = (): void => {
          while (sent < 32 * 1024 * 1024) {
            sent += chunk.length;
            if (!response.write(chunk)) {
              response.once("drain", more);
              return;
            }
          }
          response.end();
        };
        more();
      }),
    );
    const gateway = await simpleGateway(backend.port);
    const socket = net.connect(gateway.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
    await once(socket, "readable");
    await new Promise((resolve) => setTimeout(resolve, 200));
    const waiting = sent;
    expect(waiting).toBeLessThan(30 * 1024 * 1024);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sent).toBe(waiting);
    let received = 0;
    socket.on("data", (chunk) => (received += chunk.length));
    await eventually(() => received > 32 * 1024 * 1024);
    socket.destroy();
  });

  it("does not read ahead of a slow backend", async () => {
    const backend = await opened(
      bytesBackend((socket) => {
        socket.pause();
      }),
    );
    const gateway = await simpleGateway(backend.port);
    const socket = net.connect(gateway.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(`POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: ${1 << 30}\r\n\r\n`);
    let sent = 0;
    const chunk = Buffer.alloc(256 * 1024);
    const before = process.memoryUsage().rss;
    const pump = setInterval(() => {
      while (!socket.writableNeedDrain && sent < 1 << 28) {
        sent += chunk.length;
        socket.write(chunk);
      }
    }, 5);
    await new Promise((resolve) => setTimeout(resolve, 300));
    clearInterval(pump);
    expect(sent).toBeLessThan(32 * 1024 * 1024);
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1024 * 1024);
    socket.destroy();
  });

  it("ends the backend's work when the client goes away", async () => {
    let closed = false;
    const backend = await opened(
      httpBackend((_request, response) => response.on("close", () => (closed = true))),
    );
    const gateway = await simpleGateway(backend.port);
    const socket = net.connect(gateway.port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
    await eventually(() => backend.requests.length === 1);
    socket.destroy();
    await eventually(() => closed);
    await eventually(() => gateway.log.length === 1);
    expect(gateway.log[0]).toMatchObject({ status: 0 });
    expect(gateway.service.metrics.activeRequests).toBe(0);
  });

  it("breaks an answer that the backend breaks", async () => {
    const backend = await opened(
      bytesBackend((socket) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart");
        setTimeout(() => socket.destroy(), 20);
      }),
    );
    const gateway = await simpleGateway(backend.port);
    await expect(ask(gateway.port, "/")).rejects.toThrow(/aborted|hang up|ECONNRESET/);
  });

  it("does not take the rest of an upload that was answered early for another request", async () => {
    const backend = await opened(bytesBackend("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno"));
    const gateway = await simpleGateway(backend.port, {}, { limits: { lingerTimeout: 100 } });
    const text = await sendBytes(
      gateway.port,
      "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 1000\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a.test\r\n\r\n",
      { silence: 300 },
    );
    expect(text.match(/HTTP\/1.1 /g)).toHaveLength(1);
  });
});
