import type { GatewayMesh } from "./gateway-mesh.ts";

/** What a route has to know of its Gateway, and no more: what else changes in a Gateway must not reach its routes. */
export interface GatewayView {
  /** `namespace/name` */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly accepted: boolean;
  /** Serves layers alone: no route of the Gateway API attaches to it. */
  readonly isStoodUp?: boolean;
  /** Routes that use default Gateways attach to it. */
  readonly isDefault: boolean;
  /** What statuses on its behalf are signed with. */
  readonly controllerName: string;
  /** What its proxy can do. */
  readonly features: ReadonlySet<string>;
  /** Where layers are served with TLS. */
  readonly securePort?: number | undefined;
  /** `Certificate` key of what is shown to backends that are spoken to by TLS. */
  readonly clientCertificate?: string;
  /** What its `spec.mesh` comes to. */
  readonly mesh?: GatewayMesh;
}
