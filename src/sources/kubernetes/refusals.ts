/** What a status refuses, for Events: people look for those first. */
import type { RawStatus } from "../../resources/index.ts";

export interface Refusal {
  readonly reason: string;
  readonly message: string;
}

type Raw = Readonly<Record<string, unknown>>;

/** False is bad news. */
const goodTypes: ReadonlySet<unknown> = new Set(["Accepted", "ResolvedRefs", "Programmed"]);
/** True is bad news. */
const badTypes: ReadonlySet<unknown> = new Set(["Conflicted", "PartiallyInvalid", "OverlappingTLSConfig"]);

/** Those that `after` has and `before` has not, of the whole object and of these controllers. A reason counts once in a place. */
export function newRefusals(
  before: RawStatus | undefined,
  after: RawStatus | undefined,
  controllerNames: ReadonlySet<string>,
): Refusal[] {
  const found = refusalsIn(after, controllerNames);
  if (found.size === 0) return [];
  const known = refusalsIn(before, controllerNames);
  return Array.from(found)
    .filter(([id]) => !known.has(id))
    .map(([, refusal]) => refusal);
}

function refusalsIn(
  status: RawStatus | undefined,
  controllerNames: ReadonlySet<string>,
): Map<string, Refusal> {
  const found = new Map<string, Refusal>();
  collect(status?.["conditions"], "", found);
  for (const listener of listOf(status?.["listeners"])) {
    collect(listener["conditions"], `Listener ${textOf(listener["name"])}: `, found);
  }
  for (const [list, ref] of [
    ["parents", "parentRef"],
    ["ancestors", "ancestorRef"],
  ] as const) {
    for (const entry of listOf(status?.[list])) {
      if (controllerNames.has(textOf(entry["controllerName"]))) {
        collect(entry["conditions"], `${describeRef(entry[ref])}: `, found);
      }
    }
  }
  return found;
}

function collect(conditions: unknown, place: string, found: Map<string, Refusal>): void {
  for (const { type, status, reason, message } of listOf(conditions)) {
    const isBad = (status === "False" && goodTypes.has(type)) || (status === "True" && badTypes.has(type));
    // Not yet is no refusal.
    if (!isBad || reason === "Pending" || typeof reason !== "string") continue;
    const id = `${place}${reason}`;
    if (!found.has(id)) found.set(id, { reason, message: `${place}${textOf(message)}` });
  }
}

function describeRef(ref: unknown): string {
  const { kind = "Gateway", namespace, name, sectionName } = isRecord(ref) ? ref : {};
  const path = [namespace, name]
    .filter((part) => part !== undefined)
    .map(textOf)
    .join("/");
  return `${textOf(kind)} ${path}${sectionName === undefined ? "" : ` (${textOf(sectionName)})`}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function listOf(value: unknown): readonly Raw[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function isRecord(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
