import { describeValue } from "./describe-value.ts";
import { isPlainObject } from "./plain-object.ts";
import { addSegment, report, Schema, type FieldFacts, type Read, type Reading } from "./schema.ts";
import { nearest } from "./suggestion.ts";

type Presence = "required" | "optional" | "defaulted";

export interface Field<T, P extends Presence = Presence> {
  readonly schema: Schema<T>;
  readonly presence: P;
  readonly default?: T;
  readonly experimental: boolean;
  readonly gate?: string;
}

export function required<T>(schema: Schema<T>): Field<T, "required"> {
  return { schema, presence: "required", experimental: false };
}

export function optional<T>(schema: Schema<T>): Field<T, "optional"> {
  return { schema, presence: "optional", experimental: false };
}

/** A field that is filled in when it is missing, and so is always there in what is read. */
export function defaulted<T>(schema: Schema<T>, value: NoInfer<T>): Field<T, "defaulted"> {
  return { schema, presence: "defaulted", default: deepFreeze(value), experimental: false };
}

/** Marks a field that only the experimental channel has. */
export function experimental<T, P extends Presence>(field: Field<T, P>): Field<T, P> {
  return { ...field, experimental: true };
}

/** Marks a field that no release of the API has: one that we try out, behind a gate. */
export function gated<T, P extends Presence>(gate: string, field: Field<T, P>): Field<T, P> {
  return { ...field, gate };
}

export type Shape = Readonly<Record<string, Field<unknown>>>;

type FieldType<F> = F extends Field<infer T> ? T : never;
type OptionalKeys<S extends Shape> = {
  [K in keyof S]: S[K] extends { readonly presence: "optional" } ? K : never;
}[keyof S];
type Flat<T> = { readonly [K in keyof T]: T[K] };

export type Output<S extends Shape> = Flat<
  { readonly [K in Exclude<keyof S, OptionalKeys<S>>]: FieldType<S[K]> } & {
    readonly [K in OptionalKeys<S>]?: FieldType<S[K]>;
  }
>;

export interface ObjectFacts {
  /** Kubernetes has more fields than we list; they are left out silently. */
  readonly open?: boolean;
  /** Fields that are tolerated and left out. */
  readonly ignores?: readonly string[];
}

export function object<const S extends Shape>(shape: S, facts: ObjectFacts = {}): Schema<Output<S>> {
  const { open = false, ignores = [] } = facts;
  const fields = new Map<string, FieldFacts>();
  for (const [name, field] of Object.entries(shape)) {
    fields.set(name, {
      node: field.schema.node,
      required: field.presence === "required",
      experimental: field.experimental,
      ...(field.gate === undefined ? {} : { gate: field.gate }),
      ...(field.presence === "defaulted" ? { default: field.default } : {}),
    });
  }
  return new Schema(
    { type: "object", rules: [], fields, open },
    objectReader(shape, open, ignores) as Read<Output<S>>,
  );
}

interface CompiledField {
  readonly name: string;
  readonly read: Read<unknown>;
  readonly presence: Presence;
  readonly default: unknown;
}

function objectReader(shape: Shape, open: boolean, ignores: readonly string[]): Read<unknown> {
  const fields: readonly CompiledField[] = Object.entries(shape).map(([name, field]) => ({
    name,
    read: field.schema.read,
    presence: field.presence,
    default: field.default,
  }));
  const known: ReadonlySet<string> = new Set([...Object.keys(shape), ...ignores]);
  return (input, reading) => {
    if (!isPlainObject(input)) {
      report(reading, `must be an object, not ${describeValue(input, reading)}`);
      return {};
    }
    const { problems } = reading;
    const count = open ? 0 : countKeys(input);
    const isInPlace = reading.ownsInput && !open;
    const out: Record<string, unknown> = isInPlace ? input : {};
    let seen = 0;
    let nulls = 0;
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i] as CompiledField;
      const value = input[field.name];
      // The API server drops a null where null is not a value, before it looks for defaults.
      if (value === undefined || value === null) {
        if (value === null) nulls++;
        if (field.presence === "defaulted") out[field.name] = field.default;
        else if (field.presence === "required") problems.push({ path: [field.name], message: "is required" });
        continue;
      }
      seen++;
      const before = problems.length;
      const part = field.read(value, reading);
      if (problems.length !== before) addSegment(problems, before, field.name);
      else if (part !== value || !isInPlace) out[field.name] = part;
    }
    if (!open && reading.refusesUnknownFields && seen + nulls !== count) reportUnknown(input, known, reading);
    return isInPlace && seen !== count ? onlyFields(input, fields) : out;
  };
}

/** Without what is not known, and without nulls. */
function onlyFields(
  input: Readonly<Record<string, unknown>>,
  fields: readonly CompiledField[],
): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const { name } of fields) {
    const value = input[name];
    if (value !== undefined && value !== null) out[name] = value;
  }
  return out;
}

function countKeys(input: object): number {
  let count = 0;
  for (const _ in input) count++;
  return count;
}

/** Suggestions take time, so one object gets only so many of them. */
const mostSuggestions = 16;

function reportUnknown(
  input: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  reading: Reading,
): void {
  let suggestions = 0;
  for (const name of Object.keys(input)) {
    if (known.has(name) || input[name] === undefined) continue;
    const near = suggestions++ < mostSuggestions ? nearest(name, known) : undefined;
    const hint =
      near === undefined ? `; the fields here are ${[...known].join(", ")}` : `; did you mean ${near}?`;
    reading.problems.push({ path: [name], message: `is not a known field${hint}` });
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
