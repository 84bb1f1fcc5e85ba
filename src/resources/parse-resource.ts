import { describeValue } from "./describe-value.ts";
import { apiVersionOf, findKind, kinds, type KindDefinition, type Resource } from "./kinds.ts";
import type { Problem } from "./problem.ts";
import { isPlainObject } from "./plain-object.ts";
import { closeProblems, type OpenProblem } from "./schema.ts";
import { nearest } from "./suggestion.ts";

export interface ParseOptions {
  /** The namespace of objects that name none; `default` unless said otherwise. */
  readonly defaultNamespace?: string;
  /**
   * What to do with fields that no version we know has: `refuse` (the default) for what people write; `ignore` for what
   * an API server has accepted, whose CRDs may be newer than we are.
   */
  readonly unknownFields?: "refuse" | "ignore";
  /** The input was made for this call, as by JSON.parse: what is read is made of it, and it is good for nothing else afterwards. */
  readonly ownsInput?: boolean;
}

export type Parsed =
  | { readonly outcome: "resource"; readonly resource: Resource }
  | {
      readonly outcome: "invalid";
      readonly problems: readonly Problem[];
      readonly kind?: string;
      readonly namespace?: string;
      readonly name?: string;
    }
  | {
      readonly outcome: "unknown-kind";
      readonly apiVersion: string;
      readonly kind: string;
      /** What may have been meant: `gateway.networking.k8s.io/v1 HTTPRoute`. */
      readonly suggestion?: string;
    };

/** Reads one object of any kind we know: validated, with defaults, in the newest version of its kind. Never throws. */
export function parseResource(input: unknown, options: ParseOptions = {}): Parsed {
  if (!isPlainObject(input)) {
    return {
      outcome: "invalid",
      problems: [{ path: [], message: `must be an object, not ${describeValue(input)}` }],
    };
  }
  const { apiVersion, kind } = input;
  if (typeof apiVersion !== "string" || typeof kind !== "string" || apiVersion === "" || kind === "") {
    const problems = [...judgeTypeField("apiVersion", apiVersion), ...judgeTypeField("kind", kind)];
    return { outcome: "invalid", problems, ...identify(input) };
  }
  const definition = findKind(apiVersion, kind);
  if (definition === undefined) {
    const suggestion = suggestKind(apiVersion, kind);
    return { outcome: "unknown-kind", apiVersion, kind, ...(suggestion === undefined ? {} : { suggestion }) };
  }
  return read(definition, apiVersion, input, options);
}

function read(
  definition: KindDefinition,
  apiVersion: string,
  input: Readonly<Record<string, unknown>>,
  { defaultNamespace = "default", unknownFields = "refuse", ownsInput = false }: ParseOptions,
): Parsed {
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  const schema = definition.olderSchemas.get(version) ?? definition.schema;
  const problems: OpenProblem[] = [];
  const resource = schema.read(input, {
    problems,
    refusesUnknownFields: unknownFields === "refuse",
    defaultNamespace,
    ownsInput,
  });
  if (problems.length > 0) {
    const namespace = definition.namespaced ? { namespace: defaultNamespace } : {};
    return { outcome: "invalid", problems: closeProblems(problems), ...namespace, ...identify(input) };
  }
  const newest = version === definition.version ? resource : asNewest(definition, resource);
  return { outcome: "resource", resource: newest };
}

function asNewest({ group, version }: KindDefinition, resource: Resource): Resource {
  return { ...resource, apiVersion: apiVersionOf(group, version) };
}

function judgeTypeField(field: string, value: unknown): Problem[] {
  if (value === undefined || value === null) return [{ path: [field], message: "is required" }];
  if (typeof value !== "string") {
    return [{ path: [field], message: `must be a string, not ${describeValue(value)}` }];
  }
  return value === "" ? [{ path: [field], message: "must not be empty" }] : [];
}

/** What can be read of an object's identity, however broken the rest is. */
function identify(input: Readonly<Record<string, unknown>>): {
  kind?: string;
  namespace?: string;
  name?: string;
} {
  const metadata = isPlainObject(input["metadata"]) ? input["metadata"] : {};
  const { namespace, name } = metadata;
  const { kind } = input;
  return {
    ...(typeof kind === "string" ? { kind } : {}),
    ...(typeof namespace === "string" && namespace !== "" ? { namespace } : {}),
    ...(typeof name === "string" ? { name } : {}),
  };
}

/** The same kind in a version or group we read, or else a kind of that group with a similar name. */
function suggestKind(apiVersion: string, kind: string): string | undefined {
  const all = [...kinds.values()];
  const sameKind = all.find((definition) => definition.kind === kind);
  if (sameKind !== undefined) return nameOf(sameKind);
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "" : apiVersion.slice(0, slash);
  const ofGroup = all.filter((definition) => definition.group === group);
  const near = nearest(
    kind,
    ofGroup.map((definition) => definition.kind),
  );
  const similar = ofGroup.find((definition) => definition.kind === near);
  return similar === undefined ? undefined : nameOf(similar);
}

function nameOf({ group, version, kind }: KindDefinition): string {
  return `${apiVersionOf(group, version)} ${kind}`;
}
