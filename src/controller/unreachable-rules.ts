/*
 * Matches that never get a request, because another one asks for the same and comes first. That is no mistake to the API, so no
 * status tells; but nobody writes two to use one.
 */
import type { ModelCollections } from "../translate/index.ts";
import { nameRule } from "./explain/object-words.ts";
import type { Note } from "./note.ts";

/** What became of Ingresses and HTTPProxies is told as theirs. */
const kinds: ReadonlySet<string> = new Set(["HTTPRoute", "GRPCRoute"]);

export function unreachableRules({ virtualHosts }: Pick<ModelCollections, "virtualHosts">): readonly Note[] {
  const notes = new Map<string, Note>();
  for (const [, { hostname, rules }] of virtualHosts.entries()) {
    if (rules.length < 2) continue;
    const first = new Map<string, (typeof rules)[number]>();
    for (const rule of rules) {
      const asked = JSON.stringify(rule.match);
      const before = first.get(asked);
      first.set(asked, before ?? rule);
      const { kind, namespace, name, rule: index } = rule.action.route;
      if (!before || !kinds.has(kind)) continue;
      const field = `spec.rules[${index}].matches[${rule.key.split("/").at(-1)}]`;
      const host = hostname === "*" ? "any host" : `host ${hostname}`;
      const winner = nameRule(before.action.route);
      const message = `${kind} ${namespace}/${name}: ${field} gets no requests of ${host}: ${winner} asks for the same and comes first`;
      notes.set(message, { rule: "unreachable-rule", key: `${kind}/${namespace}/${name}`, message });
    }
  }
  return [...notes.values()].toSorted((a, b) => (a.message < b.message ? -1 : 1));
}
