import type { Collection, Read } from "../incremental/index.ts";

/** `<Kind>/<namespace>/<name>` (or `<Kind>/<name>`) of objects that are there but cannot be read → what is wrong with them. */
export type InvalidObjects = Collection<string>;

/** The same for a key that begins with the kind. */
export function absenceOf(key: string, read: Read, invalid: InvalidObjects | undefined): string {
  const slash = key.indexOf("/");
  return describeAbsence(read, invalid, key.slice(0, slash), key.slice(slash + 1));
}

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
