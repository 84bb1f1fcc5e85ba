/** What one document holds: objects, and what is wrong with those that could not be taken. */
import {
  findKind,
  kinds,
  parseResource,
  resourceKey,
  type Path,
  type Problem,
  type Resource,
} from "../../resources/index.ts";
import { parseValues, type ParsedValue } from "./parse-values.ts";
import { describeForeignKind, judgeForeignKind, type ForeignKind } from "./foreign-kinds.ts";
import { contentStart } from "./split-documents.ts";

/** Where an object stands in its document: a value's part of the text, and the way from that value to the object. */
export interface Place {
  readonly start: number;
  readonly end: number;
  readonly path: Path;
}

export type Entry =
  | {
      readonly outcome: "resource";
      /** `<Kind>/<namespace>/<name>`, or `<Kind>/<name>` without a namespace. */
      readonly key: string;
      readonly resource: Resource;
      /** The file itself says which generation the object has. */
      readonly hasGeneration: boolean;
      readonly place: Place;
    }
  | {
      readonly outcome: "invalid";
      /** Absent: which object it is cannot be read. */
      readonly key: string | undefined;
      readonly object: string | undefined;
      readonly severity: "error" | "warning";
      readonly problems: readonly Problem[];
      readonly place: Place;
    }
  | { readonly outcome: "foreign"; readonly foreign: ForeignKind; readonly place: Place };

export interface DocumentContent {
  /** How much is wrong: `anonymous` means that it cannot be told which objects all of the document is about. */
  readonly flaw: "none" | "named" | "anonymous";
  readonly entries: readonly Entry[];
  /** Why the document as a whole cannot be read. */
  readonly unreadable?: { readonly message: string; readonly offset: number };
}

/** Reads a document's text. */
export function readDocument(text: string, defaultNamespace: string): DocumentContent {
  const parsed = parseValues(text, contentStart(text, 0, text.length));
  if (parsed.outcome === "unreadable") {
    return unreadableDocument(parsed.message, parsed.offset);
  }
  const entries: Entry[] = [];
  for (const value of parsed.values) collect(value.value, top, { source: value, defaultNamespace, entries });
  // A copy has no room for more, which all the many lists of one entry would keep otherwise.
  return { flaw: judgeEntries(entries), entries: withoutRepetition(entries).slice() };
}

export function unreadableDocument(message: string, offset: number): DocumentContent {
  return { flaw: "anonymous", entries: [], unreadable: { message, offset } };
}

function judgeEntries(entries: readonly Entry[]): DocumentContent["flaw"] {
  if (entries.every(({ outcome }) => outcome === "resource")) return "none";
  return entries.every(tellsItsObject) ? "named" : "anonymous";
}

/** Of data for something else (a long list of anything) the first few items make it clear. */
function withoutRepetition(entries: readonly Entry[]): readonly Entry[] {
  let unnamed = 0;
  const kept = entries.filter((entry) => tellsItsObject(entry) || ++unnamed <= mostUnnamed);
  return unnamed > mostUnnamed ? kept : entries;
}

const mostUnnamed = 5;
const top: Path = [];

function tellsItsObject(entry: Entry): boolean {
  return entry.outcome !== "invalid" || entry.key !== undefined;
}

interface Collecting {
  readonly source: ParsedValue;
  readonly defaultNamespace: string;
  readonly entries: Entry[];
}

function collect(value: unknown, path: Path, collecting: Collecting): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => collect(item, [...path, index], collecting));
  } else if (!isRecord(value)) {
    const message = `is not an object; a Kubernetes object has apiVersion, kind and metadata`;
    collectInvalid("error", [{ path: [], message }], {}, path, collecting);
  } else if (isList(value)) collectItems(value, path, collecting);
  else collectObject(value, path, collecting);
}

type Input = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Input {
  return typeof value === "object" && value !== null;
}

function isList({ apiVersion, kind, items }: Input): boolean {
  if (typeof kind !== "string" || !kind.endsWith("List")) return false;
  if (kind === "List") return apiVersion === "v1";
  return Array.isArray(items) && typeof apiVersion === "string" && findKind(apiVersion, kind) === undefined;
}

