import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ResponseParser } from "./response-parser.ts";

interface Read {
  status?: number;
  headers?: string[];
  body?: string;
  data: string;
  interim: number[];
  interimHeaders: string[];
  done: boolean;
  keepAlive: boolean;
  trailers?: string[];
  switched?: string;
  problem?: string;
}

function read(
  text: string,
  options: { method?: string; upgrade?: boolean; pieceSize?: number; end?: boolean } = {},
): Read {
  const result: Read = { data: "", interim: [], interimHeaders: [], done: false, keepAlive: false };
  const parser = new ResponseParser(
    {
      onInformational: (status, headers) => {
        result.interim.push(status);
        result.interimHeaders.push(...headers);
      },
      onHead: (status, headers, body) => Object.assign(result, { status, headers, body }),
      onData: (chunk) => (result.data += chunk.toString("latin1")),
      onSwitch: (_headers, first) => (result.switched = first.toString("latin1")),
    },
    1024,
  );
  parser.begin(options.method ?? "GET", options.upgrade ?? false);
  const bytes = Buffer.from(text, "latin1");
  const size = options.pieceSize ?? bytes.length;
  for (let at = 0; at < bytes.length && result.switched === undefined; at += size) {
    const problem = parser.push(bytes.subarray(at, at + size));
    if (problem !== undefined) return { ...result, problem };
  }
  if (options.end) parser.finish();
  result.done = parser.done;
  result.keepAlive = parser.keepAlive;
  if (parser.trailers) result.trailers = parser.trailers;
  return result;
}

