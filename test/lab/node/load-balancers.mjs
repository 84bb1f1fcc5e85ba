// Addresses for Services of type LoadBalancer: the one that it asks for if it is the lab's, else the next free one.

import { isLoadBalancerAddress, loadBalancerAddress } from "../addresses.mjs";

// The addresses from 200 on are for those who ask for one.
const first = 10;
const last = 199;

export function loadBalancers(api) {
  const given = new Map(); // service key → addresses

  const choose = (key, family, service) => {
    const others = new Set(
      [...given].filter(([other]) => other !== key).flatMap(([, addresses]) => addresses),
    );
    const wanted = service.spec.loadBalancerIP;
    if (wanted && wanted.includes(":") === (family === "ipv6")) {
      return isLoadBalancerAddress(wanted) && !others.has(wanted) ? wanted : undefined;
    }
    const isFamily = (address) => address.includes(":") === (family === "ipv6");
    const had = [
      ...(given.get(key) ?? []),
      ...(service.status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip),
    ];
    const kept = had.find(
      (address) => address && isFamily(address) && isLoadBalancerAddress(address) && !others.has(address),
    );
    if (kept) return kept;
    for (let number = first; number <= last; number++) {
      const address = loadBalancerAddress(family, number);
      if (!others.has(address)) return address;
    }
    return undefined;
  };

  const writeStatus = (service, addresses) => {
    const { namespace, name } = service.metadata;
    const now = (service.status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip);
    if (now.join() === addresses.join()) return;
    const ingress = addresses.length > 0 ? addresses.map((ip) => ({ ip, ipMode: "VIP" })) : null;
    api
      .patch(
        `/api/v1/namespaces/${namespace}/services/${name}/status`,
        { status: { loadBalancer: { ingress } } },
        "application/merge-patch+json",
      )
      .catch((error) => {
        if (error.status !== 404) console.error(error.message);
      });
  };

  return {
    /** The addresses of a Service, now; undefined: it is gone. */
    addressesOf(key, service) {
      const { type, loadBalancerClass, ipFamilies = ["IPv4"] } = service?.spec ?? {};
      if (type !== "LoadBalancer" || loadBalancerClass || service.metadata.deletionTimestamp) {
        given.delete(key);
        return [];
      }
      const addresses = ipFamilies
        .map((family) => choose(key, family.toLowerCase(), service))
        .filter(Boolean);
      given.set(key, addresses);
      writeStatus(service, addresses);
      return addresses;
    },
  };
}
