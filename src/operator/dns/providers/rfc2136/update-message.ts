/*
 * Changes of record sets as one dynamic update (RFC 2136), which a server carries out entirely or not at all:
 *
 *   prerequisites   what was found under a name and type still stands there, and nothing else (2.4.2), or still nothing does (2.4.3); where a CNAME is put at a name
 *                   of which nothing of ours stands yet, nothing at all may be there (2.4.5), and where addresses are put, no CNAME. The server leaves out such records
 *                   without a word otherwise (3.4.2.2)
 *   updates         in their order: a set is put by removing what it was (2.5.2) and adding each of its records (2.5.1)
 */
import type { RecordSet, RecordSetChange } from "../../provider.ts";
import { classes, encodeData, opcodes, encodeMessage, types, type ResourceRecord } from "./wire-format.ts";

const nothing = Buffer.alloc(0);

export function renderUpdate(id: number, zone: string, changes: readonly RecordSetChange[]): Buffer {
  return encodeMessage({
    id,
    opcode: opcodes.update,
    question: { name: zone, type: types.SOA, class: classes.IN },
    answers: renderPrerequisites(changes),
    authorities: changes.flatMap(renderChange),
  });
}

/** Changes nothing; the answer says whether the name has records of its own, not such as a wildcard lends it (2.4.4). */
export function renderInUse(id: number, zone: string, name: string): Buffer {
  return encodeMessage({
    id,
    opcode: opcodes.update,
    question: { name: zone, type: types.SOA, class: classes.IN },
    answers: [{ name, type: types.ANY, class: classes.ANY, ttl: 0, data: nothing }],
  });
}

/** Changes nothing; the answer says whether these sets stand there, with these values and no others. */
export function renderStanding(id: number, zone: string, sets: readonly RecordSet[]): Buffer {
  return encodeMessage({
    id,
    opcode: opcodes.update,
    question: { name: zone, type: types.SOA, class: classes.IN },
    answers: sets.flatMap(standsAs),
  });
}

function renderPrerequisites(changes: readonly RecordSetChange[]): readonly ResourceRecord[] {
  const rendered = new Map<string, readonly ResourceRecord[]>();
  const named = (name: string, type: string) =>
    changes.filter((change) => change.set.name === name && change.set.type === type);
  for (const { type, set, found } of changes) {
    const { name } = set;
    if (found !== undefined)
      rendered.set(`${name} ${set.type}`, found ? standsAs(found) : [isNot(name, types[set.type])]);
    if (type !== "put") continue;
    if (set.type === "CNAME" && found === null && changes.every((other) => isOther(other, set))) {
      rendered.set(`${name} ANY`, [isNot(name, types.ANY)]);
    }
    if ((set.type === "A" || set.type === "AAAA") && named(name, "CNAME").length === 0) {
      rendered.set(`${name} CNAME`, [isNot(name, types.CNAME)]);
    }
  }
  return [...rendered.values()].flat();
}

/** Of another name, or the change itself, or one that has found nothing either. */
function isOther({ set, found }: RecordSetChange, than: RecordSet): boolean {
  return set.name !== than.name || set === than || found === null;
}

function standsAs({ name, type, values }: RecordSet): readonly ResourceRecord[] {
  return values.map((value) => ({
    name,
    type: types[type],
    class: classes.IN,
    ttl: 0,
    data: encodeData(type, value),
  }));
}

function isNot(name: string, type: number): ResourceRecord {
  return { name, type, class: classes.NONE, ttl: 0, data: nothing };
}

function renderChange({ type, set }: RecordSetChange): readonly ResourceRecord[] {
  const removed = { name: set.name, type: types[set.type], class: classes.ANY, ttl: 0, data: nothing };
  if (type === "remove") return [removed];
  const added = set.values.map((value) => ({
    name: set.name,
    type: types[set.type],
    class: classes.IN,
    ttl: set.ttl,
    data: encodeData(set.type, value),
  }));
  return [removed, ...added];
}
