import { describe, expect, it } from "vitest";
import type { HeaderChanges, Redirect } from "../../../model/index.ts";
import { bytesBackend, echoBackend, echoOf, httpBackend } from "../../../../test/http-backends.ts";
import { ask, Http2Client, sendBytes } from "../../../../test/http-client.ts";
import {
  action,
  closed,
  httpGateway,
  opened,
  rule,
  simpleGateway,
  toBackend,
} from "../../../../test/http-gateway.ts";

function changes(
  parts: Partial<Record<"set" | "add", Record<string, string>>> & { remove?: string[] },
): HeaderChanges {
  const list = (values: Record<string, string> = {}) =>
    Object.entries(values).map(([name, value]) => ({ name, value }));
  return { set: list(parts.set), add: list(parts.add), remove: parts.remove ?? [] };
}

describe("header changes", () => {
  it("and matches are UTF-8 on the wire", async () => {
    const seen: string[] = [];
    const backend = await opened(
      bytesBackend((socket, bytes) => {
        seen.push(bytes);
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      }),
    );
    const [latin1, euro] = ["\u00e9", "\u20ac"];
    const gateway = await opened(
      httpGateway({
        hosts: [
          {
            hostname: "*",
            rules: [
              rule(
                "/",
                action({
                  to: ["backend"],
                  requestHeaders: changes({ set: { "x-set": latin1 }, add: { "x-add": euro } }),
                  responseHeaders: changes({ set: { "x-answer": euro } }),
                }),
                {
                  headers: [
                    { name: "x-exact", type: "exact", value: latin1 },
                    { name: "x-regex", type: "regex", value: String.raw`(?:a|\xE2\x82\xAC)+` },
                  ],
                },
              ),
            ],
          },
        ],
        backends: { backend: { ports: [backend.port] } },
      }),
    );
    const wire = (text: string) => Buffer.from(text).toString("latin1");
    const request = (exact: string, regex: string) =>
      `GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\nX-Exact: ${exact}\r\nX-Regex: ${regex}\r\n\r\n`;
    const text = await sendBytes(gateway.port, request(wire(latin1), wire(`a${euro}`)));
    expect(text).toContain(`x-answer: ${wire(euro)}\r\n`);
    expect(seen[0]).toContain(`x-set: ${wire(latin1)}\r\n`);
    expect(seen[0]).toContain(`x-add: ${wire(euro)}\r\n`);
    expect(await sendBytes(gateway.port, request(latin1, "a"))).toMatch(/^HTTP\/1.1 404 /);
  });

  it("remove, set and add, for the rule and then for the backend", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port, {
      requestHeaders: changes({ set: { "x-set": "rule" }, add: { "x-add": "rule" }, remove: ["x-remove"] }),
      to: [
        toBackend("echo", {
          requestHeaders: changes({ set: { "x-set": "backend" }, add: { "x-add": "backend" } }),
        }),
      ],
    });
    const { headers } = echoOf(
      await ask(gateway.port, "/", {
        headers: { "x-set": "client", "x-add": "client", "X-Remove": "client" },
      }),
    );
    expect(headers).toMatchObject({ "x-set": "backend", "x-add": "client, rule, backend" });
    expect(headers).not.toHaveProperty("x-remove");
  });

  it("change answers too, those of the gateway included", async () => {
    const backend = await opened(
      httpBackend((_request, response) =>
        response.writeHead(200, { "x-set": "backend", "x-add": "backend", "x-remove": "backend" }).end(),
      ),
    );
    const gateway = await opened(
      httpGateway({
        hosts: [
          {
            hostname: "*",
            rules: [
              rule(
                "/",
                action({
                  to: [toBackend("echo", { responseHeaders: changes({ add: { "x-add": "ref" } }) })],
                  responseHeaders: changes({
                    set: { "x-set": "rule" },
                    add: { "x-add": "rule" },
                    remove: ["x-remove"],
                  }),
                }),
              ),
              rule("/none", action({ responseHeaders: changes({ set: { "x-set": "rule" } }) })),
            ].reverse(),
          },
        ],
        backends: { echo: { ports: [backend.port] } },
      }),
    );
    const answer = await ask(gateway.port, "/");
    expect(answer.headers).toMatchObject({ "x-set": "rule", "x-add": "backend, ref, rule" });
    expect(answer.headers).not.toHaveProperty("x-remove");
    expect(await ask(gateway.port, "/none")).toMatchObject({ status: 500, headers: { "x-set": "rule" } });
  });

  it("hold for trailers and early hints too", async () => {
    let seen = "";
    const backend = await opened(
      bytesBackend((socket, request) => {
        seen += request;
        if (!seen.endsWith("\r\n0\r\n\r\n") && !/x-stays: 1\r\n\r\n$/i.test(seen)) return;
        socket.write(
          "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nX-Secret: 1\r\n\r\n" +
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Secret: 1\r\nX-Inner: 1\r\nX-Sum: 7\r\n\r\n",
        );
      }),
    );
    const gateway = await simpleGateway(backend.port, {
      requestHeaders: changes({ set: { "x-user": "anna" }, remove: ["x-drop"] }),
      responseHeaders: changes({ remove: ["x-secret"] }),
      to: [
        toBackend("echo", {
          requestHeaders: changes({ set: { "x-tier": "one" } }),
          responseHeaders: changes({ remove: ["x-inner"] }),
        }),
      ],
    });
    const trailers =
      "X-User: root\r\nX-Drop: 1\r\nX-Tier: two\r\nX-Forwarded-For: 192.0.2.1\r\nX-Stays: 1\r\n";
    const received = await sendBytes(
      gateway.port,
      "POST / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\nTE: trailers\r\nTransfer-Encoding: chunked\r\n\r\n" +
        `1\r\nx\r\n0\r\n${trailers}\r\n`,
    );
    expect(seen).toMatch(/\r\n0\r\nx-stays: 1\r\n\r\n$/i);
    expect(seen).toMatch(/\r\nx-user: anna\r\n/i);
    expect(received).toMatch(/^HTTP\/1\.1 103 [^\r]*\r\nlink: <\/a>\r\n\r\nHTTP\/1\.1 200 /i);
    expect(received).toMatch(/\r\n0\r\nx-sum: 7\r\n\r\n$/i);
  });

  it("cannot touch what frames a message, nor inject lines", async () => {
    const backend = await opened(echoBackend());
    const evil = changes({
      set: {
        "content-length": "0",
        "transfer-encoding": "x",
        connection: "close",
        "x-split": "a\r\nX-Injected: 1",
        "x bad": "1",
        "x-good": "1",
      },
    });
    const gateway = await simpleGateway(backend.port, { requestHeaders: evil, responseHeaders: evil });
    const answer = await ask(gateway.port, "/", { method: "POST", body: "hello" });
    expect(echoOf(answer)).toMatchObject({
      body: "hello",
      headers: { "content-length": "5", "x-good": "1" },
    });
    expect(echoOf(answer).names.map((name) => name.toLowerCase())).not.toContain("x-injected");
    expect(answer.headers).toMatchObject({ "x-good": "1" });
    expect(answer.headers).not.toHaveProperty("x-injected");
  });

  it("set the Host header", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port, {
      requestHeaders: changes({ set: { host: "other.test" } }),
    });
    expect(echoOf(await ask(gateway.port, "/")).headers["host"]).toBe("other.test");
  });
});

