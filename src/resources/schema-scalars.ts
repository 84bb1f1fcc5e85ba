import { describeValue } from "./describe-value.ts";
import { report, Schema } from "./schema.ts";
import { nearest } from "./suggestion.ts";

/**
 * The API server matches patterns in linear time, JavaScript may not. Before a pattern is added here, make sure that no
 * text takes long (the tests for hostile input try).
 */
export interface Pattern {
  /** The pattern as the API writes it. */
  readonly source: string;
  /** What a matching text is, for the reader of a problem: "a lowercase DNS name". */
  readonly is: string;
}

export interface StringFacts {
  readonly pattern?: Pattern;
  readonly experimentalPattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Never repeat the value in a problem. */
  readonly secret?: boolean;
}

export function string(facts: StringFacts = {}): Schema<string> {
  const { pattern, experimentalPattern, minLength, maxLength, secret = false } = facts;
  const expression = pattern === undefined ? undefined : new RegExp(pattern.source);
  const shortest = minLength ?? 0;
  const longest = maxLength ?? Number.POSITIVE_INFINITY;
  const node = {
    type: "string" as const,
    rules: [],
    ...(pattern === undefined ? {} : { pattern: pattern.source }),
    ...(experimentalPattern === undefined ? {} : { experimentalPattern }),
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
  };
  return new Schema<string>(node, (input, reading) => {
    if (typeof input !== "string") {
      const hint = typeof input === "number" || typeof input === "boolean" ? "; put it in quotes" : "";
      report(
        reading,
        `must be a string, not ${describeValue(input, { hidesValues: secret || reading.hidesValues === true })}${hint}`,
      );
      return "";
    }
    if (input.length < shortest) {
      report(reading, shortest === 1 ? "must not be empty" : `must have at least ${shortest} characters`);
    } else if (input.length > longest && codePoints(input) > longest) {
      report(reading, `must have at most ${longest} characters, but has ${codePoints(input)}`);
    } else if (expression !== undefined && !expression.test(input)) {
      report(
        reading,
        `${secret || reading.hidesValues === true ? "the value" : describeValue(input)} must be ${pattern?.is} (matching ${pattern?.source})`,
      );
    }
    return input;
  });
}

/** The API counts characters as code points, not as UTF-16 units. */
function codePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    if ((text.codePointAt(i) ?? 0) > 0xffff) i++;
    count++;
  }
  return count;
}

/** One of several fixed texts. */
export function oneOf<const V extends string>(
  values: readonly V[],
  facts: { readonly experimentalValues?: readonly V[] } = {},
): Schema<V> {
  const known: ReadonlyMap<unknown, V> = new Map(values.map((value) => [value, value]));
  const node = { type: "string" as const, rules: [], enum: values, ...facts };
  return new Schema<V>(node, (input, reading) => {
    // Ours, not the input's, which may be a piece of a large text that it keeps in memory.
    const value = known.get(input);
    if (value !== undefined) return value;
    const near = typeof input === "string" ? nearest(input, values) : undefined;
    const hint = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
    report(reading, `must be one of ${values.join(", ")}, not ${describeValue(input, reading)}${hint}`);
    return input as V;
  });
}

const formats = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
} as const;

export interface IntegerFacts {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: keyof typeof formats;
}

export function integer(facts: IntegerFacts = {}): Schema<number> {
  const [formatLowest, formatHighest] = formats[facts.format ?? "int64"];
  const lowest = facts.minimum ?? formatLowest;
  const highest = facts.maximum ?? formatHighest;
  return new Schema<number>({ type: "integer", rules: [], ...facts }, (input, reading) => {
    if (typeof input !== "number" || !Number.isInteger(input)) {
      const hint = typeof input === "string" && /^-?\d+$/.test(input) ? "; remove the quotes" : "";
      report(reading, `must be a whole number, not ${describeValue(input, reading)}${hint}`);
      return 0;
    }
    if (input < lowest || input > highest) {
      report(reading, `must be between ${lowest} and ${highest}, not ${input}`);
    }
    return input;
  });
}

/** One of several fixed numbers. */
export function oneOfNumbers<const V extends number>(values: readonly V[]): Schema<V> {
  const known: ReadonlySet<number> = new Set(values);
  return new Schema<V>({ type: "integer", rules: [], enum: values }, (input, reading) => {
    if (typeof input !== "number" || !known.has(input)) {
      report(reading, `must be one of ${values.join(", ")}, not ${describeValue(input, reading)}`);
    }
    return input as V;
  });
}

export function boolean(): Schema<boolean> {
  return new Schema<boolean>({ type: "boolean", rules: [] }, (input, reading) => {
    if (typeof input === "boolean") return input;
    report(reading, `must be true or false, not ${describeValue(input, reading)}`);
    return false;
  });
}

/** Kubernetes' IntOrString: a port by number or by name, or a quantity. The pattern is for texts, and for the CRD alone. */
export function intOrString(facts: { readonly pattern?: string } = {}): Schema<number | string> {
  return new Schema<number | string>({ type: "int-or-string", rules: [], ...facts }, (input, reading) => {
    if (typeof input === "string" || (typeof input === "number" && Number.isInteger(input))) return input;
    report(reading, `must be a whole number or a string, not ${describeValue(input, reading)}`);
    return 0;
  });
}

/** Anything, kept as it is. */
export function raw(): Schema<unknown> {
  return new Schema<unknown>({ type: "raw", rules: [] }, (input) => input);
}
