/** What a rule does with a request that it took: filters in the order of their work, then the backends. */
import {
  changePath,
  judgeCors,
  redirectLocation,
  type CorsPolicy,
  type Listener,
  type Mirror,
  type Rule,
  type RuleAction,
} from "../../model/index.ts";
import type { ExplainedState } from "./explained-state.ts";
import { explainBackends } from "./explain-backends.ts";
import type { Outcome, Step } from "./explanation.ts";
import { headerSteps, rewriteStep } from "./filter-words.ts";
import { nameDuration, nameTarget } from "./object-words.ts";
import type { Question } from "./question.ts";

export interface ActionQuestion {
  readonly rule: Rule;
  readonly listener: Listener;
  readonly question: Question;
  readonly state: ExplainedState;
  readonly steps: Step[];
}

export function explainAction({ rule, question, state, steps }: ActionQuestion): Outcome {
  const { action } = rule;
  const { route } = action;
  const note = (text: string) => steps.push({ about: "filter", mark: "note", text });
  if (action.cors) {
    const answer = explainCors(action.cors, question, steps);
    if (answer) return { ...answer, route };
  }
  if (action.auth) {
    const { protocol, target } = action.auth;
    if (target.type === "error") {
      const reason = `authorization leads nowhere: ${target.reason}`;
      steps.push({ about: "filter", mark: "trouble", text: reason });
      return { type: "answered", status: 500, reason, route };
    }
    note(
      `authorization: ${nameTarget(target)} is asked first (${protocol}); anything but a yes is the answer`,
    );
  }
  if (action.redirect) {
    const { scheme, host, port, path, query } = question;
    const location = redirectLocation(action.redirect, { scheme, host, listenerPort: port, path, query });
    const status = action.redirect.statusCode;
    note(`redirect: ${status} to ${location}`);
    steps.push(...headerSteps("response", action.responseHeaders));
    return { type: "redirected", route, status, location };
  }
  steps.push(...headerSteps("request", action.requestHeaders));
  if (action.rewrite) steps.push(rewriteStep(action.rewrite, question.path));
  for (const mirror of action.mirrors) steps.push(mirrorStep(mirror));
  for (const text of describeLimits(action)) note(text);
  steps.push(...headerSteps("response", action.responseHeaders));
  return explainForwarding(action, question, state, steps);
}

function explainForwarding(
  action: RuleAction,
  question: Question,
  state: ExplainedState,
  steps: Step[],
): Outcome {
  const { route, rewrite } = action;
  const answer = (status: number, reason: string): Outcome => ({ type: "answered", status, reason, route });
  if (action.backends.length === 0) {
    const reason = "the rule has no backend that may take requests";
    steps.push({ about: "backend", mark: "trouble", text: reason });
    return answer(500, reason);
  }
  const { path } = question;
  const explained = explainBackends(action.backends, {
    state,
    path,
    withoutEndpoints: "such requests get 503",
  });
  steps.push(...explained.steps);
  const [first] = explained.backends;
  if (explained.backends.every(({ problem }) => problem !== undefined)) {
    const isUnready = explained.backends.every(({ backend }) => backend !== undefined);
    return answer(isUnready ? 503 : 500, first?.problem ?? "");
  }
  const target = (rewrite?.path ? changePath(path, rewrite.path) : path) + question.search;
  return {
    type: "forwarded",
    route,
    request: { method: question.method, host: rewrite?.hostname ?? question.host, target },
    backends: explained.backends,
  };
}

function explainCors(policy: CorsPolicy, question: Question, steps: Step[]) {
  const verdict = judgeCors(policy, {
    method: question.method,
    origin: question.header("origin"),
    requestMethod: question.header("access-control-request-method"),
    requestHeaders: question.header("access-control-request-headers"),
  });
  if (verdict.type === "not applicable") {
    steps.push({
      about: "filter",
      mark: "note",
      text: "CORS: the request has no Origin, so nothing happens",
    });
    return undefined;
  }
  const origin = question.header("origin");
  const allowed = verdict.allowed
    ? `origin ${origin} is allowed`
    : `origin ${origin} is not among ${policy.allowOrigins.join(", ") || "any"}`;
  const headers = verdict.headers.map(({ name, value }): Step => ({
    about: "filter",
    mark: "note",
    text: `${name}: ${value}`,
  }));
  const mark = verdict.allowed ? ("yes" as const) : ("no" as const);
  if (verdict.type === "actual") {
    const text = `CORS: ${allowed}; the answer gets`;
    steps.push({ about: "filter", mark, text, steps: headers });
    return undefined;
  }
  steps.push({
    about: "filter",
    mark,
    text: `CORS: ${allowed}; the gateway answers the pre-flight request`,
    steps: headers,
  });
  return {
    type: "answered",
    status: verdict.status,
    reason: `a CORS pre-flight request: ${allowed}`,
  } as const;
}

function mirrorStep({ target, numerator, denominator }: Mirror): Step {
  const share = numerator === denominator ? "every request" : `${numerator} of ${denominator} requests`;
  const mark = target.type === "error" ? ("trouble" as const) : ("note" as const);
  return { about: "filter", mark, text: `mirror: ${share} to ${nameTarget(target)}` };
}

function describeLimits({ timeouts, retry, session, protocol }: RuleAction): string[] {
  const words: string[] = [];
  if (protocol === "grpc") words.push("gRPC: errors are told as gRPC statuses");
  if (timeouts.request) words.push(`timeout: ${nameDuration(timeouts.request)} for the whole answer`);
  if (timeouts.backendRequest) words.push(`timeout: ${nameDuration(timeouts.backendRequest)} for each try`);
  if (retry && retry.attempts > 0) {
    const codes = retry.statusCodes.length > 0 ? ` and ${retry.statusCodes.join(", ")}` : "";
    const wait = retry.backoff > 0 ? `, ${nameDuration(retry.backoff)} apart` : "";
    words.push(`retry: up to ${retry.attempts} times after failed connections${codes}${wait}`);
  }
  if (session) words.push(`session: clients stay with their backend by the ${session.type} ${session.name}`);
  return words;
}
