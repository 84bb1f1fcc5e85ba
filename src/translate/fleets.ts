/*
 * What must run for each Gateway: which kind of proxy, with which settings, and which ports are open to the outside.
 *
 * A fleet exists while its Gateway is ours and accepted. Its ports are those of all listeners that are not refused, of the
 * Gateway and of its ListenerSets; whether a certificate is there plays no part, so that a load balancer stays as it is while
 * certificates come and go.
 */
import type { Collection, Graph, Read } from "../incremental/index.ts";
import type { ProxyConfigSpec, ResourceQuantities, Toleration } from "../resources/index.ts";
import type { OwnGateway } from "./gateways.ts";
import { bindPortOf, type BindPorts } from "./bind-ports.ts";
import { findProtocol } from "./listener-protocols.ts";
import { ageOf, compareAge } from "./object-age.ts";
import type { Resources } from "./resources.ts";
import type { Section } from "./section.ts";
import type { TranslateSettings } from "./settings.ts";

/** What runs for one Gateway: its proxies and the load balancer before them. */
export interface Fleet {
  /** `<namespace>/<name>` of the Gateway. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  /** Of the Gateway, which owns all of it; empty where no API server gave one, and where the fleet outlives the Gateway. */
  readonly uid: string;
  readonly className: string;
  readonly controllerName: string;
  /** `envoy`, `embedded`, `nginx`, `haproxy` */
  readonly driver: string;
  /** One per port and transport, by port and then transport. */
  readonly ports: readonly FleetPort[];
  /** Asked for in `spec.addresses`. */
  readonly addresses: readonly FleetAddress[];
  /** `spec.infrastructure` */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly settings: FleetSettings;
}

export interface FleetPort {
  /** After the first listener with the port, fit for a Service's port, unlike all others of the fleet. */
  readonly name: string;
  readonly port: number;
  /** Where the proxies bind it. */
  readonly targetPort: number;
  readonly transport: "tcp" | "udp";
  /** The listener's protocol in lower case. */
  readonly appProtocol: string;
}

export interface FleetAddress {
  readonly type: "IPAddress" | "Hostname";
  /** Absent: any of the type. */
  readonly value?: string;
}

