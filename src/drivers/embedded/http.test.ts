import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import net from "node:net";
import tls from "node:tls";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { makeCa, makeCertificate, type MadeAuthority } from "../../../test/certificates.ts";
import {
  EmbeddedUnderTest,
  backendItem,
  endpointsItem,
  listenerItem,
  serverNameItem,
  toBackend,
  virtualHostItem,
} from "../../../test/embedded-driver.ts";
import { headersFrame, http2Bytes, requestFields } from "../../../test/http2-frames.ts";
import { eventually } from "../../../test/tcp-servers.ts";
import type { Certificate } from "../../model/index.ts";

/** How the parts of this folder hand HTTP connections to the HTTP service; what that does with them is tested there. */

const plain = listenerItem("http", { port: 80 });
const secure = listenerItem("tls", { port: 443 });
const backend = backendItem("web", { protocol: "http" });
const cleanups: (() => unknown)[] = [];

let ca: MadeAuthority;
let certificate: Certificate;

beforeAll(async () => {
  ca = await makeCa();
  certificate = { key: "Secret/shop/a", ...(await makeCertificate({ names: ["a.test", "b.test"], ca })) };
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Answers `/slow` when told to, everything else at once. */
async function webServer() {
  const waiting: (() => void)[] = [];
  const server = http.createServer((request, response) => {
    const answer = (): void => void response.end(`web ${request.url}`);
    if (request.url === "/slow") waiting.push(answer);
    else answer();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as net.AddressInfo).port, waiting };
}

async function serving(grace = 2000) {
  const web = await webServer();
  const under = await new EmbeddedUnderTest({ limits: { grace } }).start();
  cleanups.push(() => under.driver.stop());
  const action = { type: "http", certificates: [certificate.key] } as const;
  await under.apply({
    certificates: [certificate],
    backends: [backend],
    endpoints: [endpointsItem(backend, web.port)],
    listeners: [plain, secure],
    serverNames: ["a.test", "b.test"].map((name) => serverNameItem(secure, name, action)),
    virtualHosts: [
      virtualHostItem(plain, "a.test", toBackend(backend)),
      virtualHostItem(secure, "a.test", toBackend(backend)),
      virtualHostItem(secure, "b.test", toBackend(backend)),
    ],
  });
  return { under, web, httpPort: under.portOf(plain.key), httpsPort: under.portOf(secure.key) };
}

interface Asked {
  readonly agent?: http.Agent;
  readonly host?: string;
  readonly servername?: string;
}

function get(port: number, path: string, { agent, host = "a.test", servername }: Asked = {}) {
  return new Promise<{ status: number; body: string; connection: string | undefined }>((resolve, reject) => {
    const options = { port, path, agent: agent ?? false, host: "127.0.0.1", headers: { host } };
    const request = servername
      ? https.get({ ...options, servername, ca: ca.certificate } as https.RequestOptions)
      : http.get(options);
    request.on("error", reject);
    request.on("response", (response) => {
      let body = "";
      response.on("data", (chunk) => (body += String(chunk)));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode!, body, connection: response.headers.connection }),
      );
    });
  });
}

