import type { Collection, Graph } from "../incremental/index.ts";
import type { VirtualHost } from "../model/index.ts";
import type { AttachedRoute } from "./attached-routes.ts";
import type { ResolvedSection } from "./listeners.ts";
import type { RankedRule, RouteTranslation } from "./route-translation.ts";
import { compareRules } from "./rule-precedence.ts";
import { ownsHostname, type HostnameOwners } from "./served-hostnames.ts";

/** The rules that one route brings to one hostname of one section. */
interface HostRules {
  readonly listener: string;
  readonly section: string;
  readonly hostname: string;
  readonly rules: readonly RankedRule[];
}

export interface HostInputs {
  readonly attached: Collection<AttachedRoute>;
  readonly translations: Collection<RouteTranslation>;
  readonly serving: Collection<ResolvedSection>;
  readonly owners: HostnameOwners;
}

export function virtualHosts(graph: Graph, inputs: HostInputs): Collection<VirtualHost> {
  const { attached, translations, serving, owners } = inputs;
  const hostRules = graph.derive(
    "host rules",
    attached,
    function* ({ translation, attachments, parent }, read) {
      const rules = attachments.length > 0 ? (read.one(translations, translation)?.rules ?? []) : [];
      if (rules.length === 0) return;
      for (const attachment of attachments) {
        const { listener, section } = attachment;
        for (const hostname of attachment.hostnames) {
          if (!ownsHostname(read, owners, attachment, hostname)) continue;
          yield [`${section}|${hostname}|${parent.route}`, { listener, section, hostname, rules }] as [
            string,
            HostRules,
          ];
        }
      }
    },
  );
  const rulesByHost = graph.index("rules by host", hostRules, ({ listener, hostname }) => [
    `${listener}|${hostname}`,
  ]);
  const withRules = graph.map("hosts with rules", rulesByHost, (group, _read, key) => mergeRules(key, group));
  // An API listener answers for its own hostname even when no route does: that is what keeps it apart from the others.
  const withoutRules = graph.derive("hosts of listeners", serving, ({ section }) => {
    if (section.spec.protocol !== "HTTP" && section.spec.protocol !== "HTTPS") return [];
    const { listener, hostname } = section;
    const key = `${listener}|${hostname}`;
    return [[key, { key, listener, hostname, section: section.key, rules: [] }] as [string, VirtualHost]];
  });
  return graph.union("virtual hosts", [withRules, withoutRules]);
}

/** Spec: matching precedence across rules and routes. All members are of one section: only one owns a hostname. */
function mergeRules(key: string, group: readonly HostRules[]): VirtualHost | undefined {
  const [first] = group;
  if (!first) return undefined;
  const ranked = group.flatMap(({ rules }) => rules).toSorted((a, b) => compareRules(a.rank, b.rank));
  const { listener, hostname, section } = first;
  return { key, listener, hostname, section, rules: ranked.map(({ rule }) => rule) };
}
