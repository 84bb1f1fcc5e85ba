/** The tables of messages, made ready for use: each message when it is first met. */
import { enumTables, messageTables, type MessageName } from "../generated/messages.ts";

export type Scalar =
  | "double"
  | "float"
  | "bool"
  | "string"
  | "bytes"
  | "int32"
  | "uint32"
  | "sint32"
  | "fixed32"
  | "sfixed32"
  | "int64"
  | "uint64"
  | "sint64"
  | "fixed64"
  | "sfixed64";

export const wireTypes: Record<Scalar, 0 | 1 | 2 | 5> = {
  double: 1,
  float: 5,
  bool: 0,
  string: 2,
  bytes: 2,
  int32: 0,
  uint32: 0,
  sint32: 0,
  fixed32: 5,
  sfixed32: 5,
  int64: 0,
  uint64: 0,
  sint64: 0,
  fixed64: 1,
  sfixed64: 1,
};

export type ValueType =
  | { readonly kind: "scalar"; readonly scalar: Scalar }
  | {
      readonly kind: "enum";
      readonly numbers: ReadonlyMap<string, number>;
      readonly names: ReadonlyMap<number, string>;
    }
  | { readonly kind: "message"; readonly fields: () => MessageFields }
  /** `google.protobuf.UInt32Value` and its like: a plain value that may be absent. */
  | { readonly kind: "wrapper"; readonly scalar: Scalar }
  | { readonly kind: "duration" | "timestamp" | "struct" | "value" | "list" | "any" | "empty" };

export interface Field {
  readonly number: number;
  readonly name: string;
  readonly rule: "one" | "repeated" | "packed" | "map";
  readonly type: ValueType;
  /** Maps only. */
  readonly key?: Scalar;
}

export interface MessageFields {
  /** By number. */
  readonly list: readonly Field[];
  readonly byName: ReadonlyMap<string, Field>;
}

const wellKnown = new Map<string, ValueType>([
  ["google.protobuf.Any", { kind: "any" }],
  ["google.protobuf.Duration", { kind: "duration" }],
  ["google.protobuf.Timestamp", { kind: "timestamp" }],
  ["google.protobuf.Struct", { kind: "struct" }],
  ["google.protobuf.Value", { kind: "value" }],
  ["google.protobuf.ListValue", { kind: "list" }],
  ["google.protobuf.Empty", { kind: "empty" }],
  ["google.protobuf.DoubleValue", { kind: "wrapper", scalar: "double" }],
  ["google.protobuf.FloatValue", { kind: "wrapper", scalar: "float" }],
  ["google.protobuf.Int64Value", { kind: "wrapper", scalar: "int64" }],
  ["google.protobuf.UInt64Value", { kind: "wrapper", scalar: "uint64" }],
  ["google.protobuf.Int32Value", { kind: "wrapper", scalar: "int32" }],
  ["google.protobuf.UInt32Value", { kind: "wrapper", scalar: "uint32" }],
  ["google.protobuf.BoolValue", { kind: "wrapper", scalar: "bool" }],
  ["google.protobuf.StringValue", { kind: "wrapper", scalar: "string" }],
  ["google.protobuf.BytesValue", { kind: "wrapper", scalar: "bytes" }],
]);

const ready = new Map<string, MessageFields>();

export function fieldsOf(name: MessageName): MessageFields {
  let fields = ready.get(name);
  if (!fields) {
    const list = messageTables[name].map(parseField);
    fields = { list, byName: new Map(list.map((field) => [field.name, field])) };
    ready.set(name, fields);
  }
  return fields;
}

function parseField(line: string): Field {
  const [number, name, ...rest] = line.split(" ") as [string, string, ...string[]];
  const type = typeNamed(rest.at(-1)!);
  const rule = rest.length === 1 ? "one" : (rest[0] as "repeated" | "packed" | "map");
  return { number: Number(number), name, rule, type, ...(rule === "map" && { key: rest[1] as Scalar }) };
}

function typeNamed(name: string): ValueType {
  if (name.startsWith("enum:")) {
    const numbers = new Map(Object.entries(enumTables[name.slice(5)]!));
    return {
      kind: "enum",
      numbers,
      names: new Map(Array.from(numbers, ([value, number]) => [number, value])),
    };
  }
  if (!name.includes(".")) return { kind: "scalar", scalar: name as Scalar };
  let fields: MessageFields | undefined;
  return wellKnown.get(name) ?? { kind: "message", fields: () => (fields ??= fieldsOf(name as MessageName)) };
}
