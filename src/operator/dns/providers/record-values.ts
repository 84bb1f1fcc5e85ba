/** Names and values as `RecordSet` has them, from what a cloud says. */
import { isIPv6 } from "node:net";
import { DnsError, type RecordSet } from "../provider.ts";

export type RecordType = RecordSet["type"];

const recordTypes: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME", "TXT"]);

export function isRecordType(type: string | undefined): type is RecordType {
  return type !== undefined && recordTypes.has(type);
}

/** Lower-case, without a dot at the end. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[.]$/, "");
}

/** One way to write each value, so that equal ones are equal. */
export function plainValue(type: RecordType, value: string): string {
  if (type === "TXT") return value;
  if (type === "CNAME") return plainName(value);
  return isIPv6(value) ? new URL(`http://[${value}]`).hostname.slice(1, -1) : value;
}

export function hasSameValues(a: RecordSet, b: RecordSet): boolean {
  const values = (set: RecordSet): string =>
    JSON.stringify(set.values.map((value) => plainValue(set.type, value)).toSorted());
  return values(a) === values(b);
}

/** Of one name and type. */
export function keyOfSet({ name, type }: Pick<RecordSet, "name" | "type">): string {
  return `${name} ${type}`;
}

/** `www` of `www.example.com` in `example.com`; `@` for the domain itself. */
export function relativeName(name: string, domain: string): string {
  if (name === domain) return "@";
  if (name.endsWith(`.${domain}`)) return name.slice(0, -domain.length - 1);
  throw new DnsError(`${name} is not in the zone ${domain}`);
}

export function absoluteName(relative: string, domain: string): string {
  return plainName(relative === "@" || relative === "" ? domain : `${relative}.${domain}`);
}

/** In the order in which each group's first member comes. */
export function groupBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): readonly Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}
