import type { Read } from "../incremental/index.ts";
import type { ContentInputs } from "./content-inputs.ts";

/** What the content of a route has to know of the Gateway that it is translated for. */
export interface GatewayView {
  /** `namespace/name` */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  /** What statuses on its behalf are signed with. */
  readonly controllerName: string;
  /** What its proxy can do. */
  readonly features: ReadonlySet<string>;
  /** `Certificate` key of what is shown to backends that are spoken to by TLS. */
  readonly clientCertificate?: string;
}

/** A route on its way through the rules: who it is, for which Gateway, and how to look at other objects. */
export interface RouteContext {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly gateway: GatewayView;
  readonly read: Read;
  readonly inputs: ContentInputs;
}