describe("rewrite", () => {
  it("changes host and path, and keeps the query", async () => {
    const backend = await opened(echoBackend());
    const gateway = await opened(
      httpGateway({
        hosts: [
          {
            hostname: "*",
            rules: [
              rule(
                "/full",
                action({
                  to: ["echo"],
                  rewrite: { hostname: "new.test", path: { type: "full", value: "/x" } },
                }),
              ),
              rule(
                "/prefix",
                action({
                  to: ["echo"],
                  rewrite: { path: { type: "prefix", prefix: "/prefix", value: "/" } },
                }),
              ),
              rule(
                "/ref",
                action({
                  to: [
                    toBackend("echo", {
                      rewrite: { path: { type: "prefix", prefix: "/ref", value: "/r/" } },
                    }),
                  ],
                }),
              ),
            ],
          },
        ],
        backends: { echo: { ports: [backend.port] } },
      }),
    );
    const full = echoOf(await ask(gateway.port, "/full/a?b=c"));
    expect(full).toMatchObject({
      path: "/x?b=c",
      headers: { host: "new.test", "x-forwarded-host": "a.test" },
    });
    expect(echoOf(await ask(gateway.port, "/prefix/a")).path).toBe("/a");
    expect(echoOf(await ask(gateway.port, "/prefix")).path).toBe("/");
    expect(echoOf(await ask(gateway.port, "/ref/a")).path).toBe("/r/a");
  });
});

describe("redirect", () => {
  it("says where to go, with the port that is really bound", async () => {
    const redirects: Record<string, Redirect> = {
      "/https": { scheme: "https", port: 443, statusCode: 301 },
      "/host": { hostname: "b.test", port: "listener", statusCode: 302 },
      "/path": {
        path: { type: "prefix", prefix: "/path", value: "/new" },
        port: "listener",
        statusCode: 308,
      },
    };
    const options = {
      hosts: [
        {
          hostname: "*",
          rules: Object.entries(redirects).map(([path, redirect]) => rule(path, action({ redirect }))),
        },
      ],
    };
    const plain = await opened(httpGateway(options));
    expect(await ask(plain.port, "/https/a?b")).toMatchObject({
      status: 301,
      text: "",
      headers: { location: "https://a.test/https/a?b", "content-length": "0" },
    });
    expect((await ask(plain.port, "/host")).headers["location"]).toBe("http://b.test/host");
    const mapped = await opened(httpGateway({ ...options, portFor: (port) => port + 8000 }));
    expect((await ask(mapped.port, "/https")).headers["location"]).toBe("https://a.test:8443/https");
    expect((await ask(mapped.port, "/path/x")).headers["location"]).toBe("http://a.test:8080/new/x");
  });

  it("may be a backend's own filter", async () => {
    const gateway = await simpleGateway(1, {
      to: [toBackend("echo", { redirect: { hostname: "b.test", port: "listener", statusCode: 302 } })],
    });
    expect((await ask(gateway.port, "/x")).headers["location"]).toBe("http://b.test/x");
  });
});

