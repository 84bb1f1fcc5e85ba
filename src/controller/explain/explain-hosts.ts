/** The virtual hosts that may take the request, and their rules, in the order in which a proxy asks them. */
import {
  explainMatch,
  hostnameCandidates,
  type Listener,
  type Rule,
  type VirtualHost,
} from "../../model/index.ts";
import { hostsAdvice, otherPorts, refusedRoutes } from "./advice.ts";
import type { ExplainedState } from "./explained-state.ts";
import { explainAction } from "./explain-action.ts";
import type { Outcome, Step } from "./explanation.ts";
import { nameRule, nameSection } from "./object-words.ts";
import type { Question } from "./question.ts";

export interface HostQuestion {
  readonly listener: Listener;
  /** That the TLS server name chose; `undefined` for plain HTTP. */
  readonly section: string | undefined;
  readonly question: Question;
  readonly state: ExplainedState;
  readonly steps: Step[];
}

export function explainHosts({ listener, section, question, state, steps }: HostQuestion): Outcome {
  const { host } = question;
  const candidates = hostnameCandidates(host)
    .map((hostname) => state.model.virtualHosts.get(`${listener.key}|${hostname}`))
    .filter((found) => found !== undefined);
  const [first] = candidates;
  if (!first) {
    const reason = `no route takes host ${host} on port ${listener.port}`;
    const hosts = hostsOn(listener, state);
    const advice = [
      ...hostsAdvice(host, hosts, "hosts"),
      ...otherPorts(host, listener, state),
      ...refusedRoutes(host, state),
    ];
    steps.push({ about: "virtual host", mark: "no", text: reason, steps: advice });
    return { type: "answered", status: 404, reason };
  }
  if (section !== undefined && first.section !== section) {
    const reason = `host ${host} belongs to ${nameSection(first.section)}, but the connection was made to ${nameSection(section)}`;
    const advice = "a client that gets 421 asks again on a connection of its own";
    steps.push({
      about: "virtual host",
      mark: "no",
      text: reason,
      steps: [{ about: "advice", mark: "note", text: advice }],
    });
    return { type: "answered", status: 421, reason };
  }
  const hosts = candidates.filter((candidate) => candidate.section === first.section);
  for (const virtualHost of hosts) {
    const { step, taken } = explainRules(virtualHost, question);
    steps.push(step);
    if (taken) return explainAction({ rule: taken, listener, question, state, steps });
  }
  const reason = `no rule takes ${question.method} ${question.path} of host ${host}`;
  steps.push({
    about: "rule",
    mark: "no",
    text: reason,
    steps: [...otherPorts(host, listener, state), ...refusedRoutes(host, state)],
  });
  return { type: "answered", status: 404, reason };
}

function hostsOn(listener: Listener, { model }: ExplainedState): string[] {
  return [...model.virtualHosts.entries()]
    .map(([, virtualHost]) => virtualHost)
    .filter((virtualHost) => virtualHost.listener === listener.key && virtualHost.rules.length > 0)
    .map(({ hostname }) => hostname);
}

/** Rules that fail are of interest as long as they are few; of many, those that came close. */
const mostFailed = 12;

function explainRules(
  virtualHost: VirtualHost,
  question: Question,
): { readonly step: Step; readonly taken: Rule | undefined } {
  const failed: { readonly step: Step; readonly isNear: boolean }[] = [];
  const siblings = matchCounts(virtualHost.rules);
  let taken: Rule | undefined;
  let takenStep: Step | undefined;
  for (const rule of virtualHost.rules) {
    const conditions = explainMatch(rule.match, question);
    const holds = conditions.every(({ held }) => held);
    const steps = conditions
      .filter(({ held }) => holds || !held)
      .map(({ part, held, expected, actual }): Step => {
        const text = held
          ? `${part} ${expected}`
          : `${part} must be ${expected}; ${describeActual(part, actual)}`;
        return { about: "condition", mark: held ? "yes" : "no", text };
      });
    const name = nameMatch(rule, siblings);
    if (holds) {
      taken = rule;
      takenStep = { about: "rule", mark: "yes", text: name, steps };
      break;
    }
    failed.push({
      step: { about: "rule", mark: "no", text: name, steps },
      isNear: conditions[0]?.held === true,
    });
  }
  const shown =
    failed.length <= mostFailed ? failed : failed.filter(({ isNear }) => isNear).slice(-mostFailed);
  const left = failed.length - shown.length;
  const others: Step[] =
    left > 0 ? [{ about: "rule", mark: "no", text: `${left} other rules, whose path does not fit` }] : [];
  const count = virtualHost.rules.length;
  const text = `host ${question.host} is served by ${nameHost(virtualHost)}${count === 0 ? ", which has no rules" : ""}`;
  return {
    step: {
      about: "virtual host",
      mark: taken ? "yes" : "no",
      text,
      steps: [...others, ...shown.map(({ step }) => step), ...(takenStep ? [takenStep] : [])],
    },
    taken,
  };
}

function describeActual(part: string, actual: string): string {
  return part === "path" || part === "method" ? `it is ${actual}` : actual;
}

function nameHost({ hostname, section }: VirtualHost): string {
  return `${hostname === "*" ? "any host" : hostname} of ${nameSection(section)}`;
}

/** A rule's matches are tried one by one; they are told apart only where there are several. */
function matchCounts(rules: readonly Rule[]): ReadonlyMap<object, number> {
  const counts = new Map<object, number>();
  for (const { action } of rules) counts.set(action, (counts.get(action) ?? 0) + 1);
  return counts;
}

function nameMatch({ key, action }: Rule, siblings: ReadonlyMap<object, number>): string {
  const match = (siblings.get(action) ?? 1) > 1 ? `, match ${key.slice(key.lastIndexOf("/") + 1)}` : "";
  return `${nameRule(action.route)}${match}`;
}
