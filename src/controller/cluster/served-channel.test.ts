import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { freePort } from "../../../test/free-port.ts";
import { until, type ApiServer } from "../../../test/kubernetes/api-server.ts";
import { clientOf, startServer } from "../../../test/kubernetes/start.ts";
import {
  connectChannel,
  makeAuthority,
  openAuthority,
  type ChannelCertificate,
} from "../../channel/index.ts";
import { authorityName, keptAuthority, renderAuthority } from "./kept-authority.ts";
import { secrets } from "./resource-types.ts";
import { ServedChannel } from "./served-channel.ts";

const path = "/test.Echo/Stream";
const namespace = "gatewright-system";

async function serve(server: ApiServer) {
  const prepared = await prepare(server);
  await prepared.channel.start();
  return prepared;
}

async function prepare(server: ApiServer) {
  const replaced: string[] = [];
  const failures: unknown[] = [];
  const listen = { address: "127.0.0.1", port: await freePort() };
  const channel = new ServedChannel({
    client: clientOf(server),
    namespace,
    listen,
    services: [
      {
        path,
        open: (stream, { gateway }) =>
          stream.listen({ message: () => stream.send(Buffer.from(gateway)), closed() {} }),
      },
    ],
    events: {
      turnedAway() {},
      authorityReplaced: () => replaced.push("replaced"),
      failed: (error) => failures.push(error),
    },
  });
  onTestFinished(() => channel.stop());
  return { channel, replaced, failures, address: `${listen.address}:${listen.port}` };
}

/** Connects anew: the name by which the channel knows whoever holds the certificate. */
async function askAs(address: string, certificate: ChannelCertificate): Promise<string> {
  const stream = await connectChannel({ address, path, certificate, patience: 2_000 });
  onTestFinished(() => stream.close());
  return new Promise((resolve) => {
    stream.listen({ message: (bytes) => resolve(bytes.toString()), closed: resolve });
    stream.send(Buffer.from("hello"));
  });
}

function canConnect(address: string): Promise<boolean> {
  const [host = "", port] = address.split(":");
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) });
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    onTestFinished(() => void socket.destroy());
  });
}

describe("the channel of a controller in a cluster", () => {
  it("lets in who has a certificate of an authority whose Secret was deleted, and who has one of the next", async () => {
    const server = await startServer([secrets]);
    const { channel, replaced, failures, address } = await serve(server);
    const old = await channel.issueProxy("shop/web");
    await clientOf(server).delete(secrets, authorityName, namespace);
    await until(() => replaced.length === 1);
    expect(await askAs(address, old)).toBe("shop/web");
    const fresh = await channel.issueProxy("shop/web");
    expect(fresh.authorities).not.toBe(old.authorities);
    expect(await askAs(address, fresh)).toBe("shop/web");
    // Another replica opens the same.
    const kept = await keptAuthority(clientOf(server), namespace);
    expect(await askAs(address, await kept.issueProxy("shop/web"))).toBe("shop/web");
    expect(failures).toEqual([]);
  });

  it("opens nothing when it is stopped while the authority is read", async () => {
    const server = await startServer([secrets]);
    const { channel, address } = await prepare(server);
    server.intercept = () => channel.stop().then(() => false);
    await channel.start();
    expect(await canConnect(address)).toBe(false);
    expect(server.watchers.size).toBe(0);
  });

  // Between the making of the certificate and the listening there is nothing to hold on to.
  it.each([0, 2, 4, 6, 8, 10, 20])(
    "is closed in the end when it is stopped %d ms after it has read the authority",
    async (wait) => {
      const server = await startServer([secrets]);
      await keptAuthority(clientOf(server), namespace);
      const { channel, address } = await prepare(server);
      let stopped: Promise<void> | undefined;
      server.intercept = () => {
        stopped ??= pause(wait).then(() => channel.stop());
        return false;
      };
      await channel.start();
      await stopped;
      expect(await canConnect(address)).toBe(false);
    },
  );

  it("forgets an authority whose Secret was replaced by one that does not know it", async () => {
    const server = await startServer([secrets]);
    const { channel, replaced, address } = await serve(server);
    const old = await channel.issueProxy("shop/web");
    const { keeping } = await makeAuthority();
    const base64 = (text: string) => Buffer.from(text).toString("base64");
    const kept = server.store(secrets).get(`${namespace}/${authorityName}`);
    const data = { "tls.crt": base64(keeping.certificate), "tls.key": base64(keeping.key) };
    await clientOf(server).replace(secrets, { ...kept, data });
    await until(() => replaced.length === 1);
    await expect(askAs(address, old)).rejects.toThrow("cannot be reached");
    const fresh = await channel.issueProxy("shop/web");
    expect(await askAs(address, fresh)).toBe("shop/web");
    // The one that took its place goes as well: who believes that one still finds a channel to believe.
    await clientOf(server).delete(secrets, authorityName, namespace);
    await until(() => replaced.length === 2);
    expect(await askAs(address, fresh)).toBe("shop/web");
    expect(await askAs(address, await channel.issueProxy("shop/web"))).toBe("shop/web");
  });

  it("forgets an authority whose Secret was deleted when what it signed has ended", async () => {
    const server = await startServer([secrets]);
    const old = await makeAuthority();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 24 * 3600_000 - 10 * 60_000 + 4_000 });
    const made = await makeAuthority({ before: old.keeping }).finally(() => vi.useRealTimers());
    await clientOf(server).create(secrets, renderAuthority(made.keeping, namespace));
    const { address, failures } = await serve(server);
    // Whoever has the old key makes what lasts longer.
    const forged = await openAuthority(old.keeping, { leafLifetime: 365 * 24 * 3600_000 });
    const certificate = { ...(await forged.issueProxy("shop/web")), authorities: made.keeping.certificate };
    expect(await askAs(address, certificate)).toBe("shop/web");
    await vi.waitFor(() => expect(askAs(address, certificate)).rejects.toThrow("cannot be reached"), {
      timeout: 15_000,
      interval: 500,
    });
    expect(failures).toEqual([]);
  });
});
