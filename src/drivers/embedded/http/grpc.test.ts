import { describe, expect, it } from "vitest";
import { http2Backend } from "../../../../test/http-backends.ts";
import { answerOf, ask, Http2Client } from "../../../../test/http-client.ts";
import { action, closed, httpGateway, opened, rule, simpleGateway } from "../../../../test/http-gateway.ts";
import { closedPort } from "../../../../test/http-backends.ts";

const grpc = { ":method": "POST", "content-type": "application/grpc", te: "trailers" };

async function client(port: number): Promise<Http2Client> {
  const made = new Http2Client(port);
  closed(() => made.close());
  return made;
}

describe("gRPC", () => {
  it("carries a unary call with its trailers", async () => {
    const seen: Record<string, unknown>[] = [];
    const backend = await opened(
      http2Backend((stream, headers) => {
        seen.push(headers);
        stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
        stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0", "grpc-message": "fine" }));
        stream.on("data", (chunk) => stream.write(chunk));
        stream.on("end", () => stream.end());
      }),
    );
    const gateway = await simpleGateway(backend.port, { protocol: "grpc" });
    const answer = await (await client(gateway.port)).ask("/pkg.Service/Method", grpc, "\0\0\0\0\x02hi");
    expect(answer).toMatchObject({
      status: 200,
      text: "\0\0\0\0\x02hi",
      headers: { "content-type": "application/grpc" },
      trailers: { "grpc-status": "0", "grpc-message": "fine" },
    });
    expect(seen[0]).toMatchObject({ te: "trailers", ":authority": "a.test", ":path": "/pkg.Service/Method" });
  });

  it("carries messages both ways as they come", async () => {
    const backend = await opened(
      http2Backend((stream) => {
        stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
        stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
        stream.on("data", (chunk) => stream.write(`echo ${String(chunk)}`));
        stream.on("end", () => stream.end());
      }),
    );
    const gateway = await simpleGateway(backend.port, { protocol: "grpc" });
    const stream = (await client(gateway.port)).stream("/s/m", grpc);
    const received: string[] = [];
    const answer = answerOf(stream);
    stream.on("data", (chunk) => received.push(String(chunk)));
    for (const [index, message] of ["one", "two", "three"].entries()) {
      stream.write(message);
      while (received.length <= index) await new Promise((resolve) => setTimeout(resolve, 2));
      expect(received[index]).toBe(`echo ${message}`);
    }
    stream.end();
    expect((await answer).trailers).toMatchObject({ "grpc-status": "0" });
  });

  it("carries an answer that has trailers only", async () => {
    const backend = await opened(
      http2Backend((stream) =>
        stream.respond(
          { ":status": 200, "content-type": "application/grpc", "grpc-status": "5", "grpc-message": "gone" },
          { endStream: true },
        ),
      ),
    );
    const gateway = await simpleGateway(backend.port, { protocol: "grpc" });
    const answer = await (await client(gateway.port)).ask("/s/m", grpc, "x");
    expect(answer).toMatchObject({
      status: 200,
      text: "",
      headers: { "grpc-status": "5", "grpc-message": "gone" },
    });
  });

  it.each([
    ["no route", "/none", 12],
    ["no backends", "/empty", 2],
    ["no endpoints", "/idle", 14],
    ["no connection", "/down", 14],
    ["too slow", "/slow", 14],
  ])("says %s as a gRPC status", async (_case, path, status) => {
    const slow = await opened(http2Backend(() => {}));
    const gateway = await opened(
      httpGateway({
        hosts: [
          {
            hostname: "*",
            rules: [
              rule("/empty", action({ protocol: "grpc" })),
              rule("/idle", action({ protocol: "grpc", to: ["idle"] })),
              rule("/down", action({ protocol: "grpc", to: ["down"] })),
              rule("/slow", action({ protocol: "grpc", to: ["slow"], timeouts: { request: 50 } })),
            ],
          },
        ],
        backends: {
          idle: { ports: [] },
          down: { ports: [await closedPort()] },
          slow: { ports: [slow.port] },
        },
      }),
    );
    const http2Client = await client(gateway.port);
    for (const contentType of ["application/grpc", "application/grpc+proto"]) {
      const answer = await http2Client.ask(path, { ...grpc, "content-type": contentType }, "x");
      expect(answer).toMatchObject({ status: 200, text: "", headers: { "grpc-status": String(status) } });
      expect(answer.headers["content-type"]).toBe("application/grpc");
      expect(answer.headers["grpc-message"]).toMatch(/./);
    }
  });

  it("answers others in plain HTTP", async () => {
    const gateway = await simpleGateway(await closedPort(), { protocol: "grpc" });
    for (const contentType of ["application/json", "application/grpc-web", "application/grpcx"]) {
      const answer = await ask(gateway.port, "/", { headers: { "content-type": contentType } });
      expect(answer.status).toBe(503);
    }
  });
});
