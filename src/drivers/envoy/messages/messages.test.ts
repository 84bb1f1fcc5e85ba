import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { messageTables, type MessageName } from "../generated/messages.ts";
import { fieldsOf, type MessageFields, type Scalar, type ValueType } from "./field.ts";
import { constant, decodeMessage, encodeMessage, MalformedMessage, typeUrlOf } from "./index.ts";

// The same definitions, read and written by somebody else's code.
interface Peer {
  lookupType(name: string): {
    decode(bytes: Uint8Array): object;
    encode(message: object): { finish(): Uint8Array };
  };
}
let peer: Peer;

beforeAll(async () => {
  // A variable: the script has no types.
  const script = "../../../../scripts/envoy-messages.mjs";
  const { generate } = (await import(script)) as { generate: () => Promise<{ root: Peer }> };
  ({ root: peer } = await generate());
});

const scalars: Record<Scalar, fc.Arbitrary<unknown>> = {
  double: fc.double({ noNaN: true }),
  float: fc.float({ noNaN: true }),
  bool: fc.boolean(),
  string: fc.string({ unit: "binary", maxLength: 20 }),
  bytes: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  int32: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  uint32: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  sint32: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fixed32: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  sfixed32: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(narrow),
  uint64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(narrow),
  sint64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(narrow),
  fixed64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(narrow),
  sfixed64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(narrow),
};

function narrow(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true }),
    fc.string(),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("struct"),
  ),
  struct: fc
    .dictionary(fc.string(), tie("value"), { maxKeys: 3 })
    .map((entries) => Object.assign(Object.create(null), entries) as unknown),
})).value;

const struct = fc
  .dictionary(fc.string(), json, { maxKeys: 3 })
  .map((entries) => Object.assign(Object.create(null), entries) as unknown);

function arbitraryOf(type: ValueType, depth: number): fc.Arbitrary<unknown> {
  switch (type.kind) {
    case "scalar":
    case "wrapper":
      return scalars[type.scalar];
    case "enum":
      // Two names may have one number; the last is the one that is read back.
      return fc.constantFrom(...type.names.values());
    case "message":
      return arbitraryMessage(type.fields(), depth + 1);
    case "duration":
    case "timestamp":
      return fc.integer({ min: -1e9, max: 1e9 }).map((half) => half / 2 || 0);
    case "struct":
      return struct;
    case "value":
      return json;
    case "list":
      return fc.array(json, { maxLength: 3 });
    case "any":
      return fc.record({
        typeUrl: fc.string(),
        bytes: fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes)),
      });
    case "empty":
      return fc.constant({});
  }
}

function arbitraryMessage({ list }: MessageFields, depth: number): fc.Arbitrary<Record<string, unknown>> {
  const few = list.filter(({ type }) => depth < 3 || type.kind !== "message");
  return fc.subarray(few, { maxLength: Math.min(few.length, depth === 0 ? 20 : 3) }).chain((chosen) =>
    fc.record(
      Object.fromEntries(
        chosen.map(({ name, rule, type, key }) => {
          const one = arbitraryOf(type, depth);
          if (rule === "one") return [name, one];
          const list = fc.array(one, { minLength: 1, maxLength: 3 });
          if (rule !== "map") return [name, list];
          return [
            name,
            fc
              .uniqueArray(fc.tuple(scalars[key!], one), { minLength: 1, maxLength: 3, selector: ([k]) => k })
              .map((entries) => new Map(entries)),
          ];
        }),
      ),
    ),
  );
}

const names = Object.keys(messageTables) as MessageName[];
const anyMessage = fc
  .constantFrom(...names)
  .chain((name) => fc.tuple(fc.constant(name), arbitraryMessage(fieldsOf(name), 0)));

