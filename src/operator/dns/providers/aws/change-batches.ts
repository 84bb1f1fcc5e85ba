/** Changes as ChangeBatches. */
import {
  ChangeResourceRecordSetsCommand,
  type Change,
  type ResourceRecordSet,
  type Route53Client,
} from "@aws-sdk/client-route-53";
import type { RecordSet, RecordSetChange } from "../../provider.ts";
import { checkAnswer } from "../answers.ts";
import { keyOfSet } from "../record-values.ts";
import { quoteText } from "../txt-values.ts";
import { listSets, type StandingSet } from "./standing-sets.ts";

export interface ChangeInputs {
  readonly client: Route53Client;
  readonly zoneId: string;
  /** Of a set that `look` has found. */
  readonly standingOf: (set: RecordSet) => StandingSet | undefined;
  readonly isDualStack: (target: string) => Promise<boolean>;
}

/** Limits of a batch: records, and characters of their values. What is put over something counts twice. */
const mostRecords = 1000;
const mostCharacters = 32_000;

export async function applyChanges(changes: readonly RecordSetChange[], inputs: ChangeInputs): Promise<void> {
  const { client, zoneId } = inputs;
  const unseen = changes.filter(({ found }) => found === undefined).map(({ set }) => set.name);
  const names = [...new Set(unseen)];
  const standing = names.length > 0 ? await listSets(client, zoneId, names) : [];
  const parts: Change[][] = [];
  for (const change of changes) parts.push(await renderChange(change, standing, inputs));
  for (const batch of cutBatches(parts)) {
    const { ChangeInfo: info } = await client.send(
      new ChangeResourceRecordSetsCommand({ HostedZoneId: zoneId, ChangeBatch: { Changes: batch } }),
    );
    checkAnswer(info?.Id !== undefined);
  }
}

async function renderChange(
  { type, set, found }: RecordSetChange,
  standing: readonly StandingSet[],
  { standingOf, isDualStack }: ChangeInputs,
): Promise<Change[]> {
  const wanted = type === "put" ? await originalsOf(set, isDualStack) : [];
  if (found === null) return wanted.map((original) => action("CREATE", original));
  if (found !== undefined) {
    const originals = standingOf(found)?.originals ?? (await originalsOf(found, isDualStack));
    return [
      ...originals.map((original) => action("DELETE", original)),
      ...wanted.map((original) => action("CREATE", original)),
    ];
  }
  const old = standing
    .filter((other) => keyOfSet(other.set) === keyOfSet(set))
    .flatMap(({ originals }) => originals);
  const isPutOver = (one: ResourceRecordSet): boolean =>
    one.SetIdentifier === undefined && wanted.some(({ Type: other }) => other === one.Type);
  return [
    ...old.filter((one) => !isPutOver(one)).map((original) => action("DELETE", original)),
    ...wanted.map((original) => action("UPSERT", original)),
  ];
}

async function originalsOf(
  set: RecordSet,
  isDualStack: ChangeInputs["isDualStack"],
): Promise<readonly ResourceRecordSet[]> {
  const [target = ""] = set.values;
  if (set.type === "CNAME" && set.targetZone !== undefined) {
    const alias = {
      DNSName: target,
      HostedZoneId: set.targetZone,
      // The load balancer answers, healthy or not: nobody else would.
      EvaluateTargetHealth: false,
    };
    const types = (await isDualStack(target)) ? (["A", "AAAA"] as const) : (["A"] as const);
    return types.map((type) => ({ Name: set.name, Type: type, AliasTarget: alias }));
  }
  const values = set.values.map((value) => (set.type === "TXT" ? quoteText(value, 8) : value));
  return [
    {
      Name: set.name,
      Type: set.type,
      TTL: set.ttl,
      ResourceRecords: values.map((value) => ({ Value: value })),
    },
  ];
}

function action(kind: "CREATE" | "DELETE" | "UPSERT", original: ResourceRecordSet): Change {
  return { Action: kind, ResourceRecordSet: original };
}

/** As few as the limits allow; the parts of one change stay together. */
function cutBatches(parts: readonly (readonly Change[])[]): readonly Change[][] {
  const batches: Change[][] = [];
  let records = 0;
  let characters = 0;
  for (const part of parts.filter(({ length }) => length > 0)) {
    const weight = weigh(part);
    records += weight.records;
    characters += weight.characters;
    if (batches.length === 0 || records > mostRecords || characters > mostCharacters) {
      batches.push([]);
      ({ records, characters } = weight);
    }
    batches.at(-1)?.push(...part);
  }
  return batches;
}

function weigh(part: readonly Change[]): { readonly records: number; readonly characters: number } {
  let records = 0;
  let characters = 0;
  for (const { Action: kind, ResourceRecordSet: set } of part) {
    const factor = kind === "UPSERT" ? 2 : 1;
    const values = set?.ResourceRecords ?? [];
    records += factor * Math.max(1, values.length);
    for (const { Value: value = "" } of values) characters += factor * value.length;
  }
  return { records, characters };
}
