import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Http1Answer } from "./http1-answer.ts";

const answers = {
  "a length": 'HTTP/1.1 200 OK\r\nContent-Length: 8\r\nRetry-After: 3\r\n\r\n{"é":1}',
  chunks:
    "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nab\r\n\r\n2;x=y\r\ncd\r\n0\r\nA: b\r\n\r\n",
  "nothing in it": "HTTP/1.1 204 No Content\r\n\r\n",
  "an interim one before it":
    "HTTP/1.1 103 Early\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
} as const;
const texts = {
  "a length": [200, '{"é":1}'],
  chunks: [201, "ab\r\ncd"],
  "nothing in it": [204, ""],
  "an interim one before it": [200, ""],
} as const;

function readPieces(pieces: readonly Buffer[]) {
  const answer = new Http1Answer();
  const found = pieces.map((piece) => answer.push(piece)).filter((whole) => whole !== undefined);
  return { answer, found };
}

/** The bytes, cut at these places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % bytes.length)), bytes.length].toSorted(
    (a, b) => a - b,
  );
  return ends
    .map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
    .filter(({ length }) => length > 0);
}

describe("an answer of HTTP/1.1", () => {
  it.each(Object.keys(answers) as (keyof typeof answers)[])("with %s is read, wherever it is cut", (kind) => {
    const bytes = Buffer.from(answers[kind]);
    fc.assert(
      fc.property(fc.array(fc.nat(500), { maxLength: 8 }), (places) => {
        const { answer, found } = readPieces(cut(bytes, places));
        expect(found.map(({ status, bytes }) => [status, bytes.toString()])).toEqual([texts[kind]]);
        expect(answer.canGoOn).toBe(true);
      }),
    );
  });

  it("tells its headers by lower-case names, those of one name together", () => {
    const { found } = readPieces([
      Buffer.from("HTTP/1.1 429 Slow\r\nRetry-After: 3\r\nA: b\r\na:c \r\nContent-Length: 0\r\n\r\n"),
    ]);
    expect(found[0]?.headers).toEqual({ "retry-after": "3", a: "b, c", "content-length": "0" });
  });

  it("ends with the connection, if it does not say where", () => {
    const { answer, found } = readPieces([Buffer.from("HTTP/1.0 500 Oh\r\n\r\noh"), Buffer.from(" no")]);
    expect(found).toEqual([]);
    expect(answer.canGoOn).toBe(false);
    expect(answer.end()).toMatchObject({ status: 500, bytes: Buffer.from("oh no") });
  });

  it.each(["a length", "chunks"] as const)("with %s is none when the connection ends before it", (kind) => {
    const { answer } = readPieces([Buffer.from(answers[kind]).subarray(0, -3)]);
    expect(answer.end()).toBeUndefined();
  });

  it("lets the connection go that the server is about to close", () => {
    const { answer, found } = readPieces([
      Buffer.from("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
    ]);
    expect(found).toHaveLength(1);
    expect(answer.canGoOn).toBe(false);
  });

  it.each([
    ["another protocol", "SSH-2.0-x\r\n\r\n", /not HTTP/],
    ["more than an answer", "HTTP/1.1 204 x\r\n\r\nHTTP/1.1 200 x\r\n", /more than its answer/],
    ["a header without a name", "HTTP/1.1 200 x\r\n: b\r\n\r\n", /without a name/],
    ["a length that is none", "HTTP/1.1 200 x\r\ncontent-length: -1\r\n\r\n", /not a number/],
    ["two lengths", "HTTP/1.1 200 x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n", /not a number/],
    [
      "a length and chunks",
      "HTTP/1.1 200 x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n",
      /unknown length/,
    ],
    ["another coding", "HTTP/1.1 200 x\r\ntransfer-encoding: gzip\r\n\r\n", /unknown length/],
    ["a chunk without a size", "HTTP/1.1 200 x\r\ntransfer-encoding: chunked\r\n\r\nx\r\n", /no size/],
    [
      "a chunk that is longer",
      "HTTP/1.1 200 x\r\ntransfer-encoding: chunked\r\n\r\n1\r\nab\r\n",
      /longer than it says/,
    ],
    ["a head without end", `HTTP/1.1 200 x\r\na: ${"b".repeat(70_000)}`, /too long/],
    [
      "a chunk's head without end",
      `HTTP/1.1 200 x\r\ntransfer-encoding: chunked\r\n\r\n1;${"b".repeat(5_000)}`,
      /too long/,
    ],
    ["a change of protocol", "HTTP/1.1 101 x\r\n\r\n", /changed the protocol/],
  ])("is refused with %s", (_, text, problem) => {
    expect(() => new Http1Answer().push(Buffer.from(text))).toThrow(problem);
  });
});
