import { describe, expect, it } from "vitest";
import {
  contentOf,
  integer,
  itemsOf,
  namedBits,
  objectIdentifier,
  octetString,
  sequence,
  time,
} from "./der.ts";

const hex = (bytes: Buffer) => bytes.toString("hex");

describe("DER", () => {
  it.each([
    [[0], "020100"],
    [[0x7f], "02017f"],
    [[0x80], "02020080"],
    [[0, 0, 0x80], "02020080"],
    [[0, 1], "020101"],
  ])("writes the number %j as short as it can, and never as a negative one", (bytes, expected) => {
    expect(hex(integer(Buffer.from(bytes)))).toBe(expected);
  });

  it.each([
    [0, "0400"],
    [127, "047f"],
    [128, "048180"],
    [255, "0481ff"],
    [256, "04820100"],
    [70_000, "0483011170"],
  ])("writes the length %i, and reads it", (length, head) => {
    const value = octetString(Buffer.alloc(length, 7));
    expect(hex(value).slice(0, head.length)).toBe(head);
    expect(contentOf(value).length).toBe(length);
    expect(itemsOf(sequence(value, value)).map((item) => item.length)).toEqual([value.length, value.length]);
  });

  it("writes object identifiers", () => {
    expect(hex(objectIdentifier("1.2.840.113549.1.1.11"))).toBe("06092a864886f70d01010b");
    expect(hex(objectIdentifier("2.5.29.19"))).toBe("0603551d13");
  });

  it("leaves out the bits behind the last that is set", () => {
    expect(hex(namedBits([0]))).toBe("03020780");
    expect(hex(namedBits([5, 6]))).toBe("03020106");
    expect(hex(namedBits([0, 8]))).toBe("0303078080");
  });

  it("writes times with two digits for the year until 2049", () => {
    expect(time(new Date("2049-12-31T23:59:59.900Z")).toString("latin1", 2)).toBe("491231235959Z");
    expect(time(new Date("2050-01-01T00:00:00Z")).toString("latin1", 2)).toBe("20500101000000Z");
  });

  it.each(["", "30", "3005", "3080", "30020405", "3085000000000100", "300304"])(
    "does not read %j",
    (bytes) => {
      expect(() => itemsOf(Buffer.from(bytes, "hex"))).toThrow("DER:");
    },
  );
});
