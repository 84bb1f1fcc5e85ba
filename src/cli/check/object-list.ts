import { dump } from "js-yaml";
import type { ShownObject } from "../../controller/index.ts";

/** Objects as `kubectl get -o json` or `-o yaml` shows them: a `v1` List. */
export function renderList(objects: readonly ShownObject[], format: "json" | "yaml"): string {
  return renderValue({ apiVersion: "v1", kind: "List", items: objects }, format);
}

export function renderValue(value: unknown, format: "json" | "yaml"): string {
  const json = JSON.stringify(value, null, 2);
  if (format === "json") return `${json}\n`;
  // Through JSON: what is undefined goes, and parts that are shared are written out instead of being referred to.
  return dump(JSON.parse(json), { noRefs: true, lineWidth: -1 });
}
