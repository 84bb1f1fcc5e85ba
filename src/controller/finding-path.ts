import type { Path } from "../resources/index.ts";
import type { Finding } from "./object-verdict.ts";
import type { ShownObject } from "./shown-object.ts";

// An Ingress's remark on its rules goes on with the field of the one that it is about.
const fieldForm = /(?:^|\s)(?:spec\.rules: )?(spec(?:\.[A-Za-z]+|\[[0-9]+\])+)/;
const annotationForm = /^metadata\.annotations\[([^\]]+)\]/;
const segmentForm = /[A-Za-z]+|[0-9]+/g;

/** The field that a finding is about: the one that its message names, or else the listener that it belongs to. */
export function findingPath({ part, message }: Finding, { spec }: ShownObject): Path {
  const annotation = annotationForm.exec(message)?.[1];
  if (annotation !== undefined) return ["metadata", "annotations", annotation];
  const field = fieldForm.exec(message)?.[1];
  if (field !== undefined) return parseField(field);
  const listener = part?.startsWith("listener ") ? part.slice("listener ".length) : undefined;
  const position = listenersOf(spec).findIndex(({ name }) => name === listener);
  return position < 0 ? [] : ["spec", "listeners", position];
}

/** `spec.rules[0].matches` → `spec`, `rules`, `0`, `matches` */
function parseField(field: string): Path {
  return Array.from(field.matchAll(segmentForm), ([segment]) =>
    /^[0-9]/.test(segment) ? Number(segment) : segment,
  );
}

function listenersOf(spec: unknown): readonly { readonly name?: unknown }[] {
  const { listeners } = (spec ?? {}) as { readonly listeners?: unknown };
  return Array.isArray(listeners) ? (listeners as { readonly name?: unknown }[]) : [];
}
