// A table of specs of one kind: those that must be accepted, and those that must be refused with exactly these problems.

import { describe, expect, it } from "vitest";
import { apiVersionOf, kinds, type ResourceKind, type SchemaNode } from "../../src/resources/index.ts";
import { problemsOf } from "./problems-of.ts";

export interface KindCases {
  readonly kind: ResourceKind;
  /** Unless it is the newest. */
  readonly version?: string;
  readonly valid: Readonly<Record<string, unknown>>;
  /** By title: the spec, and its problems with paths inside `spec`. */
  readonly invalid: Readonly<Record<string, readonly [spec: unknown, ...problems: string[]]>>;
  /** Rules that no input can break, because something else refuses it first. */
  readonly unreachable?: readonly string[];
}

export function describeKind({ kind, version, valid, invalid, unreachable = [] }: KindCases): void {
  const definition = kinds.get(kind);
  if (definition === undefined) throw new Error(`No kind ${kind}`);
  const apiVersion = apiVersionOf(definition.group, version ?? definition.version);
  const objectWith = (spec: unknown) => ({ apiVersion, kind, metadata: { name: "it" }, spec });

  describe(`${kind} ${version ?? definition.version}`, () => {
    it.each(Object.entries(valid))("accepts %s", (_, spec) => {
      expect(problemsOf(objectWith(spec))).toEqual([]);
    });

    it.each(Object.entries(invalid))("refuses %s", (_, [spec, ...problems]) => {
      expect(problemsOf(objectWith(spec))).toEqual(problems.map((problem) => `spec${joined(problem)}`));
    });

    it("has a case for every rule", () => {
      const tested = Object.values(invalid).flatMap(([, ...problems]) => problems);
      const { node } = definition.olderSchemas.get(version ?? "") ?? definition.schema;
      const untested = [...rulesOf(node)].filter(
        (message) => !tested.some((problem) => problem.endsWith(`: ${message}`)),
      );
      expect(untested.toSorted()).toEqual(unreachable.toSorted());
    });
  });
}

function joined(problem: string): string {
  return problem.startsWith("[") || problem.startsWith(":") ? problem : `.${problem}`;
}

/** The messages of all rules in a schema that an object can break on its own. */
function rulesOf(node: SchemaNode): Set<string> {
  const found = new Set(
    node.rules.filter(({ transition }) => transition !== true).map(({ message }) => message),
  );
  const parts =
    node.type === "object"
      ? [...node.fields.values()].map((field) => field.node)
      : node.type === "array"
        ? [node.items]
        : node.type === "map"
          ? [node.values]
          : [];
  for (const part of parts) for (const message of rulesOf(part)) found.add(message);
  return found;
}
