/*
 * The items of the model: what is wanted, what of it is refused, and so what should be in force: of a refused item its last good
 * version, if there was one.
 */
import {
  modelKinds,
  type ModelChanges,
  type ModelItems,
  type ModelKind,
  type ServerName,
  type VirtualHost,
  perModelKind,
} from "../../model/index.ts";
import type { ApplyReport } from "../driver.ts";
import { hostnameProblem } from "../hostname-form.ts";
import { virtualHostData } from "./data/virtual-host-data.ts";
import { judgeCertificate } from "./tls/usable-certificate.ts";

export type AnyItem = ModelItems[ModelKind];

type Items = { readonly [Kind in ModelKind]: Map<string, ModelItems[Kind]> };

/** An item that came, changed or went since the last configuration that HAProxy took. */
export interface ChangedItem {
  readonly kind: ModelKind;
  readonly key: string;
  /** The version before; nothing if there was none. */
  readonly before: AnyItem | undefined;
  readonly after: AnyItem | undefined;
}

export class ModelState {
  readonly items: Items = perModelKind(() => new Map());
  readonly #refused = new Set<string>();
  readonly #reports: ApplyReport[] = [];
  readonly #changed = new Map<string, ChangedItem>();

  apply(changes: ModelChanges): void {
    for (const kind of modelKinds) {
      for (const [key, item] of changes[kind] as ReadonlyMap<string, AnyItem | undefined>) {
        this.#change(kind, key, item);
      }
    }
  }

  /** Since the last time it was asked for. */
  takeReports(): readonly ApplyReport[] {
    return this.#reports.splice(0);
  }

  get changed(): readonly ChangedItem[] {
    return [...this.#changed.values()];
  }

  /** All that is in force is good. */
  settle(): void {
    this.#changed.clear();
  }

  /** HAProxy refuses what the change would bring: the version before stays. */
  refuse({ kind, key, before }: ChangedItem, message: string): void {
    this.put(kind, key, before);
    this.#refuse(kind, key, message);
    this.#changed.delete(`${kind} ${key}`);
  }

  put(kind: ModelKind, key: string, item: AnyItem | undefined): void {
    const items = this.items[kind] as Map<string, AnyItem>;
    if (item === undefined) items.delete(key);
    else items.set(key, item);
  }

  #change(kind: ModelKind, key: string, item: AnyItem | undefined): void {
    const before = this.items[kind].get(key);
    const problem = item && problemOf(kind, item);
    if (problem !== undefined) {
      this.#refuse(kind, key, problem);
      return;
    }
    if (this.#refused.delete(`${kind} ${key}`))
      this.#reports.push({ kind, key, state: { type: "programmed" } });
    const after = item && kind === "certificates" ? usable(item as ModelItems["certificates"]) : item;
    if (before === undefined && after === undefined) return;
    this.put(kind, key, after);
    const earlier = this.#changed.get(`${kind} ${key}`);
    this.#changed.set(`${kind} ${key}`, { kind, key, before: earlier ? earlier.before : before, after });
  }

  #refuse(kind: ModelKind, key: string, message: string): void {
    this.#refused.add(`${kind} ${key}`);
    this.#reports.push({ kind, key, state: { type: "refused", message } });
  }
}

function problemOf(kind: ModelKind, item: AnyItem): string | undefined {
  if (kind === "certificates") {
    const verdict = judgeCertificate(item as ModelItems["certificates"]);
    return verdict.type === "unusable" ? verdict.problem : undefined;
  }
  if (kind === "virtualHosts" || kind === "serverNames") {
    const problem = hostnameProblem((item as VirtualHost | ServerName).hostname);
    if (problem !== undefined) return problem;
  }
  if (kind === "virtualHosts") {
    // The translation lets through only what can be written; if it did not, one virtual host must not stop all the others.
    try {
      virtualHostData(item as VirtualHost);
    } catch (error) {
      return `${item.key}: ${(error as Error).message}`;
    }
  }
  return undefined;
}

function usable(certificate: ModelItems["certificates"]): ModelItems["certificates"] {
  const verdict = judgeCertificate(certificate);
  return verdict.type === "usable" ? verdict.certificate : certificate;
}
