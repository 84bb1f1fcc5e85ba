/**
 * Our schemas say what the real CRDs say, in both channels: the same fields, requirements, limits, defaults, and as
 * many rules with the same messages at the same places.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { describe, expect, it, type TestContext } from "vitest";
import { needGatewayApi } from "../../test/components/gateway-api.ts";
import { findKind, kinds, type KindDefinition } from "./kinds.ts";
import type { FieldFacts, SchemaNode } from "./schema.ts";

type Channel = "standard" | "experimental";

interface OpenApi {
  readonly type: string;
  readonly properties?: Readonly<Record<string, OpenApi>>;
  readonly additionalProperties?: OpenApi;
  readonly items?: OpenApi;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly unknown[];
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-validations"?: readonly { readonly message: string }[];
  readonly [keyword: string]: unknown;
}

interface Crd {
  readonly kind: string;
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: {
      readonly kind: string;
      readonly plural: string;
      readonly shortNames?: readonly string[];
    };
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly schema: { readonly openAPIV3Schema: OpenApi };
    }[];
  };
}

async function readCrds(context: TestContext, channel: Channel): Promise<Crd[]> {
  const directory = await needGatewayApi(context);
  const folder = join(directory, "config", "crd", channel);
  const files = (await readdir(folder)).filter((file) => /^gateway\..*_[a-z]+[.]yaml$/.test(file));
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  const documents = texts
    .flatMap((text) => loadAll(text) as (Crd | null)[])
    .filter((document) => document !== null);
  return documents.filter(({ kind }) => kind === "CustomResourceDefinition");
}

/** Keywords that are the same word, or nearly, in a node of ours. */
const keywords = {
  object: ["maxProperties"],
  string: ["pattern", "minLength", "maxLength"],
  integer: ["minimum", "maximum", "format"],
  boolean: [],
  array: ["minItems", "maxItems"],
} as const;

/** Keywords that are compared, or that say nothing about validity. */
const accounted = new Set([
  ...Object.values(keywords).flat(),

  "type",
  "description",
  "properties",
  "additionalProperties",
  "items",
  "required",
  "default",
  "enum",
  "oneOf",

  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-map-type",
  "x-kubernetes-validations",
]);

/** All differences between a CRD's schema and ours, each with its place. */
function differences(crd: OpenApi, ours: SchemaNode, channel: Channel, path: string): string[] {
  const found: string[] = [];
  const same = (what: string, theirs: unknown, mine: unknown) => {
    const [a, b] = [JSON.stringify(theirs), JSON.stringify(mine)];
    if (a !== b) found.push(`${path}: ${what} is ${a} in the CRD, ${b} here`);
  };
  for (const keyword of Object.keys(crd)) if (!accounted.has(keyword)) same(keyword, crd[keyword], undefined);
  const type = ours.type === "map" ? "object" : ours.type;
  same("type", crd.type, type);
  if (crd.type !== type || type === "raw" || type === "int-or-string") return found;

  const mine = ours as unknown as Readonly<Record<string, unknown>>;
  for (const keyword of keywords[type]) {
    const experimentalOnly = keyword === "pattern" && channel === "experimental";
    same(
      keyword,
      crd[keyword],
      mine[keyword] ?? (experimentalOnly ? mine["experimentalPattern"] : undefined),
    );
  }
  same("enum", crd.enum, enumOf(ours, channel));
  same(
    "oneOf",
    crd.oneOf !== undefined,
    ours.rules.some(({ keyword }) => keyword === "oneOf"),
  );
  same(
    "rules",
    crd["x-kubernetes-validations"]?.map(({ message }) => message).toSorted() ?? [],
    rulesOf(ours, channel),
  );

  switch (ours.type) {
    case "array":
      same("list type", crd["x-kubernetes-list-type"], ours.listType);
      same("list map keys", crd["x-kubernetes-list-map-keys"], ours.mapKeys);
      if (crd.items !== undefined) found.push(...differences(crd.items, ours.items, channel, `${path}[]`));
      break;
    case "map":
      if (crd.additionalProperties === undefined) found.push(`${path}: is no map in the CRD`);
      else found.push(...differences(crd.additionalProperties, ours.values, channel, `${path}{}`));
      break;
    case "object":
      found.push(...fieldDifferences(crd, ours.fields, channel, path));
  }
  return found;
}

