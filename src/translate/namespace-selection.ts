import type { Read } from "../incremental/index.ts";
import { compileLabelSelector, type Labels, type LabelSelector } from "../resources/index.ts";
import type { Resources } from "./resources.ts";
import type { TranslateSettings } from "./settings.ts";

/** Which namespaces may attach something: to a listener routes, to a Gateway ListenerSets. */
export interface NamespaceSelection {
  readonly from: "All" | "Selector" | "Same" | "None";
  readonly selector?: LabelSelector;
}

/** What is known of an object's labels. */
export interface KnownLabels {
  readonly labels: Labels;
  /** There may be more: the object was not told of yet, or we may not read it. */
  readonly arePartial: boolean;
}

export interface NamespaceInputs {
  readonly resources: Pick<Resources, "namespaces">;
  readonly settings: Pick<TranslateSettings, "implicitClasses">;
}

const nameLabel = "kubernetes.io/metadata.name";

/**
 * Kubernetes gives every namespace a label with its name. From files, namespaces that nobody declared exist all the same and have no other;
 * on a cluster each has a Namespace, which may say more.
 */
export function labelsOfNamespace(
  read: Read,
  { resources, settings }: NamespaceInputs,
  name: string,
): KnownLabels {
  const found = read.one(resources.namespaces, name);
  if (found) return { labels: found.metadata.labels, arePartial: false };
  return { labels: { [nameLabel]: name }, arePartial: !settings.implicitClasses };
}

/** Undefined: that depends on labels that are not known, or the selector cannot be read. */
export function selects(selector: LabelSelector, { labels, arePartial }: KnownLabels): boolean | undefined {
  const compiled = compileLabelSelector(selector);
  if (compiled.outcome !== "selector" || (arePartial && !asksForNameAlone(selector))) return undefined;
  return compiled.matches(labels);
}

function asksForNameAlone({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  const keys = [...Object.keys(matchLabels), ...matchExpressions.map(({ key }) => key)];
  return keys.every((key) => key === nameLabel);
}

/** Asks for the labels only where a selector decides, so that nothing else depends on them. */
export function admitsNamespace(
  selection: NamespaceSelection,
  own: string,
  other: string,
  labelsOfOther: () => KnownLabels,
): boolean {
  switch (selection.from) {
    case "All":
      return true;
    case "Same":
      return own === other;
    case "None":
      return false;
    case "Selector":
      // Without a selector, or with one that cannot be read, nothing is selected.
      return selection.selector !== undefined && selects(selection.selector, labelsOfOther()) === true;
  }
}