describe("ResponseParser", () => {
  it("reads an answer with a length", () => {
    expect(read("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX-A:  b \r\n\r\nabc")).toMatchObject({
      status: 200,
      headers: ["content-length", "3", "x-a", "b"],
      body: "length",
      data: "abc",
      done: true,
      keepAlive: true,
    });
  });

  it("reads the same however the bytes are cut", () => {
    const answers = [
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX: y\r\n\r\n",
      "HTTP/1.1 304 Not Modified\r\nContent-Length: 900\r\n\r\n",
    ];
    fc.assert(
      fc.property(fc.constantFrom(...answers), fc.integer({ min: 1, max: 60 }), (text, pieceSize) => {
        expect(read(text, { pieceSize })).toEqual(read(text));
        expect(read(text).done).toBe(true);
      }),
    );
  });

  it("decodes chunks and trailers", () => {
    expect(
      read("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 9\r\n\r\n"),
    ).toMatchObject({ body: "stream", data: "abc", done: true, keepAlive: true, trailers: ["x-sum", "9"] });
  });

  it("reads to the end of the connection where nothing says how long the body is", () => {
    const text = "HTTP/1.1 200 OK\r\n\r\nabc";
    expect(read(text).done).toBe(false);
    expect(read(text, { end: true })).toMatchObject({ data: "abc", done: true, keepAlive: false });
  });

  it.each([
    ["HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"],
    ["HEAD", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"],
    ["GET", "HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\n"],
    ["GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n"],
  ])("knows that %s … %j has no body", (method, text) => {
    expect(read(text, { method })).toMatchObject({ body: "none", done: true });
  });

  it("keeps the length of what HEAD and 304 stand for, but not of 204", () => {
    const length = "Content-Length: 3\r\n\r\n";
    expect(read(`HTTP/1.1 200 OK\r\n${length}`, { method: "HEAD" }).headers).toEqual(["content-length", "3"]);
    expect(read(`HTTP/1.1 304 x\r\n${length}`).headers).toEqual(["content-length", "3"]);
    expect(read(`HTTP/1.1 204 x\r\n${length}`).headers).toEqual([]);
  });

  it("leaves out what concerns the connection only", () => {
    expect(
      read(
        "HTTP/1.1 200 OK\r\nConnection: X-Private, keep-alive\r\nKeep-Alive: timeout=5\r\nX-Private: 1\r\nTrailer: x\r\n" +
          "Upgrade: h2c\r\nX-Public: 2\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n",
      ),
    ).toMatchObject({ headers: ["x-public", "2", "content-length", "0"], keepAlive: true });
  });

  it.each([
    ["Connection: close", "HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 0\r\n\r\n"],
    ["HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"],
    ["more than its length", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcd"],
    ["a second answer", "HTTP/1.1 204 x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"],
    ["a body behind 304", "HTTP/1.1 304 x\r\n\r\nabc"],
  ])("does not use a connection again after %s", (_case, text) => {
    expect(read(text)).toMatchObject({ done: true, keepAlive: false });
  });

  it("takes no length from interim answers", () => {
    const text = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nContent-Length: 5\r\n\r\nHTTP/1.1 204 x\r\n\r\n";
    expect(read(text)).toMatchObject({ interim: [103], interimHeaders: ["link", "</a>"], status: 204 });
  });

  it("hands over the connection after 101", () => {
    const text = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nFIRST";
    expect(read(text, { upgrade: true })).toMatchObject({ switched: "FIRST" });
    expect(read(text)).toMatchObject({ problem: expect.stringContaining("nobody asked") as string });
  });

  it.each([
    ["another protocol", "ICY 200 OK\r\n\r\n"],
    ["another version", "HTTP/2.0 200 OK\r\n\r\n"],
    ["no status", "HTTP/1.1 OK\r\n\r\n"],
    ["a status with a sign", "HTTP/1.1 +20 OK\r\n\r\n"],
    ["a status of four digits", "HTTP/1.1 2000 OK\r\n\r\n"],
    ["a status below 100", "HTTP/1.1 099 OK\r\n\r\n"],
    ["length and coding", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n"],
    ["a list of lengths", "HTTP/1.1 200 OK\r\nContent-Length: 3, 4\r\n\r\n"],
    ["a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\n"],
    ["a length with a plus", "HTTP/1.1 200 OK\r\nContent-Length: +3\r\n\r\n"],
    ["an empty length", "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n"],
    ["a length in hexadecimal", "HTTP/1.1 200 OK\r\nContent-Length: 0x3\r\n\r\n"],
    ["a length beyond all bounds", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n"],
    ["an unknown coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"],
    ["chunked twice", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"],
    ["a coding in HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"],
    ["a folded header", "HTTP/1.1 200 OK\r\nX-A: b\r\n c\r\n\r\n"],
    ["a space before the colon", "HTTP/1.1 200 OK\r\nContent-Length : 3\r\n\r\n"],
    ["a header without a name", "HTTP/1.1 200 OK\r\n: 3\r\n\r\n"],
    ["a header without a colon", "HTTP/1.1 200 OK\r\nabc\r\n\r\n"],
    ["a line feed alone", "HTTP/1.1 200 OK\r\nX-A: b\nContent-Length: 3\r\n\r\n"],
    ["a return alone", "HTTP/1.1 200 OK\r\nX-A: b\rContent-Length: 3\r\n\r\n"],
    ["a line feed alone in the status line", "HTTP/1.1 200 OK\nX-A: b\r\n\r\n"],
    ["line feeds alone, before the head is whole", "HTTP/1.1 200 OK\nContent-Length: 0\n\n"],
    ["a line feed alone behind whole lines", "HTTP/1.1 200 OK\r\nX-A: b\r\nX-B: c\n"],
    ["anything else, before it has an end", "hello"],
    ["a line feed first", "\nHTTP/1.1 200 OK"],
    ["a zero byte", "HTTP/1.1 200 OK\r\nX-A: b\0c\r\n\r\n"],
    ["a malformed chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
    ["a head without an end", `HTTP/1.1 200 OK\r\nX: ${"y".repeat(2000)}`],
    ["endless interim answers", "HTTP/1.1 102 x\r\n\r\n".repeat(40)],
  ])("refuses %s", (_case, text) => {
    expect(read(text).problem).toBeTypeOf("string");
    expect(read(text, { pieceSize: 1 }).problem).toBeTypeOf("string");
  });
});
