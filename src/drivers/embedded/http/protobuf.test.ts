import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MessageWriter, readMessage } from "./protobuf.ts";

describe("protobuf", () => {
  it("reads what it writes", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.string({ minLength: 1 }),
        fc.bigInt({ min: 1n, max: (1n << 64n) - 1n }),
        (field, text, value) => {
          const bytes = new MessageWriter().text(field, text).number(field, value).finish();
          const fields = readMessage(bytes)!;
          expect(fields).toHaveLength(2);
          expect(fields[0]!.number).toBe(field);
          expect(fields[0]!.bytes).toEqual(Buffer.from(text, "utf8"));
          expect(fields[1]!.value).toBe(value);
        },
      ),
    );
  });

  it("writes negative numbers as ten bytes", () => {
    expect(readMessage(new MessageWriter().number(9, -1).finish())![0]!.value).toBe((1n << 64n) - 1n);
  });

  it("skips fixed fields and never reads past the end", () => {
    expect(readMessage(Buffer.from([0x0d, 1, 2, 3, 4, 0x11, 1, 2, 3, 4, 5, 6, 7, 8, 0x18, 5]))).toMatchObject(
      [{ number: 3, value: 5n }],
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const fields = readMessage(Buffer.from(bytes));
        expect(fields === undefined || Array.isArray(fields)).toBe(true);
      }),
    );
  });

  it.each([[[0x0a, 5, 1]], [[0x08]], [[0x0b]], [[0x00, 1]], [[0x0d, 1]], [Array(11).fill(0x80)]])(
    "refuses %j",
    (bytes) => {
      expect(readMessage(Buffer.from(bytes as number[]))).toBeUndefined();
    },
  );
});
