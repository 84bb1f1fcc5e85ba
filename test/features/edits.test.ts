/** A folder of YAML under a running gateway: what an edit does to traffic, to statuses and to the list of problems. */
import net from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../src/driver-kit/traffic/free-port.ts";
import { requestHttp1 } from "../../src/driver-kit/traffic/http-client.ts";
import { fileSource, type SourceProblem } from "../../src/sources/index.ts";
import { Folder } from "../sources/watched-folder.ts";
import { httpBackend } from "./support/backends.ts";
import { startGatewayFrom, type GatewayOptions } from "./support/gateway-under-test.ts";
import { httpGateway, httpRoute, service } from "./support/objects.ts";

const routeTo = (backend: string, path = "/") =>
  httpRoute(`
  rules:
    - matches: [{ path: { value: ${path} } }]
      backendRefs: [{ name: ${backend}, port: 80 }]`);

async function startOn(folder: Folder, options: GatewayOptions = {}) {
  const problems: (readonly SourceProblem[])[] = [];
  const source = fileSource({ paths: [folder.path] });
  const gateway = await startGatewayFrom(source, {
    ...options,
    events: { problems: (all) => void problems.push(all) },
  });
  const from = async (path = "/") => {
    await gateway.controller.settled();
    return (await gateway.get({ path })).from;
  };
  return { gateway, from, problems: () => problems.at(-1) ?? [] };
}

describe("an edit of a file", () => {
  it("is in force soon after it is saved", async () => {
    const [one, two] = [await httpBackend("one"), await httpBackend("two")];
    const folder = new Folder();
    folder.write("gateway.yaml", httpGateway);
    folder.write("services.yaml", service("one", [one.port]) + service("two", [two.port]));
    folder.write("route.yaml", routeTo("one"));
    const { from, gateway } = await startOn(folder);
    expect(await from()).toBe("one");

    folder.write("route.yaml", routeTo("two"));
    await expect.poll(() => from()).toBe("two");
    folder.replace("route.yaml", routeTo("one", "/deep"));
    await expect.poll(() => from()).toBe(404);
    expect(await from("/deep")).toBe("one");
    folder.remove("route.yaml");
    await expect.poll(() => from("/deep")).toBe(404);
    folder.write("later/route.yaml", routeTo("two"));
    await expect.poll(() => from()).toBe("two");
    expect(gateway.faults).toEqual([]);
  });

  it("that is broken changes nothing but the list of problems", async () => {
    const web = await httpBackend("web");
    const folder = new Folder();
    folder.write("gateway.yaml", httpGateway + service("web", [web.port]));
    folder.write("route.yaml", routeTo("web"));
    const { from, problems, gateway } = await startOn(folder);
    expect(await from()).toBe("web");

    folder.write("route.yaml", routeTo("web").replace("matches: [{", "matches: [{{"));
    await expect.poll(() => problems().length).toBe(1);
    expect(problems()[0]).toMatchObject({
      severity: "error",
      origin: folder.at("route.yaml"),
      lastGoodInForce: true,
    });
    expect(await from()).toBe("web");

    folder.write("route.yaml", routeTo("web").replace("port: 80", "port: eighty"));
    await expect.poll(() => problems()[0]?.field).toBe("spec.rules[0].backendRefs[0].port");
    expect(problems()[0]?.object).toBe("HTTPRoute shop/shop");
    expect(await from()).toBe("web");

    folder.write("route.yaml", routeTo("web", "/mended"));
    await expect.poll(() => problems()).toEqual([]);
    await expect.poll(() => from("/mended")).toBe("web");
    expect(await from("/")).toBe(404);
    expect(gateway.faults).toEqual([]);
  });

  it("of one object is not felt by a request to another", async () => {
    const web = await httpBackend("web");
    const folder = new Folder();
    folder.write("gateway.yaml", httpGateway + service("web", [web.port]) + routeTo("web"));
    folder.write("other.yaml", httpRoute("  hostnames: [other.test]", "other"));
    const { gateway, problems } = await startOn(folder);
    let isOver = false;
    const bad: number[] = [];
    const hammer = (async () => {
      while (!isOver) {
        const { status } = await gateway.get({ path: "/" });
        if (status !== 200) bad.push(status);
      }
    })();
    for (let edit = 0; edit < 10; edit++) {
      folder.write(
        "other.yaml",
        edit % 2 === 0 ? "kind: [" : httpRoute(`  hostnames: [o${edit}.test]`, "other"),
      );
      await expect.poll(() => problems().length).toBe(edit % 2 === 0 ? 1 : 0);
    }
    isOver = true;
    await hammer;
    expect(bad).toEqual([]);
  });
});

describe("a port that somebody else holds", () => {
  it("is told, and opened as soon as it is free", async () => {
    const port = await freePort();
    const stranger = net.createServer();
    await new Promise<void>((resolve) => stranger.listen(port, "127.0.0.1", resolve));
    onTestFinished(() => void stranger.close());
    const web = await httpBackend("web");
    const folder = new Folder();
    folder.write(
      "all.yaml",
      httpGateway.replace("port: 80", `port: ${port}`) + service("web", [web.port]) + routeTo("web"),
    );
    const { gateway } = await startOn(folder, {
      driver: { bind: undefined as never, limits: { retryFirst: 20, retryMost: 50 } },
    });
    expect(gateway.condition("Gateway", "shop/web", "Programmed")).toBe("False/Invalid");
    expect(gateway.condition("Gateway", "shop/web", "Accepted", "http")).toBe("False/PortUnavailable");
    const [listener] = gateway.status("Gateway", "shop/web").listeners!;
    expect(listener?.conditions[0]?.message).toContain(
      `port ${port} on 127.0.0.1 is in use by another program`,
    );

    await new Promise((resolve) => stranger.close(resolve));
    await expect.poll(() => gateway.condition("Gateway", "shop/web", "Programmed")).toBe("True/Programmed");
    expect((await requestHttp1({ address: "127.0.0.1", port }, {})).from).toBe("web");
    expect(gateway.condition("Gateway", "shop/web", "Accepted", "http")).toBe("True/Accepted");
    expect(gateway.status("Gateway", "shop/web").addresses).toEqual([
      { type: "IPAddress", value: "127.0.0.1" },
    ]);
  });
});
