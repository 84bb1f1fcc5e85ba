// The Ingresses of ours, each judged by itself: what of them serves, and what are canaries of others.

import type { Collection, Graph, Index } from "../../incremental/index.ts";
import type { Ingress } from "../../resources/index.ts";
import type { LayerInputs } from "../layers.ts";
import { annotationPrefix } from "./annotation-table.ts";
import { canaryPaths, keyedPaths } from "./canary-paths.ts";
import { gatewayOf, isDefaultClass, isOurClass, judgeClass } from "./classes.ts";
import { judgeIngress, type JudgedIngress } from "./judged-ingress.ts";

/** What an Ingress can be judged by. */
export type IngressInputs = Pick<LayerInputs, "resources" | "settings" | "layers">;

export interface JudgedIngresses {
  readonly judged: Collection<JudgedIngress>;
  readonly canaries: Collection<Ingress>;
  /** Ingresses that serve, by `pathKey`. */
  readonly mainPaths: Index<unknown>;
}

/** The Ingresses of ours, without what the rest of the translation makes of them. */
export function judgedIngresses(
  graph: Graph,
  { resources, settings, layers }: IngressInputs,
): JudgedIngresses {
  const own = layers.ingresses;
  const defaults = graph.map("default IngressClasses", resources.ingressClasses, (one) =>
    own && isDefaultClass(one) && isOurClass(one, own) ? one : undefined,
  );
  const classInputs = own && {
    classes: resources.ingressClasses,
    defaults,
    settings: own,
    implicitClasses: settings.implicitClasses,
  };
  const ours = graph.map("Ingresses of ours", resources.ingresses, (ingress, read) => {
    const judged = classInputs && judgeClass(ingress, read, classInputs);
    return judged && { ingress, ...gatewayOf(judged.ingressClass, layers.gateway) };
  });
  const canaries = graph.map("canaries", ours, ({ ingress }) => (isCanary(ingress) ? ingress : undefined));
  const mains = graph.map("Ingresses that serve", ours, (one) => (isCanary(one.ingress) ? undefined : one));
  const inputs = {
    services: resources.services,
    tlsPolicies: graph.index("BackendTLSPolicies by Service", resources.backendTlsPolicies, (policy) =>
      policy.spec.targetRefs.map(({ name }) => `${policy.metadata.namespace}/${name}`),
    ),
    canaries: graph.index("canaries by path", canaryPaths(graph, canaries), ({ key }) => [key]),
  };
  return {
    canaries,
    judged: graph.map("judged Ingresses", mains, ({ ingress, ...gateway }, read) =>
      judgeIngress(ingress, gateway, read, inputs),
    ),
    mainPaths: graph.index("Ingresses by path", mains, ({ ingress }) =>
      keyedPaths(ingress).map(({ key }) => key),
    ),
  };
}

function isCanary({ metadata }: Ingress): boolean {
  return metadata.annotations[`${annotationPrefix}canary`]?.trim() === "true";
}
