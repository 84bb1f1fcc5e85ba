/** What the translation has to know beside the objects. Fixed for the life of a graph. */
export interface TranslateSettings {
  /** GatewayClasses with one of these are ours; the first is written into statuses of Gateways without a class object. */
  readonly controllerNames: readonly string[];
  /** What the driver claims. */
  readonly features: ReadonlySet<string>;
  /**
   * Files on one machine: a Gateway whose class is not among the objects is ours, and a parentRef to a Gateway that is not there is
   * reported. On Kubernetes neither: somebody else may own it.
   */
  readonly implicitClasses: boolean;
  /** ExternalName Services can point anywhere, so they are refused unless an admin allows them. */
  readonly allowExternalNames: boolean;
  /** Endpoints on loopback and link-local addresses: fine on one machine, a hole on a cluster. */
  readonly allowLoopbackEndpoints: boolean;
}

export const gatewayGroup = "gateway.networking.k8s.io";

export const defaultControllerName = "gatewright.dev/gateway-controller";