describe("encoding", () => {
  it("writes what another implementation reads and writes the same", { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(anyMessage, ([name, message]) => {
        const bytes = encodeMessage(name, message as never);
        const type = peer.lookupType(`.${name}`);
        expect(Buffer.from(type.encode(type.decode(bytes)).finish())).toEqual(bytes);
      }),
      { numRuns: 1500 },
    );
  });

  it("is undone by decoding", { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(anyMessage, ([name, message]) => {
        expect(decodeMessage(name, encodeMessage(name, message as never))).toEqual(message);
      }),
      { numRuns: 1500, examples: [[["envoy.config.core.v3.RateLimitSettings", { fillRate: -0 }]]] },
    );
  });

  it("packs what is inside an Any", () => {
    const bytes = encodeMessage("envoy.config.core.v3.TypedExtensionConfig", {
      name: "router",
      typedConfig: {
        type: "envoy.extensions.filters.http.router.v3.Router",
        value: { dynamicStats: false },
      },
    });
    const { typedConfig } = decodeMessage("envoy.config.core.v3.TypedExtensionConfig", bytes);
    expect(typedConfig).toMatchObject({
      typeUrl: typeUrlOf("envoy.extensions.filters.http.router.v3.Router"),
    });
    const { bytes: packed } = typedConfig as { bytes: Uint8Array };
    expect(decodeMessage("envoy.extensions.filters.http.router.v3.Router", packed)).toEqual({
      dynamicStats: false,
    });
  });

  it("writes a constant part as any other, each time and in whatever field", () => {
    const route = "envoy.config.route.v3.Route";
    const removed = ["x-one", "x-two"];
    const kept = constant([...removed]);
    const plain = [
      encodeMessage(route, { name: "a", requestHeadersToRemove: removed }),
      encodeMessage(route, { name: "b", requestHeadersToRemove: removed }),
      encodeMessage(route, { responseHeadersToRemove: removed, requestHeadersToRemove: removed }),
    ];
    expect([
      encodeMessage(route, { name: "a", requestHeadersToRemove: kept }),
      encodeMessage(route, { name: "b", requestHeadersToRemove: kept }),
      encodeMessage(route, { responseHeadersToRemove: kept, requestHeadersToRemove: kept }),
    ]).toEqual(plain);
  });

  it("refuses a name that an enum does not have, and goes on with a clean slate", () => {
    const wrong = { type: "NONE_SUCH" } as never;
    expect(() => encodeMessage("envoy.config.cluster.v3.Cluster", wrong)).toThrow(/NONE_SUCH is not one of/);
    expect(encodeMessage("envoy.config.cluster.v3.Cluster", { name: "a" })).toEqual(Buffer.from([10, 1, 97]));
  });
});

describe("decoding", () => {
  it("never takes more than is there, whatever comes", () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.uint8Array({ maxLength: 60 }), (name, bytes) => {
        expect(troubleOf(() => decodeMessage(name, bytes)) ?? malformed).toBeInstanceOf(MalformedMessage);
      }),
      { numRuns: 3000 },
    );
  });

  it("lives through a message that is cut anywhere", () => {
    fc.assert(
      fc.property(anyMessage, fc.nat(), ([name, message], cut) => {
        const bytes = encodeMessage(name, message as never);
        const start = bytes.subarray(0, cut % (bytes.length + 1));
        expect(troubleOf(() => decodeMessage(name, start)) ?? malformed).toBeInstanceOf(MalformedMessage);
      }),
      { numRuns: 300 },
    );
  });

  it("ends where somebody nests without end", () => {
    const inside = (tag: number, bytes: Buffer) => Buffer.concat([Buffer.of(tag), lengthOf(bytes), bytes]);
    let value = Buffer.alloc(0);
    // Value.list_value (6) of ListValue.values (1) of Value …
    for (let i = 0; i < 2_000; i++) value = inside(0x32, inside(0x0a, value));
    // Node.metadata (3), Struct.fields (1), the entry's value (2)
    const node = inside(0x1a, inside(0x0a, inside(0x12, value)));
    expect(() => decodeMessage("envoy.config.core.v3.Node", node)).toThrow(MalformedMessage);
  });
});

const malformed = new MalformedMessage("what is expected, if anything");

function troubleOf(act: () => unknown): unknown {
  try {
    act();
    return undefined;
  } catch (error) {
    return error;
  }
}

function lengthOf(bytes: Buffer): Buffer {
  const out: number[] = [];
  let rest = bytes.length;
  for (; rest > 127; rest >>= 7) out.push((rest & 127) | 128);
  return Buffer.from([...out, rest]);
}
