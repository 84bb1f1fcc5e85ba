/** metav1.LabelSelector: its schema, and whether a set of labels satisfies it. */
import { array, map } from "./schema-collections.ts";
import { object, optional, required } from "./schema-object.ts";
import { string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

const labelSelectorRequirement = object({
  key: required(string()),
  operator: required(string()),
  values: optional(array(string())),
});
export const labelSelector = object({
  matchExpressions: optional(array(labelSelectorRequirement)),
  matchLabels: optional(map(string())),
});
export type LabelSelectorRequirement = Infer<typeof labelSelectorRequirement>;
export type LabelSelector = Infer<typeof labelSelector>;

export type Labels = Readonly<Record<string, string>>;

/** A selector made ready for use, or what is wrong with it. */
export type CompiledSelector =
  | { readonly outcome: "selector"; readonly matches: (labels: Labels) => boolean }
  | { readonly outcome: "invalid"; readonly message: string };

type Requirement = (labels: Labels) => boolean;

/** An empty selector matches everything; all requirements must hold. The CRDs leave operators unchecked, so they are checked here. */
export function compileLabelSelector(selector: LabelSelector): CompiledSelector {
  const requirements: Requirement[] = [];
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    const wrong = judgeLabelKey(key) ?? judgeLabelValue(value);
    if (wrong !== undefined) return { outcome: "invalid", message: `matchLabels: ${wrong}` };
    requirements.push((labels) => labelOf(labels, key) === value);
  }
  for (const [index, expression] of (selector.matchExpressions ?? []).entries()) {
    const requirement = compileExpression(expression);
    if (typeof requirement === "string") {
      return { outcome: "invalid", message: `matchExpressions[${index}]: ${requirement}` };
    }
    requirements.push(requirement);
  }
  return { outcome: "selector", matches: (labels) => requirements.every((holds) => holds(labels)) };
}

function compileExpression({ key, operator, values = [] }: LabelSelectorRequirement): Requirement | string {
  const wrong = judgeLabelKey(key) ?? values.map(judgeLabelValue).find((message) => message !== undefined);
  if (wrong !== undefined) return wrong;
  const wanted: ReadonlySet<string> = new Set(values);
  switch (operator) {
    case "In":
    case "NotIn": {
      if (values.length === 0) return `values must not be empty with operator ${operator}`;
      const included = operator === "In";
      return (labels) => {
        const value = labelOf(labels, key);
        // A missing label is not in any list, so NotIn holds for it.
        return value === undefined ? !included : wanted.has(value) === included;
      };
    }
    case "Exists":
    case "DoesNotExist": {
      if (values.length > 0) return `values must be empty with operator ${operator}`;
      const expected = operator === "Exists";
      return (labels) => (labelOf(labels, key) !== undefined) === expected;
    }
    default:
      return `operator must be one of In, NotIn, Exists, DoesNotExist, not ${JSON.stringify(operator)}`;
  }
}

function labelOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

const namePattern = /^([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$/;
const prefixPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const valuePattern = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

/** Says what is wrong with a label key (a qualified name: optional DNS prefix, a slash, a name), if anything is. */
export function judgeLabelKey(key: string): string | undefined {
  const slash = key.indexOf("/");
  const prefix = slash < 0 ? undefined : key.slice(0, slash);
  const prefixIsGood = prefix === undefined || (prefix.length <= 253 && prefixPattern.test(prefix));
  if (prefixIsGood && namePattern.test(key.slice(slash + 1))) return undefined;
  return `${JSON.stringify(key)} is not a label key: it must be a name of up to 63 letters, digits, '-', '_' or '.', with an optional DNS prefix and '/'`;
}

export function judgeLabelValue(value: string): string | undefined {
  if (value.length <= 63 && valuePattern.test(value)) return undefined;
  return `${JSON.stringify(value)} is not a label value: it must be up to 63 letters, digits, '-', '_' or '.', starting and ending with a letter or digit`;
}
