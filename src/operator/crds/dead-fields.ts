/*
 * Dead fields: those that the API server accepts and stores, but that this release does not know. A user who sets one
 * is told nothing, and it has no effect, until a later release suddenly honours it.
 *
 * Known is what either channel of the pinned release has, in the version of that name or, where that is not known, in any version.
 */
import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { CrdBundle } from "./bundle.ts";
import { isGatewayApi, specOf, type CrdVersion } from "./crd-facts.ts";

export interface DeadFields {
  readonly crd: string;
  readonly version: string;
  /** `spec.rules[].retry.codes` */
  readonly fields: readonly string[];
}

export function deadFields(bundle: CrdBundle, all: readonly KubernetesObject[]): readonly DeadFields[] {
  return all
    .filter(isGatewayApi)
    .flatMap((crd) => {
      const known = Object.values(bundle.channels).flatMap(({ crds }) =>
        crds
          .filter(({ metadata }) => metadata.name === crd.metadata.name)
          .flatMap((one) => specOf(one).versions),
      );
      return specOf(crd)
        .versions.filter(({ served }) => served)
        .map((version) => ({
          crd: crd.metadata.name,
          version: version.name,
          fields: unknownFields(version, known),
        }));
    })
    .filter(({ fields }) => fields.length > 0)
    .toSorted((a, b) => (`${a.crd}/${a.version}` < `${b.crd}/${b.version}` ? -1 : 1));
}

function unknownFields(served: CrdVersion, known: readonly CrdVersion[]): readonly string[] {
  const same = known.filter(({ name }) => name === served.name);
  const paths = new Set((same.length > 0 ? same : known).flatMap((version) => [...fieldsOf(version)]));
  // A field below one that is not known is not worth a line of its own.
  const unknown = [...fieldsOf(served)].filter((path) => !paths.has(path));
  const isNamed = new Set(unknown);
  return unknown.filter((path) => !parentsOf(path).some((parent) => isNamed.has(parent))).toSorted();
}

/** `spec.rules[].matches[].path`, of one version. */
export function fieldsOf({ schema }: CrdVersion): ReadonlySet<string> {
  const paths = new Set<string>();
  collect(schema?.openAPIV3Schema, "", paths);
  return paths;
}

interface OpenApi {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly items?: unknown;
  readonly additionalProperties?: unknown;
}

function collect(schema: unknown, path: string, paths: Set<string>): void {
  if (typeof schema !== "object" || schema === null) return;
  const { properties = {}, items, additionalProperties } = schema as OpenApi;
  for (const [name, property] of Object.entries(properties)) {
    const child = path === "" ? name : `${path}.${name}`;
    paths.add(child);
    collect(property, child, paths);
  }
  collect(items, `${path}[]`, paths);
  collect(additionalProperties, `${path}{}`, paths);
}

function parentsOf(path: string): readonly string[] {
  const parts = path.split(".");
  return parts.slice(1).flatMap((_, index) => {
    const parent = parts.slice(0, index + 1).join(".");
    return [parent, parent.replace(/(\[\]|\{\})+$/, "")];
  });
}
