// What the package holds (`files` of package.json): the program's messages and the README send people to files that must be in it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectFolder } from "./command.mjs";

const read = (path) => readFileSync(join(projectFolder, path), "utf8");

const { files, license } = JSON.parse(read("package.json"));
const isPacked = (path) =>
  existsSync(join(projectFolder, path)) &&
  files.some((entry) => path === entry || path.startsWith(`${entry}/`));

it("has the licence, the examples and every document that is pointed to", () => {
  const sources = readdirSync(join(projectFolder, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .map((path) => read(`src/${path}`));
  const texts = [read("README.md"), ...sources];
  const named = texts.flatMap((text) => text.match(/\bdocs\/[a-z-]+\.md/g) ?? []);
  const examples = readdirSync(join(projectFolder, "examples"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(ts|yaml)$/.test(path))
    .map((path) => `examples/${path}`);
  expect(named.length).toBeGreaterThan(5);
  expect(["LICENSE", ...named, ...examples].filter((path) => !isPacked(path))).toEqual([]);
});

it("has the licence that package.json names", () => {
  expect(license).toBe("Apache-2.0");
  expect(read("LICENSE")).toMatch(/^\s*Apache License\s+Version 2\.0, January 2004/);
});
