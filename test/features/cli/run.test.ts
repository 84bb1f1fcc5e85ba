import { rmSync, writeFileSync } from "node:fs";
import { spawn, spawnSync } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { need } from "../../components/need.ts";
import { gatewayYaml, redirectYaml } from "./manifests.ts";
import { folderOf, freePort, gatewright, program, RunningProgram, startGatewright } from "./program.ts";

interface Started {
  readonly folder: string;
  readonly port: number;
  readonly running: RunningProgram;
  /** Of the admin endpoint. */
  readonly admin: string;
}

async function start(...flags: string[]): Promise<Started> {
  const port = await freePort();
  const folder = folderOf({
    "gateway.yaml": gatewayYaml(port),
    "route.yaml": redirectYaml("one.example.com"),
  });
  const running = startGatewright(["run", "-f", folder, "--admin", "127.0.0.1:0", ...flags]);
  const stream = flags.includes("--access-log") ? "stderr" : "stdout";
  const [, admin = ""] = await running.find(/Admin endpoint: http:\/\/(127\.0\.0\.1:\d+)\//, stream);
  return { folder, port, running, admin };
}

async function locationOf(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/x`, { redirect: "manual" });
  return new URL(response.headers.get("location") ?? "http://none/").hostname;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe("gatewright run", () => {
  it("goes on when nobody reads its access log any more", async () => {
    const { port, running } = await start("--access-log");
    await locationOf(port);
    await running.find(/"status":302/);
    running.process.stdout?.destroy();
    await locationOf(port);
    await running.find(/nobody reads standard output any more; going on without it\n/, "stderr");
    expect(await locationOf(port)).toBe("one.example.com");
    await locationOf(port);
    expect(running.stderr.match(/nobody reads/g)).toHaveLength(1);
    expect(await running.stop("SIGINT")).toBe(0);
  });

  it("reads once what a shell hands it as an open file", async () => {
    const port = await freePort();
    const file = join(
      folderOf({ "all.yaml": `${gatewayYaml(port)}\n---\n${redirectYaml("one.example.com")}` }),
      "all.yaml",
    );
    const shell = spawnSync(
      "bash",
      ["-c", `"$0" "$1" check -f <(cat "$2")`, process.execPath, program, file],
      { encoding: "utf8" },
    );
    expect([shell.status, shell.stderr]).toEqual([0, ""]);
    expect(shell.stdout).toMatch(/HTTPRoute +default +away +accepted/);
  });

  it("serves, follows edits, keeps the last good version, and stops cleanly", async () => {
    const { folder, port, running, admin } = await start();
    const route = join(folder, "route.yaml");
    expect(running.stdout).toContain(`http://localhost:${port}`);
    expect(await locationOf(port)).toBe("one.example.com");

    writeFileSync(route, redirectYaml("two.example.com"));
    await running.find(/HTTPRoute default\/away {2}Accepted=True\n/);
    expect(await locationOf(port)).toBe("two.example.com");

    writeFileSync(route, redirectYaml("three.example.com", { code: 999 }));
    const [line] = await running.find(/^.*route\.yaml:13:13: error: .*$/m, "stderr");
    expect(line).toMatch(/statusCode: must be one of .* \(the last good version stays in force\)$/);
    expect(await locationOf(port)).toBe("two.example.com");
    const problems = await (await fetch(`http://${admin}/problems`)).json();
    expect(problems).toMatchObject({ problems: [{ object: "HTTPRoute default/away" }] });

    writeFileSync(route, redirectYaml("three.example.com", { parent: "wbe" }));
    await running.find(/route\.yaml: fixed: HTTPRoute default\/away/, "stderr");
    await running.find(/HTTPRoute default\/away {2}Accepted=False NoMatchingParent: spec\.parentRefs\[0\]/);

    rmSync(route);
    await running.find(/HTTPRoute default\/away {2}removed\n/);
    expect((await fetch(`http://127.0.0.1:${port}/x`)).status).toBe(404);

    expect(await running.stop("SIGINT")).toBe(0);
    await expect(fetch(`http://127.0.0.1:${port}/x`)).rejects.toThrow("fetch failed");
  });

  it("opens and closes ports as Gateways change", async () => {
    const { folder, port, running } = await start();
    const other = await freePort();
    writeFileSync(join(folder, "gateway.yaml"), gatewayYaml(other));
    await running.find(
      new RegExp(`Gateway default/web {2}listener http is open at http://localhost:${other}\n`),
    );
    await running.find(new RegExp(`Gateway default/web {2}port ${port} is closed\n`));
    expect(await locationOf(other)).toBe("one.example.com");
    await expect(locationOf(port)).rejects.toThrow("fetch failed");
    expect(await running.stop()).toBe(0);
  });

  it("lets requests under way end", async () => {
    const backend = createServer((_, response) => setTimeout(() => response.end("done\n"), 500));
    const backendPort = await listen(backend);
    const { folder, port, running } = await start();
    writeFileSync(
      join(folder, "route.yaml"),
      `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: slow }
spec:
  parentRefs: [{ name: web }]
  rules: [{ backendRefs: [{ name: slow, port: 80 }] }]
---
apiVersion: v1
kind: Service
metadata: { name: slow }
spec: { ports: [{ port: 80 }] }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: slow, labels: { kubernetes.io/service-name: slow } }
addressType: IPv4
ports: [{ port: ${backendPort} }]
endpoints: [{ addresses: [127.0.0.1] }]
`,
    );
    await running.find(/HTTPRoute default\/slow {2}Accepted=True\n/);
    const asked = new Promise((resolve) => backend.once("request", resolve));
    const answer = fetch(`http://127.0.0.1:${port}/`).then((response) => response.text());
    await asked;
    const ended = running.stop("SIGTERM");
    expect(await answer).toBe("done\n");
    expect(await ended).toBe(0);
  });

  it("ends with the shell by which npx started it", async () => {
    const folder = folderOf({ "gateway.yaml": gatewayYaml(await freePort()) });
    // With something behind it the shell does not make way for the command.
    const line = ["-c", '"$0" "$@"; true', process.execPath, program, "run", "-f", folder, "--admin", "off"];
    const running = new RunningProgram(
      spawn("sh", line, { env: { ...process.env, npm_lifecycle_event: "npx" } }),
    );
    await running.find(/Ctrl-C stops/);
    await running.stop("SIGTERM");
    // The output is open as long as the gateway lives.
    expect(running.stdout).toMatch(/Stopping\.\n$/);
  });

  it("logs each request as JSON on standard output, and everything else elsewhere", async () => {
    const { port, running } = await start("--access-log");
    await locationOf(port);
    const [line] = await running.find(/^.+\n/);
    expect(JSON.parse(line)).toMatchObject({
      gateway: "default/web",
      route: "HTTPRoute/default/away",
      method: "GET",
      path: "/x",
      status: 302,
    });
    expect(await running.stop()).toBe(0);
    expect(running.stdout.split("\n")).toHaveLength(2);
  });

  it("5.23 is asked by gatewright get, for its metrics, and whether it is ready", async () => {
    const { admin, running } = await start();
    const get = (...args: string[]) => gatewright(["get", ...args, "--admin", admin]);

    const routes = await get("routes");
    expect(routes.code).toBe(0);
    expect(routes.stdout.split("\n").slice(0, 2)).toEqual([
      "NAMESPACE   NAME   HOSTNAMES   PARENTS   ACCEPTED   RESOLVEDREFS",
      "default     away   <none>      web       True       True",
    ]);
    expect((await get("gw", "-o", "name")).stdout).toBe("gateway.gateway.networking.k8s.io/web\n");
    const [one, all] = [await get("gateway/web", "-o", "json"), await get("all", "-o", "yaml")];
    expect(JSON.parse(one.stdout)).toMatchObject({
      kind: "Gateway",
      status: { addresses: [{ value: "127.0.0.1" }] },
    });
    expect(all.stdout).toMatch(/^apiVersion: v1\nkind: List\n/);
    expect((await get("routes", "-n", "other")).stderr).toBe("No objects found in namespace other.\n");

    const several = await get("svc,httproute,gateway", "-o", "name");
    expect(several.stdout).toBe(
      "httproute.gateway.networking.k8s.io/away\ngateway.gateway.networking.k8s.io/web\n",
    );
    expect((await get("httproute.gateway.networking.k8s.io/away")).stdout).toContain("away");

    const missing = await get("httproute", "awya");
    expect(missing).toMatchObject({ code: 1, stderr: "gatewright: no HTTPRoute awya; did you mean away?\n" });
    const unknown = await get("gatways");
    expect(unknown).toMatchObject({
      code: 2,
      stderr: "gatewright: there is no type gatways; did you mean gateways?\n",
    });
    expect((await get("secrets")).code).toBe(2);

    const metrics = await (await fetch(`http://${admin}/metrics`)).text();
    expect(metrics).toContain('gatewright_objects{kind="HTTPRoute"} 1');
    expect(await (await fetch(`http://${admin}/readyz`)).text()).toBe("ok\n");
    expect(await running.stop()).toBe(0);

    const gone = await get("routes");
    expect(gone.code).toBe(3);
    expect(gone.stderr).toMatch(
      /^gatewright: nothing answers at http:\/\/127\.0\.0\.1:\d+ \(connection refused\)/,
    );
  });

  it("ends with 3 where a port is taken, and says by whom or how to find out", async () => {
    const taken = await listen(createServer());
    const folder = folderOf({ "gateway.yaml": gatewayYaml(taken) });
    const listener = await gatewright(["run", "-f", folder, "--admin", "off"]);
    expect(listener.code).toBe(3);
    expect(listener.stderr).toMatch(
      new RegExp(`^gatewright: Gateway default/web: TCP port ${taken} on 127.0.0.1 is in use`),
    );
    expect(listener.stderr.trimEnd().split("\n")).toHaveLength(1);

    const admin = await gatewright(["run", "-f", folder, "--admin", `127.0.0.1:${taken}`]);
    expect(admin.code).toBe(3);
    expect(admin.stderr).toMatch(
      new RegExp(
        `^gatewright: the admin endpoint's port ${taken} on 127.0.0.1 is in use by .+; give another with --admin`,
      ),
    );
    expect(admin.stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  it("ends with 1 where a folder is not there", async () => {
    const { code, stderr } = await gatewright(["run", "-f", "no-such-folder", "--admin", "off"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "gatewright: no-such-folder does not exist\n" });
    const taken = await listen(createServer());
    const other = await gatewright(["run", "-f", "no-such-folder", "--admin", `127.0.0.1:${taken}`]);
    expect(other).toMatchObject({ code: 1, stderr });
  });

  it("notes a class that is not among the objects", async () => {
    const gateway = gatewayYaml(await freePort()).replace(
      "gatewayClassName: gatewright",
      "gatewayClassName: istio",
    );
    const running = startGatewright(["run", "-f", folderOf({ "gateway.yaml": gateway }), "--admin", "off"]);
    await running.find(/^class istio is not among the objects: its Gateways are treated as ours$/m);
    await running.find(/Ctrl-C stops/);
    expect(await running.stop()).toBe(0);
  });

  it.for(["embedded", "envoy", "nginx", "haproxy"])(
    "says what it waits for, and stops at once when it is told twice: %s",
    { timeout: 60_000 },
    async (driver, context) => {
      if (driver !== "embedded") need(context, driver);
      const backend = createServer(() => undefined);
      const backendPort = await listen(backend);
      const { folder, port, running } = await start("--driver", driver);
      writeFileSync(
        join(folder, "route.yaml"),
        `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: never }
spec:
  parentRefs: [{ name: web }]
  rules: [{ backendRefs: [{ group: gateway.networking.x-k8s.io, kind: XBackend, name: never }] }]
---
apiVersion: gateway.networking.x-k8s.io/v1alpha1
kind: XBackend
metadata: { name: never }
spec: { type: ExternalHostname, externalHostname: { hostname: localhost }, port: { port: ${backendPort} } }
`,
      );
      await running.find(/HTTPRoute default\/never {2}Accepted=True\n/);
      const asked = new Promise((resolve) => backend.once("request", resolve));
      const answer = fetch(`http://127.0.0.1:${port}/`).catch(() => "lost");
      await asked;
      running.process.kill("SIGINT");
      await running.find(/Stopping: waiting for 1 connection, at most 30 s\. Ctrl-C again stops at once\.\n/);
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect(await running.stop("SIGINT")).toBe(130);
      expect(await answer).toBe("lost");
      backend.closeAllConnections();
    },
  );
});
