/** What decides between two objects that claim the same thing. */
export interface Aged {
  /** RFC 3339 in UTC; objects without one (from files) count as equally old, and older than all others. */
  readonly createdAt: string;
  /** `namespace/name` */
  readonly name: string;
}

export function ageOf(metadata: {
  readonly namespace: string;
  readonly name: string;
  readonly creationTimestamp?: string;
}): Aged {
  return {
    createdAt: instantOf(metadata.creationTimestamp ?? ""),
    name: `${metadata.namespace}/${metadata.name}`,
  };
}

/** An API server writes one form only; people write offsets and fractions too. */
function instantOf(text: string): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? "" : new Date(time).toISOString();
}

/** Spec: the oldest by creation timestamp, then the first in alphabetical order of `{namespace}/{name}`. */
export function compareAge(a: Aged, b: Aged): number {
  return compareText(a.createdAt, b.createdAt) || compareText(a.name, b.name);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
