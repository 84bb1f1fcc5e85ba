import type { Listener } from "../resources/index.ts";
import type { Verdict } from "../status/index.ts";
import type { LayerName } from "./layers.ts";
import type { RouteKind } from "./listener-protocols.ts";

/** One listener of the API: of a Gateway, or of a ListenerSet or layer that adds to it. */
export interface Section {
  /** `<Kind>/<namespace>/<name>/<section>` */
  readonly key: string;
  /** `<Kind>/<namespace>/<name>` of the Gateway, ListenerSet or object of a layer. */
  readonly owner: string;
  readonly ownerKind: "Gateway" | "ListenerSet" | LayerName;
  readonly namespace: string;
  /** `namespace/name` of the Gateway. */
  readonly gateway: string;
  /** Key of the model's listener: the port that it shares with other sections. */
  readonly listener: string;
  readonly spec: Listener;
  /** In the list of its owner. */
  readonly position: number;
  /** Lower-case, `*` for none. */
  readonly hostname: string;
  /** Those that can attach. Spec: what is supported for the listener's configuration, so none where that itself is not. */
  readonly kinds: readonly RouteKind[];
  /** Kinds in `allowedRoutes.kinds` that are not served. */
  readonly refusedKinds: readonly string[];
  /** Why it is not served, from what it says itself and its neighbours say. */
  readonly refusal: Verdict | undefined;
  readonly conflict: Conflict | undefined;
  /** Another listener of the port with TLS has a hostname that overlaps with this one's. */
  readonly overlapping: boolean;
}

/** Why a listener cannot be told apart from another. */
export interface Conflict {
  readonly reason: "ProtocolConflict" | "HostnameConflict" | "ListenerConflict";
  readonly message: string;
  /** The two could be told apart, but not by this proxy. */
  readonly isUnsupported?: true;
}

export const certificateOption = "gatewright.dev/route-certificates";

/** Whether the owner of the listener lets routes bring certificates (`route-certificates.ts`). */
export function allowsRouteCertificates({ spec }: Section): boolean {
  return (
    spec.protocol === "HTTPS" &&
    Object.hasOwn(spec.tls?.options ?? {}, certificateOption) &&
    spec.tls?.options?.[certificateOption] === "Allow"
  );
}
