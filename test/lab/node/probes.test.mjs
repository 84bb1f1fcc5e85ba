import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { askProbe } from "./probes.mjs";

async function listen(server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return server.address().port;
}
const target = (ports = []) => ({ address: "127.0.0.1", ports, exec: (argv) => argv });

it("asks by HTTP, with the headers given, on a port by its name", async () => {
  const port = await listen(
    createHttpServer((request, response) => {
      response.statusCode = request.url === "/ok" && request.headers["x-probe"] === "yes" ? 200 : 503;
      response.end();
    }),
  );
  const ask = (path, value) =>
    askProbe(
      { httpGet: { path, port: "web", httpHeaders: [{ name: "x-probe", value }] } },
      target([{ name: "web", containerPort: port }]),
    );
  expect([await ask("/ok", "yes"), await ask("/ok", "no"), await ask("/other", "yes")]).toEqual([
    true,
    false,
    false,
  ]);
});

it("asks by TCP", async () => {
  const port = await listen(createServer());
  expect(await askProbe({ tcpSocket: { port } }, target())).toBe(true);
  expect(await askProbe({ tcpSocket: { port: 1 } }, target())).toBe(false);
});

it("asks by gRPC", async () => {
  const server = createHttp2Server();
  let asked;
  server.on("stream", (stream, headers) => {
    const parts = [];
    stream.on("data", (chunk) => parts.push(chunk));
    stream.on("end", () => {
      asked = { path: headers[":path"], message: Buffer.concat(parts).subarray(7).toString() };
      stream.respond({ ":status": 200, "content-type": "application/grpc" });
      // SERVING is 1, NOT_SERVING 2.
      stream.end(Buffer.from([0, 0, 0, 0, 2, 8, asked.message === "up" ? 1 : 2]));
    });
  });
  const port = await listen(server);
  expect(await askProbe({ grpc: { port, service: "up" } }, target())).toBe(true);
  expect(asked).toEqual({ path: "/grpc.health.v1.Health/Check", message: "up" });
  expect(await askProbe({ grpc: { port, service: "down" } }, target())).toBe(false);
});

it("asks by a command, and not for longer than it may take", async () => {
  expect(await askProbe({ exec: { command: ["true"] } }, target())).toBe(true);
  expect(await askProbe({ exec: { command: ["false"] } }, target())).toBe(false);
  expect(await askProbe({ exec: { command: ["sleep", "30"] }, timeoutSeconds: 0.2 }, target())).toBe(false);
});
