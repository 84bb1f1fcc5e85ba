/*
 * The CustomResourceDefinition of a kind of our own, made from its schema: types, limits, enums and defaults as OpenAPI,
 * rules between fields as CEL. What is accepted here and what an API server accepts is so the same by construction.
 *
 * Structural schemas want every field's type, no references and metadata untouched; so `apiVersion`, `kind` and `metadata` are
 * written by their types alone.
 */
import type { FieldFacts, RuleFacts, SchemaNode } from "./schema.ts";

type Json = { readonly [name: string]: unknown };

interface DefinedKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
  readonly version: string;
  readonly schema: { readonly node: SchemaNode };
  /** Of a kind whose status is a subresource; not read, so not part of the schema. */
  readonly statusSchema?: { readonly node: SchemaNode };
}

export function customResourceDefinition(definition: DefinedKind): Json {
  const { group, kind, plural, shortNames, namespaced, version, schema, statusSchema } = definition;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        ...(shortNames.length > 0 && { shortNames }),
        categories: ["gatewright"],
      },
      scope: namespaced ? "Namespaced" : "Cluster",
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: wholeObject(schema.node, statusSchema?.node) },
          ...(statusSchema && { subresources: { status: {} } }),
        },
      ],
    },
  };
}

/** A field that is behind a gate, for the CRD that does not have it. */
export interface GatedField {
  /** Of the CRD. */
  readonly crd: string;
  readonly gate: string;
  /** `["spec", "mesh"]` */
  readonly path: readonly string[];
  readonly openApi: Json;
}

/** Those of gates that are on. */
export function gatedFields(
  definitions: readonly DefinedKind[],
  gates: readonly string[],
): readonly GatedField[] {
  return definitions.flatMap(({ plural, group, schema }) =>
    gatedIn(schema.node, []).flatMap(({ gate, path, node }) =>
      gates.includes(gate) ? [{ crd: `${plural}.${group}`, gate, path, openApi: openApiOf(node) }] : [],
    ),
  );
}

interface GatedNode {
  readonly gate: string;
  readonly path: readonly string[];
  readonly node: SchemaNode;
}

/** Only fields of objects within objects can be gated. */
function gatedIn(node: SchemaNode, path: readonly string[]): readonly GatedNode[] {
  if (node.type !== "object") return [];
  return [...node.fields].flatMap(([name, field]) => {
    const at = [...path, name];
    return field.gate === undefined
      ? gatedIn(field.node, at)
      : [{ gate: field.gate, path: at, node: field.node }];
  });
}

function wholeObject(node: SchemaNode, status: SchemaNode | undefined): Json {
  if (node.type !== "object") throw new TypeError("a kind's schema is that of an object");
  const own = [...node.fields].filter(
    ([name, field]) => !["apiVersion", "kind", "metadata"].includes(name) && field.node.type !== "raw",
  );
  const { properties, required } = openApiFields(own);
  return {
    type: "object",
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { type: "object" },
      ...properties,
      ...(status && { status: openApiOf(status) }),
    },
    ...(required.length > 0 && { required }),
    ...validations(node.rules),
  };
}

function openApiFields(fields: Iterable<readonly [string, FieldFacts]>) {
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  for (const [name, field] of fields) {
    const schema = openApiOf(field.node);
    properties[name] = field.default === undefined ? schema : { ...schema, default: field.default };
    if (field.required) required.push(name);
  }
  return { properties, required };
}

function openApiOf(node: SchemaNode): Json {
  const words = { ...describe(node), ...validations(node.rules) };
  switch (node.type) {
    case "object": {
      const { properties, required } = openApiFields(node.fields);
      return {
        type: "object",
        properties,
        ...(required.length > 0 && { required }),
        ...(node.open && { "x-kubernetes-preserve-unknown-fields": true }),
        ...words,
      };
    }
    case "array":
      return {
        type: "array",
        items: openApiOf(node.items),
        ...keywords(node, ["minItems", "maxItems"]),
        "x-kubernetes-list-type": node.listType,
        ...(node.mapKeys && { "x-kubernetes-list-map-keys": node.mapKeys }),
        ...words,
      };
    case "map":
      return {
        type: "object",
        additionalProperties: openApiOf(node.values),
        ...keywords(node, ["maxProperties"]),
        ...words,
      };
    case "string":
      return {
        type: "string",
        ...keywords(node, ["pattern", "minLength", "maxLength", "enum"]),
        ...words,
      };
    case "integer":
      return { type: "integer", ...keywords(node, ["minimum", "maximum", "format", "enum"]), ...words };
    case "boolean":
      return { type: "boolean", ...words };
    case "int-or-string":
      return {
        anyOf: [{ type: "integer" }, { type: "string" }],
        "x-kubernetes-int-or-string": true,
        ...keywords(node, ["pattern"]),
        ...words,
      };
    case "raw":
      return { type: "object", "x-kubernetes-preserve-unknown-fields": true, ...words };
  }
}

function keywords(node: object, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(node).filter(([name]) => names.includes(name)));
}

function describe({ description }: SchemaNode): Json {
  return description === undefined ? {} : { description };
}

/** A rule without CEL must be one that a keyword says; anything else would be enforced here and not there. */
function validations(rules: readonly RuleFacts[]): Json {
  const told = rules.filter(({ keyword }) => keyword === undefined);
  const silent = told.find(({ cel }) => cel === undefined);
  if (silent) throw new TypeError(`the rule "${silent.message}" has no CEL`);
  if (told.length === 0) return {};
  return { "x-kubernetes-validations": told.map(({ cel, message }) => ({ rule: cel, message })) };
}
