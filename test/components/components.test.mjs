import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { componentNamed, components, missingMessage, mustHaveAll } from "./components.mjs";
import { apt } from "./installers.mjs";
import { prepareComponents } from "./prepare.mjs";
import { cacheFolder, onPath } from "../../scripts/search.mjs";

describe("the table of components", () => {
  it("names each once and says for each how to get it", () => {
    expect(new Set(components.map(({ name }) => name)).size).toBe(components.length);
    for (const component of components) {
      expect(missingMessage(component)).toMatch(/^\S+ is missing \(needed for .+\); get it with: \S+ .+/);
    }
  });

  it("refuses a name that it does not have", () => {
    expect(() => componentNamed("etdc")).toThrow('No component "etdc"');
  });

  it("must be complete on CI only", () => {
    expect([{ CI: "true" }, { CI: "1" }, { CI: "" }, { CI: "false" }, {}].map(mustHaveAll)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("preparing", () => {
  const component = (name, { there = false, obstacle, works = true }) => {
    let found = there;
    const install = {
      command: `get ${name}`,
      obstacle: () => obstacle,
      run: async () => {
        found = works;
        return works ? undefined : "no network";
      },
    };
    return { name, purpose: "tests", find: () => (found ? `/bin/${name}` : undefined), install };
  };
  const prepare = async (parts, options = {}) => {
    const said = [];
    const table = Object.entries(parts).map(([name, traits]) => component(name, traits));
    const missing = await prepareComponents(Object.keys(parts), {
      table,
      say: (line) => said.push(line),
      ...options,
    });
    return { missing, said: said.join("\n") };
  };

  it("gets what is missing and says nothing of the rest", async () => {
    const { missing, said } = await prepare({ curl: { there: true }, wrk: {} });
    expect(missing).toEqual([]);
    expect(said).toMatch(/^Getting wrk: get wrk\nGot wrk in /);
  });

  it("goes on after one that cannot be had, and tells why", async () => {
    const { missing, said } = await prepare({
      etcd: { obstacle: "only root may" },
      envoy: { works: false },
      wrk: {},
    });
    expect(missing).toEqual(["etcd", "envoy"]);
    expect(said).toContain("get it with: get etcd (not done here: only root may)");
    expect(said).toContain("Could not get envoy:\nno network");
    expect(said).toContain("Got wrk");
  });

  it("only looks when it may not install", async () => {
    expect(await prepare({ curl: { there: true }, wrk: {} }, { mayInstall: false })).toEqual({
      missing: ["wrk"],
      said: "",
    });
  });

  it("shows the command that a person would type", () => {
    expect(apt("etcd-server").command).toBe("sudo apt-get install -y --no-install-recommends etcd-server");
  });
});

describe("where things are", () => {
  it.each([
    [{ GATEWRIGHT_CACHE: "/c", XDG_CACHE_HOME: "/x", HOME: "/h" }, "/c"],
    [{ XDG_CACHE_HOME: "/x", HOME: "/h" }, "/x/gatewright"],
    [{ HOME: "/h" }, "/h/.cache/gatewright"],
  ])("keeps built things outside the tree: %j", (env, folder) => {
    expect(cacheFolder(env)).toBe(folder);
  });

  it("finds programs, not other files of that name", () => {
    const folder = mkdtempSync(join(tmpdir(), "gatewright-path-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "gw-probe"), "#!/bin/sh\n", { mode: 0o755 });
    writeFileSync(join(folder, "gw-text"), "text\n", { mode: 0o644 });
    expect(onPath("gw-probe", { PATH: `/nowhere:${folder}` })).toBe(join(folder, "gw-probe"));
    expect(onPath("gw-text", { PATH: folder })).toBeUndefined();
  });
});
