import { describe, expect, it } from "vitest";
import { makeCertificate } from "../../../../test/certificates.ts";
import { echoBackend, echoOf } from "../../../../test/http-backends.ts";
import { ask, Http2Client, sendBytes } from "../../../../test/http-client.ts";
import { action, closed, httpGateway, opened, rule, type TestHost } from "../../../../test/http-gateway.ts";

function host(hostname: string, paths: readonly string[], section = "section"): TestHost {
  return {
    hostname,
    section,
    rules: paths.map((path) =>
      rule(
        path,
        action({
          to: ["echo"],
          requestHeaders: { set: [{ name: "x-took", value: hostname }], add: [], remove: [] },
        }),
      ),
    ),
  };
}

async function gatewayOf(hosts: readonly TestHost[], tls?: { cert: string; key: string }) {
  const backend = await opened(echoBackend());
  return opened(
    httpGateway({ hosts, backends: { echo: { ports: [backend.port] } }, ...(tls ? { tls } : {}) }),
  );
}

async function took(port: number, hostname: string, path: string): Promise<string | number> {
  const answer = await ask(port, path, { host: hostname });
  return answer.status === 200 ? echoOf(answer).headers["x-took"]! : answer.status;
}

describe("routing", () => {
  it("prefers the more specific host, and goes on to less specific ones of the same section", async () => {
    const { port } = await gatewayOf([
      host("a.example.com", ["/exact"]),
      host("*.example.com", ["/exact", "/wild"]),
      host("*", ["/"]),
    ]);
    expect(await took(port, "a.example.com", "/exact")).toBe("a.example.com");
    expect(await took(port, "A.Example.COM.:8080", "/exact")).toBe("a.example.com");
    expect(await took(port, "a.example.com", "/wild")).toBe("*.example.com");
    expect(await took(port, "a.example.com", "/other")).toBe("*");
    expect(await took(port, "b.c.example.com", "/exact")).toBe("*.example.com");
    expect(await took(port, "example.com", "/exact")).toBe("*");
  });

  it("keeps listeners apart: a host of one section is not served by another", async () => {
    const { port } = await gatewayOf([
      host("a.example.com", [], "one"),
      host("*.example.com", ["/"], "two"),
      host("*", ["/"], "one"),
    ]);
    expect(await took(port, "a.example.com", "/")).toBe("*");
    expect(await took(port, "b.example.com", "/")).toBe("*.example.com");
  });

  it("answers 404 for hosts and paths that nobody serves, without naming what there is", async () => {
    const { port, log } = await gatewayOf([host("secret.example.com", ["/only"])]);
    for (const [hostname, path] of [
      ["unknown.test", "/"],
      ["secret.example.com", "/other"],
    ] as const) {
      const answer = await ask(port, path, { host: hostname });
      expect(answer.status).toBe(404);
      expect(answer.text).toBe("no route for this request\n");
    }
    expect(log).toMatchObject([
      { status: 404, host: "unknown.test" },
      { status: 404, host: "secret.example.com" },
    ]);
    expect(log[0]).not.toHaveProperty("route");
  });

  it("matches normalised paths and forwards just those", async () => {
    const { port } = await gatewayOf([host("*", ["/login"])]);
    expect(await took(port, "a", "/login/x")).toBe("*");
    expect(await took(port, "a", "/loginx")).toBe(404);
    expect(await took(port, "a", "/login/../admin")).toBe(404);
    expect(await took(port, "a", "/login%2f..%2fadmin")).toBe(400);
    const answer = await ask(port, "//a/..//%6cogin/./x?y=/../z");
    expect(echoOf(answer).path).toBe("/login/x?y=/../z");
  });

  it("takes the host of an absolute target instead of Host", async () => {
    const { port } = await gatewayOf([host("a.test", ["/"]), host("b.test", ["/"])]);
    const text = await sendBytes(
      port,
      "GET http://b.test/x HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n",
    );
    expect(text).toContain('"x-took":"b.test"');
    expect(text).toContain('"host":"b.test"');
    expect(text).toContain('"path":"/x"');
  });

  it("lets TRACE through only where a rule names it", async () => {
    const named = host("named.test", []);
    const { port } = await gatewayOf([
      host("any.test", ["/"]),
      {
        ...named,
        rules: [rule("/", action({ to: ["echo"] }), { method: "TRACE" })],
      },
    ]);
    expect(await took(port, "any.test", "/")).toBe("any.test");
    expect((await ask(port, "/", { host: "any.test", method: "TRACE" })).status).toBe(404);
    expect((await ask(port, "/", { host: "named.test", method: "TRACE" })).status).toBe(200);
    expect(await sendBytes(port, "CONNECT any.test:80 HTTP/1.1\r\nHost: any.test:80\r\n\r\n")).toMatch(
      /^HTTP\/1.1 405 /,
    );
  });

  it("answers 421 where the server name belongs to another listener than the host", async () => {
    const certificate = await makeCertificate({ names: ["one.test", "two.test"] });
    const gateway = await gatewayOf(
      [host("one.test", ["/"], "one.test"), host("two.test", ["/"], "two.test")],
      { cert: certificate.certificates, key: certificate.privateKey },
    );
    const client = new Http2Client(`https://127.0.0.1:${gateway.port}`, { servername: "one.test" });
    closed(() => client.close());
    expect((await client.ask("/", { ":authority": "one.test" })).status).toBe(200);
    expect((await client.ask("/", { ":authority": "two.test" })).status).toBe(421);
    expect((await client.ask("/", { ":authority": "three.test" })).status).toBe(404);
  });
});
