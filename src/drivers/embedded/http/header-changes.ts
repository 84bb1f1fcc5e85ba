import { connectionHeaders, type HeaderChanges, type HeaderValue } from "../../../model/index.ts";
import { isFieldName, isFieldValue, type HeaderList } from "../upstream/index.ts";
import { wireText } from "./wire-text.ts";

/** Made once per rule from the model's changes: sets for lookup, and nothing that could break a message. */
export interface CompiledHeaderChanges {
  /** Removed outright or to be replaced. */
  readonly drop: ReadonlySet<string>;
  /** Names and values to append: those set, then those added. */
  readonly append: HeaderList;
  /** A new Host, for requests. */
  readonly host: string | undefined;
}

/** What frames a message or belongs to the connection is nobody's to change but the gateway's. */
const untouchable: ReadonlySet<string> = new Set([...connectionHeaders, "content-length", "host"]);

export function compileHeaderChanges(changes: HeaderChanges | undefined): CompiledHeaderChanges | undefined {
  if (!changes) return undefined;
  const drop = new Set<string>();
  const append: HeaderList = [];
  let host: string | undefined;
  for (const name of changes.remove) if (!untouchable.has(name)) drop.add(name);
  for (const change of changes.set.map(onTheWire)) {
    if (change.name === "host" && isFieldValue(change.value)) host = change.value;
    if (!isUsable(change)) continue;
    drop.add(change.name);
    append.push(change.name, change.value);
  }
  for (const { name, value } of usableHeaders(changes.add)) append.push(name, value);
  return { drop, append, host };
}

/** Those that may be set, as they go out: what can be in a message without ending it or being about its connection. */
export function usableHeaders(headers: readonly HeaderValue[]): readonly HeaderValue[] {
  return headers.map(onTheWire).filter(isUsable);
}

function onTheWire({ name, value }: HeaderValue): HeaderValue {
  return { name, value: wireText(value) };
}

function isUsable({ name, value }: HeaderValue): boolean {
  return !untouchable.has(name) && isFieldName(name) && isFieldValue(value);
}

/** In the API's order: remove, set, add. Gives a new list where anything had to go. */
export function changeHeaders(headers: HeaderList, changes: CompiledHeaderChanges | undefined): HeaderList {
  if (!changes) return headers;
  const { drop, append } = changes;
  const kept = drop.size > 0 ? withoutHeaders(headers, drop) : headers;
  for (const part of append) kept.push(part);
  return kept;
}

/** A copy. */
export function withoutHeaders(headers: HeaderList, names: ReadonlySet<string>): HeaderList {
  const kept: HeaderList = [];
  for (let index = 0; index < headers.length; index += 2) {
    if (!names.has(headers[index]!)) kept.push(headers[index]!, headers[index + 1]!);
  }
  return kept;
}
