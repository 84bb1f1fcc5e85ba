import { expect, it } from "vitest";
import { commands } from "../commands.ts";

it("checks with the flags that decide what run serves", () => {
  const flagsOf = (name: string) =>
    commands.find((command) => command.name === name)!.flags.map((flag) => flag.name);
  for (const flag of ["mode", "gateway", "listener-policy", "insecure-port", "secure-port", "config"]) {
    expect(flagsOf("check")).toContain(flag);
    expect(flagsOf("run")).toContain(flag);
  }
});
