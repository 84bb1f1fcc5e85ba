/** Messages → bytes, by the generated tables. Fields that are absent are left out, all others are written. */
import type { MessageName, Messages } from "../generated/messages.ts";
import { fieldsOf, wireTypes, type Field, type MessageFields, type Scalar, type ValueType } from "./field.ts";
import { Writer } from "./writer.ts";

const writer = new Writer(64 * 1024);

const typeUrlPrefix = "type.googleapis.com/";

export function typeUrlOf<Name extends MessageName>(name: Name): `${typeof typeUrlPrefix}${Name}` {
  return `${typeUrlPrefix}${name}`;
}

export function encodeMessage<Name extends MessageName>(name: Name, message: Messages[Name]): Buffer {
  return withEncoded(name, message, (bytes) => Buffer.from(bytes));
}

/** For bytes that are only looked at, or that become a part of another message: they are good while `use` runs, and never copied. */
export function withEncoded<Name extends MessageName, Result>(
  name: Name,
  message: Messages[Name],
  use: (bytes: Buffer) => Result,
): Result {
  const before = writer.length;
  const outer = underWay.length;
  try {
    writeFields(fieldsOf(name), message as Values);
    return use(writer.since(before));
  } finally {
    // Also where half a message was written.
    writer.backTo(before);
    underWay.length = outer;
  }
}

/**
 * For a part that is encoded again and again and never changes, be it in thousands of messages or among thousands of parts: it is encoded once, and
 * copied from then on.
 */
export function constant<Part extends object>(part: Part): Part {
  constants.set(part, undefined);
  return part;
}

/** As they were written as the field with this number. */
const constants = new WeakMap<object, { readonly number: number; readonly bytes: Buffer } | undefined>();

type Values = Readonly<Record<string, unknown>>;

/** The fields of the messages that are being written, the innermost last: one list for all, since messages are many and small. */
const underWay: Field[] = [];

// Of the fields that a message may have few are set, so these are looked for, not all. From the last to the first: the writer goes backwards.
function writeFields({ byName }: MessageFields, values: Values): void {
  const from = underWay.length;
  for (const name in values) {
    const field = byName.get(name);
    if (field) insertByNumber(field, from);
  }
  while (underWay.length > from) {
    const field = underWay.pop()!;
    const value = values[field.name];
    if (value === undefined) continue;
    if (isConstant(value)) writeConstant(field, value, writeField);
    else writeField(field, value);
  }
}

function insertByNumber(field: Field, from: number): void {
  let at = underWay.length;
  for (; at > from && underWay[at - 1]!.number > field.number; at--) underWay[at] = underWay[at - 1]!;
  underWay[at] = field;
}

function isConstant(value: unknown): value is object {
  return typeof value === "object" && value !== null && constants.has(value);
}

function writeConstant(field: Field, value: object, write: (field: Field, value: unknown) => void): void {
  const known = constants.get(value);
  if (known?.number === field.number) return writer.copy(known.bytes);
  const before = writer.length;
  write(field, value);
  constants.set(value, { number: field.number, bytes: Buffer.from(writer.since(before)) });
}

function writeField(field: Field, value: unknown): void {
  const { number, rule, type, key } = field;
  switch (rule) {
    case "one":
      return writeTagged(number, type, value);
    case "repeated": {
      const items = value as readonly unknown[];
      for (let i = items.length - 1; i >= 0; i--) {
        const item = items[i];
        if (type.kind === "message" && isConstant(item)) writeConstant(field, item, writeItem);
        else writeTagged(number, type, item);
      }
      return;
    }
    case "packed": {
      const items = value as readonly unknown[];
      if (items.length === 0) return;
      const before = writer.length;
      for (let i = items.length - 1; i >= 0; i--) writePlain(type, items[i]);
      return delimit(number, before);
    }
    case "map":
      for (const [name, item] of [...(value as ReadonlyMap<unknown, unknown>)].toReversed()) {
        const before = writer.length;
        writeTagged(2, type, item);
        writeScalarField(1, key!, name);
        delimit(number, before);
      }
  }
}

function writeItem({ number, type }: Field, item: unknown): void {
  writeTagged(number, type, item);
}

/** Makes a field of what was written since the writer had this length. */
function delimit(number: number, before: number): void {
  writer.varint(writer.length - before);
  writer.tag(number, 2);
}

