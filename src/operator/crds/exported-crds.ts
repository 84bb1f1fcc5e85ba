/** Objects as somebody would apply them: for a backup before an upgrade, and for the way back. */
import type { KubernetesObject } from "../../kubernetes/index.ts";

const appliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

/** Without what the API server adds. */
export function exportedObject({ apiVersion, kind, metadata, spec }: KubernetesObject): KubernetesObject {
  const { [appliedAnnotation]: _applied, ...annotations } = metadata.annotations ?? {};
  return {
    apiVersion,
    kind,
    metadata: {
      name: metadata.name,
      ...(Object.keys(annotations).length > 0 && { annotations }),
      ...(metadata.labels && { labels: metadata.labels }),
    },
    spec,
  };
}
