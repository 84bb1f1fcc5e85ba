/** Flags about what is served beside the Gateway API: which Gateway does it, and which objects are ours. */
import type { ClusterOptions } from "../controller/index.ts";
import { defaultIngressClasses, defaultIngressControllers } from "../controller/names/index.ts";
import type { Flag } from "./flag.ts";
import type { Invocation } from "./invocation.ts";

type LayerSettings = NonNullable<ClusterOptions["layers"]>;

export const layerFlags: readonly Flag[] = [
  {
    name: "ingress-gateway",
    value: "NAMESPACE/NAME",
    summary: "serves Ingresses and HTTPProxies; may be missing (default: ingress)",
  },
  {
    name: "default-certificate",
    value: "NAMESPACE/NAME",
    summary: "Secret for TLS names without one, on a Gateway that is made up",
  },
  {
    name: "ingress-controller",
    value: "NAME",
    repeatable: true,
    summary: "this controller of IngressClasses is us (default: ours, InGate's)",
  },
  {
    name: "ingress-class",
    value: "NAME",
    repeatable: true,
    summary: `ours in the old annotation (default ${defaultIngressClasses.join(", ")})`,
  },
  { name: "ingress-class-by-name", summary: "--ingress-class is ours whatever its IngressClass says" },
  { name: "ingress-without-class", summary: "Ingresses without a class too (default for files)" },
  { name: "ignore-ingress-class", summary: "all Ingresses are ours" },
  {
    name: "httpproxy-class",
    value: "NAME",
    repeatable: true,
    summary: "class of our HTTPProxies (default gatewright; files: contour too)",
  },
  {
    name: "httpproxy-without-class",
    summary: "HTTPProxies without a class too (default for files)",
  },
  {
    name: "httpproxy-root-namespace",
    value: "NAMESPACE",
    repeatable: true,
    summary: "HTTPProxies with a virtualhost must be here",
  },
];

export interface LayerDefaults {
  /** `namespace/name` */
  readonly gateway: string;
  readonly gatewayClass: string;
  /** Files hold what is meant to be served: what names no class, or Contour's own, is. */
  readonly fromFiles: boolean;
}

/** Of files. */
export const fileLayers: LayerDefaults = {
  gateway: "default/ingress",
  gatewayClass: "gatewright",
  fromFiles: true,
};

export function readLayers(
  invocation: Invocation,
  { gateway, gatewayClass, fromFiles }: LayerDefaults,
):
  | { readonly outcome: "layers"; readonly layers: LayerSettings }
  | { readonly outcome: "malformed"; readonly message: string } {
  const wrong = ["ingress-gateway", "default-certificate"].find((flag) => {
    const value = invocation.value(flag);
    return value !== undefined && !isObjectName(value);
  });
  if (wrong !== undefined) {
    const message = `--${wrong}: ${invocation.value(wrong)} is not NAMESPACE/NAME, such as shop/web`;
    return { outcome: "malformed", message };
  }
  const [namespace, name] = invocation.value("default-certificate")?.split("/") ?? [];
  const classes = invocation.values("httpproxy-class");
  const ingressClasses = invocation.values("ingress-class");
  const ingressControllers = invocation.values("ingress-controller");
  const roots = invocation.values("httpproxy-root-namespace");
  return {
    outcome: "layers",
    layers: {
      gateway: invocation.value("ingress-gateway") ?? gateway,
      gatewayClass,
      ...(namespace !== undefined && name !== undefined && { defaultCertificate: { namespace, name } }),
      ingresses: {
        controllers: ingressControllers.length > 0 ? ingressControllers : defaultIngressControllers,
        names: ingressClasses.length > 0 ? ingressClasses : defaultIngressClasses,
        byName: invocation.has("ingress-class-by-name"),
        withoutClass: invocation.has("ingress-without-class") || fromFiles,
        ignoreClass: invocation.has("ignore-ingress-class"),
      },
      httpProxies: {
        classes: classes.length > 0 ? classes : fromFiles ? ["gatewright", "contour"] : ["gatewright"],
        withoutClass: invocation.has("httpproxy-without-class") || (fromFiles && classes.length === 0),
        ...(roots.length > 0 && { rootNamespaces: roots }),
      },
    },
  };
}

/** `namespace/name` */
export function isObjectName(text: string): boolean {
  return /^[-a-z0-9]{1,63}\/[-.a-z0-9]{1,253}$/.test(text);
}
