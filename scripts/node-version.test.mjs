import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isNewEnough, requiredNode } from "./node-version.mjs";

it.each([
  ["v20.19.0", true],
  ["v20.18.3", false],
  ["v18.20.0", false],
  ["v22.0.0", true],
  ["v9.99.0", false],
])("judges Node %s: %s", (version, expected) => {
  expect(isNewEnough(version, "20.19")).toBe(expected);
});

it("asks for the version that package.json states", () => {
  const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(engines.node).toBe(`>=${requiredNode}`);
});
