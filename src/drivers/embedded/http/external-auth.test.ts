import type http from "node:http";
import type http2 from "node:http2";
import { describe, expect, it } from "vitest";
import type { ExternalAuth } from "../../../model/index.ts";
import {
  bytesBackend,
  closedPort,
  echoBackend,
  echoOf,
  http2Backend,
  httpBackend,
  type HttpBackendServer,
} from "../../../../test/http-backends.ts";
import { ask, Http2Client, sendBytes } from "../../../../test/http-client.ts";
import { closed, opened, simpleGateway, type TestGateway } from "../../../../test/http-gateway.ts";

import { MessageWriter, readMessage, type MessageField } from "./protobuf.ts";

function auth(changes: Partial<ExternalAuth> = {}): ExternalAuth {
  return {
    protocol: "http",
    target: { type: "backend", backend: "auth" },
    pathPrefix: "",
    requestHeaders: [],
    responseHeaders: [],
    maxBodySize: 0,
    ...changes,
  };
}

async function guarded(
  authPort: number,
  settings: ExternalAuth,
): Promise<{ gateway: TestGateway; backend: HttpBackendServer }> {
  const backend = await opened(echoBackend());
  const gateway = await simpleGateway(
    0,
    { auth: settings },
    {
      backends: {
        echo: { ports: [backend.port] },
        auth: { ports: [authPort], protocol: settings.protocol === "grpc" ? "h2c" : "http" },
      },
      limits: { authTimeout: 200 },
    },
  );
  return { gateway, backend };
}

