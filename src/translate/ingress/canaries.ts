// Annotation canary: the Ingress serves nothing by itself. Where another Ingress of its namespace has the same host and path, some of that one's requests go to its backend.
//
// ingress-nginx: a header decides before a cookie before a weight. `always` and `never` are the words of both, unless a value or an expression is given for the header.
// Of several canaries of one path the oldest counts. Apart from these, annotations of a canary mean nothing.

import { parseRegularExpression } from "../../model/index.ts";
import { isFieldName, isFieldValue, type HTTPHeaderMatch } from "../../resources/index.ts";
import { fieldOf, type Annotations } from "./annotations.ts";
import type { RemarkList } from "./remark-list.ts";

export interface Canary {
  /** In this order, before the weights: requests with this header go to the canary, or to nobody else. */
  readonly choices: readonly { readonly header: HTTPHeaderMatch; readonly takes: "canary" | "main" }[];
  readonly weight: number;
  /** Of both together. */
  readonly total: number;
}

/** `undefined`: it is an Ingress like others. */
export function judgeCanary(annotations: Annotations, remarks: RemarkList): Canary | undefined {
  if (annotations.flag("canary") !== true) return undefined;
  const most = 1_000_000;
  const total = annotations.count("canary-weight-total", { least: 1, most }) ?? 100;
  const weight = annotations.count("canary-weight", { least: 0, most }) ?? 0;
  return {
    choices: [...headerChoices(annotations, remarks), ...cookieChoices(annotations)],
    weight: Math.min(weight, total),
    total,
  };
}

function headerChoices(annotations: Annotations, remarks: RemarkList): Canary["choices"] {
  const name = annotations.text("canary-by-header");
  if (name === undefined) return [];
  if (!isFieldName(name)) {
    annotations.unreadable("canary-by-header", "must be a name that a header can have");
    return [];
  }
  const value = annotations.text("canary-by-header-value");
  if (value !== undefined) {
    if (isFieldValue(value)) return [{ header: { type: "Exact", name, value }, takes: "canary" }];
    annotations.unreadable("canary-by-header-value", "must be a value that a header can have");
    return [];
  }
  const pattern = annotations.text("canary-by-header-pattern");
  if (pattern !== undefined) {
    const whole = `(?:.*(?:${pattern}).*)`;
    const verdict = parseRegularExpression(whole);
    if (verdict.ok) return [{ header: { type: "RegularExpression", name, value: whole }, takes: "canary" }];
    remarks.warn(
      "InvalidAnnotation",
      fieldOf("canary-by-header-pattern"),
      `${JSON.stringify(pattern)} is left out: ${verdict.problem}`,
    );
    return [];
  }
  return [
    { header: { type: "Exact", name, value: "always" }, takes: "canary" },
    { header: { type: "Exact", name, value: "never" }, takes: "main" },
  ];
}

function cookieChoices(annotations: Annotations): Canary["choices"] {
  const name = annotations.text("canary-by-cookie");
  if (name === undefined) return [];
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) {
    annotations.unreadable("canary-by-cookie", "must be a name that a cookie can have");
    return [];
  }
  const literal = name.replaceAll(/[^A-Za-z0-9_-]/g, String.raw`\$&`);
  const holding = (value: string): HTTPHeaderMatch => ({
    type: "RegularExpression",
    name: "cookie",
    value: `(?:.*;)? *${literal}=${value} *(?:;.*)?`,
  });
  return [
    { header: holding("always"), takes: "canary" },
    { header: holding("never"), takes: "main" },
  ];
}
