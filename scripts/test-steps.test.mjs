import { describe, expect, it } from "vitest";
import { components } from "../test/components/components.mjs";
import { chooseSteps, steps } from "./test-steps.mjs";

const names = (args) => chooseSteps(args).chosen.map(({ name }) => name);

describe("choosing steps", () => {
  it("takes all of them, in order", () => {
    expect(names([])).toEqual(steps.map(({ name }) => name));
  });

  it("takes the quick ones for npm run check", () => {
    expect(names(["--quick"])).toEqual(["format", "lint", "types", "imports", "unit"]);
  });

  it.each([[["--only", "golden,unit"]], [["--only=golden,unit"]], [["--only", "golden", "--only", "unit"]]])(
    "takes the named ones in the table's order: %j",
    (args) => {
      expect(names(args)).toEqual(["unit", "golden"]);
    },
  );

  it.each([
    [["--only", "unti"], /No step unti\. There are: format, lint/],
    [["--only"], /--only wants/],
    [["--fast"], /Unknown argument --fast/],
    [["--quick=yes"], /Unknown argument --quick=yes/],
  ])("explains a mistake: %j", (args, message) => {
    expect(chooseSteps(args).mistake).toMatch(message);
  });
});

describe("the table of steps", () => {
  it("names each step once, as a command or as a suite", () => {
    expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length);
    for (const { command, files } of steps) expect(Boolean(command)).not.toBe(Boolean(files));
  });

  it("asks only for components that exist", () => {
    const known = components.map(({ name }) => name);
    for (const step of steps) expect(known).toEqual(expect.arrayContaining(step.components ?? []));
  });
});
