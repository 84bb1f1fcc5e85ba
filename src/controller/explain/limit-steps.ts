/** Whom and what a rule takes, and how it and its backends keep to their limits: each is worded here, and only here. */
import {
  compileClientAddresses,
  type Backend,
  type ClientAddresses,
  type HashSource,
  type HealthCheck,
  type LoadBalancing,
  type RateLimit,
  type RuleAction,
} from "../../model/index.ts";
import type { Step } from "./explanation.ts";
import { listWords, nameDuration, nameSize } from "./object-words.ts";
import { nameAnswer, type Question } from "./question.ts";

export interface Admission {
  readonly steps: readonly Step[];
  /** Absent: the request is taken, or nobody can tell. */
  readonly refusal?: { readonly status: number; readonly reason: string };
}

/** What is looked at before everything else that the rule does, in the order in which proxies do it. */
export function explainAdmission(action: RuleAction, question: Question): Admission {
  const { clientAddresses, rateLimit, maxBodySize } = action;
  const steps: Step[] = [];
  if (clientAddresses) {
    const { step, reason } = clientStep(clientAddresses, question);
    steps.push(step);
    if (reason !== undefined) return { steps, refusal: { status: 403, reason } };
  }
  if (rateLimit) steps.push(note(describeRate(rateLimit, question)));
  if (maxBodySize !== undefined) {
    const limit = `bodies up to ${nameSize(maxBodySize)}`;
    const declared = Number(question.header("content-length") ?? 0);
    const isTooLarge = declared > maxBodySize;
    const text = `${limit} (else ${nameAnswer(413, question)})`;
    steps.push({ about: "filter", mark: isTooLarge ? "no" : "note", text });
    if (isTooLarge) {
      const reason = `the rule takes ${limit}, and the request has ${nameSize(declared)}`;
      return { steps, refusal: { status: 413, reason } };
    }
  }
  return { steps };
}

function clientStep(
  addresses: ClientAddresses,
  question: Question,
): { readonly step: Step; readonly reason?: string } {
  const whom = describeClients(addresses);
  const text = `${whom} (${addresses.allow ? "others:" : "they get"} ${nameAnswer(403, question)})`;
  const { client } = question;
  if (client === undefined) {
    const takesNobody = addresses.allow?.length === 0;
    const step: Step = { about: "filter", mark: takesNobody ? "no" : "note", text };
    return takesNobody ? { step, reason: whom } : { step };
  }
  const takes = compileClientAddresses(addresses).takes(client, () => question.header("x-forwarded-for"));
  const step: Step = { about: "filter", mark: takes ? "yes" : "no", text: `${text}; asked by ${client}` };
  return takes ? { step } : { step, reason: `client ${client} is not allowed: ${whom}` };
}

function describeClients({ allow, deny = [], source, trustedProxies = [] }: ClientAddresses): string {
  const denied = deny.length === 0 ? "" : `${allow ? ", but none of" : "no clients of"} ${listWords(deny)}`;
  const taken = allow?.length === 0 ? "no clients" : allow ? `only clients of ${listWords(allow)}` : "";
  const told =
    source === "forwarded" && trustedProxies.length > 0
      ? `, as X-Forwarded-For of the proxies ${listWords(trustedProxies)} says`
      : "";
  return `${taken}${denied}${told}`;
}

const units: ReadonlyMap<number, string> = new Map([
  [1000, "a second"],
  [60_000, "a minute"],
  [3_600_000, "an hour"],
]);

function describeRate({ requests, interval, burst, statusCode }: RateLimit, question: Question): string {
  const per = units.get(interval) ?? `in ${nameDuration(interval)}`;
  const more = burst > 0 ? `, burst ${burst}` : "";
  const noun = requests === 1 ? "request" : "requests";
  return `at most ${requests} ${noun} ${per}${more} (then ${nameAnswer(statusCode, question)})`;
}

/** Of the rule, while a request is under way. */
export function limitSteps({ timeouts, retry, session, protocol }: RuleAction): Step[] {
  const words: string[] = [];
  if (protocol === "grpc") words.push("gRPC: errors are told as gRPC statuses");
  if (timeouts.request) words.push(`timeout: ${nameDuration(timeouts.request)} for the whole answer`);
  if (timeouts.backendRequest) words.push(`timeout: ${nameDuration(timeouts.backendRequest)} for each try`);
  if (timeouts.idle) words.push(`timeout: ${nameDuration(timeouts.idle)} without a byte in either direction`);
  if (retry && retry.attempts > 0) {
    const codes = retry.statusCodes.length > 0 ? ` and ${retry.statusCodes.join(", ")}` : "";
    const wait = retry.backoff > 0 ? `, ${nameDuration(retry.backoff)} apart` : "";
    words.push(`retry: up to ${retry.attempts} times after failed connections${codes}${wait}`);
  }
  if (session) words.push(`session: clients stay with their backend by the ${session.type} ${session.name}`);
  return words.map(note);
}

/** Of a backend. */
export function backendLimits(backend: Backend): string[] {
  const { retryBudget, connectTimeout, idleTimeout, loadBalancing, healthCheck } = backend;
  const words: string[] = [];
  if (retryBudget) words.push(`at most ${retryBudget.percent} % of its requests may be retries`);
  if (connectTimeout) words.push(`timeout: ${nameDuration(connectTimeout)} until a connection stands`);
  if (idleTimeout) words.push(`connections without requests are closed after ${nameDuration(idleTimeout)}`);
  if (loadBalancing) words.push(`endpoints are chosen ${describeBalancing(loadBalancing)}`);
  if (healthCheck) words.push(describeHealth(healthCheck));
  return words;
}

function describeBalancing(balancing: LoadBalancing): string {
  switch (balancing.type) {
    case "round-robin":
      return "by turns";
    case "least-request":
      return "by the fewest requests under way";
    case "random":
      return "by lot";
    case "hash":
      return `by ${listWords(balancing.on.map(describeSource))}: the same leads to the same`;
  }
}

function describeSource(source: HashSource): string {
  switch (source.type) {
    case "header":
      return `header ${source.name}`;
    case "query":
      return `query parameter ${source.name}`;
    case "source":
      return "the peer's address";
  }
}

function describeHealth({ path, host, interval, expectedStatuses }: HealthCheck): string {
  const how =
    path === undefined ? "a connection" : `GET ${path}${host === undefined ? "" : ` with host ${host}`}`;
  const statuses = expectedStatuses.map(({ start, end }) => (start === end ? `${start}` : `${start}–${end}`));
  const wanted = path === undefined ? "" : ` that gives ${listWords(statuses) || "200"}`;
  return `only endpoints that are well get requests: checked every ${nameDuration(interval)} by ${how}${wanted}`;
}

function note(text: string): Step {
  return { about: "filter", mark: "note", text };
}
