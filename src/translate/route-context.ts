import type { Read } from "../incremental/index.ts";
import type { ContentInputs } from "./content-inputs.ts";
import type { MeshTrust } from "./gateway-mesh.ts";
import type { GatewayView } from "./gateway-view.ts";
import type { LayerRoute } from "./layers.ts";

/** A route on its way through the rules: who it is, for which Gateway, and how to look at other objects. */
export interface RouteContext {
  /** For a route of a layer that of the object that it came from. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly gateway: GatewayView;
  readonly read: Read;
  readonly inputs: ContentInputs;
  /** Of a meshed route: how its backends are reached, or why they cannot be. */
  readonly mesh?: MeshTrust;
  /** Where it comes from a layer. */
  readonly layered?: LayerRoute;
}