describe("HTTP through the driver", () => {
  it("is served plain and over TLS", async () => {
    const { httpPort, httpsPort } = await serving();
    expect(await get(httpPort, "/x")).toMatchObject({ status: 200, body: "web /x" });
    expect(await get(httpsPort, "/x", { servername: "a.test" })).toMatchObject({
      status: 200,
      body: "web /x",
    });
    expect(await get(httpPort, "/x", { host: "c.test" })).toMatchObject({ status: 404 });
  });

  it("speaks HTTP/2 with clients that offer it", async () => {
    const { httpsPort } = await serving();
    const session = http2.connect(`https://127.0.0.1:${httpsPort}`, {
      servername: "a.test",
      ca: ca.certificate,
    });
    const stream = session.request({ ":path": "/h2", ":authority": "a.test" });
    let body = "";
    stream.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    await once(stream, "end");
    session.close();
    expect(body).toBe("web /h2");
  });

  it("says 421 to a request for another section than the server name's", async () => {
    const { httpsPort } = await serving();
    const asked = { servername: "a.test", host: "b.test" };
    expect(await get(httpsPort, "/", asked)).toMatchObject({ status: 421 });
  });

  it("ends a request that is under way when its listener is removed, and takes no more", async () => {
    const { under, web, httpPort } = await serving();
    const answer = get(httpPort, "/slow");
    await eventually(() => web.waiting.length === 1);
    await under.apply({ listeners: [plain.key], virtualHosts: [`${plain.key}|a.test`] });
    await expect(get(httpPort, "/x")).rejects.toMatchObject({ code: "ECONNREFUSED" });
    web.waiting[0]!();
    expect(await answer).toMatchObject({ status: 200, body: "web /slow", connection: "close" });
  });

  it("closes kept connections of a listener that now asks for TLS, after their request", async () => {
    const { under, web, httpPort } = await serving();
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    cleanups.push(() => agent.destroy());
    const answer = get(httpPort, "/slow", { agent });
    await eventually(() => web.waiting.length === 1);
    await under.apply({ listeners: [{ ...plain, protocol: "tls" }] });
    web.waiting[0]!();
    expect(await answer).toMatchObject({ status: 200, connection: "close" });
    await expect(get(httpPort, "/x", { agent })).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  it("drains on stop", async () => {
    const { under, web, httpsPort } = await serving();
    const answer = get(httpsPort, "/slow", { servername: "b.test", host: "b.test" });
    await eventually(() => web.waiting.length === 1);
    const stopped = under.driver.stop();
    web.waiting[0]!();
    expect(await answer).toMatchObject({ status: 200 });
    await stopped;
  });
});

describe("an HTTP/2 client that closes its direction", () => {
  /** Sends a request; what came back so far is in `received`. */
  function sent(socket: net.Socket, request: Buffer) {
    const seen = { socket, received: "", isOver: false };
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => (seen.received += chunk.toString("latin1")));
    socket.on("end", () => (seen.isOver = true));
    socket.write(Buffer.concat([http2Bytes, request]));
    cleanups.push(() => socket.destroy());
    return seen;
  }
  const halfOpen = (port: number) => net.connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const secured = (port: number) =>
    tls.connect({
      port,
      host: "127.0.0.1",
      servername: "a.test",
      ca: ca.certificate,
      ALPNProtocols: ["h2"],
      allowHalfOpen: true,
    } as tls.ConnectionOptions);

  it.each(["plain", "tls"])("has its connection closed when nothing is under way: %s", async (kind) => {
    const { under, httpPort, httpsPort } = await serving();
    const socket = kind === "tls" ? secured(httpsPort) : halfOpen(httpPort);
    const client = sent(socket, headersFrame(1, requestFields("/x")));
    await eventually(() => client.received.includes("web /x"));
    const { key } = kind === "tls" ? secure : plain;
    expect(under.countersOf(key).active).toBe(1);
    socket.end();
    await eventually(() => client.isOver && under.countersOf(key).active === 0);
  });

  it.each(["plain", "tls"])("gets the answers that are under way before it is closed: %s", async (kind) => {
    const { under, web, httpPort, httpsPort } = await serving();
    const socket = kind === "tls" ? secured(httpsPort) : halfOpen(httpPort);
    const client = sent(socket, headersFrame(1, requestFields("/slow")));
    await eventually(() => web.waiting.length === 1);
    socket.end();
    // GOAWAY: the gateway knows that nothing more comes.
    await eventually(() => client.received.includes("\0\0\x08\x07\0\0\0\0\0"));
    const { key } = kind === "tls" ? secure : plain;
    expect(under.countersOf(key).active).toBe(1);
    web.waiting[0]!();
    await eventually(() => client.isOver && under.countersOf(key).active === 0);
    expect(client.received).toContain("web /slow");
  });

  it("is not waited for where it owes the rest of a body", async () => {
    const { under, web, httpPort } = await serving();
    const endHeaders = 4;
    const client = sent(halfOpen(httpPort), headersFrame(1, requestFields("/slow"), endHeaders));
    await eventually(() => web.waiting.length === 1);
    client.socket.end();
    await eventually(() => client.isOver && under.countersOf(plain.key).active === 0);
    expect(client.received).not.toContain("web /slow");
  });
});
