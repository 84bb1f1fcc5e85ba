import type { Compat, CrdBundle, Maturity, MeshSettings, ProfileName } from "../../operator/index.ts";
import type { Gate } from "../../resources/index.ts";
import type { ContourListenerPolicy, LayerSettings } from "../../translate/index.ts";
import type { ControllerEvents } from "../controller.ts";
import type { SingleGateway } from "../single-gateway.ts";
import type { AdminAddress, DriverName } from "../names/index.ts";

export interface ClusterOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Where the Lease and the channel's authority are kept. */
  readonly namespace: string;
  readonly controllerNames: readonly string[];
  /** For Gateways whose ProxyConfig says nothing. */
  readonly driver: DriverName;
  /** Where objects are looked at; absent: everywhere. */
  readonly watchNamespaces?: readonly string[];
  readonly channel: {
    /** Where it listens. */
    readonly listen: AdminAddress;
    /** `host:port` by which proxies find it. */
    readonly host: string;
    /** `address:port` by which other replicas find this one; absent: there are none. */
    readonly own?: string;
  };
  readonly images: { readonly envoy: string; readonly gatewright: string };
  /** False: this one always leads. For a single replica, and for looking on from outside the cluster. */
  readonly electsLeader: boolean;
  readonly networkPolicy?: boolean;
  readonly admin?: AdminAddress;
  readonly allowExternalNames: boolean;
  /** One Gateway, whatever its class, instead of all of our classes. */
  readonly singleGateway?: SingleGateway;
  readonly listenerPolicy?: ContourListenerPolicy;
  /** Of Ingress and HTTPProxy. Absent: they are not served. */
  readonly layers?: LayerSettings;
  /** Those that are on. With an operator its platform says it. */
  readonly gates?: readonly Gate[];
  readonly version: string;
  /** What must exist around the proxies is looked after too. */
  readonly operator?: ClusterOperatorOptions;
  readonly events?: ClusterEvents;
}

export interface ClusterOperatorOptions {
  readonly profile: ProfileName;
  readonly compat: Compat;
  /** Classes are served by this mesh; our own controller stays off. */
  readonly mesh?: MeshSettings;
  /** Where Gateways have names, beside where they always have. OpenShift only; elsewhere the Platform says it. */
  readonly dnsNamespaces?: readonly string[];
  /** A file with the mesh's control plane, for an install without OLM. */
  readonly meshManifests?: string;
  /** Of another cluster, which is the one to look after; our Lease and Secrets stay here. */
  readonly guestKubeconfig?: string;
  /** Instead of what the program was built with. */
  readonly bundle?: CrdBundle;
  readonly maturity?: Maturity;
  readonly checkEvery?: number;
}

/** All of them are optional and must not throw. */
export interface ClusterEvents extends ControllerEvents {
  led?(isLeader: boolean): void;
  /** The one Gateway is gone. */
  lost?(message: string): void;
  /** A connection to the channel was turned away. */
  turnedAway?(peer: string, why: string): void;
  note?(gateway: string, notes: readonly string[]): void;
  /** The operator has put something right. */
  written?(what: string): void;
  trouble?(where: string, message: string | undefined): void;
}
