/** The Gateway API's references to other objects. Each group of fields is exported too, for references that have more. */
import { group, kind, namespaceName, objectName, portNumber, sectionName } from "./api-scalars.ts";
import { array } from "./schema-collections.ts";
import { defaulted, object, optional, required } from "./schema-object.ts";
import { integer } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

export const gatewayApiGroup = "gateway.networking.k8s.io";

/** An object in the same namespace. */
export const localObjectReference = object({
  group: required(group),
  kind: required(kind),
  name: required(objectName),
});
export type LocalObjectReference = Infer<typeof localObjectReference>;

export const objectReference = object({
  group: required(group),
  kind: required(kind),
  name: required(objectName),
  namespace: optional(namespaceName),
});
export type ObjectReference = Infer<typeof objectReference>;

/** The parameters of a class: an object in a namespace, or a cluster-scoped one. */
export type ParametersReference = ObjectReference;

export const secretObjectReference = object({
  group: defaulted(group, ""),
  kind: defaulted(kind, "Secret"),
  name: required(objectName),
  namespace: optional(namespaceName),
});
export type SecretObjectReference = Infer<typeof secretObjectReference>;

const backendFields = {
  group: defaulted(group, ""),
  kind: defaulted(kind, "Service"),
  name: required(objectName),
  namespace: optional(namespaceName),
  port: optional(portNumber),
};
export const backendRefFields = {
  ...backendFields,
  weight: defaulted(integer({ minimum: 0, maximum: 1_000_000, format: "int32" }), 1),
};

export const portForServiceMessage = "Must have port for Service reference";

/** A Service has several ports, so a reference to one must say which. */
export function hasPortForService(ref: { group: string; kind: string; port?: number }): boolean {
  return ref.group !== "" || ref.kind !== "Service" || ref.port !== undefined;
}

export const backendObjectReference = object(backendFields).rule(portForServiceMessage, hasPortForService);
export type BackendObjectReference = Infer<typeof backendObjectReference>;

export const backendRef = object(backendRefFields).rule(portForServiceMessage, hasPortForService);
export type BackendRef = Infer<typeof backendRef>;

export const parentReference = object({
  group: defaulted(group, gatewayApiGroup),
  kind: defaulted(kind, "Gateway"),
  name: required(objectName),
  namespace: optional(namespaceName),
  sectionName: optional(sectionName),
  port: optional(portNumber),
});
export type ParentReference = Infer<typeof parentReference>;

/** The experimental channel also tells parents apart by port; it accepts all that the standard channel accepts. */
export const parentRefs = array(parentReference, { maxItems: 32 })
  .rule(
    "sectionName or port must be specified when parentRefs includes 2 or more references to the same parent",
    (refs) =>
      everyPair(refs, (a, b) => {
        const alike =
          (a.sectionName === undefined) === (b.sectionName === undefined) &&
          (a.port === undefined) === (b.port === undefined);
        return alike || !sameParent(a, b);
      }),
    {
      standardMessage:
        "sectionName must be specified when parentRefs includes 2 or more references to the same parent",
    },
  )
  .rule(
    "sectionName or port must be unique when parentRefs includes 2 or more references to the same parent",
    (refs) =>
      everyPair(refs, (a, b) => a.sectionName !== b.sectionName || a.port !== b.port || !sameParent(a, b)),
    {
      standardMessage:
        "sectionName must be unique when parentRefs includes 2 or more references to the same parent",
    },
  );

function sameParent(a: ParentReference, b: ParentReference): boolean {
  return a.name === b.name && a.namespace === b.namespace && a.kind === b.kind && a.group === b.group;
}

/** Whether a claim holds for every two items; the later item of the first pair for which it does not is the culprit. */
export function everyPair<T>(items: readonly T[], holds: (a: T, b: T) => boolean): true | readonly [number] {
  for (let i = 1; i < items.length; i++) {
    for (let j = 0; j < i; j++) if (!holds(items[j] as T, items[i] as T)) return [i];
  }
  return true;
}

export const policyTargetReference = object({
  group: required(group),
  kind: required(kind),
  name: required(objectName),
});
export type LocalPolicyTargetReference = Infer<typeof policyTargetReference>;

export const policyTargetReferenceWithSectionName = object({
  group: required(group),
  kind: required(kind),
  name: required(objectName),
  sectionName: optional(sectionName),
});
export type LocalPolicyTargetReferenceWithSectionName = Infer<typeof policyTargetReferenceWithSectionName>;