/** From ProxyConfigs, with defaults filled in. */
export interface FleetSettings {
  /** Absent with `autoscaling`. */
  readonly replicas?: number;
  readonly autoscaling?: {
    readonly minReplicas: number;
    readonly maxReplicas: number;
    readonly targetCPUUtilization: number;
  };
  readonly resources: { readonly requests: ResourceQuantities; readonly limits: ResourceQuantities };
  /** Absent: what the controller was installed with. */
  readonly image?: string;
  readonly accessLog: { readonly enabled: boolean };
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly Toleration[];
  readonly service: {
    readonly type: "LoadBalancer" | "ClusterIP";
    readonly externalTrafficPolicy?: "Cluster" | "Local";
    readonly loadBalancerClass?: string;
    readonly loadBalancerSourceRanges: readonly string[];
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly drainSeconds: number;
  readonly statistics: { readonly perBackend: boolean };
}

/** What became of a fleet, as infrastructure reports it. By the Gateway's key. */
export interface FleetState {
  readonly addresses: readonly { readonly type: "IPAddress" | "Hostname"; readonly value: string }[];
  readonly problem?: {
    readonly reason: "AddressNotAssigned" | "AddressNotUsable" | "NoResources" | "Pending";
    readonly message: string;
  };
}

export type FleetStates = Collection<FleetState>;

export interface FleetInputs {
  readonly resources: Resources;
  readonly gateways: Collection<OwnGateway>;
  /** One or more for each port of a Gateway, by its key. */
  readonly ports: (read: Read, key: string) => readonly Section[];
  readonly bindPorts: Collection<BindPorts>;
  readonly settings: TranslateSettings;
}

export function fleetsOf(graph: Graph, inputs: FleetInputs): Collection<Fleet> {
  const { resources, gateways, ports, bindPorts, settings } = inputs;
  // Where the one Gateway serves layers as well, they go on when it is deleted.
  const outliving = settings.singleGateway && settings.layers?.gateway;
  return graph.map("fleets", gateways, (own, read, key): Fleet | undefined => {
    if (!own.usable) return undefined;
    const { gateway, controllerName, driver } = own;
    const { metadata, spec } = gateway;
    const ageOfSet = (section: Section) => {
      const set = read.one(resources.listenerSets, section.owner.slice("ListenerSet/".length));
      return set && ageOf(set.metadata);
    };
    const sections = inOrder(ports(read, key), ageOfSet);
    return {
      key,
      namespace: metadata.namespace,
      name: metadata.name,
      uid: key === outliving ? "" : (metadata.uid ?? ""),
      className: spec.gatewayClassName,
      controllerName,
      driver: driver.name,
      ports: portsOf(sections, driver.features, read.one(bindPorts, key)),
      addresses: (spec.addresses ?? []).map(({ type, value }) => ({
        type: type === "Hostname" ? "Hostname" : "IPAddress",
        ...(value !== undefined && value !== "" && { value }),
      })),
      labels: spec.infrastructure?.labels ?? {},
      annotations: spec.infrastructure?.annotations ?? {},
      settings: fleetSettings(own.parameters),
    };
  });
}

/** The Gateway's own listeners in their order, then those of ListenerSets, oldest first. */
function inOrder(
  sections: readonly Section[],
  ageOfSet: (section: Section) => ReturnType<typeof ageOf> | undefined,
): readonly Section[] {
  const aged = sections.map((section) => ({
    section,
    age: section.ownerKind === "ListenerSet" ? ageOfSet(section) : undefined,
  }));
  return aged
    .toSorted((a, b) => {
      const byAge = a.age && b.age ? compareAge(a.age, b.age) : Number(!!a.age) - Number(!!b.age);
      return byAge || a.section.position - b.section.position;
    })
    .map(({ section }) => section);
}

function portsOf(
  sections: readonly Section[],
  features: ReadonlySet<string>,
  bindPorts: BindPorts | undefined,
): readonly FleetPort[] {
  const ports = new Map<string, FleetPort>();
  const names = new Set<string>();
  for (const { spec, refusal } of sections) {
    const transport = findProtocol(spec.protocol, features)?.transport;
    if (refusal || !transport || ports.has(`${transport}/${spec.port}`)) continue;
    const name = portName(spec.name, names);
    names.add(name);
    ports.set(`${transport}/${spec.port}`, {
      name,
      port: spec.port,
      targetPort: bindPortOf(bindPorts, transport, spec.port) ?? spec.port,
      transport,
      appProtocol: spec.protocol.toLowerCase(),
    });
  }
  return [...ports.values()].toSorted(
    (a, b) => a.port - b.port || Number(a.transport > b.transport) - Number(a.transport < b.transport),
  );
}

const longestName = 63;

/** Listener names are DNS names of up to 253 characters; those of a Service's ports are labels of up to 63. */
function portName(listener: string, taken: ReadonlySet<string>): string {
  const label = listener.replaceAll(".", "-");
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? "" : `-${number}`;
    const name = label.slice(0, longestName - suffix.length).replace(/-+$/, "") + suffix;
    if (!taken.has(name)) return name;
  }
}

function fleetSettings(spec: ProxyConfigSpec): FleetSettings {
  const { replicas, autoscaling, resources, image, service = {} } = spec;
  const type = service.type ?? "LoadBalancer";
  // A Gateway may choose ClusterIP where its class has settings for load balancers: they mean nothing then.
  const { externalTrafficPolicy, loadBalancerClass, loadBalancerSourceRanges } =
    type === "LoadBalancer" ? service : {};
  return {
    ...(autoscaling
      ? {
          autoscaling: {
            minReplicas: autoscaling.minReplicas ?? 1,
            maxReplicas: autoscaling.maxReplicas,
            targetCPUUtilization: autoscaling.targetCPUUtilization ?? 80,
          },
        }
      : { replicas: replicas ?? 1 }),
    resources: { requests: resources?.requests ?? {}, limits: resources?.limits ?? {} },
    ...(image !== undefined && { image }),
    accessLog: { enabled: spec.accessLog?.enabled ?? false },
    nodeSelector: spec.nodeSelector ?? {},
    tolerations: spec.tolerations ?? [],
    service: {
      type,
      ...(externalTrafficPolicy !== undefined && { externalTrafficPolicy }),
      ...(loadBalancerClass !== undefined && { loadBalancerClass }),
      loadBalancerSourceRanges: loadBalancerSourceRanges ?? [],
      annotations: service.annotations ?? {},
    },
    drainSeconds: spec.drainSeconds ?? 30,
    statistics: { perBackend: spec.statistics?.perBackend ?? false },
  };
}
