/*
 * How other APIs than the Gateway API enter the translation.
 *
 * A layer says what its objects mean in the Gateway API's words: listeners that it adds to a Gateway, and routes of the shape of
 * an HTTPRoute, TLSRoute or TCPRoute. From there on they go the way of all routes; `layer-sections.ts`, `layer-attachment.ts` and
 * `stood-up-gateway.ts` are where they differ. What the Gateway API has no field for is in `RuleExtras`, in the model's own words.
 *
 * Where two rules ask for the same of a request, Gateway API comes before HTTPProxy before Ingress (`layerRanks`), then age, then name.
 */
import type { Collection, Graph, Index } from "../incremental/index.ts";
import type {
  Backend,
  BackendTls,
  Certificate,
  ObjectName,
  RequestMatch,
  RuleAction,
} from "../model/index.ts";
import type { HTTPRoute, TCPRoute, TLSRoute } from "../resources/index.ts";
import type { ObjectStatus, Verdict } from "../status/index.ts";
import type { Judged } from "./certificates.ts";
import type { Aged } from "./object-age.ts";
import type { Resources } from "./resources.ts";
import type { LayerSettings, TranslateSettings } from "./settings.ts";

export type LayerName = "HTTPProxy" | "Ingress";

/** Smaller comes first; the Gateway API itself is 0. */
export const layerRanks: Readonly<Record<LayerName, number>> = { HTTPProxy: 1, Ingress: 2 };

/** Whether a route or section is of a layer, by its key. */
export function isLayered(key: string): boolean {
  return key.startsWith("Ingress/") || key.startsWith("HTTPProxy/");
}

/** Makes a layer, while the graph is built. Node names of the graph are unique: put the layer's name into them. */
export type LayerMaker = (graph: Graph, inputs: LayerInputs) => Layer;

export interface LayerInputs {
  readonly resources: Resources;
  readonly settings: TranslateSettings;
  /** What each Secret is as a key pair, by `namespace/name`. */
  readonly keyPairs: Collection<Judged<Certificate>>;
  /** `settings.layers` */
  readonly layers: LayerSettings;
}

/** What a layer gives, and what it makes of the outcome. */
export interface Layer {
  readonly name: LayerName;
  /** Keys begin with `<Kind>/<namespace>/<name>/`, and are otherwise as the layer likes. Where several ask for one hostname, the layer that comes first wins, then the oldest, then the first by name. */
  readonly listeners: Collection<LayerListener>;
  /** By `LayerRoute.key`. */
  readonly routes: Collection<LayerRoute>;
  /** Secrets and ConfigMaps that it looks at beside the certificates of its listeners, by `<Kind>/<namespace>/<name>`. */
  readonly references?: Collection<ObjectName>;
  /** Called once, while the graph is built. */
  conclude(outcome: LayerOutcome): LayerConclusion;
}

export interface LayerConclusion {
  /** By the object's `<Kind>/<namespace>/<name>`. */
  readonly statuses: Collection<ObjectStatus>;
  /** What the owner of an object should know and its status has no place for: an Event on a cluster, a finding of `check`. */
  readonly remarks?: Collection<Remark>;
}

/** TLS for one hostname on the Gateway's HTTPS port. Plain HTTP needs none: the Gateway has it or does not. */
export interface LayerListener {
  readonly layer: LayerName;
  readonly source: ObjectName;
  readonly age: Aged;
  /** `namespace/name` */
  readonly gateway: string;
  /** `TLS` is for TLSRoutes: passed through without certificates, ended here with some. */
  readonly protocol: "HTTPS" | "TLS";
  /** Lower-case name, `*.suffix`, or `*`. */
  readonly hostname: string;
  /** Secrets whose use the layer has permitted already. Those that cannot be used are left out and told in the outcome. */
  readonly certificates: readonly { readonly namespace: string; readonly name: string }[];
}

/** Routes that a layer may make. Metadata is the source's: its namespace is where backends are, its age counts. */
export type LayeredRoute = HTTPRoute | TLSRoute | TCPRoute;

