import { once } from "node:events";
import type http2 from "node:http2";
import tls from "node:tls";
import { describe, expect, it } from "vitest";
import { makeCertificate } from "../../../../test/certificates.ts";
import {
  bytesBackend as http1Answer,
  echoBackend,
  echoOf,
  http2Backend,
  httpBackend,
} from "../../../../test/http-backends.ts";
import { answerOf, ask, Http2Client } from "../../../../test/http-client.ts";
import { action, httpGateway, opened, rule, simpleGateway } from "../../../../test/http-gateway.ts";
import { eventually } from "../../../../test/tcp-servers.ts";

function client(authority: number | string, options = {}): Promise<Http2Client & { close(): Promise<void> }> {
  const made = new Http2Client(authority, options);
  return opened(Promise.resolve(Object.assign(made, { close: async () => made.session.destroy() })));
}

describe("HTTP/2", () => {
  it("is served on the same plain port as HTTP/1.1", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port);
    const http2Client = await client(gateway.port);
    const answer = await http2Client.ask("/two?x=1", { "x-one": "1" });
    expect(answer.status).toBe(200);
    expect(echoOf(answer)).toMatchObject({
      version: "1.1",
      path: "/two?x=1",
      headers: { host: "a.test", "x-one": "1", "x-forwarded-proto": "http" },
    });
    expect(echoOf(await ask(gateway.port, "/one"))).toMatchObject({ path: "/one" });
    expect(gateway.log.map(({ protocol }) => protocol)).toEqual(["HTTP/2", "HTTP/1.1"]);
  });

  it("is chosen by ALPN over TLS", async () => {
    const backend = await opened(echoBackend());
    const { certificates, privateKey } = await makeCertificate({ names: ["a.test"] });
    const gateway = await opened(
      httpGateway({
        hosts: [{ hostname: "a.test", section: "a.test", rules: [rule("/", action({ to: ["echo"] }))] }],
        backends: { echo: { ports: [backend.port] } },
        tls: { cert: certificates, key: privateKey },
      }),
    );
    const secure = await client(`https://127.0.0.1:${gateway.port}`, { servername: "a.test" });
    const answer = await secure.ask("/x");
    expect(echoOf(answer).headers).toMatchObject({ "x-forwarded-proto": "https", host: "a.test" });
  });

  it("leaves HTTP/1.1 over TLS to those who want it", async () => {
    const backend = await opened(echoBackend());
    const { certificates, privateKey } = await makeCertificate({ names: ["a.test"] });
    const gateway = await opened(
      httpGateway({
        hosts: [{ hostname: "a.test", section: "a.test", rules: [rule("/", action({ to: ["echo"] }))] }],
        backends: { echo: { ports: [backend.port] } },
        tls: { cert: certificates, key: privateKey },
      }),
    );
    const socket = tls.connect({
      port: gateway.port,
      host: "127.0.0.1",
      servername: "a.test",
      rejectUnauthorized: false,
    });
    socket.write("POST /x HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello");
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    expect(text).toContain('"body":"hello"');
    expect(text).toContain('"x-forwarded-proto":"https"');
  });

  it("carries bodies and trailers both ways, to HTTP/1.1 and to HTTP/2", async () => {
    const http2Server = await opened(
      http2Backend((stream, headers) => {
        let body = "";
        let trailers: http2.IncomingHttpHeaders = {};
        stream.on("trailers", (given) => (trailers = given));
        stream.on("data", (chunk) => (body += String(chunk)));
        stream.on("end", () => {
          stream.respond({ ":status": 200 }, { waitForTrailers: true });
          stream.on("wantTrailers", () => stream.sendTrailers({ "x-sum": "7" }));
          stream.end(JSON.stringify({ body, check: trailers["x-check"], authority: headers[":authority"] }));
        });
      }),
    );
    const http1Server = await opened(
      httpBackend((request, response) => {
        let body = "";
        request.on("data", (chunk) => (body += String(chunk)));
        request.on("end", () => {
          response.writeHead(200, { trailer: "x-sum" });
          response.write(
            JSON.stringify({ body, check: request.trailers["x-check"], authority: request.headers.host }),
          );
          response.addTrailers({ "x-sum": "7" });
          response.end();
        });
      }),
    );
    const gateway = await opened(
      httpGateway({
        hosts: [
          {
            hostname: "*",
            rules: [rule("/2", action({ to: ["two"] })), rule("/1", action({ to: ["one"] }))],
          },
        ],
        backends: { one: { ports: [http1Server.port] }, two: { ports: [http2Server.port], protocol: "h2c" } },
      }),
    );
    const http2Client = await client(gateway.port);
    for (const path of ["/1", "/2"]) {
      const stream = http2Client.session.request(
        { ":authority": "a.test", ":path": path, ":method": "POST" },
        { waitForTrailers: true },
      );
      stream.on("wantTrailers", () => stream.sendTrailers({ "x-check": "5" }));
      stream.write("hello ");
      stream.end("world");
      const answer = await answerOf(stream);
      expect(JSON.parse(answer.text)).toEqual({ body: "hello world", check: "5", authority: "a.test" });
      expect(answer.trailers).toMatchObject({ "x-sum": "7" });
    }
  });

  it("joins the pieces of a cookie for HTTP/1.1", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port);
    const http2Client = await client(gateway.port);
    const answer = await http2Client.ask("/", { cookie: ["a=1", "b=2"] as unknown as string });
    expect(echoOf(answer).headers["cookie"]).toBe("a=1; b=2");
  });

  it("keeps several values of Set-Cookie apart", async () => {
    const backend = await opened(
      httpBackend((_request, response) =>
        response
          .writeHead(200, [
            ["set-cookie", "a=1"],
            ["set-cookie", "b=2"],
          ])
          .end(),
      ),
    );
    const gateway = await simpleGateway(backend.port);
    const http2Client = await client(gateway.port);
    expect((await http2Client.ask("/")).headers["set-cookie"]).toEqual(["a=1", "b=2"]);
  });

  it("refuses a Host that is not the authority", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port);
    const http2Client = await client(gateway.port);
    expect((await http2Client.ask("/", { host: "b.test" })).status).toBe(400);
    expect((await http2Client.ask("/", { host: "a.test" })).status).toBe(200);
    expect(backend.requests).toHaveLength(1);
  });

  it.each([
    ["HEAD", 200],
    ["GET", 204],
    ["GET", 304],
  ])("answers %s with %s and no body", async (method, status) => {
    const backend = await opened(httpBackend((_request, response) => response.writeHead(status).end()));
    const gateway = await simpleGateway(backend.port);
    const http2Client = await client(gateway.port);
    expect(await http2Client.ask("/", { ":method": method })).toMatchObject({ status, text: "" });
  });

  it("passes on interim answers", async () => {
    const backend = await opened(
      httpBackend((_request, response) => {
        response.writeEarlyHints({ link: "</style.css>; rel=preload" });
        setTimeout(() => response.end("ok"), 10);
      }),
    );
    const gateway = await simpleGateway(backend.port);
    const http2Client = await client(gateway.port);
    const stream = http2Client.stream("/");
    stream.end();
    const [hints] = (await once(stream, "headers")) as [http2.IncomingHttpHeaders];
    expect(hints).toMatchObject({ ":status": 103, link: "</style.css>; rel=preload" });
    expect((await answerOf(stream)).text).toBe("ok");
  });

  it("takes a stream back from the backend when the client does", async () => {
    let closed = 0;
    const backend = await opened(httpBackend((_request, response) => response.on("close", () => closed++)));
    const gateway = await simpleGateway(backend.port);
    const http2Client = await client(gateway.port);
    const stream = http2Client.stream("/");
    stream.on("error", () => {});
    stream.end();
    await eventually(() => backend.requests.length === 1);
    stream.close(8);
    await eventually(() => closed === 1);
    await eventually(() => gateway.log.length === 1);
    expect(gateway.service.metrics.activeRequests).toBe(0);
  });

  it("does not read ahead of a slow client", async () => {
    let sent = 0;
    const backend = await opened(
      httpBackend((_request, response) => {
        const chunk = Buffer.alloc(64 * 1024);
        const more = (): void => {
          while (sent < 1 << 24) {
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
    const http2Client = await client(gateway.port);
    const stream = http2Client.stream("/");
    stream.end();
    await once(stream, "response");
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(sent).toBeLessThan(14 * 1024 * 1024);
    let received = 0;
    stream.on("data", (chunk: Buffer) => (received += chunk.length));
    await eventually(() => received === 1 << 24);
  });

  it("is left by a client that never reads, after a while", async () => {
    const backend = await opened(httpBackend((_request, response) => response.end(Buffer.alloc(10_000))));
    const gateway = await simpleGateway(backend.port, {}, { limits: { keepAliveTimeout: 100 } });
    const http2Client = await client(gateway.port, { settings: { initialWindowSize: 1_000 } });
    const stream = http2Client.stream("/");
    stream.on("error", () => {});
    stream.end();
    await once(http2Client.session, "close");
    expect(gateway.service.metrics.activeRequests).toBe(0);
  });

  it("survives answers that HTTP/2 cannot carry", async () => {
    const backend = await opened(
      http1Answer("HTTP/1.1 200 OK\r\nHTTP2-Settings: x\r\nAge: 1\r\nAge: 2\r\nContent-Length: 2\r\n\r\nok"),
    );
    const gateway = await simpleGateway(backend.port);
    const http2Client = await client(gateway.port);
    expect(await http2Client.ask("/")).toMatchObject({ status: 200, text: "ok", headers: { age: "1" } });
  });

  it("shares a session to the backend, and opens another when streams are used up", async () => {
    const waiting: http2.ServerHttp2Stream[] = [];
    const backend = await opened(
      http2Backend((stream) => waiting.push(stream), { settings: { maxConcurrentStreams: 2 } }),
    );
    const gateway = await simpleGateway(
      0,
      {},
      { backends: { echo: { ports: [backend.port], protocol: "h2c" } } },
    );
    const first = ask(gateway.port, "/");
    await eventually(() => waiting.length === 1);
    const others = [ask(gateway.port, "/"), ask(gateway.port, "/")];
    await eventually(() => waiting.length === 3);
    expect(backend.sessions).toHaveLength(2);
    for (const stream of waiting) {
      stream.respond({ ":status": 200 });
      stream.end("x");
    }
    for (const answer of await Promise.all([first, ...others])) expect(answer.status).toBe(200);
  });

  it("takes a refused stream elsewhere", async () => {
    let count = 0;
    const backend = await opened(
      http2Backend((stream) => {
        if (++count === 1) {
          stream.close(7);
          return;
        }
        stream.respond({ ":status": 200 });
        stream.end("ok");
      }),
    );
    const other = await opened(
      http2Backend((stream) => {
        stream.respond({ ":status": 200 });
        stream.end("ok");
      }),
    );
    const gateway = await simpleGateway(
      0,
      {},
      { backends: { echo: { ports: [backend.port, other.port], protocol: "h2c" } } },
    );
    expect((await ask(gateway.port, "/", { method: "POST", body: "x" })).status).toBe(200);
    expect((await ask(gateway.port, "/", { method: "POST", body: "x" })).status).toBe(200);
  });
});
