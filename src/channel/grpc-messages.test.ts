import { Writable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MessageReader, MessageWriter } from "./grpc-messages.ts";

/** What comes out of a writer, as one. */
function written(messages: readonly (Buffer | readonly Buffer[])[]): Buffer {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    highWaterMark: 1 << 30,
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  const writer = new MessageWriter(stream);
  for (const message of messages) writer.write(message);
  return Buffer.concat(chunks);
}

const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array));

describe("messages of gRPC", () => {
  it("come out as they went in, however they are cut on the way", () => {
    const message = fc.oneof(bytes, fc.array(bytes, { maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(message), fc.array(fc.integer({ min: 1, max: 30 })), (messages, cuts) => {
        let rest = written(messages);
        const reader = new MessageReader();
        const read: Buffer[] = [];
        for (const cut of [...cuts, Infinity]) {
          read.push(...reader.take(rest.subarray(0, cut)));
          rest = rest.subarray(Math.min(cut, rest.length));
        }
        const whole = messages.map((given) => (Buffer.isBuffer(given) ? given : Buffer.concat(given)));
        expect(read).toEqual(whole);
      }),
    );
  });

  it("are refused by their length alone, before they have come", () => {
    const reader = new MessageReader(10);
    expect(reader.take(Buffer.from([0, 0, 0, 0, 10]))).toEqual([]);
    expect(reader.take(Buffer.alloc(10))).toHaveLength(1);
    expect(() => reader.take(Buffer.from([0, 0, 0, 0, 11]))).toThrow("11 bytes, more than 10");
  });

  it("cost what has come of them, however small the pieces are, and nothing for what is announced", () => {
    const reader = new MessageReader();
    const announced = Buffer.from([0, 2, 0, 0, 0]);
    expect(reader.take(announced)).toEqual([]);
    expect(reader.held).toBeLessThan(100);
    const one = Buffer.alloc(1);
    for (let come = 0; come < 100_000; come++) {
      one[0] = come;
      reader.take(one);
      // What carried it here is used for something else.
      one[0] = 0;
    }
    expect(reader.held).toBeLessThan(210_000);
    const [whole] = reader.take(Buffer.alloc(0x02000000 - 100_000));
    expect(whole?.subarray(0, 6)).toEqual(Buffer.from([0, 1, 2, 3, 4, 5]));
    expect(reader.held).toBe(0);
  });

  it("are refused if they are compressed", () => {
    expect(() => new MessageReader().take(Buffer.from([1, 0, 0, 0, 0]))).toThrow("compressed");
  });

  it("wait for a reader that is slow, in order, and are not put together before", () => {
    const chunks: Buffer[] = [];
    let goOn = () => {};
    const stream = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _, done) {
        chunks.push(chunk);
        goOn = done;
      },
    });
    const writer = new MessageWriter(stream);
    const large = Array.from({ length: 100 }, (_, index) => Buffer.alloc(10_000, index));
    writer.write(large);
    writer.write(Buffer.from("last"));
    expect(chunks).toHaveLength(1);
    return new Promise<void>((resolve) => {
      stream.on("drain", () => {
        expect(chunks.every(({ length }) => length <= 128 * 1024)).toBe(true);
        if (!chunks.at(-1)!.toString().endsWith("last")) return goOn();
        const reader = new MessageReader();
        const [first, second] = reader.take(Buffer.concat(chunks));
        expect(first!.equals(Buffer.concat(large))).toBe(true);
        expect(second?.toString()).toBe("last");
        resolve();
      });
      goOn();
    });
  });
});