export interface LayerRoute {
  /** `<Kind>/<namespace>/<name>` of the object, and a part after another slash where it becomes several routes. */
  readonly key: string;
  readonly layer: LayerName;
  readonly source: ObjectName;
  /** `namespace/name` of the one that serves it. */
  readonly gateway: string;
  /** Sections of which protocols take it: an Ingress that redirects to HTTPS is one route for HTTP and another for HTTPS. */
  readonly protocols: readonly ("HTTP" | "HTTPS" | "TLS" | "TCP")[];
  /** `parentRefs` and `sectionName` are not looked at. A hostname is served by sections that cover it whole. */
  readonly route: LayeredRoute;
  /** Its wildcards stand for exactly one label, as an Ingress's do, and not for any number. HTTPRoute only. */
  readonly oneLabel?: boolean;
  /** By the index of the rule. */
  readonly extras?: readonly (RuleExtras | undefined)[];
  /** By the index of the rule: what verdicts call it. Absent: as the Gateway API does. */
  readonly fields?: readonly RuleFields[];
}

export interface RuleFields {
  /** Where it stands in the object that it came from: `spec.routes[1]` of an HTTPProxy. */
  readonly rule: string;
  /** By the index of the backendRef: `spec.routes[1].services[0]`. */
  readonly backends: readonly string[];
}

/** What a rule has beyond an HTTPRoute's. A proxy that cannot do it answers with an error, never without it. */
export interface RuleExtras extends Pick<RuleAction, "clientAddresses" | "rateLimit" | "maxBodySize"> {
  /** What its matches ask of headers and query parameters, beside what they say themselves: several of one name, and inverted ones. */
  readonly match?: Pick<RequestMatch, "headers" | "queryParams">;
  /** Its redirect leads to the port on which the Gateway serves HTTPS. */
  readonly toSecurePort?: true;
  /** `Timeouts.idle` */
  readonly idleTimeout?: number;
  /** Of all its backends. */
  readonly backend?: BackendExtras;
  /** By the index of the backendRef; instead of `backend`. */
  readonly backends?: readonly (BackendExtras | undefined)[];
  /** Requests that the rule takes are answered with an error: something that protects what is behind it cannot be had. */
  readonly blocked?: string;
}

/** How a backend is spoken to, where it is not the Service or a policy that says so. */
export interface BackendExtras extends Pick<
  Backend,
  "connectTimeout" | "idleTimeout" | "loadBalancing" | "healthCheck"
> {
  /** Over what the Service's `appProtocol` says. */
  readonly protocol?: "http" | "h2c";
  /** Over what a BackendTLSPolicy says. `trusted` may name `Secret/<namespace>/<name>/ca.crt` too. */
  readonly tls?: BackendTls;
}

/** What became of a layer's objects. Read what is your own: other layers' are in it too. */
export interface LayerOutcome {
  /** By the source's `<Kind>/<namespace>/<name>`. */
  readonly routes: Index<RouteOutcome>;
  /** By the source's `<Kind>/<namespace>/<name>`. */
  readonly listeners: Index<ListenerOutcome>;
  /** By the Gateway's key: where it is reached, while it serves. */
  readonly addresses: Collection<readonly GatewayAddress[]>;
}

export interface RouteOutcome {
  readonly key: string;
  /** Whether it takes connections, and not requests. */
  readonly isStream: boolean;
  readonly source: ObjectName;
  readonly gateway: string;
  /** Whether a section takes it, and its content can be served. */
  readonly accepted: Verdict;
  readonly resolvedRefs: Verdict | undefined;
  /** Rules that were dropped. */
  readonly partiallyInvalid: Verdict | undefined;
  /** What a proxy has against it; its last good version is served. */
  readonly refusal: string | undefined;
}

/** Why, where an outcome has a `refusal`. A word of our own: no other gateway tells. */
export const refusedByProxy = "RefusedByProxy";

export interface ListenerOutcome {
  readonly source: ObjectName;
  readonly hostname: string;
  /** `False` where another object's is served for the hostname, or none can be. */
  readonly accepted: Verdict;
  readonly resolvedRefs: Verdict;
  /** What a proxy has against a certificate that we took for good. */
  readonly refusal: string | undefined;
}

export interface GatewayAddress {
  readonly type: string;
  readonly value: string;
}

/** Something to tell the owner of an object. */
export interface Remark extends ObjectName {
  /** Of the object, where an API server gave one. */
  readonly uid?: string;
  readonly severity: "error" | "warning";
  /** One word, as Events have it. */
  readonly reason: string;
  /** `metadata.annotations[…]`, `spec.rules[0].http.paths[1]` */
  readonly field: string;
  readonly message: string;
}
