import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeData, type Data } from "./bencode.ts";

/** As lua/gatewright/bencode.lua reads it. */
function decode(bytes: Buffer): unknown {
  const text = bytes.toString("latin1");
  let at = 0;
  const read = (): unknown => {
    const kind = text[at]!;
    if (kind === "d") {
      at++;
      const result: [unknown, unknown][] = [];
      while (text[at] !== "e") result.push([read(), read()]);
      at++;
      return Object.fromEntries(result as [string, unknown][]);
    }
    if (kind === "l") {
      at++;
      const result: unknown[] = [];
      while (text[at] !== "e") result.push(read());
      at++;
      return result;
    }
    if (kind === "i") {
      const end = text.indexOf("e", at);
      const number = Number(text.slice(at + 1, end));
      at = end + 1;
      return number;
    }
    const colon = text.indexOf(":", at);
    const length = Number(text.slice(at, colon));
    at = colon + 1 + length;
    return Buffer.from(text.slice(colon + 1, at), "latin1").toString();
  };
  const value = read();
  expect(at).toBe(text.length);
  return value;
}

const { data } = fc.letrec<{ data: Data }>((tie) => ({
  data: fc.oneof(
    fc.string({ unit: "binary" }),
    fc.integer(),
    fc.array(tie("data"), { maxLength: 4 }),
    fc.dictionary(fc.string({ maxLength: 5, unit: "grapheme-ascii" }), tie("data"), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
}));

describe("data for Lua", () => {
  it("reads back as what was written, whatever is in its texts", () => {
    fc.assert(
      fc.property(data, (value) => {
        expect(decode(encodeData(value))).toEqual(value);
      }),
    );
  });

  it("leaves out what is not there, and writes yes and no as numbers", () => {
    expect(encodeData({ a: undefined, b: true, c: false }).toString()).toBe("d1:bi1e1:ci0ee");
  });

  it("has texts in UTF-8, with their length in bytes", () => {
    expect(encodeData("caf\u00e9 \u20ac").toString()).toBe("9:caf\u00e9 \u20ac");
  });
});
