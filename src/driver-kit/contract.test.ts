import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { contractCases, runContract } from "./contract.ts";

const areas = new Set(contractCases().map(({ name }) => name.slice(0, name.indexOf(": "))));

it("refuses an area that there is not, and names those there are", async () => {
  const createDriver = () => {
    throw new Error("no driver is needed");
  };
  await expect(runContract({ createDriver, only: ["matching", "matchin"] })).rejects.toThrow(
    /^no case or area is called matchin; areas are: life cycle, .*matching/,
  );
});

it("has an entry in the README for each area", () => {
  const text = readFileSync(new URL("README.md", import.meta.url), "utf8");
  expect([...areas].filter((area) => !text.includes(`\`${area}\``))).toEqual([]);
});
