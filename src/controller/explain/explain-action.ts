/** What a rule does with a request that it took: filters in the order of their work, then the backends. */
import { changePath, type Rule, type RuleAction } from "../../model/index.ts";
import type { ExplainedState } from "./explained-state.ts";
import { explainBackends } from "./explain-backends.ts";
import type { Outcome, Step } from "./explanation.ts";
import {
  authStep,
  corsStep,
  headerSteps,
  mirrorStep,
  redirectStep,
  redirectTo,
  rewriteStep,
} from "./filter-steps.ts";
import { explainAdmission, limitSteps } from "./limit-steps.ts";
import { nameAnswer, type Question } from "./question.ts";

export interface ActionQuestion {
  readonly rule: Rule;
  readonly question: Question;
  readonly state: ExplainedState;
  readonly steps: Step[];
}

export function explainAction({ rule, question, state, steps }: ActionQuestion): Outcome {
  const { action } = rule;
  const { route, cors, auth, redirect } = action;
  const answer = (status: number, reason: string): Outcome => ({ type: "answered", status, reason, route });
  const admission = explainAdmission(action, question);
  steps.push(...admission.steps);
  if (admission.refusal) return answer(admission.refusal.status, admission.refusal.reason);
  if (cors) {
    const { step, verdict } = corsStep(cors, question);
    steps.push(step);
    if (verdict.type === "preflight") {
      return answer(
        verdict.status,
        `a CORS pre-flight request that is ${verdict.allowed ? "" : "not "}allowed`,
      );
    }
  }
  if (auth) {
    steps.push(authStep(auth, question));
    if (auth.target.type === "error") return answer(500, `authorization: ${auth.target.reason}`);
  }
  if (redirect) {
    steps.push(redirectStep(redirect, question), ...headerSteps("response", action.responseHeaders));
    const location = redirectTo(redirect, question);
    return { type: "redirected", route, status: redirect.statusCode, location };
  }
  steps.push(...headerSteps("request", action.requestHeaders));
  if (action.rewrite) steps.push(rewriteStep(action.rewrite, question.path));
  steps.push(...action.mirrors.map(mirrorStep));
  steps.push(...limitSteps(action));
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
    question,
    withoutEndpoints: nameAnswer(503, question),
  });
  steps.push(...explained.steps);
  const [first] = explained.backends;
  if (explained.backends.every(({ problem }) => problem !== undefined)) {
    const isUnready = explained.backends.every(({ backend }) => backend !== undefined);
    return answer(isUnready ? 503 : (firstStatus(action) ?? 500), first?.problem ?? "");
  }
  const target = (rewrite?.path ? changePath(path, rewrite.path) : path) + question.search;
  return {
    type: "forwarded",
    route,
    request: { method: question.method, host: newHost(action) ?? question.host, target },
    backends: explained.backends,
  };
}

/** Of the first backend that leads nowhere. */
function firstStatus({ backends }: RuleAction): number | undefined {
  for (const { target } of backends) if (target.type === "error") return target.status;
  return undefined;
}

/** What a header filter sets is stronger than a rewrite. */
function newHost({ requestHeaders, rewrite }: RuleAction): string | undefined {
  return requestHeaders?.set.find(({ name }) => name === "host")?.value ?? rewrite?.hostname;
}
