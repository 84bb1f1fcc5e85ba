/** Which mesh is installed, and from where. An admin sets it for the operator; a developer may say otherwise on the class. */
import type { KubernetesObject } from "../../kubernetes/index.ts";

export interface MeshSettings {
  /** The CatalogSource. */
  readonly catalog: string;
  readonly channel: string;
  /** The ClusterServiceVersion that is installed: `servicemeshoperator3.v3.4.1`. */
  readonly version: string;
  readonly istioVersion: string;
}

export const defaultMesh: MeshSettings = {
  catalog: "redhat-operators",
  channel: "stable",
  version: "servicemeshoperator3.v3.4.1",
  istioVersion: "v1.30-latest",
};

const prefix = "unsupported.do-not-use.openshift.io/";

export function meshSettingsOf(settings: MeshSettings, { metadata }: KubernetesObject): MeshSettings {
  const annotations = metadata.annotations ?? {};
  const own = (name: string) =>
    Object.hasOwn(annotations, prefix + name) ? annotations[prefix + name] || undefined : undefined;
  return {
    catalog: own("ossm-catalog") ?? settings.catalog,
    channel: own("ossm-channel") ?? settings.channel,
    version: own("ossm-version") ?? settings.version,
    istioVersion: own("istio-version") ?? settings.istioVersion,
  };
}
