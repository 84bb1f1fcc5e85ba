/**
 * Takes good objects that together have every field, breaks one limit at a time, and expects the problem in that place:
 * wrong type, too short, too long, not matching, not listed, too small, too big, too few, too many, missing, unknown.
 */
import { describe, expect, it } from "vitest";
import { completeObjects } from "../../test/resources/complete-objects.ts";
import { kinds } from "./kinds.ts";
import { parseResource } from "./parse-resource.ts";
import { formatPath, type Path } from "./problem.ts";
import type { SchemaNode } from "./schema.ts";

interface Place {
  readonly path: Path;
  readonly value: unknown;
  readonly node: SchemaNode;
  /** Where the schema says it, without list positions. */
  readonly schemaPath: string;
}

function* places(value: unknown, node: SchemaNode, path: Path, schemaPath: string): Generator<Place> {
  yield { path, value, node, schemaPath };
  if (node.type === "object") {
    for (const [name, field] of node.fields) {
      const part = (value as Record<string, unknown>)[name];
      if (part !== undefined) yield* places(part, field.node, [...path, name], `${schemaPath}.${name}`);
    }
  } else if (node.type === "array") {
    for (const [i, part] of (value as unknown[]).entries())
      yield* places(part, node.items, [...path, i], `${schemaPath}[]`);
  } else if (node.type === "map") {
    for (const [key, part] of Object.entries(value as object)) {
      yield* places(part, node.values, [...path, key], `${schemaPath}{}`);
    }
  }
}

function schemaPaths(node: SchemaNode, schemaPath: string): string[] {
  const own = [schemaPath];
  if (node.type === "object") {
    for (const [name, field] of node.fields) own.push(...schemaPaths(field.node, `${schemaPath}.${name}`));
  } else if (node.type === "array") own.push(...schemaPaths(node.items, `${schemaPath}[]`));
  else if (node.type === "map") own.push(...schemaPaths(node.values, `${schemaPath}{}`));
  return own;
}

/** Values that break one limit of a node each. */
function breaches({ node, value }: Place): [what: string, value: unknown][] {
  const found: [string, unknown][] = [];
  switch (node.type) {
    case "string":
      found.push(["a number", 7]);
      if ((node.minLength ?? 0) > 0) found.push(["empty", ""]);
      if (node.maxLength !== undefined) found.push(["too long", "a".repeat(node.maxLength + 1)]);
      if (node.pattern !== undefined) found.push(["not matching", "\u0000 {}"]);
      if (node.enum !== undefined) found.push(["not listed", "nonsense"]);
      break;
    case "integer":
      found.push(["text", "7"], ["a fraction", 1.5]);
      if (node.minimum !== undefined) found.push(["too small", node.minimum - 1]);
      if (node.maximum !== undefined) found.push(["too big", node.maximum + 1]);
      if (node.format === "int32") found.push(["beyond 32 bits", 2 ** 31]);
      if (node.enum !== undefined) found.push(["not listed", 7]);
      break;
    case "boolean":
      found.push(["text", "true"]);
      break;
    case "array": {
      found.push(["an object", {}]);
      if ((node.minItems ?? 0) > 0) found.push(["empty", []]);
      const { maxItems } = node;
      if (maxItems !== undefined) found.push(["too many", Array(maxItems + 1).fill((value as unknown[])[0])]);
      break;
    }
    case "map": {
      found.push(["a list", []]);
      const { maxProperties } = node;
      if (maxProperties !== undefined) {
        const keys = Array.from({ length: maxProperties + 1 }, (_, i) => [`k${i}`, ""]);
        found.push(["too many", Object.fromEntries(keys)]);
      }
      break;
    }
    case "object":
      found.push(["a list", []]);
  }
  return found;
}

function replaced(root: unknown, path: Path, value: unknown): unknown {
  const copy = structuredClone(root);
  let parent = copy as Record<string | number, unknown>;
  for (const segment of path.slice(0, -1)) parent = parent[segment] as Record<string | number, unknown>;
  parent[path.at(-1) ?? ""] = value;
  return copy;
}

function problemPaths(input: unknown): string[] {
  const parsed = parseResource(input);
  return parsed.outcome === "invalid" ? parsed.problems.map(({ path }) => formatPath(path)) : [];
}

const cases = completeObjects.map((object) => [object.kind, object] as const);

describe.each(cases)("a complete %s", (_, object) => {
  const definition = kinds.get(object.kind);
  const node = definition?.schema.node;
  if (node?.type !== "object") throw new Error(`no schema of ${object.kind}`);
  const spec = node.fields.get("spec")?.node;
  if (spec === undefined) throw new Error(`no spec of ${object.kind}`);
  const all = [...places(object["spec"], spec, ["spec"], object.kind)];

  it("is good", () => {
    expect(parseResource(object)).toMatchObject({ outcome: "resource" });
  });

  it("is refused where one limit is broken", () => {
    const missed: string[] = [];
    for (const place of all) {
      for (const [what, value] of breaches(place)) {
        const paths = problemPaths(replaced(object, place.path, value));
        if (!paths.includes(formatPath(place.path)))
          missed.push(`${formatPath(place.path)} ${what}: ${paths.join()}`);
      }
    }
    expect(missed).toEqual([]);
  });

  it("is refused where a required field is missing or a field is unknown", () => {
    const missed: string[] = [];
    for (const place of all) {
      if (place.node.type !== "object") continue;
      const unknown = [...place.path, "surprise"];
      if (!problemPaths(replaced(object, unknown, 1)).includes(formatPath(unknown)))
        missed.push(formatPath(unknown));
      for (const [name, field] of place.node.fields) {
        const path = [...place.path, name];
        if (field.required && !problemPaths(replaced(object, path, undefined)).includes(formatPath(path))) {
          missed.push(formatPath(path));
        }
      }
    }
    expect(missed).toEqual([]);
  });
});

it("the complete objects have every field of every kind of the Gateway API", () => {
  const covered = new Set<string>();
  const wanted = new Set<string>();
  for (const object of completeObjects) {
    const node = kinds.get(object.kind)?.schema.node;
    const spec = node?.type === "object" ? node.fields.get("spec")?.node : undefined;
    if (spec === undefined) continue;
    for (const path of schemaPaths(spec, object.kind)) wanted.add(path);
    for (const { schemaPath } of places(object["spec"], spec, [], object.kind)) covered.add(schemaPath);
  }
  expect([...wanted].filter((path) => !covered.has(path))).toEqual([]);
  const gatewayKinds = [...kinds.values()].filter(({ group }) => group.startsWith("gateway.networking."));
  expect(new Set(completeObjects.map(({ kind }) => kind))).toEqual(
    new Set(gatewayKinds.map(({ kind }) => kind)),
  );
});
