/** `npm run lab`, as a person uses it: up, something inside, down, and nothing is left. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { cacheFolder } from "../../scripts/search.mjs";
import { needLab, until } from "./lab.ts";

const program = fileURLToPath(new URL("../../scripts/lab.mjs", import.meta.url));
const name = `test-${process.pid}`;
// Whoever makes a lab removes the folders of labs that are over, as far as it can see: from in here not all that run are seen.
const folder = mkdtempSync(join(tmpdir(), "gatewright-labs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Outcome {
  readonly code: number | null;
  readonly said: string;
}

function lab(words: readonly string[], { input = "" } = {}): Promise<Outcome> {
  const { GATEWRIGHT_LAB: _, KUBECONFIG: __, ...outside } = process.env;
  const child = spawn(process.execPath, [program, "--name", name, ...words], {
    env: { ...outside, TMPDIR: folder, SHELL: "/bin/sh" },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  }
  child.stdin.end(input);
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, said })));
}

const pids = () => readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // It has ended.
    return undefined;
  }
}

/** A lab is a network of its own, and every Pod in it. */
const networks = () => new Set(pids().map((pid) => linkOf(`/proc/${pid}/ns/net`)));

async function nothingIsLeft(before: ReadonlySet<unknown>): Promise<void> {
  await until(
    "the processes' end",
    () => [...networks()].every((one) => one === undefined || before.has(one)),
    {
      seconds: 5,
    },
  );
  expect(readdirSync(folder)).toEqual([]);
  const records = join(cacheFolder(), "labs");
  expect(readdirSync(records).filter((file) => file.startsWith(`${name}.`))).toEqual([]);
}

describe("npm run lab", () => {
  it("is up until it is taken down, and runs commands inside meanwhile", async (context) => {
    needLab(context);
    const before = networks();
    expect(await lab(["exec", "kubectl", "get", "nodes"])).toEqual({
      code: 1,
      said: expect.stringContaining("npm run lab -- up") as string,
    });
    const up = await lab(["up"]);
    expect(up).toEqual({ code: 0, said: expect.stringContaining("The lab is up") as string });
    expect(networks().size).toBeGreaterThan(before.size);
    expect(await lab(["up"])).toEqual({
      code: 0,
      said: expect.stringContaining("is up already") as string,
    });
    const nodes = await lab(["exec", "kubectl", "get", "nodes", "--no-headers"]);
    expect(nodes).toEqual({ code: 0, said: expect.stringMatching(/^lab-node\s+Ready\s/) as string });
    const crds = await lab(["exec", "kubectl", "get", "crd", "-o", "name"]);
    expect(crds.said).toContain("httproutes.gateway.networking.k8s.io");
    expect((await lab(["exec", "sh", "-c", "exit 7"])).code).toBe(7);
    expect((await lab(["down"])).code).toBe(0);
    await nothingIsLeft(before);
    expect((await lab(["down"])).said).toContain("There is no lab");
  });

  it("without a word is a shell inside, and the lab ends with it", async (context) => {
    needLab(context);
    const before = networks();
    const { code, said } = await lab([], { input: "kubectl get nodes --no-headers\nexit 3\n" });
    expect(said).toMatch(/^lab-node\s+Ready\s/m);
    expect(code).toBe(3);
    await nothingIsLeft(before);
  });
});
