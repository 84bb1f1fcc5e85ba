import type { ModelKind } from "../model/index.ts";
import type { ApplyReport } from "./driver.ts";

/** Which items are refused at present, so that the end of a refusal is reported, once. */
export class Refusals {
  readonly #refused = new Set<string>();

  refuse(kind: ModelKind, key: string, message: string): ApplyReport {
    this.#refused.add(`${kind} ${key}`);
    return { kind, key, state: { type: "refused", message } };
  }

  /** The item is in force, or is no longer wanted: what there is to report. */
  over(kind: ModelKind, key: string): readonly ApplyReport[] {
    return this.#refused.delete(`${kind} ${key}`) ? [{ kind, key, state: { type: "programmed" } }] : [];
  }
}
