/** How the CRDs that were found differ from those of the pinned release, field by field. */
import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { Channel, CrdBundle } from "./bundle.ts";
import { isGatewayApi, specOf } from "./crd-facts.ts";
import { surveyCrds } from "./crd-survey.ts";
import { fieldsOf } from "./dead-fields.ts";

export interface CrdDifference {
  readonly crd: string;
  /** Completes the name: `is missing`, `is v1.5.1, standard channel`. */
  readonly how: string;
  /** `v1 spec.tls`: there, but not in the pinned release. */
  readonly added: readonly string[];
  /** In the pinned release, but not there. */
  readonly absent: readonly string[];
}

/** Empty if they are exactly the pinned ones. Sorted. */
export function crdDifferences(
  bundle: CrdBundle,
  channel: Channel,
  all: readonly KubernetesObject[],
): readonly CrdDifference[] {
  const found = all.filter(isGatewayApi);
  const { missing, mismatching, unexpected } = surveyCrds(bundle, channel, found);
  const whole = (crd: string, how: string) => ({ crd, how, added: [], absent: [] });
  return [
    ...missing.map(({ metadata }) => whole(metadata.name, "is missing")),
    ...unexpected.map((name) => whole(name, "does not belong to the release")),
    ...mismatching.map(({ name, how, expected, found: there }) => ({
      crd: name,
      how,
      added: minus(versionedFields(there), versionedFields(expected)),
      absent: minus(versionedFields(expected), versionedFields(there)),
    })),
  ].toSorted((a, b) => (a.crd < b.crd ? -1 : 1));
}

function versionedFields(crd: KubernetesObject): ReadonlySet<string> {
  const { versions } = specOf(crd);
  return new Set(
    versions.flatMap((version) => [
      ...(version.served ? [`${version.name} (served)`] : []),
      ...[...fieldsOf(version)].map((field) => `${version.name} ${field}`),
    ]),
  );
}

/** Without those whose parent is named too. */
function minus(some: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] {
  const left = [...some].filter((field) => !others.has(field)).toSorted();
  return left.filter((field) => !left.some((parent) => isBelow(field, parent)));
}

function isBelow(field: string, parent: string): boolean {
  return field.startsWith(parent) && /^(\[\]|\{\})*[.]/.test(field.slice(parent.length));
}
