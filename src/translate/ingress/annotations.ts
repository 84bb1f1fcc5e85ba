// Reads the annotations of one Ingress. A value that cannot be read is told, and is as good as none: who needs more than that asks for it.

import { nearest, type Ingress } from "../../resources/index.ts";
import { annotationPrefix, annotationRoles, isSwitchedOff } from "./annotation-table.ts";
import type { RemarkList } from "./remark-list.ts";

export class Annotations {
  readonly #values: ReadonlyMap<string, string>;
  readonly #remarks: RemarkList;

  constructor({ metadata }: Ingress, remarks: RemarkList) {
    this.#remarks = remarks;
    this.#values = new Map(
      Object.entries(metadata.annotations).flatMap(([name, value]) =>
        name.startsWith(annotationPrefix) && value.trim() !== ""
          ? [[name.slice(annotationPrefix.length), value.trim()] as const]
          : [],
      ),
    );
  }

  get names(): readonly string[] {
    return [...this.#values.keys()].toSorted();
  }

  text(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** As Go reads it. */
  flag(name: string): boolean | undefined {
    const text = this.#values.get(name);
    if (text === undefined) return undefined;
    if (/^(?:1|t|T|TRUE|true|True)$/.test(text)) return true;
    if (/^(?:0|f|F|FALSE|false|False)$/.test(text)) return false;
    return this.unreadable(name, "must be true or false");
  }

  count(
    name: string,
    { least, most }: { readonly least: number; readonly most: number },
  ): number | undefined {
    const text = this.#values.get(name);
    if (text === undefined) return undefined;
    const value = /^[0-9]{1,12}$/.test(text) ? Number(text) : -1;
    if (value >= least && value <= most) return value;
    return this.unreadable(name, `must be a whole number from ${least} to ${most}`);
  }

  /** Milliseconds of `60` or `60s`. */
  seconds(name: string): number | undefined {
    const text = this.#values.get(name);
    if (text === undefined) return undefined;
    const parts = /^([0-9]{1,7})s?$/.exec(text);
    if (parts && Number(parts[1]) > 0) return Number(parts[1]) * 1000;
    return this.unreadable(name, "must be a number of seconds, such as 60");
  }

  list(name: string): readonly string[] | undefined {
    const items = this.#values
      .get(name)
      ?.split(",")
      .map((text) => text.trim())
      .filter((text) => text !== "");
    return items && items.length > 0 ? items : undefined;
  }

  unreadable(name: string, why: string): undefined {
    const shown = JSON.stringify(this.#values.get(name));
    return this.#remarks.warn("InvalidAnnotation", fieldOf(name), `${shown} is left out: it ${why}`);
  }

  /** Why the Ingress must not be served, if an annotation says what it cannot do without. */
  judgeRoles(): string | undefined {
    let blocked: string | undefined;
    for (const name of this.names) {
      const role = annotationRoles.get(name);
      const field = fieldOf(name);
      if (role === "honoured" || isSwitchedOff(name, (one) => this.text(one))) continue;
      if (role === undefined) {
        const meant = nearest(name, annotationRoles.keys());
        const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
        this.#remarks.warn("UnknownAnnotation", field, `is not known here, and left out${hint}`);
      } else if (role === "left out") {
        this.#remarks.warn("AnnotationLeftOut", field, "is not done here, and left out; see docs/ingress.md");
      } else if (role === "snippet") {
        const message =
          "snippets are never put into a proxy's configuration; requests are answered with 500 until it is taken away, because it may guard what is behind it";
        this.#remarks.error("SnippetRefused", field, message);
        blocked ??= `${field}: snippets are never honoured`;
      } else {
        const message = `cannot be honoured here and protects what is behind it; requests are answered with 500 until it is taken away`;
        this.#remarks.error("AnnotationNotSupported", field, message);
        blocked ??= `${field} cannot be honoured`;
      }
    }
    return blocked;
  }
}

export function fieldOf(name: string): string {
  return `metadata.annotations[${annotationPrefix}${name}]`;
}