function fieldDifferences(
  crd: OpenApi,
  fields: ReadonlyMap<string, FieldFacts>,
  channel: Channel,
  path: string,
): string[] {
  const found: string[] = [];
  const theirs = new Map(Object.entries(crd.properties ?? {}));
  for (const name of theirs.keys()) if (!fields.has(name)) found.push(`${path}.${name}: is missing here`);
  for (const [name, field] of fields) {
    const their = theirs.get(name);
    const place = `${path}.${name}`;
    const expected = field.gate === undefined && (channel === "experimental" || !field.experimental);
    if ((their !== undefined) !== expected)
      found.push(`${place}: should${expected ? "" : " not"} be in the CRD`);
    if (their === undefined) continue;
    const required = crd.required?.includes(name) ?? false;
    if (required !== field.required)
      found.push(`${place}: required is ${required} in the CRD, ${field.required} here`);
    if (sorted(their.default) !== sorted(field.default)) {
      found.push(`${place}: default is ${sorted(their.default)} in the CRD, ${sorted(field.default)} here`);
    }
    found.push(...differences(their, field.node, channel, place));
  }
  return found;
}

function enumOf(node: SchemaNode, channel: Channel): readonly unknown[] | undefined {
  if (node.type === "integer") return node.enum;
  if (node.type !== "string") return undefined;
  const left = new Set(channel === "standard" ? node.experimentalValues : []);
  return node.enum?.filter((value) => !left.has(value));
}

function rulesOf(node: SchemaNode, channel: Channel): string[] {
  return node.rules
    .filter(
      ({ experimental, keyword }) =>
        keyword === undefined && (channel === "experimental" || experimental !== true),
    )
    .map(({ message, standardMessage }) => (channel === "standard" ? (standardMessage ?? message) : message))
    .toSorted();
}

/** JSON with sorted keys. */
function sorted(value: unknown): string | undefined {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function specOf(definition: KindDefinition, version: string): SchemaNode {
  const { node } = definition.olderSchemas.get(version) ?? definition.schema;
  const spec = node.type === "object" ? node.fields.get("spec") : undefined;
  if (spec === undefined) throw new Error(`${definition.kind} has no spec`);
  return spec.node;
}

const channels: readonly Channel[] = ["standard", "experimental"];

describe.each(channels)("the CRDs of the %s channel", (channel) => {
  it("are all known here", async (context) => {
    const crds = await readCrds(context, channel);
    expect(crds.length).toBeGreaterThanOrEqual(10);
    for (const { spec } of crds) {
      for (const { name } of spec.versions.filter(({ served }) => served)) {
        expect(
          findKind(`${spec.group}/${name}`, spec.names.kind),
          `${spec.names.kind} ${name}`,
        ).toBeDefined();
      }
    }
  });

  it("have the same names and scopes", async (context) => {
    for (const { spec } of await readCrds(context, channel)) {
      const definition = kinds.get(spec.names.kind as KindDefinition["kind"]);
      expect(definition).toMatchObject({
        group: spec.group,
        version: spec.versions[0]?.name,
        plural: spec.names.plural,
        shortNames: spec.names.shortNames ?? [],
        namespaced: spec.scope === "Namespaced",
      });
      expect(definition?.versions.toSorted()).toEqual(spec.versions.map(({ name }) => name).toSorted());
    }
  });

  it("have the same fields, limits, defaults and rules in every version", async (context) => {
    const found: string[] = [];
    for (const { spec } of await readCrds(context, channel)) {
      for (const { name, schema } of spec.versions) {
        const definition = findKind(`${spec.group}/${name}`, spec.names.kind);
        const theirs = schema.openAPIV3Schema.properties?.["spec"];
        if (definition === undefined || theirs === undefined) throw new Error(`${spec.names.kind} ${name}?`);
        found.push(
          ...differences(theirs, specOf(definition, name), channel, `${spec.names.kind} ${name} spec`),
        );
      }
    }
    expect(found).toEqual([]);
  });
});

it("every kind of the Gateway API here has a CRD", async (context) => {
  const known = new Set((await readCrds(context, "experimental")).map(({ spec }) => spec.names.kind));
  const ours = [...kinds.values()].filter(({ group }) => group.startsWith("gateway.networking."));
  expect(ours.map(({ kind }) => kind).filter((kind) => !known.has(kind))).toEqual([]);
  expect(ours).toHaveLength(known.size);
});
