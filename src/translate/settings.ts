import type { ContourListenerPolicy } from "./contour/listener-rules.ts";

/** What the translation has to know beside the objects. Fixed for the life of a graph. */
export interface TranslateSettings {
  /** GatewayClasses with one of these are ours; the first is written into statuses of Gateways without a class object. */
  readonly controllerNames: readonly string[];
  /** What the default driver claims. */
  readonly features: ReadonlySet<string>;
  /** Its name. */
  readonly defaultDriver?: string;
  /** All drivers that a ProxyConfig may choose, with what they claim. Absent: the default one only. */
  readonly drivers?: ReadonlyMap<string, ReadonlySet<string>>;
  /**
   * Each Gateway has proxies and a load balancer of its own, which somebody makes and reports on: addresses come from
   * `fleetStates`, and no Gateway is programmed without one. Otherwise proxies say themselves where they can be reached.
   */
  readonly infrastructure?: boolean;
  /** The proxies may not bind ports below 1024 and something before them maps: see `Listener.bindPort`. */
  readonly mapPrivilegedPorts?: boolean;
  /**
   * Files on one machine: a Gateway whose class is not among the objects is ours, and a parentRef to a Gateway that is not there is
   * reported. On Kubernetes neither: somebody else may own it.
   */
  readonly implicitClasses: boolean;
  /** ExternalName Services can point anywhere, so they are refused unless an admin allows them. */
  readonly allowExternalNames: boolean;
  /** Endpoints on loopback and link-local addresses: fine on one machine, a hole on a cluster. */
  readonly allowLoopbackEndpoints: boolean;
  /**
   * Single-Gateway mode: this Gateway (`namespace/name`) is served, whatever its class, and no other; without one, none. GatewayClasses
   * play no part, and addresses are left to whoever runs the proxy.
   */
  readonly singleGateway?: { readonly gateway?: string };
  /** Listeners and statuses by the rules and in the words of Contour. Absent: the API's own. */
  readonly listenerPolicy?: ContourListenerPolicy;
  /** Of Ingress and HTTPProxy. Absent: they are not served. */
  readonly layers?: LayerSettings;
}

export interface LayerSettings {
  /** `namespace/name` of the Gateway that serves them; where it is not there, one is stood up. */
  readonly gateway: string;
  /** Of the one that is stood up. If there is no such class, it has none of its parameters. */
  readonly gatewayClass: string;
  /** For TLS names without a certificate of their own, on the Gateway that is stood up. */
  readonly defaultCertificate?: { readonly namespace: string; readonly name: string };
  /** Absent: HTTPProxies are not served. */
  readonly httpProxies?: HTTPProxySettings;
  /** Absent: Ingresses are not served. */
  readonly ingresses?: IngressSettings;
}

export interface HTTPProxySettings {
  /** HTTPProxies of these classes are ours. */
  readonly classes: readonly string[];
  /** Those that name no class are ours too. */
  readonly withoutClass: boolean;
  /** Where roots may be. Absent or empty: everywhere. */
  readonly rootNamespaces?: readonly string[];
}

export interface IngressSettings {
  /** IngressClasses with one of these are ours. */
  readonly controllers: readonly string[];
  /** Names of classes of ours where there is no IngressClass: in the annotation kubernetes.io/ingress.class, and with `byName` in the field too. */
  readonly names: readonly string[];
  /** A class with one of the names is ours, whoever its IngressClass says controls it. */
  readonly byName: boolean;
  /** Ingresses that name no class, and have no default class, are ours too. */
  readonly withoutClass: boolean;
  /** All Ingresses are ours, whatever their class. */
  readonly ignoreClass: boolean;
}

/** In single-Gateway mode all that is made for the Gateway is named after this. */
export const singleGatewayClass = "gatewright";

export const gatewayGroup = "gateway.networking.k8s.io";

export const defaultControllerName = "gatewright.dev/gateway-controller";

/** Ours, and those of InGate, whose users find their objects served as they are. */
export const defaultIngressControllers: readonly string[] = [
  "gatewright.dev/ingress-controller",
  "k8s.io/ingate",
];
export const defaultIngressClasses: readonly string[] = ["gatewright", "ingate"];
