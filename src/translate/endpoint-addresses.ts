// Where a gateway may be sent to.
//
// Whoever may write EndpointSlices or names may point a gateway at addresses that only the gateway can reach: its own
// admin port, the node, the cloud's metadata service. On a cluster those are refused; on one machine, where all
// objects are the user's own, loopback is where backends live.

import { isIPv4, isIPv6 } from "../resources/index.ts";
import type { TranslateSettings } from "./settings.ts";

type Trust = Pick<TranslateSettings, "allowLoopbackEndpoints">;

/** Whether an IP address can be an endpoint. */
export function admitsAddress(address: string, { allowLoopbackEndpoints }: Trust): boolean {
  const bytes = isIPv4(address) ? ipv4Bytes(address) : isIPv6(address) ? ipv6Bytes(address) : undefined;
  if (bytes === undefined) return false;
  const ipv4 = bytes.length === 4 ? bytes : embeddedIPv4(bytes);
  const reach = ipv4 ? reachOfIPv4(ipv4) : reachOfIPv6(bytes);
  return reach === "network" || (reach === "machine" && allowLoopbackEndpoints);
}

/** `machine`: only whoever is there, or on its link, is meant. `nowhere`: no single host has it. */
type Reach = "network" | "machine" | "nowhere";

/** Addresses by which clouds tell a machine its secrets, beside the link-local one. */
const metadataIPv4: ReadonlySet<string> = new Set(["100.100.100.200", "168.63.129.16", "192.0.0.192"]);
const metadataIPv6: readonly string[] = [
  // All local services of AWS: metadata, identities of Pods, and others.
  "fd000ec2",
  "fd2000ce000000000000000000000254",
  "fd0000c10000000000000000a9fea9fe",
];

function reachOfIPv4([a = 0, b = 0, c = 0, d = 0]: readonly number[]): Reach {
  if (a === 0 || a >= 224) return "nowhere";
  if (a === 127 || (a === 169 && b === 254)) return "machine";
  return metadataIPv4.has(`${a}.${b}.${c}.${d}`) ? "machine" : "network";
}

function reachOfIPv6(bytes: readonly number[]): Reach {
  const [a = 0, b = 0] = bytes;
  const isZero = bytes.slice(0, 15).every((byte) => byte === 0);
  if (a === 0xff || (isZero && bytes[15] === 0)) return "nowhere";
  if (isZero && bytes[15] === 1) return "machine";
  if (a === 0xfe && (b & 0xc0) === 0x80) return "machine";
  return metadataIPv6.some((beginning) => hex(bytes).startsWith(beginning)) ? "machine" : "network";
}

/** The IPv4 address in `::ffff:a.b.c.d`, `::a.b.c.d`, `64:ff9b::a.b.c.d` and `2002:abcd::`. */
function embeddedIPv4(bytes: readonly number[]): readonly number[] | undefined {
  const head = hex(bytes.slice(0, 12));
  if (head === "00000000000000000000ffff" || head === "0064ff9b0000000000000000") return bytes.slice(12);
  if (head === "000000000000000000000000" && (bytes[12] !== 0 || bytes[13] !== 0)) return bytes.slice(12);
  return head.startsWith("2002") ? bytes.slice(2, 6) : undefined;
}

function hex(bytes: readonly number[]): string {
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function ipv4Bytes(address: string): number[] {
  return address.split(".").map(Number);
}

function ipv6Bytes(address: string): number[] {
  const [head = "", tail] = address.split("::");
  const front = groupBytes(head);
  if (tail === undefined) return front;
  const back = groupBytes(tail);
  return [...front, ...Array<number>(16 - front.length - back.length).fill(0), ...back];
}

function groupBytes(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (group.includes(".")) return ipv4Bytes(group);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

/**
 * Says why a DNS name must not be an endpoint, or undefined. A name can always be made to resolve to anything by whoever
 * owns it (the API says to trust DNS here), but some are known to mean the machine or the cluster itself.
 */
export function judgeEndpointName(name: string, { allowLoopbackEndpoints }: Trust): string | undefined {
  const lower = name.toLowerCase().replace(/\.$/, "");
  if (isIPv4(lower) || isIPv6(lower)) return "must be a DNS name, not an IP address";
  if (allowLoopbackEndpoints) return undefined;
  const labels = lower.split(".");
  const last = labels.at(-1) ?? "";
  if (last === "localhost" || lower === "metadata.google.internal")
    return "means the machine of the proxy itself";
  if (labels.length === 1 || last === "svc" || lower.endsWith(".cluster.local")) {
    return "means something inside the cluster; refer to the Service instead";
  }
  // `http://2130706433/` and `0x7f.1` are 127.0.0.1 to many resolvers. No top-level domain has such a name.
  if (/^(?:[0-9]+|0x[0-9a-f]*)$/.test(last)) return "is a way to write an IP address";
  return undefined;
}
