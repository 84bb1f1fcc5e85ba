import { describe, expect, expectTypeOf, it } from "vitest";
import { formatPath } from "./problem.ts";
import { array, map } from "./schema-collections.ts";
import { defaulted, experimental, object, optional, required } from "./schema-object.ts";
import { boolean, integer, oneOf, oneOfNumbers, raw, string } from "./schema-scalars.ts";
import { closeProblems, type Infer, type OpenProblem, type Schema } from "./schema.ts";

function read<T>(schema: Schema<T>, input: unknown): { value: T; problems: string[] } {
  const problems: OpenProblem[] = [];
  const value = schema.read(input, {
    problems,
    refusesUnknownFields: true,
    defaultNamespace: "default",
    ownsInput: false,
  });
  return {
    value,
    problems: closeProblems(problems).map(({ path, message }) => `${formatPath(path)}: ${message}`),
  };
}

const person = object({
  name: required(string({ minLength: 1 })),
  nickname: optional(string()),
  role: defaulted(oneOf(["admin", "user"]), "user"),
  tags: experimental(defaulted(array(string(), { unique: true }), [])),
});

describe("the type of a schema", () => {
  it("has optional fields for optional fields only", () => {
    type Person = Infer<typeof person>;
    expectTypeOf<Person>().toEqualTypeOf<{
      readonly name: string;
      readonly nickname?: string;
      readonly role: "admin" | "user";
      readonly tags: readonly string[];
    }>();
    // @ts-expect-error an optional field is left out, it is never undefined
    const wrong: Person = { name: "a", nickname: undefined, role: "user", tags: [] };
    expect(wrong).toBeDefined();
  });

  it("has literals for enumerations, and records for maps", () => {
    const schema = object({ code: required(oneOfNumbers([301, 302])), labels: optional(map(boolean())) });
    expectTypeOf<Infer<typeof schema>>().toEqualTypeOf<{
      readonly code: 301 | 302;
      readonly labels?: Readonly<Record<string, boolean>>;
    }>();
  });
});

describe("reading", () => {
  it("fills in defaults and copies", () => {
    const input = { name: "a" };
    expect(read(person, input)).toEqual({ value: { name: "a", role: "user", tags: [] }, problems: [] });
    expect(input).toEqual({ name: "a" });
  });

  it("takes null for missing", () => {
    expect(read(person, { name: "a", nickname: null, role: null })).toEqual({
      value: { name: "a", role: "user", tags: [] },
      problems: [],
    });
    expect(read(person, { name: null }).problems).toEqual(["name: is required"]);
    expect(read(array(string()), [null]).problems).toEqual(["[0]: must be a string, not empty"]);
    expect(read(map(string()), { a: null, b: "c" }).value).toEqual({ b: "c" });
  });

  it("reports all problems, each in its place", () => {
    const people = object({ people: required(array(person)) });
    expect(
      read(people, { people: [{ name: "" }, 5, { name: "a", roel: "x", tags: ["b", 1] }] }).problems,
    ).toEqual([
      "people[0].name: must not be empty",
      "people[1]: must be an object, not 5",
      "people[2].tags[1]: must be a string, not 1; put it in quotes",
      "people[2].roel: is not a known field; did you mean role?",
    ]);
  });

  it("asks rules only about sound values, and lets them point", () => {
    const seen: unknown[] = [];
    const range = object({ from: required(integer()), to: required(integer()) })
      .rule("from must not be greater than to", (value) => {
        seen.push(value);
        return value.from <= value.to;
      })
      .rule("to must be even", ({ to }) => to % 2 === 0 || ["to"]);
    expect(read(range, { from: "a", to: 2 }).problems).toEqual(['from: must be a whole number, not "a"']);
    expect(seen).toEqual([]);
    expect(read(range, { from: 2, to: 1 }).problems).toEqual([
      ": from must not be greater than to",
      "to: to must be even",
    ]);
  });

  it("counts characters, not UTF-16 units", () => {
    expect(read(string({ maxLength: 2 }), "😀😀").problems).toEqual([]);
    expect(read(string({ maxLength: 2 }), "😀😀a").problems).toEqual([
      ": must have at most 2 characters, but has 3",
    ]);
  });

  it("holds integers to their format", () => {
    const int32 = integer({ format: "int32", minimum: 1 });
    expect(read(int32, 2 ** 31 - 1).problems).toEqual([]);
    expect(read(int32, 2 ** 31).problems).toEqual([": must be between 1 and 2147483647, not 2147483648"]);
    expect(read(int32, 1.5).problems).toEqual([": must be a whole number, not 1.5"]);
    expect(read(int32, Number.NaN).problems).toEqual([": must be a whole number, not NaN"]);
  });

  it("shortens what it shows", () => {
    const [problem = ""] = read(oneOf(["a"]), "x".repeat(10_000)).problems;
    expect(problem.length).toBeLessThan(150);
  });

  it("does not look beyond the limit of a list", () => {
    const { problems } = read(array(string(), { maxItems: 2 }), Array(100_000).fill(1));
    expect(problems).toEqual([
      ": must have at most 2 items, but has 100000",
      "[0]: must be a string, not 1; put it in quotes",
      "[1]: must be a string, not 1; put it in quotes",
    ]);
  });

  it("keeps raw values as they are", () => {
    const value = { deep: [1] };
    expect(read(raw(), value).value).toBe(value);
  });
});

describe("reading is safe", () => {
  it("reports __proto__ like any unknown field", () => {
    const input: unknown = JSON.parse('{"name":"a","__proto__":{"role":"admin"}}');
    const { value, problems } = read(person, input);
    expect(problems).toEqual([
      "__proto__: is not a known field; the fields here are name, nickname, role, tags",
    ]);
    expect(value.role).toBe("user");
    expect(({} as { role?: string }).role).toBeUndefined();
  });

  it("does not read fields from a prototype", () => {
    const input: unknown = Object.assign(Object.create({ role: "admin" }) as object, { name: "a" });
    expect(read(person, input).problems).toEqual([": must be an object, not an instance of a class"]);
    expect(read(person, Object.assign(Object.create(null) as object, { name: "a" })).problems).toEqual([]);
  });

  it("gives maps without prototype", () => {
    const { value } = read(map(string()), JSON.parse('{"__proto__":"a","toString":"b"}'));
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(Object.entries(value)).toEqual([
      ["__proto__", "a"],
      ["toString", "b"],
    ]);
    expect(Object.getPrototypeOf(read(map(string()), {}).value)).toBeNull();
  });
});

describe("the node of a schema", () => {
  it("says all there is to know", () => {
    const { node } = person.rule("a rule", () => true, { experimental: true });
    expect(node).toMatchObject({ type: "object", rules: [{ message: "a rule", experimental: true }] });
    if (node.type !== "object") throw new Error("no object");
    expect([...node.fields]).toMatchObject([
      ["name", { required: true, experimental: false, node: { type: "string", minLength: 1 } }],
      ["nickname", { required: false, node: { type: "string" } }],
      ["role", { required: false, default: "user", node: { enum: ["admin", "user"] } }],
      ["tags", { experimental: true, default: [], node: { type: "array", listType: "set" } }],
    ]);
    expect(person.node.rules).toEqual([]);
  });
});
