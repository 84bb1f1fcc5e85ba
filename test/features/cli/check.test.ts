import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { gatewayYaml, redirectYaml } from "./manifests.ts";
import { folderOf, gatewright } from "./program.ts";

const good = { "gateway.yaml": gatewayYaml(80), "route.yaml": redirectYaml("a.example.com") };
const refused = { ...good, "route.yaml": redirectYaml("a.example.com", { parent: "wbe" }) };
const invalid = { ...good, "route.yaml": redirectYaml("a.example.com", { code: 999 }) };
const secret = `apiVersion: v1
kind: Secret
metadata: { name: s }
stringData: { password: hunter2 }
`;

describe("gatewright check", () => {
  it("is content with a good folder", async () => {
    const { code, stdout, stderr } = await gatewright(["check", "-f", folderOf(good)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/✓ +Gateway +default +web +accepted\n/);
    expect(stdout).toMatch(/✓ +HTTPRoute +default +away +accepted\n/);
    expect(stdout).not.toContain("\u001b[");
  });

  it("ends with 1 for what is refused, unless that is allowed", async () => {
    const folder = folderOf(refused);
    const { code, stdout } = await gatewright(["check", "-f", folder]);
    expect(code).toBe(1);
    expect(stdout).toContain("NoMatchingParent: spec.parentRefs[0]: Gateway default/wbe does not exist");
    expect((await gatewright(["check", "-f", folder, "--allow-refused"])).code).toBe(0);
  });

  it("ends with 1 for what is invalid, and says where", async () => {
    const folder = folderOf(invalid);
    const { code, stderr } = await gatewright(["check", "-f", folder, "--allow-refused"]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `${folder}/route.yaml:13:13: error: HTTPRoute default/away: spec.rules[0].filters[0].requestRedirect.statusCode: must be one of 301, 302, 303, 307, 308, not 999\n`,
    );
  });

  it("looks at HTTPProxies, and says in which line what is wrong", async () => {
    const proxy = `apiVersion: projectcontour.io/v1
kind: HTTPProxy
metadata: { name: shop }
spec:
  virtualhost: { fqdn: shop.example.com }
  includes:
    - name: part
  routes:
    - requestRedirectPolicy: { hostname: a.example.com }
`;
    const folder = folderOf({ "proxy.yaml": proxy });
    const { code, stdout } = await gatewright(["check", "-f", folder]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/! +HTTPProxy +default +shop +accepted in part\n/);
    expect(stdout).toContain(
      "IncludeError=True IncludeNotFound: spec.includes[0]: there is no HTTPProxy default/part",
    );
    const sarif = await gatewright(["check", "-f", folder, "-o", "sarif"]);
    expect(sarif.stdout).toMatch(/"startLine": 7\b/);
    const others = await gatewright(["check", "-f", folder, "--httpproxy-class", "inner"]);
    expect(others.stdout).toMatch(/- +HTTPProxy +default +shop +not ours\n/);
  });

  it("ends with 1 for a folder that is not there", async () => {
    const { code, stderr } = await gatewright(["check", "-f", "no-such-folder"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "gatewright: no-such-folder does not exist\n" });
  });

  it("ends with 1 where there is nothing to check", async () => {
    const folder = folderOf({ "notes.txt": "nothing" });
    expect(await gatewright(["check", "-f", folder])).toEqual({
      code: 1,
      stdout: "0 objects.\n",
      stderr: `gatewright: nothing in ${folder} is an object that Gatewright reads, such as a Gateway, a route or a Service (files that end in .yaml, .yml or .json are looked at)\n`,
    });
    const { code, stderr } = await gatewright(["check", "-f", "-"]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        "gatewright: nothing in standard input is an object that Gatewright reads, such as a Gateway, a route or a Service\n",
    });
  });

  it("ends with 1 where all is for others to read", async () => {
    const deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\n";
    const { code, stderr } = await gatewright(["check", "-f", folderOf({ "deployment.yaml": deployment })]);
    expect(code).toBe(1);
    expect(stderr).toContain("is an object that Gatewright reads, such as a Gateway");
  });

  it("ends with 1 for a mistyped kind, in every format", async () => {
    const mistyped = redirectYaml("a.example.com").replace("HTTPRoute", "HttpRoute");
    const folder = folderOf({ ...good, "route.yaml": mistyped });
    const table = await gatewright(["check", "-f", folder]);
    expect(table.code).toBe(1);
    expect(table.stderr).toMatch(
      /route\.yaml:2:1: error: .*did you mean gateway\.networking\.k8s\.io\/v1 HTTPRoute\?/,
    );
    expect(table.stdout).toContain("1 problem in the files; see above.\n");
    const junit = await gatewright(["check", "-f", folder, "-o", "junit"]);
    expect(junit.stdout).toContain('tests="2" failures="1"');
    const sarif = await gatewright(["check", "-f", folder, "-o", "sarif"]);
    expect(JSON.parse(sarif.stdout)).toMatchObject({ runs: [{ results: [{ level: "error" }] }] });
  });

  it("says whose a Gateway is that names another class", async () => {
    const gateway = gatewayYaml(80).replace("gatewayClassName: gatewright", "gatewayClassName: istio");
    const unnamed = await gatewright(["check", "-f", folderOf({ "gateway.yaml": gateway })]);
    expect(unnamed.code).toBe(0);
    expect(unnamed.stdout).toContain(
      "\nclass istio is not among the objects: its Gateways are treated as ours\n",
    );
    const istio = `apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: istio }
spec: { controllerName: istio.io/gateway-controller }
`;
    const foreign = await gatewright(["check", "-f", "-"], { input: `${gateway}---\n${istio}` });
    const line =
      "    class istio is of another controller: its spec.controllerName is istio.io/gateway-controller\n";
    expect(foreign.stdout.split(line)).toHaveLength(3);
  });

  it("reads standard input", async () => {
    const input = `${gatewayYaml(80)}---\n${redirectYaml("a.example.com", { code: 999 })}`;
    const { code, stderr } = await gatewright(["check", "-f", "-"], { input });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^-:24:13: error: HTTPRoute default\/away: /);
  });

  it.each([
    ["json", (text: string) => JSON.parse(text) as unknown],
    ["yaml", (text: string) => load(text)],
  ])("writes objects with their statuses as %s, without secrets", async (format, parse) => {
    const folder = folderOf({ ...refused, "secret.yaml": secret });
    const { code, stdout } = await gatewright(["check", "-f", folder, "-o", format]);
    expect(code).toBe(1);
    expect(stdout).not.toMatch(/hunter2|aHVudGVyMg/);
    expect(parse(stdout)).toMatchObject({
      apiVersion: "v1",
      kind: "List",
      items: [
        { kind: "Gateway", status: { listeners: [{ name: "http", attachedRoutes: 0 }] } },
        {
          kind: "HTTPRoute",
          status: {
            parents: [{ conditions: [{ type: "Accepted", status: "False", reason: "NoMatchingParent" }] }],
          },
        },
        { kind: "Secret", data: { password: "(hidden)" } },
      ],
    });
  });

  it("writes JUnit's XML", async () => {
    const { code, stdout } = await gatewright(["check", "-f", folderOf(invalid), "-o", "junit"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="gatewright check" tests="2" failures="1"/,
    );
    expect(stdout).toMatch(
      /<testcase classname="\S+route\.yaml" name="HTTPRoute default\/away" file="\S+" line="13"><failure/,
    );
  });

  it("writes SARIF, with the line of the field that was refused", async () => {
    const folder = folderOf(refused);
    const { code, stdout } = await gatewright(["check", "-f", ".", "-o", "sarif"], { cwd: folder });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      version: "2.1.0",
      runs: [
        {
          tool: { driver: { name: "gatewright" } },
          results: [
            {
              ruleId: "NoMatchingParent",
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: "./route.yaml" },
                    region: { startLine: 7, startColumn: 7 },
                  },
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it("shows colours where they are forced, and none against NO_COLOR", async () => {
    const folder = folderOf(good);
    const colourful = await gatewright(["check", "-f", folder], { env: { FORCE_COLOR: "1" } });
    expect(colourful.stdout).toContain("\u001b[32m✓");
    const plain = await gatewright(["check", "-f", folder], { env: { FORCE_COLOR: "1", NO_COLOR: "1" } });
    expect(plain.stdout).not.toContain("\u001b[");
  });
});
