import { describe, expect, it } from "vitest";
import { decodeText } from "./decode-text.ts";

const text = "kind: HTTPRoute\nname: ä\n";

describe("decodeText", () => {
  it.each<[string, Buffer, unknown]>([
    ["UTF-8", Buffer.from(text), { outcome: "text", text }],
    ["ASCII", Buffer.from("a: 1\n"), { outcome: "text", text: "a: 1\n" }],
    ["nothing", Buffer.alloc(0), { outcome: "text", text: "" }],
    ["lone carriage returns", Buffer.from("a\rb\r\nc\r"), { outcome: "text", text: "a\nb\r\nc\n" }],
    [
      "UTF-16",
      Buffer.from(`\uFEFF${text}`, "utf16le"),
      { outcome: "not-text", message: "is UTF-16 text; save it as UTF-8" },
    ],
    [
      "UTF-16, big-endian",
      Buffer.from(`\uFEFF${text}`, "utf16le").swap16(),
      { outcome: "not-text", message: "is UTF-16 text; save it as UTF-8" },
    ],
    [
      "UTF-16 without a mark",
      Buffer.from(text, "utf16le"),
      { outcome: "not-text", message: "is UTF-16 text without a byte order mark; save it as UTF-8" },
    ],
    [
      "UTF-32",
      Buffer.from([0xff, 0xfe, 0, 0, 97, 0, 0, 0]),
      { outcome: "not-text", message: "is UTF-32 text; save it as UTF-8" },
    ],
    [
      "a NUL byte",
      Buffer.from("a: 1\nb: \0\n"),
      { outcome: "not-text", message: "is not text: there is a NUL byte in line 2" },
    ],
    [
      "Latin-1",
      Buffer.concat([Buffer.from("# ok ä\n".repeat(50)), Buffer.from("name: \xe4\n", "latin1")]),
      { outcome: "not-text", message: "is not UTF-8 text: line 51 has bytes that UTF-8 does not have" },
    ],
  ])("%s", (_name, bytes, decoded) => {
    expect(decodeText(bytes)).toEqual(decoded);
  });
});
