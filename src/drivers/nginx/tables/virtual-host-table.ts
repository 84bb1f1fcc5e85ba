/* Virtual hosts as the scripts read them: a file by listener and hostname, and more files where there are many rules. */
import type { RuleAction, VirtualHost } from "../../../model/index.ts";
import { hostnameProblem } from "../../hostname-form.ts";
import { renderAction, type ActionContext } from "../data/action.ts";
import { automatonOf } from "../data/automaton.ts";
import type { DataFolder } from "../data/data-folder.ts";
import { identifierOf } from "../data/identifier.ts";
import { renderTable, type NamedAction } from "../data/rule-table.ts";

/** Everything that a virtual host consists of, before it is in force. */
export interface RenderedHost {
  readonly virtualHost: VirtualHost;
  /** The file of the host itself. */
  readonly pointer: string;
  readonly files: ReadonlyMap<string, string>;
  readonly actions: ReadonlySet<RuleAction>;
}

/** Throws for what cannot be served; the translation lets no such thing through. */
export function renderVirtualHost(virtualHost: VirtualHost, context: ActionContext): RenderedHost {
  const { hostname, section, rules } = virtualHost;
  const problem = hostnameProblem(hostname);
  if (problem !== undefined) throw new Error(problem);
  const files = new Map<string, string>();
  const named = new Map<RuleAction, NamedAction & { readonly text: string }>();
  const table = renderTable(rules, ({ action }) => {
    const known = named.get(action);
    if (known) return known;
    const content = renderAction(action, context);
    const text = JSON.stringify(content);
    const made = { name: identifierOf(text), action: content, text };
    named.set(action, made);
    return made;
  });
  // Else they are in the file of the host.
  if (table.head.parts > 0) for (const { name, text } of named.values()) files.set(`action/${name}`, text);
  for (const [name, text] of table.files) files.set(`table/${name}`, text);
  for (const [id, source] of table.expressions)
    files.set(`expression/${id}`, JSON.stringify(automatonOf(source)));
  const pointer = JSON.stringify({ section, ...table.head });
  return { virtualHost, pointer, files, actions: new Set(named.keys()) };
}

export class VirtualHostTable {
  readonly #data: DataFolder;
  readonly #idOf: (listener: string) => string;
  readonly #hosts = new Map<string, RenderedHost>();

  constructor(data: DataFolder, idOf: (listener: string) => string) {
    this.#data = data;
    this.#idOf = idOf;
  }

  get size(): number {
    return this.#hosts.size;
  }

  get(key: string): RenderedHost | undefined {
    return this.#hosts.get(key);
  }

  values(): IterableIterator<RenderedHost> {
    return this.#hosts.values();
  }

  set(key: string, host: RenderedHost): void {
    const before = this.#hosts.get(key);
    for (const [name, text] of host.files) this.#data.hold(name, () => text);
    this.#data.write(this.#fileOf(host.virtualHost), host.pointer);
    this.#hosts.set(key, host);
    for (const name of before?.files.keys() ?? []) this.#data.release(name);
  }

  delete(key: string): RenderedHost | undefined {
    const before = this.#hosts.get(key);
    if (!before) return undefined;
    this.#data.remove(this.#fileOf(before.virtualHost));
    this.#hosts.delete(key);
    for (const name of before.files.keys()) this.#data.release(name);
    return before;
  }

  #fileOf({ listener, hostname }: VirtualHost): string {
    return `host/${this.#idOf(listener)}/=${hostname}`;
  }
}
