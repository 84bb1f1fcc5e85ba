import type { Backend, HttpBackend, WeightedBackend } from "../../model/index.ts";
import { hintsFrom } from "../meant-objects.ts";
import { endpointObjects, whyNoEndpoints } from "../missing-endpoints.ts";
import type { ExplainedState } from "./explained-state.ts";
import type { OutcomeBackend, Step } from "./explanation.ts";
import { authStep, corsStep, headerSteps, mirrorStep, redirectStep, rewriteStep } from "./filter-steps.ts";
import { backendLimits } from "./limit-steps.ts";
import { nameAnswer, type Question } from "./question.ts";
import { listWords, nameAddress, nameBackend, nameCertificate } from "./object-words.ts";

export interface ExplainedBackends {
  readonly steps: readonly Step[];
  readonly backends: readonly OutcomeBackend[];
}

export interface BackendQuestion {
  readonly state: ExplainedState;
  /** What becomes of a request, or connection, that finds no endpoint. */
  readonly withoutEndpoints: string;
  /** Absent for connections: their backends have no filters. */
  readonly question?: Question;
}

export function explainBackends(
  weighted: readonly (WeightedBackend | HttpBackend)[],
  question: BackendQuestion,
): ExplainedBackends {
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0);
  const steps: Step[] = [];
  const backends: OutcomeBackend[] = [];
  for (const one of weighted) {
    const share = total === 0 ? 0 : one.weight / total;
    const { step, backend } = explainBackend(one, share, question);
    steps.push(step);
    backends.push(backend);
  }
  return { steps, backends };
}

function explainBackend(
  one: WeightedBackend | HttpBackend,
  share: number,
  { state, withoutEndpoints, question }: BackendQuestion,
): { readonly step: Step; readonly backend: OutcomeBackend } {
  const percent = share === 1 ? "" : `${formatShare(share)} to `;
  const { target } = one;
  if (target.type === "error") {
    const problem = `${target.reason}${hintsFrom(() => state.resources())(target.reason)}`;
    const answer = question ? nameAnswer(target.status, question) : withoutEndpoints;
    return {
      step: { about: "backend", mark: "trouble", text: `${percent}nowhere (${answer}): ${problem}` },
      backend: { share, endpoints: [], problem },
    };
  }
  const name = nameBackend(target.backend);
  const endpoints = (state.model.endpoints.get(target.backend)?.endpoints ?? []).map(nameAddress);
  const backend = state.model.backends.get(target.backend);
  const details: Step[] = [...describeBackend(backend), ...ownFilters(one, question)];
  if (endpoints.length === 0) {
    const missing = backend && whyNoEndpoints(backend, endpointObjects(state.resources()));
    const problem = `${name} has no ready endpoint${missing ? `: ${missing.reason}` : ""}`;
    const text = `${percent}${name}, which has no ready endpoint (${withoutEndpoints})`;
    if (missing) details.push({ about: "endpoint", mark: "trouble", text: missing.reason });
    return {
      step: { about: "backend", mark: "trouble", text, steps: details },
      backend: { backend: target.backend, share, endpoints, problem },
    };
  }
  details.push({ about: "endpoint", mark: "note", text: `endpoints ${listWords(endpoints)}` });
  return {
    step: { about: "backend", mark: "yes", text: `${percent}${name}`, steps: details },
    backend: { backend: target.backend, share, endpoints },
  };
}

function describeBackend(backend: Backend | undefined): Step[] {
  const steps: Step[] = [];
  const note = (text: string) => steps.push({ about: "backend", mark: "note", text });
  if (backend?.protocol === "h2c") note("spoken to in HTTP/2 without TLS");
  if (backend?.tls) {
    const { hostname, trusted, clientCertificate } = backend.tls;
    const by =
      trusted === "system" ? "the machine's own authorities" : listWords(trusted.map(nameCertificate));
    note(
      trusted.length === 0
        ? `spoken to by TLS as ${hostname}, but nothing is trusted: every request fails`
        : `spoken to by TLS as ${hostname}, checked against ${by}`,
    );
    if (clientCertificate !== undefined) note(`shown is ${nameCertificate(clientCertificate)}`);
  }
  if (backend) backendLimits(backend).forEach(note);
  return steps;
}

function ownFilters(one: WeightedBackend | HttpBackend, question: Question | undefined): Step[] {
  if (!question) return [];
  const { cors, auth, redirect, requestHeaders, rewrite, mirrors = [], responseHeaders } = one as HttpBackend;
  return [
    ...(cors ? [corsStep(cors, question).step] : []),
    ...(auth ? [authStep(auth, question)] : []),
    ...(redirect ? [redirectStep(redirect, question)] : []),
    ...headerSteps("request", requestHeaders),
    ...(rewrite ? [rewriteStep(rewrite, question.path)] : []),
    ...mirrors.map(mirrorStep),
    ...headerSteps("response", responseHeaders),
  ];
}

function formatShare(share: number): string {
  const percent = share * 100;
  return `${Number.isInteger(percent) ? percent : percent.toFixed(1)} %`;
}
