/** The virtual hosts that may take the request, and their rules, in the order in which a proxy asks them. */
import {
  explainMatch,
  hostnameCandidates,
  MatchingEffort,
  MatchingTooCostly,
  type Listener,
  type Rule,
  type VirtualHost,
} from "../../model/index.ts";
import { hostsAdvice, invalidRoutes, otherPorts, refusedRoutes, unservedListeners } from "./advice.ts";
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

export function explainHosts(asked: HostQuestion): Outcome {
  try {
    return explainCandidates(asked);
  } catch (error) {
    if (error instanceof MatchingTooCostly) return explainTooCostly(error.message, asked.steps);
    throw error;
  }
}

function explainCandidates({ listener, section, question, state, steps }: HostQuestion): Outcome {
  const { host } = question;
  const candidates = hostnameCandidates(host)
    .map((hostname) => state.model.virtualHosts.get(`${listener.key}|${hostname}`))
    .filter((found) => found !== undefined);
  const [first] = candidates;
  if (first && section !== undefined && first.section !== section) {
    return explainMisdirected(host, first.section, section, steps);
  }
  const hosts = candidates.filter((candidate) => candidate.section === first?.section);
  if (hosts.every(({ rules }) => rules.length === 0)) {
    const reason = `no route takes host ${host} on port ${listener.port}`;
    const advice = [
      ...hostsAdvice(host, hostsOn(listener, state), "hosts"),
      ...unservedListeners(listener.port, state),
      ...refusedRoutes(host, state),
      ...invalidRoutes(state),
      ...otherPorts(host, listener, state),
    ];
    const owner = first ? `; it would belong to ${nameSection(first.section)}` : "";
    steps.push({ about: "virtual host", mark: "no", text: reason + owner, steps: advice });
    return { type: "answered", status: 404, reason };
  }
  const effort = new MatchingEffort();
  for (const virtualHost of hosts) {
    const { step, taken } = explainRules(virtualHost, virtualHost === first, question, effort);
    steps.push(step);
    if (taken && allowsMethod(taken, question)) {
      return explainAction({ rule: taken, question, state, steps });
    }
    if (taken) return explainMethod(question, steps);
  }
  const reason = `no rule takes ${question.method} ${question.path} of host ${host}`;
  steps.push(...refusedRoutes(host, state), ...invalidRoutes(state), ...otherPorts(host, listener, state));
  return { type: "answered", status: 404, reason };
}

function explainTooCostly(reason: string, steps: Step[]): Outcome {
  const advice = "shorten what they repeat, or match by prefix, exactly, or by fewer rules";
  steps.push({
    about: "rule",
    mark: "trouble",
    text: reason,
    steps: [{ about: "advice", mark: "note", text: advice }],
  });
  return { type: "answered", status: 400, reason };
}

function explainMisdirected(host: string, owner: string, section: string, steps: Step[]): Outcome {
  const reason = `host ${host} belongs to ${nameSection(owner)}, but the connection was made to ${nameSection(section)}`;
  const advice = "a client that gets 421 asks again on a connection of its own";
  steps.push({
    about: "virtual host",
    mark: "no",
    text: reason,
    steps: [{ about: "advice", mark: "note", text: advice }],
  });
  return { type: "answered", status: 421, reason };
}

/** TRACE and CONNECT are let through only by rules that name them. */
function allowsMethod({ match }: Rule, { method }: Question): boolean {
  return (method !== "TRACE" && method !== "CONNECT") || match.method === method;
}

function explainMethod({ method }: Question, steps: Step[]): Outcome {
  const reason = `${method} is served only by a rule that names this method`;
  steps.push({ about: "rule", mark: "no", text: reason });
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
  isFirst: boolean,
  question: Question,
  effort: MatchingEffort,
): { readonly step: Step; readonly taken: Rule | undefined } {
  const failed: { readonly step: Step; readonly isNear: boolean }[] = [];
  const siblings = matchCounts(virtualHost.rules);
  let taken: Rule | undefined;
  let takenStep: Step | undefined;
  for (const rule of virtualHost.rules) {
    const { steps, holds, pathHolds } = explainConditions(rule, question, effort);
    const text = nameMatch(rule, siblings);
    if (holds) {
      taken = rule;
      takenStep = { about: "rule", mark: "yes", text, steps };
      break;
    }
    failed.push({ step: { about: "rule", mark: "no", text, steps }, isNear: pathHolds });
  }
  const shown =
    failed.length <= mostFailed ? failed : failed.filter(({ isNear }) => isNear).slice(-mostFailed);
  const left = failed.length - shown.length;
  const others: Step[] = left > 0 ? [{ about: "rule", mark: "no", text: `${left} other rules` }] : [];
  return {
    step: {
      about: "virtual host",
      mark: taken ? "yes" : "no",
      text: describeHost(virtualHost, isFirst, question.host),
      steps: [...others, ...shown.map(({ step }) => step), ...(takenStep ? [takenStep] : [])],
    },
    taken,
  };
}

/** All conditions of a match that holds; those that fail of one that does not. */
function explainConditions({ match }: Rule, question: Question, effort: MatchingEffort) {
  const names = [
    ...(match.method === undefined ? ["path"] : ["path", "method"]),
    ...match.headers.map(({ name }) => `header ${name}`),
    ...match.queryParams.map(({ name }) => `query parameter ${name}`),
  ];
  const conditions = explainMatch(match, question, effort);
  const holds = conditions.every(({ held }) => held);
  const steps = conditions.flatMap(({ part, held, expected, actual }, index): Step[] => {
    if (!holds && held) return [];
    const subject = names[index] ?? part;
    // Of headers and parameters both texts begin with the name.
    const name = subject.slice(part.length + 1);
    const wanted = name === "" ? expected : expected.slice(name.length + 1);
    const given = name === "" ? `is ${actual}` : actual.slice(name.length + 1);
    const text = held ? `${subject} is ${wanted}` : `${subject} must be ${wanted}, but ${given}`;
    return [{ about: "condition", mark: held ? "yes" : "no", text }];
  });
  return { steps, holds, pathHolds: conditions[0]?.held === true };
}

function describeHost({ hostname, section, rules }: VirtualHost, isFirst: boolean, host: string): string {
  const pattern = hostname === "*" ? "any host" : hostname;
  const none = rules.length === 0 ? " (there are none)" : "";
  if (!isFirst) return `next come the rules for ${pattern}${none}`;
  const as = hostname === host ? "" : `, as ${pattern}`;
  return `host ${host} belongs to ${nameSection(section)}${as}${none}`;
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
