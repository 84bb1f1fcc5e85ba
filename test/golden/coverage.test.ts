/*
 * Every feature of the API that a driver can claim is shown twice: by a golden case, which names it in a comment (`# Features: HTTPRouteCORS, …`),
 * and by a test with real traffic, whose title has it in brackets (`it("answers preflight requests [HTTPRouteCORS]", …)`).
 * What the API has no field for is shown by cases of the drivers' contract.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contractCases } from "../../src/driver-kit/index.ts";
import { allFeatures, features } from "../../src/model/index.ts";

const golden = import.meta.dirname;
const ofTheApi = features.filter(({ level }) => level !== "own");
const own = features.filter(({ level }) => level === "own");
const inputs = readFiles(golden, "input.yaml");
const featureTests = readFiles(join(golden, "../features"), ".test.ts");

describe("golden cases", () => {
  const named = new Set([...inputs.values()].flatMap(featuresInComments));

  it("show every feature", () => {
    expect(ofTheApi.filter(({ name }) => !named.has(name))).toEqual([]);
  });

  it("name features that exist", () => {
    expect([...named].filter((name) => !allFeatures.has(name))).toEqual([]);
  });

  it("begin with their rule", () => {
    const silent = [...inputs].filter(([, text]) => !/^# \S.*\.$/m.test(text.split("\napiVersion")[0] ?? ""));
    expect(silent.map(([path]) => path)).toEqual([]);
  });
});

describe("tests with real traffic", () => {
  const named = new Set([...featureTests.values()].flatMap(featuresInTitles));

  it("show every feature", () => {
    expect(ofTheApi.filter(({ name }) => !named.has(name))).toEqual([]);
  });

  it("name features that exist", () => {
    expect([...named].filter((name) => !allFeatures.has(name))).toEqual([]);
  });
});

describe("the drivers' contract", () => {
  const named = new Set(contractCases().map(({ feature }) => feature));

  it("shows every feature that the API has no field for", () => {
    expect(own.filter(({ name }) => !named.has(name))).toEqual([]);
  });
});

function readFiles(folder: string, ending: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(ending),
  );
  return new Map(paths.toSorted().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

function featuresInComments(text: string): string[] {
  return [...text.matchAll(/^# Features: (.+)$/gm)].flatMap(([, list = ""]) => list.split(/,\s*/));
}

/** Titles of `it("…")` and `it.each(…)("…")`: all names in brackets. */
function featuresInTitles(text: string): string[] {
  const titles = text.matchAll(/\bit(?:\.each\([\s\S]*?\)\s*)?\(\s*"((?:[^"\\]|\\.)*)"/g);
  return [...titles].flatMap(([, title = ""]) =>
    [...title.matchAll(/\[([A-Za-z0-9, ]+)\]/g)].flatMap(([, list = ""]) => list.split(/,\s*/)),
  );
}
