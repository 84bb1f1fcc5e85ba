import type { Messages } from "./generated/messages.ts";
import type { ModelKind } from "../../model/index.ts";

/** The kinds of resources that Envoy is given. */
export type ResourceType =
  | "envoy.config.cluster.v3.Cluster"
  | "envoy.config.endpoint.v3.ClusterLoadAssignment"
  | "envoy.extensions.transport_sockets.tls.v3.Secret"
  | "envoy.config.route.v3.ScopedRouteConfiguration"
  | "envoy.config.route.v3.RouteConfiguration"
  | "envoy.config.listener.v3.Listener";

/** What `render/` makes of an item of the model. */
export type RenderedResource = {
  [Type in ResourceType]: {
    readonly type: Type;
    /** Unique among its type, never `*`. A scope's name is a digest of its key, so that it can't come under two names at once. */
    readonly name: string;
    readonly message: Messages[Type];
    /** The item that is to blame if Envoy refuses it: its apply report gets Envoy's words. */
    readonly causedBy: CausingItem;
    /**
     * Secrets only: the hostname (exact, `*.suffix`, or `*`) whose server names this secret serves when Envoy asks for a secret by a server
     * name. The longest match is given, under the name asked for; without one Envoy is told that there is none.
     */
    readonly onDemandFor?: string;
  };
}[ResourceType];

export interface CausingItem {
  readonly kind: ModelKind;
  readonly key: string;
}
