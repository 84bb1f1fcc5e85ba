// Header modifiers.
//
// Spec: each name is changed in one way only; of several entries with one name in one list, the first counts. Names that carry the
// message itself, and the Host, are not for modifiers: a request that two hops read differently is how requests are smuggled.

import type { HeaderChanges, HeaderValue } from "../model/index.ts";
import { isFieldName, isFieldValue, type HTTPHeader, type HTTPHeaderFilter } from "../resources/index.ts";
import { unsupported, type Refusal } from "./content-problems.ts";
import { none } from "./lists.ts";
import { isReservedHeader } from "./reserved-headers.ts";

export interface TranslatedHeaderChanges {
  readonly changes: HeaderChanges;
  readonly refusals: readonly Refusal[];
}

export function translateHeaderChanges(
  { set = [], add = [], remove = [] }: HTTPHeaderFilter,
  field: string,
): TranslatedHeaderChanges {
  const refusals = [
    ...judgeEntries(set, `${field}.set`),
    ...judgeEntries(add, `${field}.add`),
    ...remove.flatMap((name, index) => judgeName(name, `${field}.remove[${index}]`)),
  ];
  const changes = {
    set: firstOfEachName(set),
    add: firstOfEachName(add),
    remove: remove.length > 0 ? [...new Set(remove.map((name) => name.toLowerCase()))] : none,
  };
  const names = [...changes.set, ...changes.add].map(({ name }) => name).concat(changes.remove);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) {
    refusals.push(
      unsupported(
        field,
        `header ${repeated} is changed in more than one way; keep one of set, add and remove`,
      ),
    );
  }
  return { changes, refusals };
}

function judgeEntries(headers: readonly HTTPHeader[], field: string): Refusal[] {
  return headers.flatMap(({ name, value }, index) => {
    const refusals = judgeName(name, `${field}[${index}].name`);
    if (!isFieldValue(value)) {
      refusals.push(unsupported(`${field}[${index}].value`, "has characters that no header can have"));
    }
    return refusals;
  });
}

function judgeName(name: string, field: string): Refusal[] {
  const lower = name.toLowerCase();
  if (!isFieldName(name)) return [unsupported(field, "is not a name that a header can have")];
  if (lower === "host") {
    return [
      unsupported(
        field,
        "Host cannot be changed by a header modifier; use a URLRewrite filter with hostname",
      ),
    ];
  }
  if (isReservedHeader(name)) return [unsupported(field, `${name} is the gateway's own to set`)];
  return [];
}

/** Blanks around a value are no part of it (RFC 9110, 5.5). */
function firstOfEachName(headers: readonly HTTPHeader[]): readonly HeaderValue[] {
  if (headers.length === 0) return none;
  const byName = new Map<string, HeaderValue>();
  for (const { name, value } of headers) {
    const lower = name.toLowerCase();
    if (!byName.has(lower)) byName.set(lower, { name: lower, value: value.replace(/^[ \t]+|[ \t]+$/g, "") });
  }
  return [...byName.values()];
}
