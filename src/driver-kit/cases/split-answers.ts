/*
 * Two readers of one connection must not disagree about where an answer ends either: what a backend says beyond its answer
 * must not become the answer to the client's next request, which may be for somebody else's backend.
 */
import assert from "node:assert/strict";
import net from "node:net";
import { casesOf } from "../contract-case.ts";
import { backendItem, endpointsItem, rule, to } from "../items.ts";
import type { Plane } from "../plane.ts";
import { exchangeRaw, statusesIn } from "../traffic/raw-client.ts";

const test = casesOf("split answers");

const whole = "HTTP/1.1 200 OK\r\nX-Secret: 1\r\nContent-Length: 2\r\n\r\nhi";
const more = "HTTP/1.1 200 OK\r\nX-Smuggled: 1\r\nContent-Length: 8\r\n\r\nsmuggled";

const answers: Readonly<Record<string, string>> = {
  "a second answer": `${whole}${more}`,
  "an interim answer, and a second one": `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${whole}${more}`,
  "a switch of protocols that nobody asked for": `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Secret: 1\r\n\r\n${more}`,
  "a status of four digits": `HTTP/1.1 2000 OK\r\nX-Secret: 1\r\n\r\n${more}`,
  "no status line": `hello\r\n\r\n${more}`,
};

/** Says these bytes to whoever connects and asks. */
async function startRogue(plane: Plane, bytes: string) {
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
    socket.once("data", () => socket.write(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  plane.atEnd(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const backend = backendItem("rogue");
  return { backend, endpoints: endpointsItem(backend, (server.address() as net.AddressInfo).port) };
}

export const splitAnswerCases = [
  test("an answer that has no body has no length either", "HTTPRoute", async (plane) => {
    const rogue = await startRogue(plane, "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n");
    const { at } = await plane.serve([rule("/", { backends: [to(rogue)] })], {
      backends: [rogue.backend],
      endpoints: [rogue.endpoints],
    });
    const received = await exchangeRaw(at, "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
    assert.doesNotMatch(received, /^content-length: 5/im);
    assert.ok([204, 502].includes(statusesIn(received)[0]!), received);
  }),

  test("a request without a protocol is not answered without a head", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const { at } = await plane.serve([rule("/", web)]);
    assert.match(await exchangeRaw(at, "GET /\r\n\r\n", { patience: 2_000 }), /^(?:HTTP\/1\.[01] 400 |$)/);
    assert.equal(web.requests.length, 0);
  }),

  ...Object.entries(answers).flatMap(([what, bytes]) =>
    [true, false].map((isFiltered) =>
      test(
        `${what} ${isFiltered ? "is not passed on past the filters" : "does not reach the next request"}`,
        isFiltered ? "HTTPRouteResponseHeaderModification" : "HTTPRoute",
        async (plane) => {
          const web = await plane.http("web");
          const rogue = await startRogue(plane, bytes);
          const { backends, endpoints } = plane.backends;
          const filters = isFiltered ? { responseHeaders: { set: [], add: [], remove: ["x-secret"] } } : {};
          const { at, get } = await plane.serve(
            [rule("/rogue", { backends: [to(rogue)], ...filters }), rule("/web", web)],
            { backends: [...backends, rogue.backend], endpoints: [...endpoints, rogue.endpoints] },
          );
          const received = await exchangeRaw(
            at,
            "GET /rogue HTTP/1.1\r\nHost: a.test\r\n\r\nGET /web HTTP/1.1\r\nHost: b.test\r\n\r\n",
          );
          // A driver that takes the bytes for a body says where that body ends.
          const [head] = received.split("\r\n\r\n");
          if (!/^(?:transfer-encoding: chunked|connection: close)$/im.test(head!)) {
            assert.doesNotMatch(received, /smuggled/i);
          }
          if (isFiltered) assert.doesNotMatch(received, /x-secret/i);
          const final = statusesIn(received).filter((status) => status >= 200);
          assert.ok(
            final.every((status) => [200, 502, 503].includes(status)),
            received,
          );
          assert.match(received, /^(?:HTTP\/1\.1 |$)/, "bytes without a head");
          assert.equal((await get("/web")).from, "web", "others are served as before");
        },
      ),
    ),
  ),
];
