// The endpoints of a Service's port, from its EndpointSlices.
//
// Ready endpoints, if there are any; otherwise those that are on their way out but still serve (as kube-proxy does), so that a
// Service whose last Pod is leaving goes on answering. Each address once, in a fixed order, so that the order in which
// slices come and go changes nothing.

import type { Collection, Graph, Index } from "../incremental/index.ts";
import type { Endpoint, EndpointSet } from "../model/index.ts";
import { isHostname, type EndpointSlice, type Service } from "../resources/index.ts";
import type { BackendUse } from "./backend-use.ts";
import { withoutGaps } from "./lists.ts";
import { findServicePort } from "./service-ports.ts";
import { admitsAddress, judgeEndpointName } from "./endpoint-addresses.ts";
import type { TranslateSettings } from "./settings.ts";
import type { JudgedXBackend } from "./xbackends.ts";

export interface EndpointInputs {
  readonly services: Collection<Service>;
  readonly endpointSlicesByService: Index<EndpointSlice>;
  readonly xBackends: Collection<JudgedXBackend>;
  readonly settings: TranslateSettings;
}

/** Of an EndpointSlice: whose endpoints it has. */
export const serviceLabel = "kubernetes.io/service-name";

/** By `namespace/name` of the Service. */
export function slicesByService(graph: Graph, slices: Collection<EndpointSlice>): Index<EndpointSlice> {
  return graph.index("endpoint slices by service", slices, (slice) => {
    const service = serviceOfSlice(slice);
    return service === undefined ? [] : [service];
  });
}

/** `namespace/name` of the Service that it belongs to. */
export function serviceOfSlice({ metadata: { namespace, labels } }: EndpointSlice): string | undefined {
  const service = Object.hasOwn(labels, serviceLabel) ? labels[serviceLabel] : undefined;
  return service ? `${namespace}/${service}` : undefined;
}

export function endpointSets(
  graph: Graph,
  uses: Collection<BackendUse>,
  { services, endpointSlicesByService, xBackends, settings }: EndpointInputs,
): Collection<EndpointSet> {
  return graph.map("endpoints", uses, (use, read): EndpointSet => {
    const { key, kind, port, protocol } = use;
    const object = `${use.namespace}/${use.name}`;
    if (kind === "XBackend") {
      const xBackend = read.one(xBackends, object);
      return { key, endpoints: xBackend ? [{ address: xBackend.hostname, port: xBackend.port }] : [] };
    }
    const service = read.one(services, object);
    if (!service) return { key, endpoints: [] };
    if (service.spec.type === "ExternalName") {
      return { key, endpoints: externalEndpoints(service, port, settings) };
    }
    const transport = protocol === "udp" ? "UDP" : "TCP";
    const portName = findServicePort(service, port, transport)?.name ?? "";
    const slices = read.all(endpointSlicesByService, object);
    return { key, endpoints: endpointsOf(slices, { portName, transport }, settings) };
  });
}

function externalEndpoints(
  { spec }: Service,
  port: number,
  settings: TranslateSettings,
): readonly Endpoint[] {
  const address = (spec.externalName ?? "").toLowerCase().replace(/\.$/, "");
  return judgeAddress("FQDN", address, settings) === undefined ? [{ address, port }] : [];
}

export interface EndpointChoice {
  /** Name of the Service's port, which is the name of the slices' port too; empty where it has none. */
  readonly portName: string;
  readonly transport: "TCP" | "UDP";
}

interface Candidate {
  readonly endpoint: Endpoint;
  readonly isReady: boolean;
  readonly isLeaving: boolean;
}

export function endpointsOf(
  slices: readonly EndpointSlice[],
  choice: EndpointChoice,
  settings: TranslateSettings,
): readonly Endpoint[] {
  const candidates = slices.flatMap((slice) => candidatesIn(slice, choice, settings));
  const ready = candidates.filter(({ isReady }) => isReady);
  const chosen = ready.length > 0 ? ready : candidates.filter(({ isLeaving }) => isLeaving);
  const sorted = chosen.map(({ endpoint }) => endpoint).toSorted(compareEndpoints);
  const isRepeated = (i: number) => i > 0 && compareAddresses(sorted[i]!, sorted[i - 1]!) === 0;
  return withoutGaps(sorted.map((endpoint, i) => (isRepeated(i) ? undefined : endpoint)));
}

function candidatesIn(
  slice: EndpointSlice,
  { portName, transport }: EndpointChoice,
  settings: TranslateSettings,
): Candidate[] {
  const port = slice.ports.find((one) => one.name === portName && one.protocol === transport)?.port;
  // A slice without this port has nothing to say on it; one without a number means all ports, which is for others.
  if (!port) return [];
  return slice.endpoints.flatMap(({ addresses, conditions, zone }) => {
    // Kubernetes: only the first address has a meaning.
    const [address] = addresses;
    if (address === undefined || judgeAddress(slice.addressType, address, settings) !== undefined) return [];
    const isReady = conditions.ready ?? true;
    const isServing = conditions.serving ?? isReady;
    const endpoint = { address: address.toLowerCase(), port, ...(zone !== undefined && { zone }) };
    return [{ endpoint, isReady, isLeaving: isServing && (conditions.terminating ?? false) }];
  });
}

/** Says why an address cannot be an endpoint, or undefined. */
function judgeAddress(
  type: EndpointSlice["addressType"],
  address: string,
  settings: TranslateSettings,
): string | undefined {
  if (type !== "FQDN") {
    if (address.includes(":") !== (type === "IPv6")) return `is not an address of type ${type}`;
    return admitsAddress(address, settings)
      ? undefined
      : "means the machine of the proxy itself, the cloud's metadata, or no single host";
  }
  // A name can resolve to anything, as with ExternalName.
  if (!settings.allowExternalNames) {
    return "is a name, which can stand for what the namespace may not reach (CVE-2021-32783), and the admin has not allowed external names";
  }
  return isHostname(address.toLowerCase()) ? judgeEndpointName(address, settings) : "is not a DNS name";
}

const mostTold = 4;

/** Service → which addresses of its EndpointSlices are left out, and why the first of them is. Of nearly all Services none are. */
export function refusedEndpoints(
  graph: Graph,
  endpointSlicesByService: Index<EndpointSlice>,
  settings: TranslateSettings,
): Collection<string> {
  return graph.map("refused endpoints", endpointSlicesByService, (slices) => {
    const refused = new Map<string, string>();
    for (const { addressType, endpoints } of slices) {
      for (const { addresses } of endpoints) {
        const [address = ""] = addresses;
        const problem = judgeAddress(addressType, address, settings);
        if (problem !== undefined) refused.set(address, problem);
      }
    }
    if (refused.size === 0) return undefined;
    const sorted = [...refused].toSorted(([a], [b]) => compareText(a, b));
    const more = sorted.length > mostTold ? ` and ${sorted.length - mostTold} more` : "";
    const named = sorted.slice(0, mostTold).map(([address]) => address);
    const [[first, problem] = ["", ""]] = sorted;
    return `endpoints ${named.join(", ")}${more} are left out: ${first} ${problem}`;
  });
}

function compareEndpoints(a: Endpoint, b: Endpoint): number {
  return compareAddresses(a, b) || compareText(a.zone ?? "", b.zone ?? "");
}

function compareAddresses(a: Endpoint, b: Endpoint): number {
  return compareText(a.address, b.address) || a.port - b.port;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
