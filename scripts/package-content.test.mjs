// What `npm pack` puts into the package: the program's messages and the README send people to files that must be in it.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectFolder } from "./command.mjs";

const read = (path) => readFileSync(join(projectFolder, path), "utf8");

function packed() {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts", "--offline"];
  const [{ files }] = JSON.parse(execFileSync("npm", args, { cwd: projectFolder, encoding: "utf8" }));
  return files.map(({ path }) => path);
}

it("has the licence, the examples and every document that is pointed to", () => {
  const sources = readdirSync(join(projectFolder, "src"), { recursive: true })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .map((path) => read(`src/${path}`));
  const texts = [read("README.md"), ...sources];
  const named = texts.flatMap((text) => text.match(/\bdocs\/[a-z-]+\.md/g) ?? []);
  const examples = readdirSync(join(projectFolder, "examples"), { recursive: true })
    .filter((path) => /\.(ts|yaml)$/.test(path))
    .map((path) => `examples/${path}`);
  expect(named.length).toBeGreaterThan(5);
  expect(packed()).toEqual(expect.arrayContaining(["LICENSE", "README.md", ...new Set(named), ...examples]));
});

it("has the licence that package.json names", () => {
  expect(JSON.parse(read("package.json")).license).toBe("Apache-2.0");
  expect(read("LICENSE")).toMatch(/^\s*Apache License\s+Version 2\.0, January 2004/);
});