function writeTagged(number: number, type: ValueType, value: unknown): void {
  if (type.kind === "scalar") return writeScalarField(number, type.scalar, value);
  if (type.kind === "enum") {
    writePlain(type, value);
    return writer.tag(number, 0);
  }
  const before = writer.length;
  if (type.kind === "message") writeFields(type.fields(), value as Values);
  else if (type.kind === "wrapper") writeUnlessZero(1, type.scalar, value);
  else writeWellKnown(type.kind, value);
  delimit(number, before);
}

function writeScalarField(number: number, scalar: Scalar, value: unknown): void {
  writeScalar(scalar, value);
  writer.tag(number, wireTypes[scalar]);
}

function writePlain(type: ValueType, value: unknown): void {
  if (type.kind === "scalar") return writeScalar(type.scalar, value);
  if (type.kind !== "enum") throw new TypeError(`A ${type.kind} cannot be packed.`);
  const number = type.numbers.get(value as string);
  if (number === undefined)
    throw new TypeError(`${String(value)} is not one of ${[...type.numbers.keys()].join(", ")}.`);
  writer.varint64(number);
}

function writeUnlessZero(number: number, scalar: Scalar, value: unknown): void {
  // Not `=== 0`: -0 is a number of its own on the wire.
  if (Object.is(value, 0) || value === 0n || value === false || value === "") return;
  if (value instanceof Uint8Array && value.length === 0) return;
  writeScalarField(number, scalar, value);
}

function writeScalar(scalar: Scalar, value: unknown): void {
  switch (scalar) {
    case "string":
      return writer.string(value as string);
    case "bytes":
      return writer.bytes(value as Uint8Array);
    case "bool":
      return writer.varint(value ? 1 : 0);
    case "uint32":
      return writer.varint(value as number);
    case "int32":
    case "int64":
    case "uint64":
      return writer.varint64(value as number | bigint);
    case "sint32":
    case "sint64": {
      const signed = BigInt.asIntN(64, BigInt(value as number | bigint));
      return writer.varint64((signed << 1n) ^ (signed >> 63n));
    }
    case "fixed32":
    case "sfixed32":
      return writer.fixed32(value as number);
    case "fixed64":
    case "sfixed64":
      return writer.fixed64(value as number | bigint);
    case "float":
      return writer.float(value as number);
    case "double":
      return writer.double(value as number);
  }
}

function writeWellKnown(
  kind: Exclude<ValueType["kind"], "scalar" | "enum" | "message" | "wrapper">,
  value: unknown,
): void {
  switch (kind) {
    case "duration":
    case "timestamp":
      return writeMilliseconds(value as number);
    case "struct":
      return writeStruct(value as Values);
    case "value":
      return writeValue(value);
    case "list":
      return writeList(value as readonly unknown[]);
    case "any":
      return writeAny(value as { type?: MessageName; value?: Values; typeUrl?: string; bytes?: Uint8Array });
    case "empty":
      return;
  }
}

function writeMilliseconds(value: number): void {
  const seconds = Math.trunc(value / 1000);
  const nanos = Math.round((value - seconds * 1000) * 1e6);
  writeUnlessZero(2, "int32", nanos);
  writeUnlessZero(1, "int64", seconds);
}

function writeStruct(value: Values): void {
  for (const [name, item] of Object.entries(value).toReversed()) {
    const before = writer.length;
    writeValue(item);
    delimit(2, before);
    writeScalarField(1, "string", name);
    delimit(1, before);
  }
}

function writeValue(value: unknown): void {
  if (value === null) return writeScalarField(1, "int32", 0);
  switch (typeof value) {
    case "number":
      return writeScalarField(2, "double", value);
    case "string":
      return writeScalarField(3, "string", value);
    case "boolean":
      return writeScalarField(4, "bool", value);
  }
  const before = writer.length;
  if (Array.isArray(value)) writeList(value);
  else writeStruct(value as Values);
  delimit(Array.isArray(value) ? 6 : 5, before);
}

function writeList(items: readonly unknown[]): void {
  for (const item of items.toReversed()) {
    const before = writer.length;
    writeValue(item);
    delimit(1, before);
  }
}

function writeAny({
  type,
  value,
  typeUrl,
  bytes,
}: {
  type?: MessageName;
  value?: Values;
  typeUrl?: string;
  bytes?: Uint8Array;
}): void {
  if (type !== undefined) {
    const before = writer.length;
    writeFields(fieldsOf(type), value!);
    if (writer.length > before) delimit(2, before);
    return writeScalarField(1, "string", typeUrlOf(type));
  }
  writeUnlessZero(2, "bytes", bytes);
  writeScalarField(1, "string", typeUrl);
}