describe("external authorization by HTTP", () => {
  it.each([0, 100])("holds for trailers too, with %s bytes of the body shown", async (maxBodySize) => {
    const server = await opened(
      httpBackend((request, response) => {
        request.resume();
        response.writeHead(200, { "x-user": "anna" }).end();
      }),
    );
    let seen = "";
    const backend = await opened(
      bytesBackend((socket, request) => {
        seen += request;
        if (/\r\n0\r\n(?:[^\r]+\r\n)*\r\n$/.test(seen)) socket.end("HTTP/1.1 204 No Content\r\n\r\n");
      }),
    );
    const settings = auth({ responseHeaders: ["x-user"], maxBodySize });
    const gateway = await simpleGateway(
      0,
      { auth: settings },
      { backends: { echo: { ports: [backend.port] }, auth: { ports: [server.port] } } },
    );
    await sendBytes(
      gateway.port,
      "POST / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n" +
        "1\r\nx\r\n0\r\nX-User: root\r\nX-Stays: 1\r\n\r\n",
    );
    expect(seen).toMatch(/\r\n0\r\nx-stays: 1\r\n\r\n$/i);
    expect(seen).toMatch(/\r\nx-user: anna\r\n/i);
  });

  it("asks with method, path, host and the allowed headers, and copies the allowed ones of a yes", async () => {
    let asked: http.IncomingMessage | undefined;
    const server = await opened(
      httpBackend((request, response) => {
        asked = request;
        response.writeHead(200, { "x-user": "anna", "x-other": "1", "x-role": ["a", "b"] }).end("yes");
      }),
    );
    const { gateway } = await guarded(
      server.port,
      auth({
        pathPrefix: "/check/",
        requestHeaders: ["x-token"],
        responseHeaders: ["x-user", "x-role", "x-absent"],
      }),
    );
    const answer = await ask(gateway.port, "/a//b?c=d", {
      method: "PUT",
      body: "body",
      headers: {
        authorization: "Bearer 1",
        "x-token": "t",
        "x-secret": "s",
        "x-user": "forged",
        "x-absent": "forged",
      },
    });
    expect(asked).toMatchObject({ method: "PUT", url: "/check/a/b?c=d" });
    expect(asked!.headers).toEqual({
      host: "a.test",
      authorization: "Bearer 1",
      "x-token": "t",
      "content-length": "0",
    });
    const { headers, body } = echoOf(answer);
    expect(body).toBe("body");
    expect(headers).toMatchObject({ "x-user": "anna", "x-role": "a, b", "x-secret": "s" });
    expect(headers).not.toHaveProperty("x-other");
    expect(headers).not.toHaveProperty("x-absent");
  });

  it("copies all headers that tell about the user where no list is given", async () => {
    const server = await opened(
      httpBackend((_request, response) =>
        response.writeHead(200, { "x-user": "anna", host: "evil", "content-type": "text/x" }).end("yes"),
      ),
    );
    const { gateway } = await guarded(server.port, auth({ responseHeaders: "all" }));
    const { headers, body } = echoOf(
      await ask(gateway.port, "/", {
        method: "POST",
        body: "{}",
        headers: { "content-type": "application/json" },
      }),
    );
    expect(headers).toMatchObject({ "x-user": "anna", host: "a.test", "content-type": "application/json" });
    expect(body).toBe("{}");
  });

  it.each([
    [401, { "www-authenticate": "Basic" }, 401],
    [302, { location: "https://login.test/" }, 302],
    [403, { "content-type": "text/html" }, 403],
    [204, {}, 403],
    [201, {}, 403],
    [500, {}, 403],
    [503, {}, 403],
  ])("takes %s as a no", async (given, headers, status) => {
    const server = await opened(
      httpBackend((_request, response) =>
        response.writeHead(given, headers).end(given === 204 ? "" : "page"),
      ),
    );
    const { gateway, backend } = await guarded(server.port, auth());
    const answer = await ask(gateway.port, "/");
    expect(answer.status).toBe(status);
    const refusal = { headers: {}, text: "the request could not be authorized\n" };
    expect(answer).toMatchObject(given === status ? { headers, text: "page" } : refusal);
    expect(backend.requests).toHaveLength(0);
  });

  it.each([
    ["down", () => closedPort()],
    ["silent", async () => (await opened(bytesBackend(() => {}))).port],
    ["not HTTP", async () => (await opened(bytesBackend("hello\r\n\r\n"))).port],
    ["broken", async () => (await opened(bytesBackend((socket) => socket.destroy()))).port],
    [
      "endless",
      async () =>
        (
          await opened(
            bytesBackend((socket) => {
              socket.write("HTTP/1.1 200 OK\r\n\r\n");
              const timer = setInterval(() => socket.write("x".repeat(40_000)), 1);
              socket.on("close", () => clearInterval(timer));
            }),
          )
        ).port,
    ],
  ])("refuses when the server is %s", async (_case, port) => {
    const { gateway, backend } = await guarded(await port(), auth());
    const answer = await ask(gateway.port, "/", { method: "POST", body: "x" });
    expect(answer.status).toBe(403);
    expect(backend.requests).toHaveLength(0);
  });

  it.each([
    [{ type: "error", status: 500, reason: "BackendNotFound" } as const, 500],
    [{ type: "backend", backend: "unknown" } as const, 403],
  ])("refuses when the server is not there: %j", async (target, status) => {
    const { gateway, backend } = await guarded(1, auth({ target }));
    expect((await ask(gateway.port, "/")).status).toBe(status);
    expect(backend.requests).toHaveLength(0);
  });

  it("shows the body, and lets it go on afterwards", async () => {
    let shown = "";
    const server = await opened(
      httpBackend((request, response) => {
        request.on("data", (chunk) => (shown += String(chunk)));
        request.on("end", () => response.writeHead(200).end());
      }),
    );
    const { gateway, backend } = await guarded(server.port, auth({ maxBodySize: 10 }));
    for (const headers of [{}, { "transfer-encoding": "chunked" }, { expect: "100-continue" }]) {
      shown = "";
      const answer = await ask(gateway.port, "/", { method: "POST", body: "0123456789", headers });
      expect(echoOf(answer).body).toBe("0123456789");
      expect(shown).toBe("0123456789");
      expect(echoOf(answer).headers).not.toHaveProperty("expect");
    }
    const before = backend.requests.length;
    for (const headers of [{}, { "transfer-encoding": "chunked" }]) {
      const answer = await ask(gateway.port, "/", { method: "POST", body: "0123456789x", headers });
      expect(answer.status).toBe(413);
    }
    expect(backend.requests).toHaveLength(before);
  });

  it("does not ask for pre-flight requests, but for redirects", async () => {
    const server = await opened(httpBackend((_request, response) => response.writeHead(401).end()));
    const gateway = await simpleGateway(
      0,
      {
        auth: auth(),
        redirect: { hostname: "b.test", port: "listener", statusCode: 302 },
        cors: {
          allowOrigins: ["*"],
          allowCredentials: false,
          allowMethods: ["GET"],
          allowHeaders: [],
          exposeHeaders: [],
          maxAge: 5,
        },
      },
      { backends: { auth: { ports: [server.port] } } },
    );
    const origin = "https://x.test";
    const preflight = await ask(gateway.port, "/", {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "GET" },
    });
    expect(preflight.status).toBe(200);
    const actual = await ask(gateway.port, "/", { headers: { origin } });
    expect(actual).toMatchObject({ status: 401, headers: { "access-control-allow-origin": origin } });
  });
});

const ok = new MessageWriter().number(1, 0);

function headerOption(name: string, value: string, append?: boolean): MessageWriter {
  const option = new MessageWriter().message(1, new MessageWriter().text(1, name).text(2, value));
  return append === undefined ? option : option.message(2, new MessageWriter().number(1, append ? 1 : 0));
}

function grpcServer(message: Buffer | undefined, status = "0", onRequest?: (message: Buffer) => void) {
  return opened(
    http2Backend((stream: http2.ServerHttp2Stream, headers) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (headers[":path"] !== "/envoy.service.auth.v3.Authorization/Check") return stream.close(1);
        onRequest?.(Buffer.concat(chunks).subarray(5));
        stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
        stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": status }));
        if (message) {
          const frame = Buffer.alloc(5);
          frame.writeUInt32BE(message.length, 1);
          stream.write(Buffer.concat([frame, message]));
        }
        return stream.end();
      });
    }),
  );
}

