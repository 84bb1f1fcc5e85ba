/** Bytes → messages, by the generated tables. What the tables do not know is skipped; an enum's unknown number too. */
import type { MessageName, Messages } from "../generated/messages.ts";
import { fieldsOf, wireTypes, type Field, type Scalar, type ValueType } from "./field.ts";
import { MalformedMessage, Reader } from "./reader.ts";

/** Deeper than any message of ours; what is deeper was made to do harm. */
const maxDepth = 64;

export function decodeMessage<Name extends MessageName>(name: Name, bytes: Uint8Array): Messages[Name] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return readFields(fieldsOf(name).list, new Reader(buffer), 0) as Messages[Name];
}

type Values = Record<string, unknown>;

function readFields(fields: readonly Field[], reader: Reader, depth: number): Values {
  if (depth > maxDepth) throw new MalformedMessage("The message is nested too deeply.");
  const values: Values = {};
  while (!reader.isAtEnd) {
    const tag = reader.varint();
    const wire = tag % 8;
    const number = Math.floor(tag / 8);
    const field = fields.find((candidate) => candidate.number === number);
    if (!field || !readField(field, wire, reader, values, depth)) reader.skipField(wire);
  }
  return values;
}

/** False: the field is there in a form that is not its own. */
function readField(field: Field, wire: number, reader: Reader, values: Values, depth: number): boolean {
  const { name, rule, type } = field;
  if (rule === "map") {
    if (wire !== 2) return false;
    const map = (values[name] ??= new Map()) as Map<unknown, unknown>;
    const [key, value] = readEntry(field, reader.nested(), depth);
    map.set(key, value);
    return true;
  }
  const own = wireOf(type);
  if (rule === "one") {
    if (wire !== own) return false;
    const value = readValue(type, reader, depth);
    if (value !== undefined) values[name] = value;
    return true;
  }
  const items = (values[name] ??= []) as unknown[];
  if (wire === own) {
    const value = readValue(type, reader, depth);
    if (value !== undefined) items.push(value);
    return true;
  }
  if (wire !== 2 || own === 2) return false;
  const packed = reader.nested();
  while (!packed.isAtEnd) {
    const value = readValue(type, packed, depth);
    if (value !== undefined) items.push(value);
  }
  return true;
}

function readEntry({ key, type }: Field, reader: Reader, depth: number): [unknown, unknown] {
  const keyField: Field = { number: 1, name: "key", rule: "one", type: { kind: "scalar", scalar: key! } };
  const entry = readFields([keyField, { number: 2, name: "value", rule: "one", type }], reader, depth + 1);
  return [entry.key ?? (key === "string" ? "" : 0), entry.value ?? emptyValue(type)];
}

function emptyValue(type: ValueType): unknown {
  if (type.kind === "scalar" || type.kind === "wrapper") return zeroOf(type.scalar);
  return type.kind === "enum" ? type.names.get(0) : readValue(type, new Reader(Buffer.of(0)), 0);
}

function wireOf(type: ValueType): number {
  if (type.kind === "scalar") return wireTypes[type.scalar];
  return type.kind === "enum" ? 0 : 2;
}

function readValue(type: ValueType, reader: Reader, depth: number): unknown {
  switch (type.kind) {
    case "scalar":
      return readScalar(type.scalar, reader);
    case "enum":
      return type.names.get(Number(BigInt.asIntN(32, reader.varint64())));
    case "message":
      return readFields(type.fields().list, reader.nested(), depth + 1);
    case "wrapper": {
      const { scalar } = type;
      const field: Field = { number: 1, name: "value", rule: "one", type: { kind: "scalar", scalar } };
      return readFields([field], reader.nested(), depth + 1).value ?? zeroOf(scalar);
    }
    case "empty":
      reader.nested();
      return {};
    case "duration":
    case "timestamp": {
      const { seconds = 0, nanos = 0 } = readFields(timeFields, reader.nested(), depth + 1);
      return Number(seconds) * 1000 + Number(nanos) / 1e6;
    }
    case "any": {
      const { typeUrl = "", bytes = Buffer.alloc(0) } = readFields(anyFields, reader.nested(), depth + 1);
      return { typeUrl, bytes };
    }
    case "struct":
      return readStruct(reader.nested(), depth + 1);
    case "list":
      return readList(reader.nested(), depth + 1);
    case "value":
      return readJson(reader.nested(), depth + 1);
  }
}

const timeFields: readonly Field[] = [
  { number: 1, name: "seconds", rule: "one", type: { kind: "scalar", scalar: "int64" } },
  { number: 2, name: "nanos", rule: "one", type: { kind: "scalar", scalar: "int32" } },
];
const anyFields: readonly Field[] = [
  { number: 1, name: "typeUrl", rule: "one", type: { kind: "scalar", scalar: "string" } },
  { number: 2, name: "bytes", rule: "one", type: { kind: "scalar", scalar: "bytes" } },
];
const structFields: readonly Field[] = [
  { number: 1, name: "fields", rule: "map", key: "string", type: { kind: "value" } },
];
const listFields: readonly Field[] = [
  { number: 1, name: "values", rule: "repeated", type: { kind: "value" } },
];
const jsonFields: readonly Field[] = [
  { number: 1, name: "null", rule: "one", type: { kind: "scalar", scalar: "int32" } },
  { number: 2, name: "number", rule: "one", type: { kind: "scalar", scalar: "double" } },
  { number: 3, name: "string", rule: "one", type: { kind: "scalar", scalar: "string" } },
  { number: 4, name: "boolean", rule: "one", type: { kind: "scalar", scalar: "bool" } },
  { number: 5, name: "struct", rule: "one", type: { kind: "struct" } },
  { number: 6, name: "list", rule: "one", type: { kind: "list" } },
];

// Names in it are another's: a plain object would take `__proto__` for something else.
function readStruct(reader: Reader, depth: number): Values {
  const { fields = new Map() } = readFields(structFields, reader, depth) as { fields?: Map<string, unknown> };
  return Object.assign(Object.create(null) as Values, Object.fromEntries(fields));
}

function readList(reader: Reader, depth: number): unknown[] {
  return (readFields(listFields, reader, depth).values ?? []) as unknown[];
}

function readJson(reader: Reader, depth: number): unknown {
  const { null: _, ...value } = readFields(jsonFields, reader, depth);
  return Object.values(value)[0] ?? null;
}

function readScalar(scalar: Scalar, reader: Reader): unknown {
  switch (scalar) {
    case "string":
      return reader.string();
    case "bytes":
      return reader.bytes();
    case "bool":
      return reader.varint64() !== 0n;
    case "uint32":
      return Number(BigInt.asUintN(32, reader.varint64()));
    case "int32":
      return Number(BigInt.asIntN(32, reader.varint64()));
    case "uint64":
      return narrow(reader.varint64());
    case "int64":
      return narrow(BigInt.asIntN(64, reader.varint64()));
    case "sint32":
    case "sint64": {
      const value = reader.varint64();
      return narrow(BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n)));
    }
    case "fixed32":
      return reader.fixed32();
    case "sfixed32":
      return reader.fixed32() | 0;
    case "fixed64":
      return narrow(reader.fixed64());
    case "sfixed64":
      return narrow(BigInt.asIntN(64, reader.fixed64()));
    case "float":
      return reader.float();
    case "double":
      return reader.double();
  }
}

/** A number where it is exact. */
function narrow(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function zeroOf(scalar: Scalar): unknown {
  if (scalar === "string") return "";
  if (scalar === "bytes") return Buffer.alloc(0);
  return scalar === "bool" ? false : 0;
}
