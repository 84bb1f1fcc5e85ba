// Services and their endpoints, as the node serves them: which address and port leads to which Pods.

import { watchStore } from "./api.mjs";

const settle = 20;

/**
 * Follows Services and EndpointSlices. `changed(services)` gets the keys ("namespace/name") whose Service or endpoints
 * are other than before, gathered over a moment.
 */
export function followServices(api, changed) {
  const slicesByService = new Map(); // service key → Map(slice key → slice)
  let dirty = new Set();
  let timer;
  const touch = (key) => {
    dirty.add(key);
    timer ??= setTimeout(() => {
      const keys = dirty;
      dirty = new Set();
      timer = undefined;
      changed(keys);
    }, settle);
  };
  const serviceKeyOf = ({ metadata }) =>
    `${metadata.namespace}/${metadata.labels?.["kubernetes.io/service-name"]}`;
  const services = watchStore(api, "/api/v1/services", (service, previous) => {
    const { namespace, name } = (service ?? previous).metadata;
    touch(`${namespace}/${name}`);
  });
  const slices = watchStore(api, "/apis/discovery.k8s.io/v1/endpointslices", (slice, previous) => {
    if (previous) {
      slicesByService.get(serviceKeyOf(previous))?.delete(previous.metadata.name);
      touch(serviceKeyOf(previous));
    }
    if (slice) {
      const key = serviceKeyOf(slice);
      if (!slicesByService.has(key)) slicesByService.set(key, new Map());
      slicesByService.get(key).set(slice.metadata.name, slice);
      touch(key);
    }
  });
  return {
    synced: Promise.all([services.synced, slices.synced]),
    service: (key) => services.objects.get(key),
    services: () => services.objects.values(),
    /** Endpoints of a service in "IPv4" or "IPv6": [{ portName, port, address, hostname }]. */
    endpoints: (key, addressType = "IPv4") => endpointsOf(slicesByService.get(key) ?? new Map(), addressType),
  };
}

// Those that are ready; if there is none, those that still serve while they end.
export function endpointsOf(slices, addressType) {
  const ready = [];
  const ending = [];
  for (const slice of slices.values()) {
    if (slice.addressType !== addressType) continue;
    for (const { addresses, conditions = {}, hostname } of slice.endpoints ?? []) {
      const list =
        conditions.ready !== false
          ? ready
          : conditions.serving && conditions.terminating
            ? ending
            : undefined;
      for (const { name: portName = "", port } of list ? (slice.ports ?? []) : []) {
        if (port) list.push({ portName, port, address: addresses[0], hostname });
      }
    }
  }
  return ready.length > 0 ? ready : ending;
}

/**
 * What a Service asks of the node, in one family: per port the addresses that clients use and the endpoints behind.
 * `external`: addresses that a load balancer gave it.
 */
export function servicePorts(service, endpoints, family, external) {
  const { metadata, spec } = service;
  const isFamily = (address) => address.includes(":") === (family === "ipv6");
  const own = (spec.clusterIPs ?? [spec.clusterIP]).filter((address) => address && address !== "None");
  const addresses = [...own, ...(spec.externalIPs ?? []), ...external].filter(isFamily);
  if (spec.type === "ExternalName" || addresses.length === 0) return [];
  return (spec.ports ?? []).flatMap(({ name = "", port, protocol = "TCP" }) => {
    if (protocol !== "TCP" && protocol !== "UDP") return [];
    const targets = endpoints
      .filter(({ portName }) => portName === name)
      .map(({ address, port: targetPort }) => ({ address, port: targetPort }))
      .sort((a, b) => (a.address < b.address ? -1 : a.address > b.address ? 1 : a.port - b.port));
    const key = `${metadata.namespace}/${metadata.name}/${protocol}/${port}/${family}`;
    return targets.length === 0
      ? []
      : [{ key, family, protocol: protocol.toLowerCase(), port, addresses, targets }];
  });
}
