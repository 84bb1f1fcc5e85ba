import type { HostTable, ServerName } from "../../../model/index.ts";
import { StreamChoice } from "../stream/stream-choice.ts";
import type { TerminatedServerName, TlsSection } from "../tls/tls-section.ts";
import type { TlsSections } from "../tls/tls-sections.ts";
import { HostTables } from "./host-tables.ts";

/** A server name with what its connections need. */
export interface ServerNameEntry {
  readonly name: ServerName;
  /** Absent for names that are passed through. */
  readonly section?: TlsSection;
  /** Absent for names that are served as HTTP. */
  readonly choice?: StreamChoice;
}

export class ServerNameTable {
  readonly #names = new HostTables<ServerNameEntry>();
  readonly #sections: TlsSections;

  constructor(sections: TlsSections) {
    this.#sections = sections;
  }

  get size(): number {
    return this.#names.size;
  }

  of(listener: string): HostTable<ServerNameEntry> | undefined {
    return this.#names.of(listener);
  }

  set(name: ServerName): void {
    const before = this.#names.get(name.key);
    const backends = name.action.type === "http" ? undefined : name.action.backends;
    this.#names.set(name, {
      name,
      ...(isTerminated(name) ? { section: this.#sections.retain(name) } : {}),
      ...(backends ? { choice: before?.choice?.among(backends) ?? new StreamChoice(backends) } : {}),
    });
    this.#release(before);
  }

  delete(key: string): void {
    const before = this.#names.get(key);
    this.#names.delete(key);
    this.#release(before);
  }

  #release(entry: ServerNameEntry | undefined): void {
    if (entry && isTerminated(entry.name)) this.#sections.release(entry.name);
  }
}

function isTerminated(name: ServerName): name is TerminatedServerName {
  return name.action.type !== "passthrough";
}
