/** The frame that all kinds share: apiVersion, kind, metadata and status around what is the kind's own. */
import {
  clusterMetadata,
  namespacedMetadata,
  type ClusterMetadata,
  type MetadataFacts,
  type ObjectMetadata,
} from "./metadata.ts";
import { object, optional, required, type ObjectFacts, type Output, type Shape } from "./schema-object.ts";
import { isPlainObject } from "./plain-object.ts";
import { oneOf, string } from "./schema-scalars.ts";
import { Schema } from "./schema.ts";

/** A status as it was found: written by controllers, ours or others, and never a reason to refuse the object. */
export type RawStatus = Readonly<Record<string, unknown>>;

interface Frame<K extends string, M> {
  readonly apiVersion: string;
  readonly kind: K;
  readonly metadata: M;
  readonly status?: RawStatus;
}

/** The type of one kind of object: the frame and its own fields. */
export type ResourceOf<K extends string, M, S extends Shape> = Frame<K, M> & Output<S>;

// `undefined` is left out again by the frame below: a status that is not an object is as good as none.
const status = new Schema<RawStatus | undefined>({ type: "raw", rules: [] }, (input) =>
  isPlainObject(input) ? input : undefined,
);

/** All objects share the text of their version, instead of each holding on to its piece of a file. */
const apiVersions = new Map<string, string>();
const mostVersions = 100;
const anyText = string();

const apiVersion = new Schema<string>(anyText.node, (input, reading) => {
  const text = anyText.read(input, reading);
  const known = apiVersions.get(text);
  if (known === undefined && apiVersions.size < mostVersions) apiVersions.set(text, text);
  return known ?? text;
});

function frame<K extends string, M, S extends Shape>(
  kind: K,
  metadata: Schema<M>,
  shape: S,
  facts: ObjectFacts,
): Schema<ResourceOf<K, M, S>> {
  const body = object(
    {
      apiVersion: required(apiVersion),
      kind: required(oneOf([kind])),
      metadata: required(metadata),
      ...shape,
      status: optional(status),
    },
    facts,
  );
  return new Schema(body.node, (input, reading) => {
    const resource = body.read(input, reading) as { status?: unknown };
    if (resource.status === undefined) delete resource.status;
    return resource as ResourceOf<K, M, S>;
  });
}

/** A kind that lives in a namespace. */
export function namespaced<K extends string, const S extends Shape>(
  kind: K,
  shape: S,
  facts: ObjectFacts & MetadataFacts = {},
): Schema<ResourceOf<K, ObjectMetadata, S>> {
  return frame(kind, namespacedMetadata(facts), shape, facts);
}

/** A cluster-scoped kind. */
export function clusterScoped<K extends string, const S extends Shape>(
  kind: K,
  shape: S,
  facts: ObjectFacts & MetadataFacts = {},
): Schema<ResourceOf<K, ClusterMetadata, S>> {
  return frame(kind, clusterMetadata(facts), shape, facts);
}
