// A Pod's network: a namespace of its own, and a wire to the node over which everything is routed.
//
// Routed (/32 addresses, the node answers as 169.254.1.1 and fe80::1), not bridged, so that every packet passes the
// node's address translation in both directions.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { hasIpv6, podAddresses, podGateway } from "../addresses.mjs";
import { onPath } from "../../../scripts/search.mjs";

const run = promisify(execFile);
// How many other Pods come before an address is used again: a late packet shall not reach a stranger.
const rest = 50;
const free = [];
let used = 0;

/** Resolves to { namespace, addresses, remove }. */
export async function makePodNetwork() {
  const number = free.length > rest ? free.shift() : ++used;
  const namespace = `pod${number}`;
  const { ipv4, ipv6 } = podAddresses(number);
  const outside = [
    `netns add ${namespace}`,
    `link add ${namespace} type veth peer name eth0 netns ${namespace}`,
    `address add ${podGateway.ipv4}/32 dev ${namespace}`,
    ...(hasIpv6 ? [`address add ${podGateway.ipv6}/64 dev ${namespace} nodad`] : []),
    `link set ${namespace} up`,
    `route replace ${ipv4}/32 dev ${namespace}`,
    ...(hasIpv6 ? [`-6 route replace ${ipv6}/128 dev ${namespace}`] : []),
  ];
  const inside = [
    "link set lo up",
    `address add ${ipv4}/32 dev eth0`,
    ...(hasIpv6 ? [`address add ${ipv6}/128 dev eth0 nodad`] : []),
    "link set eth0 up",
    `route add ${podGateway.ipv4} dev eth0`,
    `route add default via ${podGateway.ipv4} dev eth0`,
    ...(hasIpv6 ? [`-6 route add default via ${podGateway.ipv6} dev eth0`] : []),
  ].map((command) => `-n ${namespace} ${command}`);
  const ip = onPath("ip");
  await run("/bin/sh", ["-ec", [...outside, ...inside].map((command) => `${ip} ${command}`).join("\n")]);
  return {
    namespace,
    addresses: hasIpv6 ? [ipv4, ipv6] : [ipv4],
    async remove() {
      // The wire goes with the namespace, once no process is in it.
      await run(ip, ["link", "delete", namespace]).catch(() => {});
      await run(ip, ["netns", "delete", namespace]).catch(() => {});
      free.push(number);
    },
  };
}
