// The paths of canaries, by what they have in common with the paths that they take requests from.

import type { Collection, Graph } from "../../incremental/index.ts";
import type { Ingress, IngressBackend, IngressPath } from "../../resources/index.ts";
import type { Remark } from "../layers.ts";
import { Annotations } from "./annotations.ts";
import { judgeCanary, type Canary } from "./canaries.ts";
import { RemarkList, remarkKey } from "./remark-list.ts";

export interface CanaryPath {
  readonly ingress: Ingress;
  readonly canary: Canary;
  /** `pathKey` */
  readonly key: string;
  readonly backend: IngressBackend;
}

/** Those of one namespace with the same one ask for the same requests. */
export function pathKey(
  namespace: string,
  hostname: string,
  { path = "", pathType }: Pick<IngressPath, "path" | "pathType">,
): string {
  const kind = pathType === "Exact" ? "exact" : "prefix";
  return `${namespace}|${hostname}|${kind}|${path === "" ? "/" : path}`;
}

/** All paths of an Ingress with their keys. */
export function keyedPaths({ metadata, spec }: Ingress): readonly { key: string; path: IngressPath }[] {
  return (spec.rules ?? []).flatMap(({ host = "", http }) => {
    const hostname = host === "" ? "*" : host.toLowerCase();
    return (http?.paths ?? []).map((path) => ({ key: pathKey(metadata.namespace, hostname, path), path }));
  });
}

export function canaryPaths(graph: Graph, canaries: Collection<Ingress>): Collection<CanaryPath> {
  return graph.derive("paths of canaries", canaries, (ingress, _read, name) => {
    const remarks = new RemarkList(ingress);
    const canary = judgeCanary(new Annotations(ingress, remarks), remarks);
    if (!canary) return [];
    return keyedPaths(ingress).map(({ key, path }) => {
      return [`${name}|${key}`, { ingress, canary, key, backend: path.backend }] as const;
    });
  });
}

/** What is wrong with a canary itself. */
export function canaryRemarks(
  ingress: Ingress,
  hasMain: (key: string) => boolean,
): readonly (readonly [string, Remark])[] {
  const remarks = new RemarkList(ingress);
  const annotations = new Annotations(ingress, remarks);
  judgeCanary(annotations, remarks);
  if (!keyedPaths(ingress).some(({ key }) => hasMain(key)))
    remarks.warn(
      "NoMainIngress",
      "spec.rules",
      "no other Ingress of this namespace and class has a host and path of this canary, so it gets no requests",
    );
  return remarks.all.map((remark) => [remarkKey(remark), remark] as const);
}
