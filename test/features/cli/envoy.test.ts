import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { need } from "../../components/need.ts";
import { gatewayYaml, redirectYaml } from "./manifests.ts";
import { folderOf, freePort, gatewright, startGatewright } from "./program.ts";

async function locationOf(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/x`, { redirect: "manual" });
  return new URL(response.headers.get("location") ?? "http://none/").hostname;
}

describe("gatewright run --driver envoy", () => {
  it("serves with Envoy, follows edits, logs requests, and ends it", { timeout: 60_000 }, async (context) => {
    need(context, "envoy");
    const port = await freePort();
    const folder = folderOf({
      "gateway.yaml": gatewayYaml(port),
      "route.yaml": redirectYaml("one.example.com"),
    });
    const running = startGatewright([
      "run",
      "-f",
      folder,
      "--admin",
      "127.0.0.1:0",
      "--driver",
      "envoy",
      "--access-log",
    ]);
    const [, admin = ""] = await running.find(/Admin endpoint: http:\/\/(127\.0\.0\.1:\d+)\//, "stderr");
    expect(await locationOf(port)).toBe("one.example.com");
    writeFileSync(join(folder, "route.yaml"), redirectYaml("two.example.com"));
    await running.find(/HTTPRoute default\/away {2}Accepted=True\n/, "stderr");
    expect(await locationOf(port)).toBe("two.example.com");
    const metrics = await (await fetch(`http://${admin}/metrics`)).text();
    expect(metrics).toContain('gatewright_envoy_proxies{state="programmed"} 1');
    expect(metrics).toContain('gatewright_build_info{version="');
    const [line = "{}"] = await running.find(/^\{.*\}$/m, "stdout");
    expect(JSON.parse(line)).toMatchObject({
      gateway: "default/web",
      route: "HTTPRoute/default/away",
      status: 302,
    });
    running.process.kill("SIGTERM");
    expect(await running.ended).toBe(0);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("fetch failed");
  });

  it("ends with 3 and the way out if Envoy is not there", async () => {
    const folder = folderOf({ "gateway.yaml": gatewayYaml(await freePort()) });
    const env = { PATH: "/nowhere", GATEWRIGHT_CACHE: folder };
    const { code, stderr } = await gatewright(["run", "-f", folder, "--admin", "off", "--driver", "envoy"], {
      env,
    });
    expect(code).toBe(3);
    expect(stderr).toMatch(/^gatewright: Envoy is not on PATH\. Install it .*gatewright doctor/);
  });
});

describe("gatewright doctor", () => {
  it("says what is there, and ends with 3 if what is wanted is not", async () => {
    const folder = folderOf({});
    const env = { PATH: "/nowhere", GATEWRIGHT_CACHE: folder };
    const { code, stdout } = await gatewright(["doctor"], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`✓ +node +${process.versions.node}`));
    expect(stdout).toMatch(/– +envoy +not found; for --driver envoy/);
    const wanted = await gatewright(["doctor", "--driver", "envoy"], { env });
    expect(wanted).toMatchObject({ code: 3, stderr: "gatewright: envoy: not found; for --driver envoy\n" });
    expect((await gatewright(["doctor", "--driver", "embedded"], { env })).code).toBe(0);
  });

  it("has a form for programs", async (context) => {
    const path = need(context, "envoy");
    const { code, stdout } = await gatewright(["doctor", "--driver", "envoy", "-o", "json"]);
    expect(code).toBe(0);
    const parts = JSON.parse(stdout) as { name: string; place?: string }[];
    expect(parts.map(({ name }) => name)).toEqual([
      "node",
      "envoy",
      "nginx",
      "haproxy",
      "kubectl",
      "cluster",
    ]);
    expect(path).toMatch(/envoy$/);
  });
});
