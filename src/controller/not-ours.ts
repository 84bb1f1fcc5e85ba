/** Objects that somebody else serves, and how it is told. */
import { resourceKey } from "../resources/index.ts";
import type { Controller } from "./controller.ts";

interface ObjectLike {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: unknown };
  readonly spec?: unknown;
}

/** `spec.controllerName` of GatewayClasses and `spec.controller` of IngressClasses, by `<Kind>/<name>`. */
type ClassControllers = ReadonlyMap<string, string>;

export function classControllers(objects: Iterable<ObjectLike>): ClassControllers {
  const controllers = new Map<string, string>();
  for (const { kind, metadata, spec } of objects) {
    if (kind !== "GatewayClass" && kind !== "IngressClass") continue;
    const { controllerName, controller } = spec as Readonly<Record<string, string | undefined>>;
    controllers.set(`${kind}/${metadata.name}`, controllerName ?? controller ?? "");
  }
  return controllers;
}

/** Why an object has no status of ours. */
export function whyNotOurs(object: ObjectLike, controllers: ClassControllers): string {
  const { kind, metadata } = object;
  const { gatewayClassName } = (object.spec ?? {}) as { readonly gatewayClassName?: string };
  const className = kind === "GatewayClass" ? metadata.name : gatewayClassName;
  const controller = className === undefined ? undefined : controllers.get(`GatewayClass/${className}`);
  if (controller !== undefined) {
    return `class ${className} is of another controller: its spec.controllerName is ${controller}`;
  }
  if (kind === "Ingress") return foreignIngress(object, controllers);
  if (kind === "HTTPProxy") return foreignProxy(object);
  if (kind.endsWith("Route")) return "none of its parentRefs leads to a Gateway that is served here";
  if (kind.endsWith("Policy")) return "nothing that it targets is used by a route that is served here";
  if (kind === "ListenerSet") return "its parentRef does not lead to a Gateway that is served here";
  // Classes that are not among the objects are ours in files, so the class is not what keeps it out.
  if (kind === "Gateway") return "one Gateway alone is served here (--gateway, --mode), and it is another";
  return "another controller is responsible for it";
}

function foreignIngress(object: ObjectLike, controllers: ClassControllers): string {
  const name = classOf(object, ["kubernetes.io/ingress.class"]);
  if (name === undefined) return "it has no class; --ingress-without-class takes those too";
  const controller = controllers.get(`IngressClass/${name}`);
  const whose =
    controller === undefined
      ? "is not ours"
      : `is of another controller: its spec.controller is ${controller}`;
  return `class ${name} ${whose}; --ignore-ingress-class takes all Ingresses`;
}

function foreignProxy(object: ObjectLike): string {
  const name = classOf(object, ["projectcontour.io/ingress.class", "kubernetes.io/ingress.class"]);
  return name === undefined
    ? "it has no class; --httpproxy-without-class takes those too"
    : `class ${name} is not ours; --httpproxy-class ${name} makes it so`;
}

/** Annotations come before the field. */
function classOf({ metadata, spec }: ObjectLike, names: readonly string[]): string | undefined {
  const annotations = (metadata.annotations ?? {}) as Readonly<Record<string, string>>;
  const { ingressClassName } = (spec ?? {}) as { readonly ingressClassName?: string };
  return names.map((name) => annotations[name]).find((text) => text) ?? (ingressClassName || undefined);
}

/** Gateways, Ingresses and HTTPProxies that are not served because of their class, a sentence for each. */
export function notOurs(controller: Controller): string[] {
  const served = new Set(Array.from(controller.statuses.entries(), ([, { key }]) => key));
  const controllers = classControllers(controller.resources());
  return Array.from(controller.resources()).flatMap((resource) => {
    const { kind } = resource;
    if (kind !== "Gateway" && kind !== "Ingress" && kind !== "HTTPProxy") return [];
    const key = resourceKey(resource);
    if (served.has(`${kind}/${key}`)) return [];
    return [`${kind} ${key} is not served here: ${whyNotOurs(resource, controllers)}`];
  });
}
