import { describeValue } from "./describe-value.ts";
import { isPlainObject } from "./plain-object.ts";
import { addSegment, report, Schema, type Check, type Read, type RuleVerdict } from "./schema.ts";

export interface ArrayFacts<T> {
  readonly minItems?: number;
  readonly maxItems?: number;
  /** No two items may be equal (for scalars). */
  readonly unique?: boolean;
  /** No two items may agree in all of these fields. */
  readonly mapKeys?: readonly (keyof T & string)[];
}

export function array<T>(items: Schema<T>, facts: ArrayFacts<T> = {}): Schema<readonly T[]> {
  const { minItems, maxItems, unique = false, mapKeys } = facts;
  const node = {
    type: "array" as const,
    rules: [],
    items: items.node,
    listType: mapKeys !== undefined ? ("map" as const) : unique ? ("set" as const) : ("atomic" as const),
    ...(minItems === undefined ? {} : { minItems }),
    ...(maxItems === undefined ? {} : { maxItems }),
    ...(mapKeys === undefined ? {} : { mapKeys }),
  };
  const checks: Check<readonly T[]>[] = [];
  if (mapKeys !== undefined) {
    const message = `must not be in the list twice: each item needs its own ${mapKeys.join(", ")}`;
    checks.push({ message, holds: (value) => judgeUnique(value, keyOf(mapKeys)) });
  } else if (unique) {
    checks.push({
      message: "must not be in the list twice",
      holds: (value) => judgeUnique(value, JSON.stringify),
    });
  }
  return new Schema<readonly T[]>(node, arrayReader(items.read, minItems ?? 0, maxItems ?? Infinity), checks);
}

function arrayReader<T>(readItem: Read<T>, fewest: number, most: number): Read<readonly T[]> {
  return (input, reading) => {
    if (!Array.isArray(input)) {
      report(reading, `must be a list, not ${describeValue(input, reading)}`);
      return [];
    }
    const { problems } = reading;
    const { length } = input;
    if (length < fewest)
      report(reading, fewest === 1 ? "must not be empty" : `must have at least ${fewest} items`);
    if (length > most) report(reading, `must have at most ${most} items, but has ${length}`);
    // What is beyond the limit is not looked at: the list is refused anyway, and it may be of any size.
    const end = length > most ? most : length;
    // A copy of just the right size; a list that grows item by item takes room for many more.
    const out = (reading.ownsInput && end === length ? input : input.slice(0, end)) as T[];
    for (let i = 0; i < end; i++) {
      const before = problems.length;
      out[i] = readItem(input[i], reading);
      if (problems.length !== before) addSegment(problems, before, i);
    }
    return out;
  };
}

function keyOf<T>(fields: readonly (keyof T)[]): (item: T) => string {
  const [only] = fields;
  if (fields.length === 1 && only !== undefined) return (item) => String(item[only]);
  return (item) => JSON.stringify(fields.map((field) => item[field]));
}

/** The first item that repeats an earlier one is the culprit. */
function judgeUnique<T>(value: readonly T[], key: (item: T) => string): RuleVerdict {
  if (value.length < 2) return true;
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    const itemKey = key(item);
    if (seen.has(itemKey)) return [index];
    seen.add(itemKey);
  }
  return true;
}

export interface MapFacts {
  readonly maxProperties?: number;
  /** Says what is wrong with a key, if anything is. */
  readonly judgeKey?: (key: string) => string | undefined;
}

/** A free-form map. What comes out has no prototype, so any key is harmless. */
export function map<T>(values: Schema<T>, facts: MapFacts = {}): Schema<Readonly<Record<string, T>>> {
  const { maxProperties, judgeKey } = facts;
  const readValue = values.read;
  const most = maxProperties ?? Number.POSITIVE_INFINITY;
  const node = {
    type: "map" as const,
    rules: [],
    values: values.node,
    ...(maxProperties === undefined ? {} : { maxProperties }),
  };
  return new Schema<Readonly<Record<string, T>>>(node, (input, reading) => {
    if (!isPlainObject(input)) {
      report(reading, `must be an object, not ${describeValue(input, reading)}`);
      return emptyRecord;
    }
    const keys = Object.keys(input);
    if (keys.length === 0) return emptyRecord;
    if (keys.length > most) {
      report(reading, `must have at most ${most} entries, but has ${keys.length}`);
      return emptyRecord;
    }
    const { problems } = reading;
    const out = Object.create(null) as Record<string, T>;
    for (const key of keys) {
      const value = input[key];
      if (value === null || value === undefined) continue;
      const before = problems.length;
      const wrong = judgeKey?.(key);
      if (wrong !== undefined) report(reading, wrong);
      out[key] = readValue(value, reading);
      if (problems.length !== before) addSegment(problems, before, key);
    }
    return out;
  });
}

/** The one empty map: it has no prototype and cannot be changed. */
export const emptyRecord: Readonly<Record<string, never>> = Object.freeze(Object.create(null));
