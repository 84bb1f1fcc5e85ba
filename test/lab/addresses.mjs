// The lab's addresses. They are the same in every lab, since each has a network of its own.

import { existsSync } from "node:fs";

/** Does this kernel speak IPv6? The lab does without where it does not. */
export const hasIpv6 = existsSync("/proc/net/if_inet6");

export const nodeName = "lab-node";
export const node = { ipv4: "10.0.0.10", ipv6: "fd00:10::10" };
export const apiServerPort = 6443;
export const kubeletPort = 10_250;

export const services = { ipv4: "10.96.0.0/16", ipv6: "fd00:10:96::/112" };
export const loadBalancers = { ipv4: "10.200.0.0/24", ipv6: "fd00:10:200::/112" };

/** The first address of the Services' range is always the API server's. */
export const kubernetesService = "10.96.0.1";
export const dnsService = "10.96.0.10";

/** What every Pod has as its gateway, at the node's end of the wire. */
export const podGateway = { ipv4: "169.254.1.1", ipv6: "fe80::1" };

/** Of the Pod with that number, from 1. */
export function podAddresses(number) {
  const [high, low] = [Math.floor(number / 250), (number % 250) + 2];
  return { ipv4: `10.244.${high}.${low}`, ipv6: `fd00:10:244::${number.toString(16)}` };
}

/** Of the load balancer with that number. */
export function loadBalancerAddress(family, number) {
  return family === "ipv4" ? `10.200.0.${number}` : `fd00:10:200::${number.toString(16)}`;
}

export function isLoadBalancerAddress(address) {
  return /^10[.]200[.]0[.]\d+$/.test(address) || /^fd00:10:200::[0-9a-f]{1,4}$/.test(address);
}
