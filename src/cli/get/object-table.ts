import type { ShownObject } from "../../controller/index.ts";
import { printable } from "../printable.ts";
import type { Style } from "../style.ts";
import { renderTable } from "../table.ts";
import { columnsOf, hasVerdict, type Column } from "./columns.ts";
import { objectId, type Messages } from "./fetch-objects.ts";

export interface ObjectTableOptions {
  readonly wide: boolean;
  /** For the wide ones. */
  readonly messages: Messages;
  readonly style: Style;
}

/** One table for each kind, as kubectl does it: with the kind before the name where there are several. */
export function renderObjectTables(objects: readonly ShownObject[], options: ObjectTableOptions): string {
  const byKind = new Map<string, ShownObject[]>();
  for (const object of objects) {
    const group = byKind.get(object.kind);
    if (group) group.push(object);
    else byKind.set(object.kind, [object]);
  }
  const tables = [...byKind].map(([kind, group]) => {
    const prefix = byKind.size > 1 ? `${kind.toLowerCase()}/` : "";
    return renderGroup(kind, group, { ...options, prefix });
  });
  return tables.map((lines) => `${lines.join("\n")}\n`).join("\n");
}

function renderGroup(
  kind: string,
  objects: readonly ShownObject[],
  { prefix, wide, messages, style }: ObjectTableOptions & { readonly prefix: string },
): string[] {
  const isNamespaced = objects.some(({ metadata }) => metadata.namespace !== undefined);
  const columns: readonly Column[] = [
    ...(isNamespaced
      ? [{ head: "NAMESPACE", cell: ({ metadata }: ShownObject) => metadata.namespace ?? "" }]
      : []),
    { head: "NAME", cell: ({ metadata }) => prefix + metadata.name },
    ...columnsOf(kind).filter((column) => wide || !column.wide),
    ...(wide && hasVerdict(kind) ? [messageColumn(messages)] : []),
  ];
  const head = columns.map(({ head: title }) => style.bold(title));
  const rows = objects.map((object) =>
    columns.map(({ cell }) => paint(printable(cell(object)), style) || style.dim("<none>")),
  );
  return renderTable([head, ...rows]);
}

function messageColumn(messages: Messages): Column {
  return {
    head: "MESSAGE",
    cell: ({ kind, metadata }) => messages.get(objectId(kind, metadata.namespace, metadata.name)) ?? "",
  };
}

/** The values of conditions catch the eye. */
function paint(text: string, style: Style): string {
  if (text === "True") return style.green(text);
  return text === "False" ? style.red(text) : text;
}
