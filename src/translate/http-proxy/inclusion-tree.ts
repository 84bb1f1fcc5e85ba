// The tree of HTTPProxies below one root.
//
// Spec: a root includes others, and they include others, each with conditions that are added to those of its routes. What is wrong with an include takes out that
// include: nothing is there (its requests are answered with an error, if it has conditions), it is a root itself, it leads back to where it came from, or
// another include of the same proxy has the same conditions. What is wrong with a route takes out its HTTPProxy and all that it includes.
//
// An HTTPProxy may be included several times, so a small set of objects can be a large tree; what is too large is refused as a whole.

import type { HTTPProxy } from "../../resources/index.ts";
import { anyBlock, blockKey, judgeIncludeBlock, type Conditions } from "./conditions.ts";
import { FindingList, type Findings } from "./findings.ts";
import { brokenInclude, placeRoute, type PlacedRule, type VirtualHostPolicies } from "./placed-routes.ts";
import { problem } from "./proxy-problem.ts";
import type { JudgedRoutes } from "./routes.ts";

export interface TreeInputs {
  /** By `namespace/name`; undefined: there is none, or it is of another class. */
  proxy(key: string): HTTPProxy | undefined;
  routes(key: string): JudgedRoutes | undefined;
}

export interface InclusionTree {
  /** The rules of each HTTPProxy in it, by `namespace/name`, in order of appearance. */
  readonly rules: ReadonlyMap<string, readonly PlacedRule[]>;
  /** Of each HTTPProxy that was reached. */
  readonly findings: ReadonlyMap<string, Findings>;
}

const mostInclusions = 1000;
const mostRules = 20_000;

export function growTree(root: HTTPProxy, policies: VirtualHostPolicies, inputs: TreeInputs): InclusionTree {
  const walk = new Walk(policies, inputs);
  const rules = walk.visit(root, [], []);
  const key = keyOf(root);
  if (walk.isTooLarge) {
    const message = `spec.includes: the tree has more than ${mostInclusions} inclusions or ${mostRules} routes; include less`;
    walk.findingsOf(key).error(problem("IncludeError", "TooManyIncludes", message));
    return { rules: new Map(), findings: walk.findings };
  }
  const byProxy = new Map<string, PlacedRule[]>();
  for (const { proxy, rule } of rules ?? []) {
    const known = byProxy.get(proxy);
    if (known) known.push(rule);
    else byProxy.set(proxy, [rule]);
  }
  return { rules: byProxy, findings: walk.findings };
}

interface RuleOfProxy {
  readonly proxy: string;
  readonly rule: PlacedRule;
}

class Walk {
  readonly findings = new Map<string, FindingList>();
  readonly #policies: VirtualHostPolicies;
  readonly #inputs: TreeInputs;
  #inclusions = 0;
  #rules = 0;

  constructor(policies: VirtualHostPolicies, inputs: TreeInputs) {
    this.#policies = policies;
    this.#inputs = inputs;
  }

  get isTooLarge(): boolean {
    return this.#inclusions > mostInclusions || this.#rules > mostRules;
  }

  findingsOf(key: string): FindingList {
    let list = this.findings.get(key);
    if (!list) this.findings.set(key, (list = new FindingList()));
    return list;
  }

  /** The rules of a proxy and of all below it; undefined if a route of its own is wrong. */
  visit(
    proxy: HTTPProxy,
    inherited: Conditions,
    above: readonly string[],
  ): readonly RuleOfProxy[] | undefined {
    const key = keyOf(proxy);
    const findings = this.findingsOf(key);
    if (above.includes(key)) {
      const way = [...above.slice(above.indexOf(key)), key].join(" -> ");
      return findings.error(
        problem("IncludeError", "IncludeCreatesCycle", `spec.includes: they lead back here: ${way}`),
      );
    }
    const included = this.#include(proxy, inherited, [...above, key]);
    const own = this.#place(key, inherited, findings);
    if (!own) return undefined;
    this.#rules += own.length;
    return [...included, ...own];
  }

  #place(key: string, inherited: Conditions, findings: FindingList): readonly RuleOfProxy[] | undefined {
    const judged = this.#inputs.routes(key);
    if (!judged) return [];
    const list = new FindingList();
    list.error(...judged.errors);
    list.warn(...judged.warnings);
    const rules =
      judged.errors.length > 0
        ? []
        : judged.routes.map((route) => placeRoute(route, inherited, this.#policies, list));
    findings.error(...list.errors);
    findings.warn(...list.warnings);
    if (list.errors.length > 0) return undefined;
    return rules.flatMap((rule) => (rule ? [{ proxy: key, rule }] : []));
  }

  #include(proxy: HTTPProxy, inherited: Conditions, above: readonly string[]): RuleOfProxy[] {
    const rules: RuleOfProxy[] = [];
    const key = keyOf(proxy);
    const findings = this.findingsOf(key);
    const seen = new Set<string>();
    for (const [index, include] of (proxy.spec.includes ?? []).entries()) {
      this.#inclusions++;
      if (this.isTooLarge) return rules;
      const { name, namespace = "", conditions = [] } = include;
      const field = `spec.includes[${index}]`;
      const target = `${namespace || proxy.metadata.namespace}/${name}`;
      const block = judgeIncludeBlock(conditions);
      if (block) {
        const type = block.part === "Path" ? "IncludeError" : "RouteError";
        findings.error(
          problem(type, `${block.part}MatchConditionsNotValid`, `${field}.conditions: ${block.wrong}`),
        );
        continue;
      }
      // Spec: several may take everything.
      const asked = blockKey(conditions);
      if (asked !== anyBlock && seen.has(asked)) {
        const message = `${field}.conditions: another include has the same; keep one`;
        findings.error(problem("IncludeError", "DuplicateMatchConditions", message));
        continue;
      }
      seen.add(asked);
      const all = [...inherited, ...conditions];
      const found = this.#inputs.proxy(target);
      if (!found || found.spec.virtualhost) {
        const [reason, why] = found
          ? [
              "RootIncludesRoot",
              `HTTPProxy ${target} has a virtualhost, so it is a root and cannot be included`,
            ]
          : ["IncludeNotFound", `there is no HTTPProxy ${target}`];
        findings.error(problem("IncludeError", reason ?? "", `${field}: ${why}`));
        const rule = conditions.length > 0 ? brokenInclude(all, field, why ?? "") : undefined;
        if (rule) rules.push({ proxy: key, rule });
        continue;
      }
      rules.push(...(this.visit(found, all, above) ?? []));
    }
    return rules;
  }
}

export function keyOf({ metadata }: HTTPProxy): string {
  return `${metadata.namespace}/${metadata.name}`;
}