function collectItems(list: Input, path: Path, collecting: Collecting): void {
  const items = list["items"] ?? [];
  if (!Array.isArray(items)) {
    collectInvalid("error", [{ path: ["items"], message: "must be a list" }], {}, path, collecting);
    return;
  }
  // An API server's lists of one kind leave apiVersion and kind out of the items.
  const { apiVersion } = list;
  const kind = String(list["kind"]).slice(0, -"List".length);
  const complete = (item: unknown): unknown =>
    kind !== "" && isRecord(item) && item["kind"] === undefined && !Array.isArray(item)
      ? { apiVersion, kind, ...item }
      : item;
  items.forEach((item: unknown, index) => collect(complete(item), [...path, "items", index], collecting));
}

function collectObject(input: Input, path: Path, collecting: Collecting): void {
  const { source, defaultNamespace, entries } = collecting;
  if (input["apiVersion"] === undefined && input["kind"] === undefined) {
    // Other YAML that lies in the folder, most likely.
    const message = "has neither apiVersion nor kind, so it is not a Kubernetes object; passed over";
    collectInvalid("warning", [{ path: [], message }], {}, path, collecting);
    return;
  }
  const place = { start: source.start, end: source.end, path };
  const parsed = parseResource(input, { defaultNamespace });
  if (parsed.outcome === "resource") {
    const { resource } = parsed;
    const key = `${resource.kind}/${resourceKey(resource)}`;
    entries.push({ outcome: "resource", key, resource, hasGeneration: hasGeneration(input), place });
  } else if (parsed.outcome === "invalid") {
    const { kind, namespace, name } = parsed;
    const identity = { apiVersion: input["apiVersion"], kind, namespace, name };
    collectInvalid("error", parsed.problems, identity, path, collecting);
  } else {
    const foreign = judgeForeignKind(parsed);
    if (foreign?.mayBeOurs === true) collectMisspelt(input, foreign, path, collecting);
    else if (foreign !== undefined) entries.push({ outcome: "foreign", foreign, place });
  }
}

function collectInvalid(
  severity: "error" | "warning",
  problems: readonly Problem[],
  identity: Identity,
  path: Path,
  { source, defaultNamespace, entries }: Collecting,
): void {
  const place = { start: source.start, end: source.end, path };
  entries.push({ outcome: "invalid", severity, problems, place, ...identify(identity, defaultNamespace) });
}

function collectMisspelt(input: Input, foreign: ForeignKind, path: Path, collecting: Collecting): void {
  const { apiVersion, kind, suggestion = "" } = foreign;
  const metadata = isRecord(input["metadata"]) ? input["metadata"] : {};
  const identity = { apiVersion, kind, namespace: metadata["namespace"], name: metadata["name"] };
  const field = suggestion.endsWith(` ${kind}`) ? "apiVersion" : "kind";
  const message = `${describeForeignKind(foreign)}: this object is passed over`;
  collectInvalid("error", [{ path: [field], message }], identity, path, collecting);
}

function hasGeneration({ metadata }: Input): boolean {
  return isRecord(metadata) && typeof metadata["generation"] === "number";
}

interface Identity {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly namespace?: unknown;
  readonly name?: unknown;
}

/** Which object is meant, as far as it can be told. */
export function identify(
  { apiVersion, kind, namespace, name }: Identity,
  defaultNamespace: string,
): { key: string | undefined; object: string | undefined } {
  if (typeof kind !== "string") return { key: undefined, object: undefined };
  if (typeof name !== "string") return { key: undefined, object: kind };
  const definition =
    typeof apiVersion === "string"
      ? findKind(apiVersion, kind)
      : [...kinds.values()].find((candidate) => candidate.kind === kind);
  const isNamespaced = definition?.namespaced ?? namespace !== undefined;
  const fullName = isNamespaced
    ? `${typeof namespace === "string" ? namespace : defaultNamespace}/${name}`
    : name;
  return { key: definition && `${kind}/${fullName}`, object: `${kind} ${fullName}` };
}
