/** `gatewright get`: the objects of a running Gatewright and their statuses, as kubectl shows them. */
import type { ShownObject } from "../../controller/index.ts";
import { findKinds, kindWords, nearest, type NamedKind } from "../../controller/names/index.ts";
import { formatAdminAddress, readAdminAddress } from "../admin-address.ts";
import { renderList, renderValue } from "../check/object-list.ts";
import { exitCode, type ExitCode } from "../exit-code.ts";
import { programName } from "../help.ts";
import type { Invocation } from "../invocation.ts";
import { misuse } from "../misuse.ts";
import { printable } from "../printable.ts";
import type { Style } from "../style.ts";
import type { Terminal } from "../terminal.ts";
import { fetchObjects, type Messages } from "./fetch-objects.ts";
import { renderObjectTables } from "./object-table.ts";

export async function getCommand(invocation: Invocation, terminal: Terminal): Promise<ExitCode> {
  const wanted = readWanted(invocation);
  if (typeof wanted === "string") return misuse(terminal, wanted);
  const admin = readAdminAddress(invocation.value("admin") ?? "");
  if (admin.outcome === "off") return misuse(terminal, "--admin off: there is nobody to ask then");
  if (admin.outcome === "malformed") return misuse(terminal, admin.message);
  const complain = (message: string) => terminal.err(`${programName}: ${printable(message)}`);

  const where = formatAdminAddress(admin.address);
  const withMessages = invocation.value("output") === "wide";
  const fetched = await fetchObjects(`http://${where}`, { withMessages });
  if (fetched.outcome === "failed") {
    complain(fetched.message);
    return exitCode.environment;
  }
  const { kinds, name, namespace } = wanted;
  const inNamespace = fetched.objects.filter(
    ({ metadata }) => namespace === undefined || (metadata.namespace ?? namespace) === namespace,
  );
  // In the order asked for.
  const kindNames = new Set(kinds.map(({ kind }) => kind));
  const inScope = [...kindNames].flatMap((wantedKind) =>
    inNamespace.filter(({ kind }) => kind === wantedKind),
  );
  const found = name === undefined ? inScope : inScope.filter(({ metadata }) => metadata.name === name);
  if (name !== undefined && found.length === 0) {
    const meant = nearest(
      name,
      inScope.map(({ metadata }) => metadata.name),
    );
    const what = kinds.length === 1 ? kinds[0]!.kind : "object";
    const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
    complain(`no ${what} ${namespace === undefined ? "" : `${namespace}/`}${name}${hint}`);
    return exitCode.badInput;
  }
  const { messages } = fetched;
  await terminal.write(
    render(found, { name, output: invocation.value("output"), messages, style: terminal.outStyle }),
  );
  if (found.length === 0) {
    terminal.err(
      namespace === undefined
        ? "No objects found."
        : `No objects found in namespace ${printable(namespace)}.`,
    );
  }
  return exitCode.fine;
}

interface Wanted {
  readonly kinds: readonly NamedKind[];
  readonly name: string | undefined;
  readonly namespace: string | undefined;
}

/** `TYPE`, `TYPE,TYPE`, `TYPE NAME` or `TYPE/NAME`; a text says what is wrong. */
function readWanted(invocation: Invocation): Wanted | string {
  const [first = "", second] = invocation.arguments;
  const slash = first.indexOf("/");
  const word = slash < 0 ? first : first.slice(0, slash);
  const inline = slash < 0 ? undefined : first.slice(slash + 1);
  if (inline !== undefined && second !== undefined) return `${first} ${second}: give one name`;
  const words = word.split(",");
  if (words.length > 1 && (inline ?? second) !== undefined) return `${word}: a name goes with one type`;
  const kinds: NamedKind[] = [];
  for (const one of words) {
    const found = findKinds(one);
    if (found.outcome === "unknown") {
      const hint =
        found.suggestion === undefined
          ? `use ${kindWords().join(", ")}`
          : `did you mean ${found.suggestion}?`;
      return `there is no type ${one}; ${hint}`;
    }
    kinds.push(...found.kinds);
  }
  if (kinds.every(({ kind }) => kind === "Secret")) return "Secrets are not shown to anybody";
  if (invocation.has("all-namespaces") && invocation.has("namespace")) return "-n and -A exclude each other";
  return { kinds, name: inline ?? second, namespace: invocation.value("namespace") };
}

interface Rendering {
  readonly name: string | undefined;
  readonly output: string | undefined;
  readonly messages: Messages;
  readonly style: Style;
}

function render(objects: readonly ShownObject[], { name, output, messages, style }: Rendering): string {
  switch (output) {
    case "json":
    case "yaml": {
      const [only] = objects;
      const isSingle = name !== undefined && objects.length === 1;
      return isSingle ? renderValue(only, output) : renderList(objects, output);
    }
    case "name":
      return objects.map((object) => `${typeOf(object)}/${object.metadata.name}\n`).join("");
    default:
      return renderObjectTables(objects, { wide: output === "wide", messages, style });
  }
}

/** As kubectl writes it, with the group if there is one. */
function typeOf({ apiVersion, kind }: ShownObject): string {
  const [group, version] = apiVersion.split("/");
  return version === undefined ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`;
}
