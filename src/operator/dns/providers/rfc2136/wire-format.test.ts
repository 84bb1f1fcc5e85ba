import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { signMessage, TsigError, verifyAnswer } from "./tsig.ts";
import {
  classes,
  decodeData,
  decodeMessage,
  encodeData,
  encodeMessage,
  opcodes,
  types,
  WireError,
} from "./wire-format.ts";

const question = { name: "www.example.com", type: types.A, class: classes.IN };
const key = { name: "key", algorithm: "hmac-sha256", secret: Buffer.from("secret") } as const;

function readingOf(bytes: Buffer): string {
  try {
    decodeMessage(bytes);
    return "read or refused";
  } catch (error) {
    return error instanceof WireError ? "read or refused" : String(error);
  }
}

describe("messages", () => {
  it("come back as they were written", () => {
    const record = {
      name: "a.example.com",
      type: types.CNAME,
      class: classes.IN,
      ttl: 7,
      data: encodeData("CNAME", "b.example.com"),
    };
    const bytes = encodeMessage({
      id: 4711,
      opcode: opcodes.update,
      question,
      answers: [record],
      authorities: [record],
    });
    expect(decodeMessage(bytes)).toMatchObject({
      id: 4711,
      opcode: opcodes.update,
      questions: [question],
      answers: [record],
      authorities: [record],
      additionals: [],
    });
  });

  it("of whatever bytes are read or refused, and always end", () => {
    const base = encodeMessage({ id: 1, opcode: 0, question });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat(base.length), (noise, at) => {
        for (const bytes of [
          Buffer.from(noise),
          Buffer.concat([base.subarray(0, at), noise, base.subarray(at)]),
        ]) {
          expect(readingOf(bytes)).toBe("read or refused");
        }
      }),
    );
  });

  it("have names that lead to themselves refused", () => {
    const bytes = Buffer.concat([
      encodeMessage({ id: 1, opcode: 0, question }).subarray(0, 12),
      Buffer.from([0xc0, 12, 0, 1, 0, 1]),
    ]);
    expect(() => decodeMessage(bytes)).toThrow(WireError);
  });

  it("carry addresses and texts", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV6(), fc.string({ unit: "grapheme", maxLength: 600 }), (v4, v6, text) => {
        expect(decodeData("A", encodeData("A", v4))).toBe(v4);
        expect(encodeData("AAAA", decodeData("AAAA", encodeData("AAAA", v6)))).toEqual(
          encodeData("AAAA", v6),
        );
        expect(decodeData("TXT", encodeData("TXT", text))).toBe(text);
      }),
    );
  });
});

describe("signatures", () => {
  it("that do not fit are refused: none, of another key, of another time, of another request", () => {
    const plain = encodeMessage({ id: 1, opcode: 0, question });
    const now = Date.now();
    const { mac } = signMessage(plain, key, now);
    const answer = signMessage(plain, key, now).bytes;
    expect(() => verifyAnswer(plain, key, mac, now)).toThrow(TsigError);
    // Signed as a request, not as the answer to one.
    expect(() => verifyAnswer(answer, key, mac, now)).toThrow("the answer's signature is wrong");
    expect(() => verifyAnswer(answer, { ...key, name: "other" }, mac, now)).toThrow(TsigError);
  });
});
