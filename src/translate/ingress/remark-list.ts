import type { Ingress } from "../../resources/index.ts";
import type { Remark } from "../layers.ts";

/** What is to be told to the owner of one Ingress, collected while it is judged. */
export class RemarkList {
  readonly #ingress: Ingress;
  readonly #remarks = new Map<string, Remark>();

  constructor(ingress: Ingress) {
    this.#ingress = ingress;
  }

  get all(): readonly Remark[] {
    return [...this.#remarks.values()];
  }

  /** Something that was asked for is not served. */
  error(reason: string, field: string, message: string): undefined {
    this.#add("error", reason, field, message);
    return undefined;
  }

  /** Something is left out, and nothing is opened by that. */
  warn(reason: string, field: string, message: string): undefined {
    this.#add("warning", reason, field, message);
    return undefined;
  }

  #add(severity: Remark["severity"], reason: string, field: string, message: string): void {
    const { namespace, name, uid } = this.#ingress.metadata;
    const remark = { kind: "Ingress", namespace, name, ...(uid !== undefined && { uid }), severity, reason };
    this.#remarks.set(remarkKey({ ...remark, field }), { ...remark, field, message });
  }
}

export function remarkKey({
  kind,
  namespace,
  name,
  reason,
  field,
}: Omit<Remark, "severity" | "message">): string {
  return `${kind}/${namespace}/${name}|${reason}|${field}`;
}
