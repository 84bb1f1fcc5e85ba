import { describe, expect, it } from "vitest";
import { commands } from "../commands.ts";
import { renderBashCompletion, renderFishCompletion, renderZshCompletion } from "./index.ts";

describe("completion of paths in bash", () => {
  it("tells bash that they are files, so that folders get a slash", () => {
    expect(renderBashCompletion("gatewright", commands)).toContain(
      '-f|--filename) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")); return ;;',
    );
  });
});

describe.each([
  ["bash", renderBashCompletion, (name: string) => `    ${name})`],
  ["zsh", renderZshCompletion, (name: string) => `    ${name})`],
  ["fish", renderFishCompletion, (name: string) => `-a ${name} -d`],
])("completion for %s", (shell, render, entry) => {
  const script = render("gatewright", commands);

  it("knows every command and flag", () => {
    for (const { name, flags } of commands) {
      expect(script).toContain(entry(name));
      for (const flag of flags)
        expect(script).toContain(shell === "fish" ? `-l ${flag.name}` : `--${flag.name}`);
    }
  });

  it("has its quotes in pairs on every line", () => {
    const odd = script.split("\n").filter((line) => {
      const bare = line.replaceAll("'\\''", "").replaceAll("\\'", "");
      return (bare.split("'").length - 1) % 2 !== 0;
    });
    expect(odd).toEqual([]);
  });
});
