import type { Collection, Read } from "../incremental/index.ts";

/** `<Kind>/<namespace>/<name>` (or `<Kind>/<name>`) of objects that are there but cannot be read → what is wrong with them. */
export type InvalidObjects = Collection<string>;

/** What to say of an object that is not among those that can be used: there is a difference between none and a broken one. */
export function describeAbsence(
  read: Read,
  invalid: InvalidObjects | undefined,
  kind: string,
  key: string,
): string {
  const problem = invalid && read.one(invalid, `${kind}/${key}`);
  return problem === undefined ? "does not exist" : `is not valid (${problem})`;
}
