import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { commands } from "./commands.ts";
import { withConfigFile } from "./config-file.ts";
import { parseArguments } from "./parse-arguments.ts";

function controllerWith(yaml: string, ...args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "gatewright-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "config.yaml");
  writeFileSync(path, yaml);
  const parsed = parseArguments(["controller", "--config", path, ...args], commands);
  if (parsed.outcome !== "invocation") throw new Error(JSON.stringify(parsed));
  return withConfigFile(parsed.invocation);
}

const problemIn = (yaml: string) => {
  const result = controllerWith(yaml);
  return result.outcome === "malformed" ? result.message.replace(/^.*config\.yaml: /, "") : "";
};

const settings = (yaml: string, ...args: readonly string[]) => {
  const result = controllerWith(yaml, ...args);
  if (result.outcome === "malformed") throw new Error(result.message);
  return result.invocation;
};

describe("the settings file", () => {
  it("2.1.1: names the one Gateway, as the design has it and as Contour has it", () => {
    for (const gateway of [
      "{ namespace: shop, name: web }",
      "{ gatewayRef: { namespace: shop, name: web } }",
      "shop/web",
    ]) {
      const given = settings(`mode: single-gateway\ngateway: ${gateway}\n`);
      expect([given.value("mode"), given.value("gateway")]).toEqual(["single-gateway", "shop/web"]);
    }
    expect(problemIn("gateway: { name: web }")).toBe(
      "gateway must have namespace and name, both, and nothing else",
    );
  });

  it("has switches, lists and numbers", () => {
    const given = settings(
      "networkPolicy: true\nnoLeaderElection: false\nhttpproxyClass: [contour, inner]\nsecurePort: 8443\n",
    );
    expect(given.has("network-policy")).toBe(true);
    expect(given.has("no-leader-election")).toBe(false);
    expect(given.values("httpproxy-class")).toEqual(["contour", "inner"]);
    expect(given.value("secure-port")).toBe("8443");
    expect(given.value("insecure-port")).toBe("80");
  });

  it("comes after the command line", () => {
    const given = settings("driver: nginx\nhttpproxyClass: inner\n", "--driver", "haproxy");
    expect(given.value("driver")).toBe("haproxy");
    expect(given.values("httpproxy-class")).toEqual(["inner"]);
    expect(settings("").value("driver")).toBe("envoy");
  });

  it.each([
    [
      "listenerPolice: contour",
      "listenerPolice is not a setting of this command; did you mean listenerPolicy?",
    ],
    ["config: other.yaml", "config is not a setting of this command"],
    ["listenerPolicy: istio", 'listenerPolicy: "istio" is not known; use gateway-api or contour'],
    ["networkPolicy: yes please", "networkPolicy must be true or false"],
    ["driver: [envoy]", "driver must be a text"],
    ["httpproxyClass: [{}]", "httpproxyClass must be a text or a list of texts"],
    ["- a", "must be a list of names and values"],
    ["a: [", "cannot be read: "],
  ])("%j is refused", (yaml, message) => {
    expect(problemIn(yaml)).toContain(message);
  });

  it("must be there", () => {
    const parsed = parseArguments(["controller", "--config", "/nowhere/config.yaml"], commands);
    if (parsed.outcome !== "invocation") throw new Error(parsed.outcome);
    expect(withConfigFile(parsed.invocation)).toEqual({
      outcome: "malformed",
      message: expect.stringContaining("/nowhere/config.yaml: cannot be read: ENOENT") as string,
    });
  });
});
