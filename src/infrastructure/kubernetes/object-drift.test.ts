import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { covers, project } from "./object-drift.ts";

describe("drift", () => {
  it.each([
    ["fields of others", { a: 1 }, { a: 1, b: 2 }, true],
    ["another value", { a: 1 }, { a: 2 }, false],
    ["a field that is gone", { a: { b: 1 } }, { a: {} }, false],
    [
      "items of others in a list with names",
      { c: [{ name: "x", v: 1 }] },
      { c: [{ name: "y" }, { name: "x", v: 1 }] },
      true,
    ],
    ["an item that is gone", { c: [{ name: "x" }] }, { c: [] }, false],
    ["an item more in a plain list", { c: ["x"] }, { c: ["x", "y"] }, false],
    ["defaults inside of items", { p: [{ port: 80 }] }, { p: [{ port: 80, nodePort: 30000 }] }, true],
    ["a label more in a selector", { selector: { a: "1" } }, { selector: { a: "1", b: "2" } }, false],
    ["a list that is no longer one", { c: ["x"] }, { c: "x" }, false],
  ])("%s", (_title, wanted, live, same) => {
    expect(covers(wanted, live)).toBe(same);
  });

  it("is never seen between a value and itself, and projecting twice changes nothing", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (wanted, live) => {
        expect(covers(wanted, wanted)).toBe(true);
        const once = project(wanted, live);
        expect(project(wanted, once)).toEqual(once);
      }),
    );
  });
});
