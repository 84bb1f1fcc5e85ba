/*
 * Walks a request through the model the way a proxy does, and writes down each decision:
 *
 *   port → TLS server name → virtual hosts, most specific first → rules, in order → filters → backends
 *
 * The model holds all decisions already, so nothing is judged anew here. Where the way ends early, statuses tell what might
 * have been meant: listeners that were refused, routes that name the host but did not attach.
 */
import { grpcStatusName, grpcStatusOf, type Listener } from "../../model/index.ts";
import { invalidGateways, unservedListeners } from "./advice.ts";
import type { ExplainedState } from "./explained-state.ts";
import type { Explanation, Outcome, Step, Walk } from "./explanation.ts";
import { explainHosts } from "./explain-hosts.ts";
import { explainServerName, explainStream } from "./explain-streams.ts";
import { listWords } from "./object-words.ts";
import { readQuestion, type Question, type QuestionOptions } from "./question.ts";

export type ExplainResult =
  | { readonly outcome: "explained"; readonly explanation: Explanation }
  /** No such request can be sent. */
  | { readonly outcome: "malformed"; readonly message: string };

export function explain(options: QuestionOptions, state: ExplainedState): ExplainResult {
  const { method, url } = options;
  const read = readQuestion(options);
  if (read.outcome === "malformed") return read;
  if (read.outcome === "refused") {
    const reason = read.message;
    const outcome: Outcome = { type: "answered", status: 400, reason };
    const steps: Step[] = [{ about: "request", mark: "no", text: reason }];
    return {
      outcome: "explained",
      explanation: { request: { method, url }, walks: [{ steps, outcome }], outcome },
    };
  }
  const { question } = read;
  const { host, serverName, port, path, query } = question;
  const listeners = listenersOf(question, state);
  const walks =
    listeners.length === 0
      ? [nothingListens(question, state)]
      : listeners.map((listener) => walk(listener, question, state));
  const { outcome } = walks.find((one) => "route" in one.outcome) ?? walks[0]!;
  const understood = { host, ...(serverName === undefined ? {} : { serverName }), port, path, query };
  return {
    outcome: "explained",
    explanation: { request: { method, url, ...understood }, walks, outcome },
  };
}

/** Without privileges, ports below 1024 are opened 8000 higher: somebody may ask by the port that was printed. */
const mappedBy = 8000;

function listenersOf({ port, gateway, stream }: Question, state: ExplainedState): Listener[] {
  const all = [...state.model.listeners.entries()]
    .map(([, listener]) => listener)
    .filter((listener) => listener.transport === (stream ?? "tcp"))
    .filter((listener) => gateway === undefined || listener.gateway === gateway);
  const exact = all.filter((listener) => listener.port === port);
  // A port that somebody asks for by its own number is not taken for a substitute.
  if (exact.length > 0 || unservedListeners(port, state).length > 0) return exact;
  return all.filter((listener) => listener.port < 1024 && listener.port === port - mappedBy);
}

function walk(listener: Listener, question: Question, state: ExplainedState): Walk {
  const { gateway, protocol } = listener;
  const speaks = {
    http: "HTTP",
    tls: servesHttps(listener, state) ? "HTTPS" : "TLS",
    tcp: "TCP",
    udp: "UDP",
  }[protocol];
  const steps: Step[] = [
    {
      about: "listener",
      mark: "yes",
      text: `Gateway ${gateway} listens on port ${listener.port} (${speaks})`,
      ...(listener.port === question.port ? {} : { steps: [mappingNote(listener.port, question.port)] }),
    },
  ];
  const end = (outcome: Outcome): Walk => ({ gateway, steps, outcome: asSent(outcome, question) });
  if (protocol === "tcp" || protocol === "udp") return end(explainStream(listener, state, steps));
  const misfit = describeMisfit(listener, question);
  if (misfit !== undefined) {
    steps.push({ about: "request", mark: "no", text: misfit });
    return end({ type: "not connected", reason: misfit });
  }
  if (protocol === "http") return end(explainHosts({ listener, section: undefined, question, state, steps }));
  const found = explainServerName(listener, question, state, steps);
  if ("outcome" in found) return end(found.outcome);
  return end(explainHosts({ listener, section: found.section, question, state, steps }));
}

/** Why nobody can ask this port in this way. */
function describeMisfit({ protocol, port }: Listener, { scheme, stream }: Question): string | undefined {
  if (protocol === "http" && stream) return `port ${port} speaks plain HTTP; ask with http://`;
  if (protocol === "http" && scheme === "https") {
    return `port ${port} speaks plain HTTP, so a TLS handshake fails; ask with http://`;
  }
  if (protocol === "tls" && stream) return `port ${port} begins with TLS; ask with https://`;
  if (protocol === "tls" && scheme === "http") {
    return `port ${port} begins with TLS, so a plain HTTP request fails; ask with https://`;
  }
  return undefined;
}

/** Errors are decided by their HTTP status, whoever asks; gRPC clients get them in their own words. */
function asSent(outcome: Outcome, { isGrpc }: Question): Outcome {
  if (!isGrpc || outcome.type !== "answered" || outcome.status < 400) return outcome;
  const code = grpcStatusOf(outcome.status);
  return { ...outcome, status: 200, grpcStatus: { code, name: grpcStatusName(code) } };
}

/** A port of TLS can carry both; then it is called by what they have in common. */
function servesHttps({ key }: Listener, { model }: ExplainedState): boolean {
  const actions = [...model.serverNames.entries()].flatMap(([, { listener, action }]) =>
    listener === key ? [action.type] : [],
  );
  return actions.length > 0 && actions.every((type) => type === "http");
}

function mappingNote(port: number, asked: number): Step {
  const text = `port ${asked} is where port ${port} is opened by a user without privileges`;
  return { about: "listener", mark: "note", text };
}

function nothingListens(question: Question, state: ExplainedState): Walk {
  const { port, gateway, stream = "tcp" } = question;
  const reason = describeNoListener(question, state);
  const listeners = [...state.model.listeners.entries()].map(([, listener]) => listener);
  const open = listeners.map((listener) => {
    return `${listener.port}${listener.transport === "udp" ? "/udp" : ""} (${listener.gateway})`;
  });
  const others = listeners.filter((one) => one.port === port && one.transport !== stream);
  const advice: Step[] = [
    ...others
      .filter((one) => gateway === undefined || one.gateway === gateway)
      .map((one): Step => {
        const ask = `${one.transport === "udp" ? "udp" : "http"}://${question.host}:${port}`;
        const text = `Gateway ${one.gateway} has it for ${one.transport.toUpperCase()}; ask with ${ask}`;
        return { about: "advice", mark: "note", text };
      }),
    ...unservedListeners(port, state),
    ...invalidGateways(state),
    ...(open.length > 0
      ? [{ about: "advice", mark: "note", text: `open are ${listWords([...new Set(open)])}` } as const]
      : []),
  ];
  return {
    steps: [{ about: "listener", mark: "no", text: reason, steps: advice }],
    outcome: { type: "not connected", reason },
  };
}

function hasGateway(key: string, { statuses }: ExplainedState): boolean {
  for (const [, status] of statuses.entries()) if (status.key === `Gateway/${key}`) return true;
  return false;
}

function describeNoListener({ port, gateway, stream }: Question, state: ExplainedState): string {
  const wanted = `${stream === "udp" ? "UDP " : ""}port ${port}`;
  if (gateway === undefined) return `no Gateway listens on ${wanted}`;
  return hasGateway(gateway, state)
    ? `Gateway ${gateway} does not listen on ${wanted}`
    : `there is no Gateway ${gateway} of ours`;
}