const grpcAuth = auth({ protocol: "grpc", requestHeaders: "all" });

function field(bytes: Buffer, ...path: number[]): MessageField | undefined {
  const [first, ...rest] = path;
  const found = readMessage(bytes)?.find(({ number }) => number === first);
  return rest.length === 0 || !found ? found : field(found.bytes, ...rest);
}

describe("external authorization by gRPC", () => {
  it("describes the request", async () => {
    let asked: Buffer | undefined;
    const server = await grpcServer(
      new MessageWriter().message(1, ok).finish(),
      "0",
      (bytes) => (asked = bytes),
    );
    const { gateway } = await guarded(server.port, { ...grpcAuth, maxBodySize: 100 });
    const answer = await ask(gateway.port, "/p?q=1", {
      method: "POST",
      body: "héllo",
      headers: { "x-a": "1" },
    });
    expect(answer.status).toBe(200);
    const text = (...path: number[]) => field(asked!, 1, 4, 2, ...path)!.bytes.toString();
    expect(text(2)).toBe("POST");
    expect(text(4)).toBe("/p?q=1");
    expect(text(5)).toBe("a.test");
    expect(text(6)).toBe("http");
    expect(text(10)).toBe("HTTP/1.1");
    expect(text(11)).toBe("héllo");
    expect(field(asked!, 1, 1, 1, 1, 2)!.bytes.toString()).toBe("127.0.0.1");
    const headers = readMessage(field(asked!, 1, 4, 2)!.bytes)!
      .filter(({ number }) => number === 3)
      .map(({ bytes }) => [field(bytes, 1)!.bytes.toString(), field(bytes, 2)?.bytes.toString() ?? ""]);
    expect(Object.fromEntries(headers)).toMatchObject({
      "x-a": "1",
      ":method": "POST",
      ":path": "/p?q=1",
      "x-forwarded-for": "127.0.0.1",
    });
  });

  it("changes the request and the answer as a yes says", async () => {
    const okResponse = new MessageWriter()
      .message(2, headerOption("X-User", "anna"))
      .message(2, headerOption("x-list", "b", true))
      .text(5, "x-token")
      .message(6, headerOption("x-out", "1"));
    const server = await grpcServer(new MessageWriter().message(1, ok).message(3, okResponse).finish());
    const { gateway } = await guarded(server.port, grpcAuth);
    const answer = await ask(gateway.port, "/", {
      headers: { "x-user": "forged", "x-list": "a", "x-token": "t" },
    });
    const { headers } = echoOf(answer);
    expect(headers).toMatchObject({ "x-user": "anna", "x-list": "a, b" });
    expect(headers).not.toHaveProperty("x-token");
    expect(answer.headers["x-out"]).toBe("1");
  });

  it("passes on what a no says", async () => {
    const no = new MessageWriter().number(1, 7);
    const page = new MessageWriter()
      .message(1, new MessageWriter().number(1, 401))
      .message(2, headerOption("www-authenticate", "Basic"))
      .text(3, "who are you");
    const server = await grpcServer(new MessageWriter().message(1, no).message(2, page).finish());
    const { gateway, backend } = await guarded(server.port, grpcAuth);
    expect(await ask(gateway.port, "/")).toMatchObject({
      status: 401,
      text: "who are you",
      headers: { "www-authenticate": "Basic" },
    });
    const client = new Http2Client(gateway.port);
    closed(() => client.close());
    const answer = await client.ask("/s/m", { ":method": "POST", "content-type": "application/grpc" }, "x");
    expect(answer).toMatchObject({ status: 200, headers: { "grpc-status": "16" } });
    expect(backend.requests).toHaveLength(0);
  });

  const no = (code: number) => new MessageWriter().message(1, new MessageWriter().number(1, code)).finish();
  it.each([
    ["a no without a page", no(7), "0"],
    [
      "a no whose page looks like a yes",
      Buffer.concat([
        no(7),
        new MessageWriter()
          .message(2, new MessageWriter().message(1, new MessageWriter().number(1, 200)))
          .finish(),
      ]),
      "0",
    ],
    ["an empty message", Buffer.alloc(0), "0"],
    ["no message", undefined, "0"],
    ["a failed call", new MessageWriter().message(1, ok).finish(), "13"],
    ["something that is no message", Buffer.from([0xff, 0xff]), "0"],
    [
      "a yes with a header that would split the request",
      new MessageWriter()
        .message(1, ok)
        .message(3, new MessageWriter().message(2, headerOption("x-a", "b\r\nx-evil: 1")))
        .finish(),
      "0",
    ],
  ])("refuses on %s", async (_case, message, status) => {
    const server = await grpcServer(message, status);
    const { gateway, backend } = await guarded(server.port, grpcAuth);
    expect((await ask(gateway.port, "/")).status).toBe(403);
    expect(backend.requests).toHaveLength(0);
  });
});
