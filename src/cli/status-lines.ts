import { judgeObject, type Finding, type Hint, type UnnamedClass } from "../controller/index.ts";
import type { ObjectStatus } from "../status/index.ts";
import { printable } from "./printable.ts";
import type { Style } from "./style.ts";

/** What became of an object: one line if all is well, otherwise one for each thing to look at. */
export function renderStatus(
  status: ObjectStatus,
  { style, hint }: { readonly style: Style; readonly hint: Hint },
): string[] {
  const name = style.bold(nameObject(status));
  const { result, findings } = judgeObject([status], hint);
  if (findings.length === 0) return [`${name}  ${style.green(renderWell(status))}`];
  const colour = result === "refused" ? style.red : style.yellow;
  return findings.map((finding) => `${name}  ${renderFinding(finding, colour)}`);
}

/** `HTTPRoute shop/cart` */
export function nameObject({
  kind,
  namespace,
  name,
}: Pick<ObjectStatus, "kind" | "namespace" | "name">): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/** `listener https: ResolvedRefs=False InvalidCertificateRef: …` */
export function renderFinding(finding: Finding, colour: (text: string) => string): string {
  const { part, type, status, reason, message } = finding;
  const where = part === undefined ? "" : `${printable(part)}: `;
  return `${where}${colour(`${type}=${status} ${reason}`)}: ${printable(message)}`;
}

function renderWell({ content }: ObjectStatus): string {
  if (content.shape === "http-proxy") return "Valid=True";
  return content.shape === "gateway" ? "Accepted=True Programmed=True" : "Accepted=True";
}

export function isWell(status: ObjectStatus): boolean {
  return judgeObject([status]).findings.length === 0;
}

/** For people who bring the objects of another implementation. */
export function renderUnnamedClass({ name, meant }: UnnamedClass): string {
  const hint = meant === undefined ? "" : ` (did you mean ${printable(meant)}?)`;
  return `class ${printable(name)} is not among the objects${hint}: its Gateways are treated as ours`;
}

/** Manifests for a cluster hold Services without EndpointSlices, and may hold many. */
const mostNotes = 8;

export function renderNotes(notes: readonly string[]): string[] {
  const left = notes.length - mostNotes;
  return [
    ...notes.slice(0, mostNotes).map(printable),
    ...(left > 0 ? [`${left} more notes like these`] : []),
  ];
}
