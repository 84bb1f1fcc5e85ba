import type { Collection, Graph, Read } from "../incremental/index.ts";
import type { VirtualHost } from "../model/index.ts";
import type { AttachedRoute } from "./attached-routes.ts";
import { joined } from "./lists.ts";
import type { ResolvedSection } from "./listeners.ts";
import { hostnameBehind, type Attachment } from "./route-parents.ts";
import type { RankedRule } from "./route-translation.ts";
import { compareRules, httpWeights } from "./rule-precedence.ts";
import { secureRedirects } from "./contour/secure-redirect.ts";
import type { TranslateSettings } from "./settings.ts";
import { groundOf, groundOfSection, type HostnameOwners } from "./served-hostnames.ts";

export interface HostInputs {
  readonly attached: Collection<AttachedRoute>;
  readonly serving: Collection<ResolvedSection>;
  readonly owners: HostnameOwners;
  readonly settings: TranslateSettings;
}

export function virtualHosts(graph: Graph, inputs: HostInputs): Collection<VirtualHost> {
  const { attached, serving, owners, settings } = inputs;
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
  const withoutRules = graph.derive("hosts of listeners", serving, ({ section }, read) => {
    if (section.spec.protocol !== "HTTP" && section.spec.protocol !== "HTTPS") return [];
    const { listener, hostname } = section;
    const key = `${listener}|${hostname}`;
    const ground = groundOfSection(read, owners, section);
    return [[key, { key, listener, hostname, section: ground, rules: [] }] as [string, VirtualHost]];
  });
  const { listenerPolicy: policy } = settings;
  const redirects = policy ? [secureRedirects(graph, withRules, { serving, owners, policy })] : [];
  return graph.union("virtual hosts", [withRules, ...redirects, withoutRules]);
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
  const ground = groundOf(read, owners, listener, hostname);
  if (ground === undefined) return undefined;
  const { section, first } = ground;
  const isHere = (one: Attachment) =>
    (one.section === section || one.section === first) && one.hostnames.includes(hostname);
  const rules = routes.map(({ parents }) => {
    // All parents that lead to one section are of one Gateway, for which the route has one translation.
    const parent = parents.find(({ attachments }) => attachments.some(isHere));
    const own = hostnameBehind(parent?.attachments.find(isHere), hostname);
    const all = parent?.translation?.rules ?? [];
    return own === hostname ? all : all.map(({ rule, rank }) => ({ rule, rank: { ...rank, hostname: own } }));
  });
  const merged = mergeRules(joined(rules));
  return merged.length > 0 ? { key, listener, hostname, section, rules: merged } : undefined;
}

/** Beside rules of a layer those of a GRPCRoute are weighed by what they ask of a request. */
function asHttp({ rule, rank }: RankedRule): RankedRule {
  return rule.action.protocol === "grpc"
    ? { rule, rank: { ...rank, weights: httpWeights(rule.match) } }
    : { rule, rank };
}

/** Spec: matching precedence across rules and routes. */
function mergeRules(rules: readonly RankedRule[]): VirtualHost["rules"] {
  const comparable = rules.some(({ rank }) => rank.layer !== undefined) ? rules.map(asHttp) : rules;
  const ranked =
    comparable.length > 1 ? comparable.toSorted((a, b) => compareRules(a.rank, b.rank)) : comparable;
  return ranked.map(({ rule }) => rule);
}
