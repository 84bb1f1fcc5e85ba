import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { clientHello } from "../../../../test/tls-client.ts";
import { ClientHelloReader, type ClientHelloResult } from "./client-hello.ts";

/** The same handshake message in records of `size` bytes. */
function inRecordsOf(size: number, hello: Buffer): Buffer {
  const message = hello.subarray(5);
  const records: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    const payload = message.subarray(at, at + size);
    records.push(Buffer.from([22, 3, 1, payload.length >> 8, payload.length & 255]), payload);
  }
  return Buffer.concat(records);
}

function read(bytes: Buffer, pieceSize = bytes.length): ClientHelloResult {
  const reader = new ClientHelloReader();
  for (let at = 0; at < bytes.length; at += pieceSize) {
    const result = reader.push(bytes.subarray(at, at + pieceSize));
    if (result.type !== "more") return result;
  }
  return { type: "more" };
}

/** A ClientHello built by hand, with these extensions. */
function helloWith(extensions: readonly (readonly [type: number, data: Buffer])[]): Buffer {
  const list = Buffer.concat(extensions.map(([type, data]) => Buffer.concat([uint16(type), vector16(data)])));
  const body = Buffer.concat([
    uint16(0x0303),
    Buffer.alloc(32, 7),
    Buffer.from([0]),
    vector16(uint16(0x1301)),
    Buffer.from([1, 0]),
    vector16(list),
  ]);
  const message = Buffer.concat([Buffer.from([1, 0]), vector16(body)]);
  return Buffer.concat([Buffer.from([22, 3, 1]), vector16(message)]);
}

const uint16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const vector16 = (data: Buffer) => Buffer.concat([uint16(data.length), data]);
const serverName = (name: string, type = 0) =>
  vector16(Buffer.concat([Buffer.from([type]), vector16(Buffer.from(name, "latin1"))]));

let hello: Buffer;

beforeAll(async () => {
  hello = await clientHello("Shop.Example.com", { ALPNProtocols: ["h2", "http/1.1"] });
});

const expected = {
  type: "hello",
  hello: { serverName: "shop.example.com", protocols: ["h2", "http/1.1"] },
};

describe("ClientHelloReader", () => {
  it("reads server name and protocols of a real client", () => {
    expect(read(hello)).toEqual(expected);
  });

  it("reads a hello in pieces of any size", () => {
    for (const size of [1, 2, 3, 5, 7, 100]) expect(read(hello, size)).toEqual(expected);
  });

  it("reads a hello spread over records, even of one byte", () => {
    for (const size of [1, 2, 40, 200]) {
      expect(read(inRecordsOf(size, hello))).toEqual(expected);
      expect(read(inRecordsOf(size, hello), 3)).toEqual(expected);
    }
  });

  it("keeps every byte for whoever comes next", () => {
    const reader = new ClientHelloReader();
    const after = Buffer.from([23, 3, 3, 0, 1, 0]);
    for (const byte of hello.subarray(0, 100)) reader.push(Buffer.from([byte]));
    expect(reader.push(Buffer.concat([hello.subarray(100), after])).type).toBe("hello");
    expect(reader.bytes).toEqual(Buffer.concat([hello, after]));
  });

  it("takes a client that names no server", async () => {
    expect(read(await clientHello(undefined))).toMatchObject({
      type: "hello",
      hello: { serverName: undefined },
    });
    expect(read(helloWith([]))).toEqual({ type: "hello", hello: { serverName: undefined, protocols: [] } });
  });

  it("skips GREASE and encrypted client hello", () => {
    const grease = [0x0a0a, Buffer.alloc(0)] as const;
    const encrypted = [0xfe0d, Buffer.alloc(300, 9)] as const;
    expect(read(helloWith([grease, encrypted, [0, serverName("public.test")]]))).toMatchObject({
      hello: { serverName: "public.test" },
    });
  });

  it("drops the trailing dot of a server name", () => {
    expect(read(helloWith([[0, serverName("a.test.")]]))).toMatchObject({ hello: { serverName: "a.test" } });
  });

  it.each([
    ["plain HTTP", Buffer.from("GET / HTTP/1.1\r\n\r\n"), "not a TLS handshake"],
    ["SSL 2", Buffer.from([0x80, 0x2e, 1, 3, 1]), "not a TLS handshake"],
    ["another version", Buffer.from([22, 2]), "not a version of TLS"],
    ["an empty record", Buffer.from([22, 3, 1, 0, 0]), "record of an impossible length"],
    ["a record that is too long", Buffer.from([22, 3, 1, 0x40, 1]), "record of an impossible length"],
    ["another message", Buffer.from([22, 3, 1, 0, 4, 2, 0, 0, 0]), "not a ClientHello"],
    ["an endless message", Buffer.from([22, 3, 1, 0, 4, 1, 1, 0, 0]), "longer than 16384 bytes"],
    [
      "a server name twice",
      helloWith([
        [0, serverName("a.test")],
        [0, serverName("b.test")],
      ]),
      "an extension twice",
    ],
    [
      "a name with a zero byte",
      helloWith([[0, serverName("a.test\0.b.test")]]),
      "server name that no host can have",
    ],
    ["an empty name", helloWith([[0, serverName("")]]), "server name that no host can have"],
    ["a wildcard", helloWith([[0, serverName("*.test")]]), "server name that no host can have"],
    ["a name with a port", helloWith([[0, serverName("a.test:443")]]), "server name that no host can have"],
    ["an unknown type of name", helloWith([[0, serverName("a.test", 1)]]), "unknown type of server name"],
    [
      "bytes after the name",
      helloWith([[0, Buffer.concat([serverName("a.test"), Buffer.from([0])])]]),
      "bytes after",
    ],
    [
      "no protocols in the list",
      helloWith([[16, vector16(Buffer.alloc(0))]]),
      "malformed application protocols",
    ],
    ["an empty protocol", helloWith([[16, vector16(Buffer.from([0]))]]), "empty application protocol"],
  ])("refuses %s", (_what, bytes, reason) => {
    const result = read(bytes);
    expect(result.type === "invalid" && result.reason).toContain(reason);
    expect(read(bytes, 1)).toEqual(result);
  });

  it("refuses what never ends, at the limit", () => {
    const reader = new ClientHelloReader(1000);
    const record = Buffer.from([22, 3, 1, 0x40, 0, 1, 0, 0x3, 0]);
    expect(reader.push(record).type).toBe("more");
    expect(reader.push(Buffer.alloc(990)).type).toBe("more");
    expect(reader.push(Buffer.alloc(1)).type).toBe("invalid");
  });

  it("says hello or invalid for every change of a byte, and never throws", () => {
    fc.assert(
      fc.property(
        fc.nat(hello.length - 1),
        fc.nat(255),
        fc.integer({ min: 1, max: 50 }),
        (at, value, pieces) => {
          const changed = Buffer.from(hello);
          changed[at] = value;
          const whole = read(changed);
          expect(read(changed, pieces)).toEqual(whole);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("takes any bytes without throwing", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        read(Buffer.from([22, 3, 1, ...bytes]));
        read(helloWith([[0, Buffer.from(bytes)]]));
      }),
      { numRuns: 500 },
    );
  });
});
