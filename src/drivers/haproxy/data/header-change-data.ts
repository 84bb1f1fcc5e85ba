import { connectionHeaders, type HeaderChanges, type HeaderValue } from "../../../model/index.ts";
import type { Data } from "./bencode.ts";

/** What frames a message or belongs to a connection is never a filter's to change; `host` is a rewrite's. */
const untouchable: ReadonlySet<string> = new Set([...connectionHeaders, "content-length", "host"]);

const fieldName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const fieldValue = /^[\t\u{20}-\u{7e}\u{80}-\u{10ffff}]*$/u;

export function isFieldName(name: string): boolean {
  return fieldName.test(name);
}

function isUsable({ name, value }: HeaderValue): boolean {
  return !untouchable.has(name) && fieldName.test(name) && fieldValue.test(value);
}

export function headerChangeData(changes: HeaderChanges | undefined): Data | undefined {
  if (!changes) return undefined;
  return {
    remove: changes.remove.filter((name) => !untouchable.has(name) && fieldName.test(name)),
    set: headerPairs(changes.set),
    add: headerPairs(changes.add),
  };
}

/** Those that a message can carry. */
export function headerPairs(values: readonly HeaderValue[]): readonly (readonly string[])[] {
  return values.filter(isUsable).map(({ name, value }) => [name, value]);
}

/** A filter that sets Host means what a rewrite of the hostname means. */
export function hostOf(changes: HeaderChanges | undefined): string | undefined {
  const host = changes?.set.findLast(({ name }) => name === "host")?.value;
  return host !== undefined && fieldValue.test(host) ? host : undefined;
}
