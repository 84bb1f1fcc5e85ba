import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changePath, type PathChange } from "../../../model/index.ts";
import { renderPathChange } from "./path-change.ts";

/** As Envoy does it: all matches, `\\` escapes in the replacement. */
function rewritten(path: string, change: PathChange): string {
  const rendered = renderPathChange(change);
  if (!rendered) return path;
  const replacement = rendered.substitution!.replaceAll("\\\\", "\\");
  return path.replace(new RegExp(rendered.pattern!.regex!, "g"), () => replacement);
}

describe("path changes", () => {
  it.each<[string, PathChange, string]>([
    ["/old", { type: "prefix", prefix: "/old", value: "/new" }, "/new"],
    ["/old/x", { type: "prefix", prefix: "/old", value: "/new/" }, "/new/x"],
    ["/old", { type: "prefix", prefix: "/old", value: "/" }, "/"],
    ["/old/x", { type: "prefix", prefix: "/old", value: "/" }, "/x"],
    ["/old/old", { type: "prefix", prefix: "/old", value: "/new" }, "/new/old"],
    ["/x", { type: "prefix", prefix: "/", value: "/new" }, "/new/x"],
    ["/x", { type: "prefix", prefix: "/", value: "/" }, "/x"],
    ["/caf%c3%a9/x", { type: "prefix", prefix: "/caf%C3%A9", value: "/tea" }, "/tea/x"],
    ["/any/thing", { type: "full", value: "/$1\\1&" }, "/$1\\1&"],
    ["/any", { type: "full", value: "home" }, "/home"],
  ])("%s %o", (path, change, expected) => {
    expect(rewritten(path, change)).toBe(expected);
  });

  it("are what the model says they are", () => {
    const segment = fc.constantFrom("a", "b.c", "d+e", "(f)", "g$1", "h\\2", "%C3%A9", "~");
    const path = fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join("/")}`);
    fc.assert(
      fc.property(path, path, path, (prefix, rest, value) => {
        const whole = `${prefix === "/" ? "" : prefix}${rest}`;
        for (const change of [
          { type: "prefix", prefix, value },
          { type: "prefix", prefix, value: `${value}/` },
          { type: "full", value },
        ] as const) {
          expect(rewritten(whole, change)).toBe(changePath(whole, change));
        }
        expect(rewritten(prefix, { type: "prefix", prefix, value })).toBe(
          changePath(prefix, { type: "prefix", prefix, value }),
        );
      }),
    );
  });
});
