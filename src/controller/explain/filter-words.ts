import { changePath, type HeaderChanges, type Rewrite } from "../../model/index.ts";
import type { Step } from "./explanation.ts";

/** One step for what changes in the headers of a request or response. */
export function headerSteps(of: "request" | "response", changes: HeaderChanges | undefined): Step[] {
  if (!changes) return [];
  const words = [
    ...changes.remove.map((name) => `remove ${name}`),
    ...changes.set.map(({ name, value }) => `set ${name}: ${value}`),
    ...changes.add.map(({ name, value }) => `add ${name}: ${value}`),
  ];
  return words.length === 0
    ? []
    : [{ about: "filter", mark: "note", text: `${of} headers: ${words.join(", ")}` }];
}

export function rewriteStep({ hostname, path: change }: Rewrite, path: string): Step {
  const words = [
    ...(hostname === undefined ? [] : [`host becomes ${hostname}`]),
    ...(change ? [`path ${path} becomes ${changePath(path, change)}`] : []),
  ];
  return { about: "filter", mark: "note", text: `rewrite: ${words.join(", ")}` };
}
