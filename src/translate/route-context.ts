import type { Read } from "../incremental/index.ts";
import type { ContentInputs } from "./content-inputs.ts";
import type { GatewayView } from "./gateway-view.ts";

/** A route on its way through the rules: who it is, for which Gateway, and how to look at other objects. */
export interface RouteContext {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly gateway: GatewayView;
  readonly read: Read;
  readonly inputs: ContentInputs;
}
