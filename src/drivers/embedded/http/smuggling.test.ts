import { describe, expect, it } from "vitest";
import { bytesBackend } from "../../../../test/http-backends.ts";
import { Http2Client, sendBytes } from "../../../../test/http-client.ts";
import { closed, opened, simpleGateway } from "../../../../test/http-gateway.ts";
import { frame, headersFrame, http2Bytes, literal, requestFields } from "../../../../test/http2-frames.ts";

const chunked = "Transfer-Encoding: chunked\r\n";

/** A backend that answers every connection's bytes once and keeps what it got. */
async function recorder() {
  const seen: string[] = [];
  const server = await opened(
    bytesBackend((socket, bytes) => {
      seen.push(bytes);
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    }),
  );
  return { port: server.port, seen };
}

describe("requests that can be read in two ways", () => {
  it.each([
    ["length and coding", `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n${chunked}\r\n0\r\n\r\nX`],
    ["coding and length", `POST / HTTP/1.1\r\nHost: a\r\n${chunked}Content-Length: 6\r\n\r\n0\r\n\r\nX`],
    ["two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"],
    ["two equal lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na"],
    ["a list of lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\na"],
    ["a signed length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\na"],
    ["an empty length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \r\n\r\n"],
    ["an unknown coding", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"],
    [
      "chunked that is not last",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    ],
    [
      "chunked behind another",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    ],
    ["chunked twice", `POST / HTTP/1.1\r\nHost: a\r\n${chunked}${chunked}\r\n0\r\n\r\n`],
    ["chunked in quotes", 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n'],
    ["a coding in HTTP/1.0", `POST / HTTP/1.0\r\nHost: a\r\n${chunked}\r\n0\r\n\r\n`],
    [
      "a space before the colon",
      `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
    ],
    ["a folded header", "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\n\r\n"],
    ["a line feed alone", "GET / HTTP/1.1\nHost: a\n\n"],
    ["a line feed alone in a header", "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\nX-B: c\r\n\r\n"],
    ["a return alone in a header", "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\rX-B: c\r\n\r\n"],
    ["a zero byte", "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\0c\r\n\r\n"],
    ["a control character", "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\x01c\r\n\r\n"],
    ["a header without a name", "GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n"],
    ["no Host", "GET / HTTP/1.1\r\n\r\n"],
    ["no Host in HTTP/1.0", "GET / HTTP/1.0\r\n\r\n"],
    ["an empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n"],
    ["two Hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
    ["two equal Hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"],
    ["a Host with a user", "GET / HTTP/1.1\r\nHost: user@a\r\n\r\n"],
    ["a Host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"],
    ["a Host that is a list", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"],
    ["an absolute target with a user", "GET http://x@a/ HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["a target with a space", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["a target with a fragment", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["a target with a backslash", "GET /a\\..\\b HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["a target with a raw byte", "GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["a target that is no path", "GET a HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["HTTP/0.9", "GET /\r\n\r\n"],
    ["HTTP/2.0 in words", "GET / HTTP/2.0\r\nHost: a\r\n\r\n"],
    ["HTTP/1.2", "GET / HTTP/1.2\r\nHost: a\r\n\r\n"],
    ["an unknown method", "G\x00T / HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc"],
  ])("are refused: %s", async (_case, text) => {
    const { port, seen } = await recorder();
    const gateway = await simpleGateway(port);
    expect(await sendBytes(gateway.port, text)).toMatch(/^HTTP\/1.1 (?:400|501) [^]*connection: close/i);
    expect(seen).toEqual([]);
  });

  it.each([
    ["a chunk size with a sign", "+1\r\na\r\n0\r\n\r\n"],
    ["a chunk size with a prefix", "0x1\r\na\r\n0\r\n\r\n"],
    ["a line feed behind a chunk size", "1\na\r\n0\r\n\r\n"],
    ["a line feed in a chunk extension", "1;a\nb\r\n0\r\n\r\n"],
    ["a chunk longer than its size", "1\r\nab\r\n0\r\n\r\n"],
    ["a chunk that does not end", "1\r\na0\r\n\r\n"],
    ["a length among the trailers", "0\r\nContent-Length: 5\r\n\r\n"],
  ])("are refused: %s", async (_case, body) => {
    const { port, seen } = await recorder();
    const gateway = await simpleGateway(port);
    const text = await sendBytes(
      gateway.port,
      `POST / HTTP/1.1\r\nHost: a\r\n${chunked}\r\n${body}GET /evil HTTP/1.1\r\n\r\n`,
    );
    expect(text.match(/HTTP\/1.1 /g)?.length ?? 0).toBeLessThanOrEqual(1);
    expect(seen.join("")).not.toContain("GET /evil");
    expect(seen.join("")).not.toMatch(/\r\n0\r\n\r\n$/);
  });

  it("reach the backend with one framing only", async () => {
    const { port, seen } = await recorder();
    const gateway = await simpleGateway(port);
    await sendBytes(
      gateway.port,
      `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${chunked}\r\n3;ext="x"\r\nabc\r\n0\r\nX-T: 1\r\n\r\n`,
    );
    expect(seen.join("")).toMatch(/\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nx-t: 1\r\n\r\n$/);
    expect(seen.join("")).not.toContain("ext");
    expect(seen.join("")).not.toContain("content-length");
  });
});

describe("requests of HTTP/2 that would be two in HTTP/1.1", () => {
  // nghttp2 leaves out single headers that are malformed, as if they had not been sent.
  it.each([
    ["a line in a value", "x-a", "b\r\nx-evil: 1"],
    ["a line feed in a value", "x-a", "b\nx-evil: 1"],
    ["a zero byte in a value", "x-a", "b\0c"],
    ["a line in a name", "x-a: b\r\nx-evil", "1"],
    ["a colon in a name", "x-a:", "1"],
    ["an upper-case name", "X-A", "1"],
    ["a space in a name", "x a", "1"],
    ["a space before a value", "x-a", " 1"],
    ["a tab behind a value", "x-a", "1\t"],
  ])("are served without it, if at all: %s", async (_case, name, value) => {
    const { port, seen } = await recorder();
    const gateway = await simpleGateway(port);
    const bytes = [http2Bytes, headersFrame(1, [...requestFields(), literal(name, value)])];
    await sendBytes(gateway.port, Buffer.concat(bytes).toString("latin1"), { silence: 100 });
    expect(seen.length).toBeLessThanOrEqual(1);
    expect(seen.join("")).not.toMatch(/evil|x-a|x a|\0/i);
  });

  it.each([
    ["a coding", "transfer-encoding", "chunked"],
    ["a connection header", "connection", "x-forwarded-for"],
    ["an upgrade", "upgrade", "websocket"],
    ["another host", "host", "b.test"],
    ["a length that is wrong", "content-length", "5"],
    ["a path with a space", ":path", "/a HTTP/1.1\r\nx-evil: 1\r\nx: "],
    ["a second path", ":path", "/b"],
    ["a method in lower case", ":method", "delete"],
    ["a method with a space", ":method", "GET /"],
    ["an authority with a line", ":authority", "a\r\nx-evil: 1"],
    ["an unknown pseudo-header", ":evil", "1"],
  ])("are refused: %s", async (_case, name, value) => {
    const { port, seen } = await recorder();
    const gateway = await simpleGateway(port);
    const fields: [string, string][] = [
      [":method", "POST"],
      [":scheme", "http"],
      [":path", "/"],
      [":authority", "a.test"],
    ];
    const given = fields.find(([key]) => key === name);
    if (given && value !== "/b") given[1] = value;
    else fields.push([name, value]);
    const bytes = Buffer.concat([
      http2Bytes,
      headersFrame(
        1,
        fields.map(([key, text]) => literal(key, text)),
      ),
    ]);
    await sendBytes(gateway.port, bytes.toString("latin1"), { silence: 100 });
    expect(seen).toEqual([]);
  });

  it("are served when there is nothing wrong with them", async () => {
    const { port, seen } = await recorder();
    const gateway = await simpleGateway(port);
    const fields = requestFields();
    await sendBytes(
      gateway.port,
      Buffer.concat([http2Bytes, headersFrame(1, fields), frame(6, 0, 0, Buffer.alloc(8))]).toString(
        "latin1",
      ),
    );
    expect(seen).toHaveLength(1);
    const client = new Http2Client(gateway.port);
    closed(() => client.close());
    expect((await client.ask("/")).status).toBe(200);
  });
});
