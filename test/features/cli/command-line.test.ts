import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { folderOf, gatewright, program } from "./program.ts";

const execute = promisify(execFile);

describe("the command line", () => {
  it("5.23 shows the version", async () => {
    const { version } = JSON.parse(
      readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
    ) as { version: string };
    for (const args of [["version"], ["--version"]]) {
      const { code, stdout } = await gatewright(args);
      expect({ code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`gatewright ${version} `),
      });
    }
  });

  it("helps", async () => {
    const overview = await gatewright(["help"]);
    expect(overview).toMatchObject({ code: 0, stdout: expect.stringContaining("quickstart") });
    expect((await gatewright(["--help"])).stdout).toBe(overview.stdout);
    const about = await gatewright(["help", "run"]);
    expect(about).toMatchObject({ code: 0, stdout: expect.stringContaining("--access-log") });
    expect((await gatewright(["run", "--help"])).stdout).toBe(about.stdout);
    expect(await gatewright([])).toMatchObject({ code: 2, stdout: "", stderr: overview.stdout });
  });

  it.each([
    [["rnu"], /^gatewright: unknown command "rnu"; did you mean run\?\nSee gatewright help\.\n$/],
    [
      ["check", "--alow-refused", "-f", "x"],
      /^gatewright: unknown flag --alow-refused; did you mean --allow-refused\?\nUsage: gatewright check -f PATH \[-f …\] \[FLAGS\]\n$/,
    ],
    [["run"], /^gatewright: give -f PATH for files, or --kubeconfig FILE for a cluster's objects\n$/],
    [["check"], /^gatewright: -f PATH is missing: .+\nUsage: gatewright check -f PATH/],
    [["run", "-f", "x", "--admin", "nonsense"], /^gatewright: --admin nonsense: write ADDRESS:PORT/],
    [["run", "-f", "x", "--address", "banana"], /^gatewright: --address: banana is not an IP address\n$/],
    [
      ["run", "-f", "x", "--driver", "apache"],
      /^gatewright: --driver: "apache" is not known; use embedded\b/,
    ],
    [["explain", "-f", "x"], /^gatewright: URL is missing, such as https:/],
    [["get", "foo"], /^gatewright: there is no type foo; use all, routes, policies, .*httproutes/],
    [["controller", "--envoy-image="], /^gatewright: --envoy-image wants a value\b/],
    [["help", "nonsense"], /^gatewright: there is no command nonsense/],
    [["completion", "tcsh"], /^gatewright: there is no completion for tcsh/],
    [
      ["check", "-f", "x", "-o", "xml"],
      /^gatewright: -o: "xml" is not known; use table, json, yaml, junit or sarif\n/,
    ],
  ])("ends with 2 for %j", async (args, message) => {
    const { code, stdout, stderr } = await gatewright(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });

  it("ends with 3 on a Node that is too old", async () => {
    const folder = folderOf({});
    const preload = join(folder, "old-node.cjs");
    writeFileSync(
      preload,
      'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.0" } });',
    );
    const { code, stderr } = await gatewright(["version"], { nodeArgs: ["--require", preload] });
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: "gatewright: Node 20.19 or newer is needed; this is 18.20.0. Get one at nodejs.org.\n",
    });
  });

  it("ends quietly when nobody reads on", async () => {
    const line = `"${process.execPath}" "${program}" help run | head -n 1`;
    const { stdout, stderr } = await execute("sh", ["-c", line]);
    expect({ stdout, stderr }).toEqual({
      stdout: "Serve the Gateways in a folder on this machine.\n",
      stderr: "",
    });
  });
});

describe("completion", () => {
  /** What bash would offer for the words typed so far; the last one is under the cursor. */
  async function complete(...words: string[]): Promise<string[]> {
    const { stdout: script } = await gatewright(["completion", "bash"]);
    const typed = ["gatewright", ...words].map((word) => `'${word}'`).join(" ");
    const line = `${script}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _gatewright; echo "\${COMPREPLY[@]}"`;
    const { stdout } = await execute("bash", ["-c", line]);
    return stdout.trim().split(" ");
  }

  it("offers commands, flags, values and types in bash", async () => {
    expect(await complete("")).toContain("quickstart");
    expect(await complete("che")).toEqual(["check"]);
    expect(await complete("check", "--all")).toEqual(["--allow-refused", "--allow-external-names"]);
    expect(await complete("check", "-o", "j")).toEqual(["json", "junit"]);
    expect(await complete("get", "http")).toEqual(["httproutes", "httpproxies"]);
    expect(await complete("help", "qu")).toEqual(["quickstart"]);
    expect(await complete("run", "-f", "/et")).toEqual(["/etc"]);
  });

  it.each(["zsh", "fish"])("is written for %s", async (shell) => {
    const { code, stdout } = await gatewright(["completion", shell]);
    expect(code).toBe(0);
    expect(stdout).toContain("quickstart");
  });
});
