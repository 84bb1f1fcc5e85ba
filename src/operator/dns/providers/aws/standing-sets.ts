/**
 * What stands in a zone at some names. Route 53 lists a zone in the order of names read from their end, from a name on, in pages of 300; it cannot be asked for one
 * name or several. So the smallest name still open is asked for, its page answers for whatever names lie in it, and the next one starts at the next that is open: never
 * more calls than names, and never more than the zone has pages.
 *
 * Where a wildcard stands in that order is not documented (as `*` or as `\052`), so a page answers for a missing name only if it does so both ways.
 */
import {
  ListResourceRecordSetsCommand,
  type ListResourceRecordSetsCommandOutput,
  type ResourceRecordSet,
  type Route53Client,
} from "@aws-sdk/client-route-53";
import type { RecordSet } from "../../provider.ts";
import { checkAnswer } from "../answers.ts";
import { groupBy, isRecordType, plainName, plainValue } from "../record-values.ts";
import { unquoteText } from "../txt-values.ts";

export interface StandingSet {
  readonly set: RecordSet;
  /** As Route 53 has it: two for an alias of both families, more where sets are chosen by weight or place. */
  readonly originals: readonly ResourceRecordSet[];
}

const pageSize = 300;
/** A page of fewer names is cheaper for everybody. */
const setsPerName = 10;

export async function listSets(
  client: Route53Client,
  zoneId: string,
  names: readonly string[],
): Promise<readonly StandingSet[]> {
  const open = new Set(names);
  const order = names.toSorted((a, b) => compare(sortKeys(a)[0], sortKeys(b)[0]));
  const found: ResourceRecordSet[] = [];
  for (const name of order) {
    if (open.has(name)) await listFrom(name);
  }
  return combine(found);

  async function listFrom(first: string): Promise<void> {
    let start: { name: string; type?: ResourceRecordSet["Type"]; identifier?: string } | undefined = {
      name: first,
    };
    while (start) {
      const page: ListResourceRecordSetsCommandOutput = await client.send(
        new ListResourceRecordSetsCommand({
          HostedZoneId: zoneId,
          MaxItems: Math.min(pageSize, open.size * setsPerName),
          StartRecordName: start.name,
          ...(start.type && { StartRecordType: start.type }),
          ...(start.identifier && { StartRecordIdentifier: start.identifier }),
        }),
      );
      checkAnswer(page.IsTruncated !== undefined);
      const sets = page.ResourceRecordSets ?? [];
      found.push(...sets.filter(({ Name: name }) => open.has(nameOf(name))));
      const next = page.IsTruncated ? page.NextRecordName : undefined;
      const isCut = next !== undefined && nameOf(next) === nameOf(sets.at(-1)?.Name);
      const last = next === undefined ? undefined : nameOf(next);
      const cutName = isCut ? last : undefined;
      for (const name of open) {
        if (name !== cutName && (name === first || isBetween(first, name, last))) open.delete(name);
      }
      start =
        isCut && open.has(nameOf(next))
          ? {
              name: next,
              ...(page.NextRecordType && { type: page.NextRecordType }),
              ...(page.NextRecordIdentifier && { identifier: page.NextRecordIdentifier }),
            }
          : undefined;
    }
  }
}

function combine(found: readonly ResourceRecordSet[]): readonly StandingSet[] {
  const groups = groupBy(found.filter(isOurs), (set) => {
    const alias = set.AliasTarget;
    const target = alias ? `alias ${plainName(alias.DNSName ?? "")}` : set.Type;
    return `${nameOf(set.Name)} ${target}`;
  });
  return groups.map((originals) => ({ set: setOf(originals), originals }));
}

function isOurs({ Type: type, AliasTarget: alias }: ResourceRecordSet): boolean {
  return isRecordType(type) && (alias === undefined || type === "A" || type === "AAAA" || type === "CNAME");
}

function setOf(originals: readonly ResourceRecordSet[]): RecordSet {
  const [first] = originals;
  const name = nameOf(first?.Name);
  const alias = first?.AliasTarget;
  if (alias) {
    const targetZone = alias.HostedZoneId;
    return {
      name,
      type: "CNAME",
      // An alias has the TTL of what it leads to, which for a load balancer is a minute.
      ttl: 60,
      values: [plainName(alias.DNSName ?? "").replace(/^dualstack[.]/, "")],
      ...(targetZone !== undefined && { targetZone }),
    };
  }
  const type = isRecordType(first?.Type) ? first.Type : "A";
  const values = originals
    .flatMap((set) => set.ResourceRecords ?? [])
    .map(({ Value: value = "" }) => {
      return type === "TXT" ? unquoteText(value, 8) : plainValue(type, value);
    });
  return { name, type, ttl: first?.TTL ?? 0, values };
}

/** `\052` is how Route 53 writes an asterisk. */
function nameOf(name: string | undefined): string {
  return plainName(
    (name ?? "").replaceAll(/\\([0-3][0-7]{2})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 8)),
    ),
  );
}

function sortKeys(name: string): readonly [string, string] {
  const reversed = name.split(".").toReversed().join(".");
  return [reversed, reversed.replaceAll("*", "\\052")];
}

function isBetween(first: string, name: string, last: string | undefined): boolean {
  return [0, 1].every((way) => {
    const key = (of: string): string => sortKeys(of)[way] ?? "";
    return compare(key(first), key(name)) < 0 && (last === undefined || compare(key(name), key(last)) < 0);
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
