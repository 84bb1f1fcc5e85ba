// Which Ingresses are ours, and which Gateway serves them.
//
// Spec, Ingress: `spec.ingressClassName` names an IngressClass, whose `spec.controller` says who serves it. The annotation kubernetes.io/ingress.class is older, and comes first where both are
// there. Without either the default class holds: the IngressClass that is marked so.
// An IngressClass can name the Gateway that serves it with `spec.parameters`.

import type { Collection, Read } from "../../incremental/index.ts";
import type { Ingress, IngressClass } from "../../resources/index.ts";
import { gatewayGroup, type IngressSettings } from "../settings.ts";

export const classAnnotation = "kubernetes.io/ingress.class";
const defaultAnnotation = "ingressclass.kubernetes.io/is-default-class";

export interface ClassInputs {
  readonly classes: Collection<IngressClass>;
  /** Those of ours that are marked as default, by their names. */
  readonly defaults: Collection<IngressClass>;
  readonly settings: IngressSettings;
  /** Of files on one machine: a class that is not among the objects is ours. */
  readonly implicitClasses: boolean;
}

export function isOurClass({ spec }: IngressClass, { controllers }: IngressSettings): boolean {
  return controllers.includes(spec.controller);
}

export function isDefaultClass({ metadata }: IngressClass): boolean {
  return metadata.annotations[defaultAnnotation] === "true";
}

/** Whether it is ours, and its class where there is one. */
export function judgeClass(
  { metadata, spec }: Ingress,
  read: Read,
  inputs: ClassInputs,
): { readonly ingressClass: IngressClass | undefined } | undefined {
  const { classes, defaults, settings, implicitClasses } = inputs;
  const name = metadata.annotations[classAnnotation] || spec.ingressClassName;
  if (name !== undefined) {
    const ingressClass = read.one(classes, name);
    const isNamed = settings.names.includes(name);
    if (ingressClass) {
      const isOurs = isOurClass(ingressClass, settings) || (settings.byName && isNamed);
      return isOurs || settings.ignoreClass ? { ingressClass } : undefined;
    }
    // The annotation's text is a name of its own: there need not be a class of that name.
    const isAnnotated = metadata.annotations[classAnnotation] === name;
    const isOurs = implicitClasses || settings.ignoreClass || (isNamed && (isAnnotated || settings.byName));
    return isOurs ? { ingressClass: undefined } : undefined;
  }
  const [first] = read.every(defaults);
  if (first) return { ingressClass: first[1] };
  const isOurs = settings.withoutClass || settings.ignoreClass || implicitClasses;
  return isOurs ? { ingressClass: undefined } : undefined;
}

/** `namespace/name` */
export function gatewayOf(
  ingressClass: IngressClass | undefined,
  usual: string,
): { readonly gateway: string; readonly wrong?: string } {
  const parameters = ingressClass?.spec.parameters;
  if (!parameters) return { gateway: usual };
  const { apiGroup, kind, scope, namespace, name } = parameters;
  if (apiGroup === gatewayGroup && kind === "Gateway" && scope === "Namespace")
    return { gateway: `${namespace}/${name}` };
  const wrong = `spec.parameters of IngressClass ${ingressClass.metadata.name} must name a Gateway: apiGroup ${gatewayGroup}, kind Gateway, scope Namespace, and its namespace`;
  return { gateway: usual, wrong };
}
