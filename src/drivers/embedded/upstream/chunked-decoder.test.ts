import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChunkedDecoder } from "./chunked-decoder.ts";

/** The data and what was left over, or the problem. */
function decode(
  text: string,
  pieceSize = text.length,
): { data: string; rest: string; trailers?: string[] } | string {
  const decoder = new ChunkedDecoder(256);
  const bytes = Buffer.from(text, "latin1");
  let data = "";
  for (let at = 0; at < bytes.length;) {
    const piece = bytes.subarray(at, at + pieceSize);
    const next = decoder.push(piece, 0, (chunk) => (data += chunk.toString("latin1")));
    if (typeof next === "string") return next;
    at += next;
    if (decoder.done) {
      const rest = bytes.subarray(at).toString("latin1");
      return { data, rest, ...(decoder.trailers ? { trailers: decoder.trailers } : {}) };
    }
  }
  return "not at an end";
}

describe("ChunkedDecoder", () => {
  it("gives back what was encoded, however it is cut", () => {
    const chunks = fc.array(fc.string({ minLength: 1, maxLength: 40, unit: "binary-ascii" }), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(chunks, fc.integer({ min: 1, max: 20 }), (parts, pieceSize) => {
        const text = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join("") + "0\r\n\r\n";
        expect(decode(`${text}NEXT`, pieceSize)).toEqual({ data: parts.join(""), rest: "NEXT" });
      }),
    );
  });

  it("skips extensions and reads trailers", () => {
    expect(decode('3;name="v"\r\nabc\r\n0;x\r\nX-Sum: 1\r\nY: 2\r\n\r\n')).toEqual({
      data: "abc",
      rest: "",
      trailers: ["x-sum", "1", "y", "2"],
    });
  });

  it.each([
    ["a size that is no number", "x\r\n"],
    ["a sign", "+3\r\nabc\r\n0\r\n\r\n"],
    ["a size in 0x notation", "0x3\r\nabc\r\n0\r\n\r\n"],
    ["no size", "\r\nabc\r\n"],
    ["a line feed alone behind the size", "3\nabc\r\n0\r\n\r\n"],
    ["a line feed alone in an extension", "3;x\nabc\r\n0\r\n\r\n"],
    ["a return alone behind the size", "3\rabc\r\n0\r\n\r\n"],
    ["more data than the size says", "3\r\nabcd\r\n0\r\n\r\n"],
    ["data without an end", "3\r\nabc0\r\n\r\n"],
    ["a line feed alone behind the data", "3\r\nabc\n0\r\n\r\n"],
    ["a size beyond all bounds", "fffffffffffffff\r\n"],
    ["endless extensions", `3;${"x".repeat(2000)}\r\n`],
    ["trailers that are too long", `0\r\nx: ${"y".repeat(300)}\r\n\r\n`],
    ["a trailer without a colon", "0\r\nabc\r\n\r\n"],
    ["a trailer with a control character", "0\r\nx: a\u0001b\r\n\r\n"],
    ["a folded trailer", "0\r\nx: a\r\n b\r\n\r\n"],
  ])("refuses %s", (_case, text) => {
    expect(decode(text)).toBeTypeOf("string");
    expect(decode(text)).not.toBe("not at an end");
    expect(decode(text, 1)).toBe(decode(text));
  });
});
