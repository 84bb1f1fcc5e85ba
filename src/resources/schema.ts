/**
 * One definition per kind: the TypeScript type (`Infer`), the defaults and the validation all come from it.
 *
 * A schema is a `read` function, put together once from closures, and a `node`: the same facts as plain data, for
 * whoever compares schemas (our own tests compare them with the CRDs).
 *
 * Reading makes a fresh copy that holds only known fields, with defaults filled in. Problems are collected in
 * `Reading.problems`. Nobody keeps track of the path while all is well: a problem is born with an empty path, and each
 * level that it passes on the way out adds its own segment (so paths are innermost first until `closeProblems`).
 *
 * Rules run only on a value whose own parts had no problem, so that a rule may trust the type it is given.
 */
import type { Path, Problem } from "./problem.ts";

/** What one run of a schema over one input carries along. */
export interface Reading {
  readonly problems: OpenProblem[];
  /** Unknown fields are problems; otherwise they are left out silently. */
  readonly refusesUnknownFields: boolean;
  /** Problems name no value, whatever field it is in: something secret may have got into any of them. */
  readonly hidesValues?: boolean;
  readonly defaultNamespace: string;
  /** The input is nobody else's, and each part of it is in one place: it is not copied, but becomes what is read. */
  readonly ownsInput: boolean;
}

/** A problem on its way out: its path grows at the end, innermost first. */
export interface OpenProblem {
  readonly path: (string | number)[];
  readonly message: string;
}

/** Reads untrusted input. After a problem was reported the result is meaningless. */
export type Read<T> = (input: unknown, reading: Reading) => T;

/** `true`: the rule holds. `false`: it does not. A path: it does not, and this is the part to look at. */
export type RuleVerdict = boolean | Path;

/** What is known about a rule besides its predicate. */
export interface RuleFacts {
  readonly message: string;
  /** Only the experimental channel has this rule. */
  readonly experimental?: boolean;
  /** The standard channel words the rule so (we enforce the experimental channel's wider form). */
  readonly standardMessage?: string;
  /** Compares an object with its predecessor; holds by definition where there is none. */
  readonly transition?: boolean;
  /** The CRD says it (as far as it can) with an OpenAPI keyword, not with a CEL rule. */
  readonly keyword?: "oneOf" | "pattern";
  /** Kinds of our own: the same rule in CEL, for the CRD that is made from the schema. */
  readonly cel?: string;
}

export interface FieldFacts {
  readonly node: SchemaNode;
  readonly required: boolean;
  readonly default?: unknown;
  /** Only the experimental channel has this field. */
  readonly experimental: boolean;
  /** No release has this field: it is there while this gate is on. */
  readonly gate?: string;
}

interface NodeBase {
  readonly rules: readonly RuleFacts[];
  /** Kinds of our own: what `kubectl explain` says. */
  readonly description?: string;
}

/** The facts of a schema as plain data. */
export type SchemaNode =
  | (NodeBase & {
      readonly type: "object";
      readonly fields: ReadonlyMap<string, FieldFacts>;
      readonly open: boolean;
    })
  | (NodeBase & {
      readonly type: "string";
      readonly pattern?: string;
      /** Only the experimental channel has the pattern, so it is not enforced. */
      readonly experimentalPattern?: string;
      readonly minLength?: number;
      readonly maxLength?: number;
      readonly enum?: readonly string[];
      /** Those values of `enum` that only the experimental channel has. */
      readonly experimentalValues?: readonly string[];
    })
  | (NodeBase & {
      readonly type: "integer";
      readonly minimum?: number;
      readonly maximum?: number;
      readonly enum?: readonly number[];
      readonly format?: "int32" | "int64";
    })
  | (NodeBase & { readonly type: "boolean" })
  | (NodeBase & { readonly type: "int-or-string"; readonly pattern?: string })
  | (NodeBase & {
      readonly type: "array";
      readonly items: SchemaNode;
      readonly minItems?: number;
      readonly maxItems?: number;
      readonly listType: "atomic" | "set" | "map";
      readonly mapKeys?: readonly string[];
    })
  | (NodeBase & { readonly type: "map"; readonly values: SchemaNode; readonly maxProperties?: number })
  | (NodeBase & { readonly type: "raw" });

/** A rule at work: it is asked only about a value whose parts are sound. */
export interface Check<T> {
  readonly message: string;
  readonly holds: (value: T) => RuleVerdict;
}

export class Schema<T> {
  readonly node: SchemaNode;
  readonly read: Read<T>;
  readonly #readParts: Read<T>;
  // `never` keeps a schema of something narrower usable where a wider one is asked for.
  readonly #checks: readonly Check<never>[];

  constructor(node: SchemaNode, readParts: Read<T>, checks: readonly Check<T>[] = []) {
    this.node = node;
    this.#readParts = readParts;
    this.#checks = checks;
    this.read = checks.length === 0 ? readParts : withChecks(readParts, checks);
  }

  /** The same schema with one more rule, worded by the API's own message. */
  rule(message: string, holds: (value: T) => RuleVerdict, facts: Omit<RuleFacts, "message"> = {}): Schema<T> {
    return this.#extended({ message, ...facts }, [
      ...(this.#checks as readonly Check<T>[]),
      { message, holds },
    ]);
  }

  /** A rule about an object and its predecessor. There is no predecessor here, so it is only on record. */
  transitionRule(message: string): Schema<T> {
    return this.#extended({ message, transition: true }, this.#checks as readonly Check<T>[]);
  }

  /** The same schema with a sentence for whoever uses it. */
  describe(description: string): Schema<T> {
    return new Schema({ ...this.node, description }, this.#readParts, this.#checks as readonly Check<T>[]);
  }

  #extended(rule: RuleFacts, checks: readonly Check<T>[]): Schema<T> {
    return new Schema({ ...this.node, rules: [...this.node.rules, rule] }, this.#readParts, checks);
  }
}

function withChecks<T>(readParts: Read<T>, checks: readonly Check<T>[]): Read<T> {
  return (input, reading) => {
    const { problems } = reading;
    const before = problems.length;
    const value = readParts(input, reading);
    if (problems.length !== before) return value;
    for (let i = 0; i < checks.length; i++) {
      const { holds, message } = checks[i] as Check<T>;
      const verdict = holds(value);
      if (verdict !== true) problems.push({ path: verdict === false ? [] : verdict.toReversed(), message });
    }
    return value;
  };
}

/** The type of what a schema reads. */
export type Infer<S> = S extends Schema<infer T> ? T : never;

export function report(reading: Reading, message: string): void {
  reading.problems.push({ path: [], message });
}

/** Adds one segment to every problem that was reported since `before`. */
export function addSegment(problems: readonly OpenProblem[], before: number, segment: string | number): void {
  for (let i = before; i < problems.length; i++) problems[i]?.path.push(segment);
}

export function closeProblems(problems: readonly OpenProblem[]): Problem[] {
  return problems.map(({ path, message }) => ({ path: path.toReversed(), message }));
}
