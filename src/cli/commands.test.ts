import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { commands } from "./commands.ts";
import { renderHelp, renderOverview } from "./help.ts";
import { parseArguments } from "./parse-arguments.ts";
import { styleFor } from "./style.ts";

const plain = styleFor(false);

/** As a shell takes a line apart, for the simple lines that examples are. */
function words(line: string): string[] {
  const withoutPipes = line.split(/ [<>]+ /)[0] ?? "";
  return Array.from(withoutPipes.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, bare]) => quoted ?? bare ?? "");
}

describe("the command table", () => {
  it("has each name once", () => {
    const names = commands.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { flags } of commands) {
      const spellings = flags.flatMap(({ name, short }) => [name, ...(short === undefined ? [] : [short])]);
      expect(new Set([...spellings, "h", "help"]).size).toBe(spellings.length + 2);
    }
  });

  it.each(commands.flatMap(({ examples }) => examples.map(({ line }) => line)))(
    "has an example that is understood: %s",
    (line) => {
      expect(parseArguments(words(line), commands).outcome).toBe("invocation");
    },
  );

  it("has defaults that are among the choices", () => {
    const wrong = commands
      .flatMap(({ flags }) => flags)
      .filter(
        ({ choices, default: fallback }) => choices && fallback !== undefined && !choices.includes(fallback),
      );
    expect(wrong).toEqual([]);
  });

  it.each(["controller", "operator"])("runs the chart's Envoy where nothing is said to %s", (name) => {
    const values = readFileSync(new URL("../../charts/gatewright/values.yaml", import.meta.url), "utf8");
    const { proxies } = load(values) as { proxies: { envoyImage: string } };
    const parsed = parseArguments([name], commands);
    if (parsed.outcome !== "invocation") throw new Error(parsed.outcome);
    expect(parsed.invocation.value("envoy-image")).toBe(proxies.envoyImage);
  });
});

describe("help", () => {
  it("lists every command", () => {
    const text = renderOverview(commands, plain);
    for (const { name, summary } of commands) expect(text).toMatch(new RegExp(`^  ${name} +${summary}`, "m"));
  });

  it.each(commands)("of $name names its flags and arguments, on lines that fit", (command) => {
    const text = renderHelp(command, plain);
    expect(text).toMatch(/^Usage\n {2}gatewright \w+/m);
    for (const { name } of command.flags) expect(text).toContain(`--${name}`);
    for (const { name } of command.arguments) expect(text).toMatch(new RegExp(`^ {2}${name} `, "m"));
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThan(130);
  });
});
