import { hostnameCandidates } from "../model/index.ts";
import type { Section } from "./section.ts";

/**
 * Spec: listeners of one port with TLS whose hostnames overlap can be confused by clients that reuse a connection for another name.
 * Says for each position whether some other listener of its port overlaps with it.
 */
export function overlappingHostnames(sections: readonly (Section | undefined)[]): ReadonlySet<number> {
  const owners = new Map<string, number>();
  for (const [index, section] of sections.entries()) {
    if (section && hasTls(section)) owners.set(`${section.listener}|${section.hostname}`, index);
  }
  const overlapping = new Set<number>();
  for (const [index, section] of sections.entries()) {
    if (!section || !hasTls(section)) continue;
    // Two hostnames overlap where one covers the other, so looking upwards from each finds every pair.
    for (const candidate of hostnameCandidates(section.hostname)) {
      const other = owners.get(`${section.listener}|${candidate}`);
      if (other === undefined || other === index) continue;
      overlapping.add(index).add(other);
    }
  }
  return overlapping;
}

function hasTls({ spec }: Section): boolean {
  return spec.protocol === "HTTPS" || spec.protocol === "TLS";
}
