import type { Collection, Graph, Read } from "../incremental/index.ts";
import type { VirtualHost } from "../model/index.ts";
import type { AttachedRoute } from "./attached-routes.ts";
import { joined } from "./lists.ts";
import type { ResolvedSection } from "./listeners.ts";
import type { RankedRule } from "./route-translation.ts";
import { compareRules } from "./rule-precedence.ts";
import { ownerOfHostname, type HostnameOwners } from "./served-hostnames.ts";

export interface HostInputs {
  readonly attached: Collection<AttachedRoute>;
  readonly serving: Collection<ResolvedSection>;
  readonly owners: HostnameOwners;
}

export function virtualHosts(graph: Graph, inputs: HostInputs): Collection<VirtualHost> {
  const { attached, serving, owners } = inputs;
  const routesByHost = graph.index("routes by host", attached, ({ parents }) =>
    joined(
      parents.map(({ attachments }) =>
        joined(
          attachments.map(({ listener, hostnames }) =>
            hostnames.map((hostname) => `${listener}|${hostname}`),
          ),
        ),
      ),
    ),
  );
  const withRules = graph.map("hosts with rules", routesByHost, (routes, read, key) =>
    virtualHostOf(key, routes, read, owners),
  );
  // An API listener answers for its own hostname even when no route does: that is what keeps it apart from the others.
  const withoutRules = graph.derive("hosts of listeners", serving, ({ section }) => {
    if (section.spec.protocol !== "HTTP" && section.spec.protocol !== "HTTPS") return [];
    const { listener, hostname } = section;
    const key = `${listener}|${hostname}`;
    return [[key, { key, listener, hostname, section: section.key, rules: [] }] as [string, VirtualHost]];
  });
  return graph.union("virtual hosts", [withRules, withoutRules]);
}

function virtualHostOf(
  key: string,
  routes: readonly AttachedRoute[],
  read: Read,
  owners: HostnameOwners,
): VirtualHost | undefined {
  const bar = key.lastIndexOf("|");
  const listener = key.slice(0, bar);
  const hostname = key.slice(bar + 1);
  const section = ownerOfHostname(read, owners, listener, hostname);
  if (section === undefined) return undefined;
  const rules = routes.map(({ parents }) => {
    // All parents that lead to one section are of one Gateway, for which the route has one translation.
    const parent = parents.find(({ attachments }) =>
      attachments.some((one) => one.section === section && one.hostnames.includes(hostname)),
    );
    return parent?.translation?.rules ?? [];
  });
  const merged = mergeRules(joined(rules));
  return merged.length > 0 ? { key, listener, hostname, section, rules: merged } : undefined;
}

/** Spec: matching precedence across rules and routes. */
function mergeRules(rules: readonly RankedRule[]): VirtualHost["rules"] {
  const ranked = rules.length > 1 ? rules.toSorted((a, b) => compareRules(a.rank, b.rank)) : rules;
  return ranked.map(({ rule }) => rule);
}
