/** The names by which people call kinds: `httproutes`, `httproute`, `HTTPRoute`, `gw`, `httproutes.gateway.networking.k8s.io`. */
import { kinds, nearest, type KindDefinition } from "../../resources/index.ts";

/** Beside those of the CRDs. */
const moreShortNames: ReadonlyMap<string, string> = new Map([
  ["gw", "Gateway"],
  ["hr", "HTTPRoute"],
  ["gr", "GRPCRoute"],
  ["tr", "TLSRoute"],
  ["ls", "ListenerSet"],
  ["rg", "ReferenceGrant"],
  ["eps", "EndpointSlice"],
]);

const groups: ReadonlyMap<string, (definition: KindDefinition) => boolean> = new Map([
  ["all", ({ kind }) => kind !== "Secret"],
  ["routes", ({ kind }) => kind.endsWith("Route")],
  ["route", ({ kind }) => kind.endsWith("Route")],
  ["policies", ({ kind }) => kind.endsWith("Policy")],
]);

export interface NamedKind {
  readonly kind: string;
  readonly group: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

export type FoundKinds =
  | { readonly outcome: "kinds"; readonly kinds: readonly NamedKind[] }
  | { readonly outcome: "unknown"; readonly suggestion: string | undefined };

/** The kinds that a word stands for: one, or several for `all`, `routes` and `policies`. */
export function findKinds(word: string): FoundKinds {
  const name = word.toLowerCase();
  const definitions = [...kinds.values()];
  const isOfGroup = groups.get(name);
  const found = definitions.filter((definition) => isOfGroup?.(definition) ?? isCalled(definition, name));
  if (found.length > 0) return { outcome: "kinds", kinds: found };
  return { outcome: "unknown", suggestion: nearest(name, kindWords()) };
}

function isCalled({ kind, group, plural, shortNames }: KindDefinition, name: string): boolean {
  const names = [kind.toLowerCase(), plural, ...shortNames];
  return (
    names.includes(name) ||
    names.some((own) => name === `${own}.${group}`) ||
    moreShortNames.get(name) === kind
  );
}

/** All plurals and groups, for completion. */
export function kindWords(): string[] {
  const plurals = [...kinds.values()].filter(({ kind }) => kind !== "Secret").map(({ plural }) => plural);
  return ["all", "routes", "policies", ...plurals];
}
