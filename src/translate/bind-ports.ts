/*
 * Where proxies that may not bind ports below 1024 bind them instead: at port + 10000, or the next port that is free.
 *
 * All ports of a Gateway are decided at once, from the lowest to the highest, so that the order in which listeners come and go
 * changes nothing. Ports that need no other stay where they are, and TCP and UDP do not get in each other's way.
 */
import type { Section } from "./section.ts";
import { findProtocol } from "./listener-protocols.ts";

/** `tcp/80` → 10080. Ports that are bound as they are, are not in it. */
export type BindPorts = Readonly<Record<string, number>>;

const firstUnprivileged = 1024;
const offset = 10_000;

export function decideBindPorts(sections: readonly Section[], features: ReadonlySet<string>): BindPorts {
  const taken = new Set<string>();
  const privileged: { readonly transport: string; readonly port: number }[] = [];
  for (const { spec, refusal } of sections) {
    const transport = findProtocol(spec.protocol, features)?.transport;
    const key = `${transport}/${spec.port}`;
    if (refusal || !transport || taken.has(key)) continue;
    taken.add(key);
    if (spec.port < firstUnprivileged) privileged.push({ transport, port: spec.port });
  }
  const ports: Record<string, number> = {};
  for (const { transport, port } of privileged.toSorted((a, b) => a.port - b.port)) {
    let free = port + offset;
    while (taken.has(`${transport}/${free}`)) free++;
    taken.add(`${transport}/${free}`);
    ports[`${transport}/${port}`] = free;
  }
  return ports;
}

export function bindPortOf(
  ports: BindPorts | undefined,
  transport: "tcp" | "udp",
  port: number,
): number | undefined {
  return ports?.[`${transport}/${port}`];
}
