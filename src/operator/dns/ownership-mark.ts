/*
 * Who has published a name, written beside it as a TXT set, so that two clusters on one zone do not fight and a name that somebody made by hand stays theirs.
 *
 * The mark is not at the name itself, where a CNAME suffers nothing else: `_gatewright.www.example.com`, and `_gatewright-any.example.com` for `*.example.com`. The domain
 * above it exists anyway, so it takes nothing away from what a wildcard covers.
 */
import { createHash } from "node:crypto";
import type { RecordSet } from "./provider.ts";

const heritage = "heritage=gatewright";
const markTtl = 300;
const longestName = 253;

export function markName(name: string): string {
  const direct = name.startsWith("*.") ? `_gatewright-any.${name.slice(2)}` : `_gatewright.${name}`;
  if (direct.length <= longestName) return direct;
  const label = `_gatewright-${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;
  const rest = name.split(".");
  while (label.length + 1 + rest.join(".").length > longestName) rest.shift();
  return `${label}.${rest.join(".")}`;
}

/** `record`: for people, `<namespace>/<name>`. */
export function renderMark(name: string, cluster: string, record: string): RecordSet {
  const value = `${heritage},cluster=${cluster},record=${record}`.slice(0, 255);
  return { name: markName(name), type: "TXT", ttl: markTtl, values: [value] };
}

/** The cluster that it names; undefined: it is no mark of ours. */
export function readMark(set: RecordSet | undefined): string | undefined {
  const value = set?.values.find((one) => one.startsWith(`${heritage},`));
  return value === undefined ? undefined : /,cluster=([^,]*)/.exec(value)?.[1];
}
