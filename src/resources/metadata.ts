import { describeValue } from "./describe-value.ts";
import { judgeLabelKey } from "./label-selector.ts";
import { array, emptyRecord, map } from "./schema-collections.ts";
import { defaulted, object, optional, required } from "./schema-object.ts";
import { boolean, integer, string, type Pattern } from "./schema-scalars.ts";
import { report, Schema, type Infer } from "./schema.ts";
import { dnsNamePattern, labelValue, namespaceName } from "./api-scalars.ts";

const subdomainName = string({ minLength: 1, maxLength: 253, pattern: dnsNamePattern });
const labelPattern: Pattern = {
  source: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
  is: "lowercase letters, digits and hyphens",
};
const labelName = string({ minLength: 1, maxLength: 63, pattern: labelPattern });

const ownerReference = object(
  {
    apiVersion: required(string({ minLength: 1 })),
    kind: required(string({ minLength: 1 })),
    name: required(string({ minLength: 1 })),
    uid: required(string({ minLength: 1 })),
    controller: optional(boolean()),
    blockOwnerDeletion: optional(boolean()),
  },
  { open: true },
);
export type OwnerReference = Infer<typeof ownerReference>;

/** A time as text. YAML readers may have made a Date of it already. */
const timestamp = new Schema<string>({ type: "string", rules: [] }, (input, reading) => {
  if (typeof input === "string") return input;
  if (input instanceof Date && !Number.isNaN(input.getTime()))
    return input.toISOString().replace(/\.000Z$/, "Z");
  report(reading, `must be a timestamp such as 2026-01-31T12:00:00Z, not ${describeValue(input, reading)}`);
  return "";
});

const labels = map(labelValue, { judgeKey: judgeLabelKey });
const annotations = map(string(), { judgeKey: (key) => judgeLabelKey(key.toLowerCase()) });

const shared = {
  labels: defaulted(labels, emptyRecord),
  annotations: defaulted(annotations, emptyRecord),
  uid: optional(string()),
  resourceVersion: optional(string()),
  /** Objects that no API server has counted are in their first generation. */
  generation: defaulted(integer({ minimum: 0 }), 1),
  creationTimestamp: optional(timestamp),
  deletionTimestamp: optional(timestamp),
  ownerReferences: optional(array(ownerReference)),
  finalizers: optional(array(string())),
};

/** Fields that are tolerated and left out. */
const ignores = ["generateName", "selfLink", "deletionGracePeriodSeconds", "managedFields"] as const;

const clusterSchema = object(
  { name: required(subdomainName), ...shared },
  { ignores: [...ignores, "namespace"] },
);

/** The metadata of a cluster-scoped object. */
export type ClusterMetadata = Infer<typeof clusterSchema>;

/** The metadata of an object that lives in a namespace. */
export interface ObjectMetadata extends ClusterMetadata {
  readonly namespace: string;
}

export interface MetadataFacts {
  /** Kinds whose name becomes a single DNS label (Service, Namespace). */
  readonly nameIsLabel?: boolean;
}

export function namespacedMetadata({ nameIsLabel = false }: MetadataFacts = {}): Schema<ObjectMetadata> {
  const schema = object(
    {
      name: required(nameIsLabel ? labelName : subdomainName),
      // An empty namespace is refused when it is written, so here it can only mean that there was none.
      namespace: defaulted(namespaceName, ""),
      ...shared,
    },
    { ignores },
  );
  return new Schema<ObjectMetadata>(schema.node, (input, reading) => {
    const metadata: { namespace: string } & ObjectMetadata = schema.read(input, reading);
    if (metadata.namespace === "") metadata.namespace = reading.defaultNamespace;
    return metadata;
  });
}

/** The API server clears the namespace of a cluster-scoped object, so it is not looked at. */
export function clusterMetadata({ nameIsLabel = false }: MetadataFacts = {}): Schema<ClusterMetadata> {
  if (!nameIsLabel) return clusterSchema;
  return object({ name: required(labelName), ...shared }, { ignores: [...ignores, "namespace"] });
}
