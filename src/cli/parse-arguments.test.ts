import { describe, expect, it } from "vitest";
import type { Command } from "./command.ts";
import { parseArguments } from "./parse-arguments.ts";

const command: Command = {
  name: "serve",
  summary: "serve",
  arguments: [
    { name: "TYPE", required: true, summary: "what" },
    { name: "NAME", required: false, summary: "which" },
  ],
  flags: [
    { name: "filename", short: "f", value: "PATH", repeatable: true, required: true, summary: "where" },
    {
      name: "output",
      short: "o",
      value: "FORMAT",
      choices: ["json", "yaml"],
      default: "yaml",
      summary: "how",
    },
    { name: "all", short: "A", summary: "all of them" },
  ],
  examples: [],
  run: () => Promise.resolve(0),
};
const parse = (...args: string[]) => parseArguments(args, [command]);

function understood(...args: string[]) {
  const parsed = parse(...args);
  if (parsed.outcome !== "invocation") throw new Error(JSON.stringify(parsed));
  const { invocation } = parsed;
  return {
    arguments: invocation.arguments,
    files: invocation.values("filename"),
    output: invocation.value("output"),
    all: invocation.has("all"),
  };
}

describe("a command line that is understood", () => {
  it.each([
    [["serve", "x", "-f", "a"], { arguments: ["x"], files: ["a"], output: "yaml", all: false }],
    [
      ["serve", "-fa", "--filename=b", "x", "y"],
      { arguments: ["x", "y"], files: ["a", "b"], output: "yaml", all: false },
    ],
    [
      ["serve", "x", "-f", "-", "-A", "-o=json"],
      { arguments: ["x"], files: ["-"], output: "json", all: true },
    ],
    [
      ["serve", "-f", "a", "-ojson", "--", "-x"],
      { arguments: ["-x"], files: ["a"], output: "json", all: false },
    ],
    [["serve", "x", "-Af", "a"], { arguments: ["x"], files: ["a"], output: "yaml", all: true }],
  ])("%j", (args, expected) => {
    expect(understood(...args)).toEqual(expected);
  });
});

it("has a default for a first argument that is left out", () => {
  const ask: Command = {
    ...command,
    arguments: [
      { name: "METHOD", required: false, default: "GET", summary: "how" },
      { name: "URL", required: true, summary: "what" },
    ],
    flags: [],
  };
  const argumentsOf = (...args: string[]) => {
    const parsed = parseArguments(["serve", ...args], [ask]);
    return parsed.outcome === "invocation" ? parsed.invocation.arguments : parsed;
  };
  expect(argumentsOf("http://a/")).toEqual(["GET", "http://a/"]);
  expect(argumentsOf("POST", "http://a/")).toEqual(["POST", "http://a/"]);
  expect(argumentsOf()).toMatchObject({ outcome: "misuse", message: "URL is missing: what" });
});

describe("a command line that makes no sense", () => {
  it.each([
    [["serv"], 'unknown command "serv"; did you mean serve?'],
    [["nonsense"], 'unknown command "nonsense"'],
    [["--file"], "unknown flag --file; a command comes first"],
    [["serve", "x", "-f", "a", "--outptu", "json"], "unknown flag --outptu; did you mean --output?"],
    [["serve", "x", "-f", "a", "-z"], "unknown flag -z"],
    [["serve", "x", "-f"], "-f wants a value: -f PATH"],
    [["serve", "x", "-f", "--output"], "-f wants a value: -f PATH"],
    [["serve", "x", "-f", "a", "-o", "xml"], '-o: "xml" is not known; use json or yaml'],
    [["serve", "x", "-f", "a", "-o", "json", "-o", "yaml"], "-o was given twice; it takes one FORMAT"],
    [["serve", "x", "-f", "a", "--all=yes"], "--all takes no value"],
    [["serve", "-f", "a"], "TYPE is missing: what"],
    [["serve", "x"], "-f PATH is missing: where"],
    [["serve", "x", "y", "z", "-f", "a"], '"z" is one argument too many; paths are given as -f PATH'],
    [["constructor"], 'unknown command "constructor"'],
    [["serve", "x", "-f", "a", "--__proto__"], "unknown flag --__proto__"],
  ])("%j", (args, message) => {
    expect(parse(...args)).toMatchObject({ outcome: "misuse", message });
  });
});

describe("help", () => {
  it.each([[["serve", "--help"]], [["serve", "x", "-h"]], [["--help", "serve"]]])(
    "%j is about the command",
    (args) => {
      expect(parse(...args)).toEqual({ outcome: "help", command });
    },
  );

  it.each([[[]], [["--help"]], [["-h"]]])("%j is about the program", (args: string[]) => {
    expect(parse(...args)).toEqual({ outcome: "help", command: undefined });
  });
});
