import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createSafeServer } from "node:https";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeCa, makeCertificate } from "../../test/certificates.ts";
import { ApiServer, type ApiServerOptions } from "../../test/kubernetes/api-server.ts";
import { RecordingHandler } from "../../test/kubernetes/recording-handler.ts";
import { configMaps } from "../../test/kubernetes/resource-types.ts";
import { kubernetesClient } from "./client.ts";
import { loadCredentials } from "./load-credentials.ts";
import { watchObjects } from "./watch-objects.ts";

interface Proxy {
  readonly port: number;
  /** `host:port` that was asked for, with who asked. */
  readonly asked: string[];
}

/** A CONNECT proxy: asks for a password if one is given. */
async function startProxy({
  certificate,
  password,
}: { certificate?: { cert: string; key: string }; password?: string } = {}): Promise<Proxy> {
  const asked: string[] = [];
  const sockets = new Set<Duplex>();
  const server: Server = certificate ? createSafeServer(certificate) : createServer();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.on("connect", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const authorization = request.headers["proxy-authorization"] ?? "nobody";
    asked.push(`${request.url} ${Buffer.from(authorization.replace("Basic ", ""), "base64").toString()}`);
    socket.on("error", () => undefined);
    if (password !== undefined && !asked.at(-1)?.endsWith(`:${password}`)) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    const [host = "", port = ""] = (request.url ?? "").split(/:(?=\d+$)/);
    const onward = connect(Number(port), host.replace(/^\[|\]$/g, ""), () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.write(head);
      onward.pipe(socket);
      socket.pipe(onward);
    });
    sockets.add(onward);
    onward.on("error", () => socket.destroy());
    socket.on("close", () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

async function startServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const server = await ApiServer.start([configMaps], options);
  onTestFinished(() => server.stop());
  return server;
}

/** By a kubeconfig, as users have it. */
async function clientBy(server: ApiServer, proxyUrl: string, moreAuthorities = "") {
  const folder = mkdtempSync(join(tmpdir(), "proxy-url-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const credentials = server.credentials();
  const ca = `${String((await credentials.tls()).ca)}\n${moreAuthorities}`;
  const kubeconfig = join(folder, "config");
  const cluster = {
    server: credentials.server.href,
    "certificate-authority-data": Buffer.from(ca).toString("base64"),
    "proxy-url": proxyUrl,
  };
  const config = {
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster }],
    users: [{ name: "u", user: { token: "secret" } }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  const client = kubernetesClient({
    credentials: await loadCredentials({ kubeconfig }),
    userAgent: "test",
    fieldManager: "test",
  });
  onTestFinished(() => client.close());
  return client;
}

const configMap = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", namespace: "shop" },
  data: { k: "1" },
};

describe.each([
  ["HTTP/2", ["h2", "http/1.1"], "2.0"],
  ["HTTP/1.1", ["http/1.1"], "1.1"],
] as const)("proxy-url, %s to the API server", (_name, protocols, httpVersion) => {
  it("reads, writes and watches through it", async () => {
    const server = await startServer({ protocols });
    const proxy = await startProxy();
    const client = await clientBy(server, `http://127.0.0.1:${proxy.port}`);
    await client.create(configMaps, configMap);
    expect(await client.get(configMaps, "a", "shop")).toMatchObject({ data: { k: "1" } });
    expect(server.requests[0]).toMatchObject({ httpVersion, headers: { authorization: "Bearer secret" } });
    const handler = new RecordingHandler();
    const watch = watchObjects(client, { type: configMaps }, handler);
    onTestFinished(() => watch.stop());
    await watch.synced;
    const { host } = server.credentials().server;
    expect(new Set(proxy.asked.map((line) => line.split(" ")[0]))).toEqual(new Set([host]));
  });

  it("by TLS and with a password that goes to nobody else", async () => {
    const server = await startServer({ protocols });
    const authority = await makeCa();
    const { certificates, privateKey } = await makeCertificate({
      ca: authority,
      names: ["127.0.0.1"],
    });
    const proxy = await startProxy({
      certificate: { cert: certificates, key: privateKey },
      password: "a b",
    });
    const client = await clientBy(server, `https://me:a%20b@127.0.0.1:${proxy.port}`, authority.certificate);
    await client.create(configMaps, configMap);
    expect(proxy.asked[0]).toMatch(/ me:a b$/);
    expect(JSON.stringify(server.requests)).not.toContain("proxy-authorization");
  });
});

describe("proxy-url", () => {
  it("says what the proxy has against us, without its password", async () => {
    const server = await startServer();
    const proxy = await startProxy({ password: "right" });
    const client = await clientBy(server, `http://me:wrong@127.0.0.1:${proxy.port}`);
    const error = await client.get(configMaps, "a", "shop").catch((reason: unknown) => reason);
    expect(String(error)).toMatch(/the proxy 127[.]0[.]0[.]1:\d+: .*407/);
    expect(String(error)).not.toContain("wrong");
  });

  it.each([
    ["socks5://127.0.0.1:1080", "SOCKS proxies (socks5://) are not supported; use an HTTP proxy"],
    ["proxy:3128", "proxy-url is not a URL such as"],
  ])("%s is refused", async (url, message) => {
    const server = await startServer();
    const error = await clientBy(server, url).catch((reason: unknown) => reason);
    expect(String(error)).toContain(message);
  });
});
