import { nearest, type Resource } from "../resources/index.ts";

/** The class that the examples name; nobody else's Gateways have it. */
const ownClass = "gatewright";

export interface UnnamedClass {
  readonly name: string;
  /** One that is there, or ours, and looks like it. */
  readonly meant: string | undefined;
}

/** Classes of Gateways that are not among the objects: on one machine, they are taken to be ours. */
export function unnamedClasses(resources: Iterable<Resource>): UnnamedClass[] {
  const there = new Set([ownClass]);
  const named = new Set<string>();
  for (const resource of resources) {
    if (resource.kind === "GatewayClass") there.add(resource.metadata.name);
    if (resource.kind === "Gateway") named.add(resource.spec.gatewayClassName);
  }
  const unnamed = [...named].filter((name) => !there.has(name)).toSorted();
  return unnamed.map((name) => ({ name, meant: nearest(name, there) }));
}
