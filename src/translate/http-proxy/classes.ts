import type { HTTPProxy } from "../../resources/index.ts";
import type { HTTPProxySettings } from "../settings.ts";

/** Spec: the annotations come before the field. */
const annotations = ["projectcontour.io/ingress.class", "kubernetes.io/ingress.class"] as const;

export function classOf({ metadata, spec }: HTTPProxy): string | undefined {
  const annotated = annotations
    .map((name) => metadata.annotations[name])
    .find((text) => text !== undefined && text !== "");
  return annotated ?? (spec.ingressClassName || undefined);
}

/** Whether it is ours to serve. */
export function isOurs(proxy: HTTPProxy, { classes, withoutClass }: HTTPProxySettings): boolean {
  const name = classOf(proxy);
  return name === undefined ? withoutClass : classes.includes(name);
}
