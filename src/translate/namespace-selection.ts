import type { Collection, Read } from "../incremental/index.ts";
import { compileLabelSelector, type Labels, type LabelSelector, type Namespace } from "../resources/index.ts";

/** Which namespaces may attach something: to a listener routes, to a Gateway ListenerSets. */
export interface NamespaceSelection {
  readonly from: "All" | "Selector" | "Same" | "None";
  readonly selector?: LabelSelector;
}

/** Namespaces that nobody declared exist all the same, with the label that Kubernetes gives every namespace. */
export function labelsOfNamespace(read: Read, namespaces: Collection<Namespace>, name: string): Labels {
  return read.one(namespaces, name)?.metadata.labels ?? { "kubernetes.io/metadata.name": name };
}

/** Asks for the labels only where a selector decides, so that nothing else depends on them. */
export function admitsNamespace(
  selection: NamespaceSelection,
  own: string,
  other: string,
  labelsOfOther: () => Labels,
): boolean {
  switch (selection.from) {
    case "All":
      return true;
    case "Same":
      return own === other;
    case "None":
      return false;
    case "Selector": {
      const compiled = compileLabelSelector(selection.selector ?? {});
      // Without a selector, or with one that cannot be read, nothing is selected.
      return (
        selection.selector !== undefined &&
        compiled.outcome === "selector" &&
        compiled.matches(labelsOfOther())
      );
    }
  }
}
