/*
 * Why a Service that routes lead to has no endpoint, and EndpointSlices that belong to no Service. No status tells of that: on a
 * cluster others write EndpointSlices, and Pods come and go. In files somebody wrote them by hand.
 */
import type { Backend } from "../model/index.ts";
import { resourceKey, type EndpointSlice, type Resource, type Service } from "../resources/index.ts";
import { findServicePort, serviceLabel, serviceOfSlice } from "../translate/index.ts";
import type { Controller } from "./controller.ts";
import type { Note } from "./note.ts";

/** Services and EndpointSlices, so that many backends can be asked about. */
interface EndpointObjects {
  readonly services: ReadonlyMap<string, Service>;
  readonly slices: readonly EndpointSlice[];
  readonly slicesByService: ReadonlyMap<string, readonly EndpointSlice[]>;
}

interface MissingEndpoints {
  readonly reason: string;
  /** Endpoints that are not ready come and go; all else somebody has to write. */
  readonly mayPass: boolean;
}

export function endpointObjects(resources: Iterable<Resource>): EndpointObjects {
  const services = new Map<string, Service>();
  const slices: EndpointSlice[] = [];
  const slicesByService = new Map<string, EndpointSlice[]>();
  for (const resource of resources) {
    if (resource.kind === "Service") services.set(resourceKey(resource), resource);
    if (resource.kind !== "EndpointSlice") continue;
    slices.push(resource);
    const service = serviceOfSlice(resource);
    if (service === undefined) continue;
    const known = slicesByService.get(service);
    if (known) known.push(resource);
    else slicesByService.set(service, [resource]);
  }
  return { services, slices, slicesByService };
}

/** For a backend without endpoints; undefined where it is no Service that takes them from EndpointSlices. */
export function whyNoEndpoints(
  { key, protocol }: Pick<Backend, "key" | "protocol">,
  { services, slicesByService }: EndpointObjects,
): MissingEndpoints | undefined {
  const [kind, namespace = "", name = "", port] = key.split("|", 1)[0]!.split("/");
  const service = kind === "Service" ? services.get(`${namespace}/${name}`) : undefined;
  if (!service || service.spec.type === "ExternalName") return undefined;
  const slices = slicesByService.get(`${namespace}/${name}`) ?? [];
  const must = (reason: string): MissingEndpoints => ({ reason, mayPass: false });
  if (slices.length === 0) return must(`no EndpointSlice has the label ${serviceLabel}: ${name}`);
  const transport = protocol === "udp" ? "UDP" : "TCP";
  const portName = findServicePort(service, Number(port), transport)?.name ?? "";
  const fitting = slices.filter(({ ports }) =>
    ports.some((one) => one.name === portName && one.protocol === transport && one.port),
  );
  if (fitting.length === 0) return must(describePorts(slices[0]!, portName, transport));
  const endpoints = fitting.flatMap((slice) => slice.endpoints);
  if (endpoints.length === 0) return must(`EndpointSlice ${fitting[0]!.metadata.name} has no endpoints`);
  return endpoints.some(({ conditions }) => conditions.ready ?? true)
    ? must("the addresses in its EndpointSlices are left out; the status of the route says why")
    : { reason: "its endpoints are not ready", mayPass: true };
}

/** `EndpointSlice web-1 has no port named http (it has web)` */
function describePorts({ metadata, ports }: EndpointSlice, name: string, transport: "TCP" | "UDP"): string {
  const wanted = `${transport === "UDP" ? "UDP " : ""}port ${name === "" ? "without a name" : `named ${name}`}`;
  const there = ports.map((port) => {
    const words = port.name === "" ? "one without a name" : port.name;
    const number = port.port ? "" : " without a number";
    return `${words}${number}${port.protocol === transport ? "" : ` (${port.protocol})`}`;
  });
  const has = there.length === 0 ? "it has none" : `it has ${there.join(", ")}`;
  return `EndpointSlice ${metadata.name} has no ${wanted} (${has})`;
}

/** What somebody who wrote the objects by hand may have got wrong. */
export function endpointNotes(controller: Controller): readonly Note[] {
  const { model } = controller;
  const objects = endpointObjects(controller.resources());
  const notes = new Map<string, Note>();
  const backends = [...model.backends.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [, backend] of backends) {
    if ((model.endpoints.get(backend.key)?.endpoints.length ?? 0) > 0) continue;
    const missing = whyNoEndpoints(backend, objects);
    if (!missing || missing.mayPass) continue;
    const [kind, namespace, name] = backend.key.split("/");
    const message = `${kind} ${namespace}/${name} has no endpoints: ${missing.reason}`;
    notes.set(message, { rule: "no-endpoints", key: `${kind}/${namespace}/${name}`, message });
  }
  for (const slice of objects.slices) {
    const service = serviceOfSlice(slice);
    if (service !== undefined && objects.services.has(service)) continue;
    const whose =
      service === undefined ? `has no label ${serviceLabel}` : `is of Service ${service}, which is not there`;
    const message = `EndpointSlice ${resourceKey(slice)} belongs to no Service: it ${whose}`;
    notes.set(message, { rule: "no-endpoints", key: `EndpointSlice/${resourceKey(slice)}`, message });
  }
  return [...notes.values()];
}