describe("CORS", () => {
  const cors = {
    allowOrigins: ["https://good.test"],
    allowCredentials: true,
    allowMethods: ["GET", "PUT"],
    allowHeaders: ["x-a"],
    exposeHeaders: ["x-b"],
    maxAge: 600,
  };

  it("answers pre-flight requests without asking the backend", async () => {
    const backend = await opened(echoBackend());
    const gateway = await simpleGateway(backend.port, { cors });
    const preflight = (origin: string) =>
      ask(gateway.port, "/", {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "PUT" },
      });
    const good = await preflight("https://good.test");
    expect(good).toMatchObject({
      status: 200,
      headers: {
        "access-control-allow-origin": "https://good.test",
        "access-control-allow-credentials": "true",
        "access-control-allow-methods": "GET, PUT",
        "access-control-allow-headers": "x-a",
        "access-control-max-age": "600",
        vary: expect.stringMatching(/origin/i) as string,
      },
    });
    const bad = await preflight("https://bad.test");
    expect(bad.headers).not.toHaveProperty("access-control-allow-origin");
    expect(backend.requests).toHaveLength(0);
  });

  it("marks answers in the backend's stead", async () => {
    const backend = await opened(
      httpBackend((_request, response) =>
        response
          .writeHead(200, {
            "access-control-allow-origin": "*",
            "access-control-allow-methods": "DELETE",
            vary: "Accept-Encoding",
          })
          .end(),
      ),
    );
    const gateway = await simpleGateway(backend.port, { cors });
    const good = await ask(gateway.port, "/", { headers: { origin: "https://good.test" } });
    expect(good.headers).toMatchObject({
      "access-control-allow-origin": "https://good.test",
      "access-control-expose-headers": "x-b",
      vary: "Accept-Encoding, Origin",
    });
    expect(good.headers).not.toHaveProperty("access-control-allow-methods");
    const bad = await ask(gateway.port, "/", { headers: { origin: "https://bad.test" } });
    expect(bad.status).toBe(200);
    expect(bad.headers).not.toHaveProperty("access-control-allow-origin");
    const none = await ask(gateway.port, "/");
    expect(none.headers["access-control-allow-origin"]).toBe("*");
  });
});

describe("backends", () => {
  it("get exactly their shares, those that are not usable too", async () => {
    const one = await opened(echoBackend("one"));
    const two = await opened(echoBackend("two"));
    const gateway = await opened(
      httpGateway({
        hosts: [
          {
            hostname: "*",
            rules: [
              rule(
                "/",
                action({
                  to: [
                    toBackend("one", { weight: 5 }),
                    toBackend("two", { weight: 3 }),
                    { weight: 2, target: { type: "error", status: 500, reason: "BackendNotFound" } },
                  ],
                }),
              ),
            ],
          },
        ],
        backends: { one: { ports: [one.port] }, two: { ports: [two.port] } },
      }),
    );
    const client = new Http2Client(gateway.port);
    closed(() => client.close());
    const answers = await Promise.all(Array.from({ length: 100 }, () => client.ask("/")));
    expect(one.requests).toHaveLength(50);
    expect(two.requests).toHaveLength(30);
    expect(answers.filter(({ status }) => status === 500)).toHaveLength(20);
  });

  it("answer 500 where there are none, 503 where they have no endpoints", async () => {
    const gateway = await opened(
      httpGateway({
        hosts: [
          { hostname: "none.test", rules: [rule("/", action())] },
          { hostname: "idle.test", rules: [rule("/", action({ to: ["idle"] }))] },
          { hostname: "unknown.test", rules: [rule("/", action({ to: ["unknown"] }))] },
        ],
        backends: { idle: { ports: [] } },
      }),
    );
    expect((await ask(gateway.port, "/", { host: "none.test" })).status).toBe(500);
    expect((await ask(gateway.port, "/", { host: "idle.test" })).status).toBe(503);
    expect((await ask(gateway.port, "/", { host: "unknown.test" })).status).toBe(503);
  });

  it("take turns among their endpoints, and changes of those are seen at once", async () => {
    const servers = await Promise.all(["a", "b", "c"].map((name) => opened(echoBackend(name))));
    const gateway = await simpleGateway(
      0,
      {},
      { backends: { echo: { ports: servers.map(({ port }) => port) } } },
    );
    const names = async (count: number) => {
      const seen: string[] = [];
      for (let index = 0; index < count; index++) seen.push(echoOf(await ask(gateway.port, "/")).backend);
      return seen.sort().join("");
    };
    expect(await names(9)).toBe("aaabbbccc");
    gateway.backends.get("echo")!.setEndpoints([{ address: "127.0.0.1", port: servers[1]!.port }]);
    expect(await names(3)).toBe("bbb");
    gateway.backends.get("echo")!.setEndpoints([]);
    expect((await ask(gateway.port, "/")).status).toBe(503);
  });
});
