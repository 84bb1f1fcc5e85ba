import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { EnvironmentError } from "../environment-error.ts";
import { plainText, type AdminPage } from "./admin-page.ts";
import type { AdminAddress } from "../names/index.ts";
import { adminServer, type AdminServer } from "./admin-server.ts";

const pages: readonly AdminPage[] = [
  { name: "", render: () => ({ type: plainText, body: "index\n" }) },
  {
    name: "echo",
    render: (rest) => (rest.length > 3 ? undefined : { type: plainText, body: rest.join("|") }),
  },
  {
    name: "long",
    render: () => ({
      type: plainText,
      body: (function* () {
        for (let i = 0; i < 500; i++) yield "x".repeat(1000);
      })(),
    }),
  },
  { name: "boom", render: () => ({ type: plainText, body: failing() }) },
];

function* failing(): Generator<string> {
  yield "half";
  throw new Error("lost");
}

let open: AdminServer[] = [];

async function start(options: Partial<AdminAddress & { portsToTry: number }> = {}): Promise<AdminAddress> {
  const server = adminServer({
    address: "127.0.0.1",
    port: 0,
    pages,
    software: "gatewright/test",
    ...options,
  });
  const address = await server.start();
  open.push(server);
  return address;
}

afterEach(async () => {
  for (const server of open) await server.stop();
  open = [];
});

interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

function ask(
  { port }: AdminAddress,
  path: string,
  { method = "GET", host = "localhost" }: { method?: string; host?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers: { host } }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (text: string) => (body += text));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
      response.on("error", reject);
    });
    sent.on("error", reject).end();
  });
}

describe("the admin endpoint", () => {
  it("answers GET and HEAD, without CORS headers and for no cache", async () => {
    const address = await start();
    const { status, headers, body } = await ask(address, "/?x=1");
    expect({ status, body }).toEqual({ status: 200, body: "index\n" });
    expect(headers).toMatchObject({ server: "gatewright/test", "cache-control": "no-store" });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(await ask(address, "/", { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
  });

  it.each(["POST", "PUT", "DELETE", "OPTIONS"])("refuses %s", async (method) => {
    expect(await ask(await start(), "/", { method })).toMatchObject({
      status: 405,
      headers: { allow: "GET, HEAD" },
    });
  });

  it.each([
    ["localhost", 200],
    ["localhost:19000", 200],
    ["127.0.0.1", 200],
    ["[::1]:19000", 200],
    ["192.0.2.7", 200],
    ["evil.example", 403],
    ["localhost.evil.example", 403],
    ["127.0.0.1.nip.example", 403],
    ["999.0.0.1", 403],
    ["user@localhost", 403],
  ])("takes only addresses and localhost for a Host: %s", async (host, status) => {
    expect((await ask(await start(), "/", { host })).status).toBe(status);
  });

  it("hands the decoded rest of the path to the page", async () => {
    const address = await start();
    expect((await ask(address, "/echo/a/b%20c/%zz")).body).toBe("a|b c|%zz");
    expect((await ask(address, "/echo/1/2/3/4")).status).toBe(404);
    expect((await ask(address, "/constructor")).status).toBe(404);
  });

  it("writes long pages whole, and cuts off those that fail", async () => {
    const address = await start();
    expect((await ask(address, "/long")).body).toHaveLength(500_000);
    await expect(ask(address, "/boom")).rejects.toThrow("aborted");
    expect((await ask(address, "/")).status).toBe(200);
  });

  it("says who has its port, or takes the next one if it may", async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
    const { port } = blocker.address() as AddressInfo;
    const failure = await start({ port }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EnvironmentError);
    expect(failure).toMatchObject({
      code: "GATEWRIGHT_PORT_TAKEN",
      message: expect.stringMatching(
        new RegExp(`port ${port} on 127.0.0.1 is in use by .+; give another with --admin`),
      ),
    });
    expect((await start({ port, portsToTry: 50 })).port).toBeGreaterThan(port);
    blocker.close();
  });

  it("says that an address is not of this machine", async () => {
    const failure = await start({ address: "192.0.2.1" }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "GATEWRIGHT_ADDRESS_UNUSABLE" });
  });
});
