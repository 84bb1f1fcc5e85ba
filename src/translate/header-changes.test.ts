import { describe, expect, it } from "vitest";
import type { HTTPHeaderFilter } from "../resources/index.ts";
import { translateHeaderChanges } from "./header-changes.ts";

describe("translateHeaderChanges", () => {
  it("lower-cases names, takes the first of each, trims values", () => {
    const { changes, refusals } = translateHeaderChanges(
      {
        set: [
          { name: "X-A", value: " 1\t" },
          { name: "x-a", value: "2" },
        ],
        add: [{ name: "X-B", value: "a, b" }],
        remove: ["X-C", "x-c"],
      },
      "f",
    );
    expect(refusals).toEqual([]);
    expect(changes).toEqual({
      set: [{ name: "x-a", value: "1" }],
      add: [{ name: "x-b", value: "a, b" }],
      remove: ["x-c"],
    });
  });

  const names = ["a b", "a\r\nb", ":authority", "", "é", "a:b", "\u0000"];
  it.each<[string, HTTPHeaderFilter, string]>([
    ...names.map(
      (name) =>
        [`name ${JSON.stringify(name)}`, { remove: [name] }, "f.remove[0]"] as [
          string,
          HTTPHeaderFilter,
          string,
        ],
    ),
    ["a line break in a value", { set: [{ name: "a", value: "1\r\nX-Evil: 1" }] }, "f.set[0].value"],
    ["a NUL in a value", { add: [{ name: "a", value: "1\u0000" }] }, "f.add[0].value"],
    ["a line separator in a value", { add: [{ name: "a", value: "1\u2028" }] }, "f.add[0].value"],
    ["Host", { set: [{ name: "Host", value: "x" }] }, "f.set[0].name"],
    ["Content-Length", { set: [{ name: "Content-Length", value: "0" }] }, "f.set[0].name"],
    ["Transfer-Encoding", { add: [{ name: "transfer-encoding", value: "chunked" }] }, "f.add[0].name"],
    ["Connection", { remove: ["Connection"] }, "f.remove[0]"],
    ["set and add of one name", { set: [{ name: "a", value: "1" }], add: [{ name: "A", value: "2" }] }, "f"],
    ["set and remove of one name", { set: [{ name: "a", value: "1" }], remove: ["A"] }, "f"],
  ])("refuses %s", (_, filter, field) => {
    expect(translateHeaderChanges(filter, "f").refusals).toMatchObject([
      { reason: "UnsupportedValue", field },
    ]);
  });

  it("says what to use instead of Host", () => {
    const [refusal] = translateHeaderChanges({ set: [{ name: "host", value: "x" }] }, "f").refusals;
    expect(refusal?.problem).toContain("URLRewrite");
  });

  it("lets names be that JavaScript has a meaning for", () => {
    const { changes, refusals } = translateHeaderChanges(
      { set: [{ name: "__proto__", value: "1" }], remove: ["constructor"] },
      "f",
    );
    expect(refusals).toEqual([]);
    expect(changes).toEqual({ set: [{ name: "__proto__", value: "1" }], add: [], remove: ["constructor"] });
  });
});
