/** What happens to connections before, or instead of, requests: server names of TLS, and bytes that are copied. */
import {
  hostnameCandidates,
  type Listener,
  type RouteRule,
  type WeightedBackend,
} from "../../model/index.ts";
import { describeNames, describeValidity } from "../certificate-notes.ts";
import { hostsAdvice, invalidRoutes, refusedRoutes, unservedListeners } from "./advice.ts";
import type { ExplainedState } from "./explained-state.ts";
import { explainBackends } from "./explain-backends.ts";
import type { Outcome, Step } from "./explanation.ts";
import { listWords, nameCertificate, nameRule, nameSection } from "./object-words.ts";
import type { Question } from "./question.ts";

/** The section that serves requests of this connection, or how the connection ends. */
export function explainServerName(
  listener: Listener,
  question: Question,
  state: ExplainedState,
  steps: Step[],
): { readonly section: string } | { readonly outcome: Outcome } {
  const { serverName } = question;
  const asked = serverName === undefined ? "a connection without a server name" : `server name ${serverName}`;
  const candidates = serverName === undefined ? ["*"] : hostnameCandidates(serverName);
  const found = candidates
    .map((hostname) => state.model.serverNames.get(`${listener.key}|${hostname}`))
    .find((name) => name !== undefined);
  if (!found) {
    const reason = `nobody serves ${asked} on port ${listener.port}, so the handshake fails`;
    const names = namesOn(listener, state);
    steps.push({
      about: "server name",
      mark: "no",
      text: reason,
      steps: [
        ...hostsAdvice(serverName, names, "server names"),
        ...unservedListeners(listener.port, state),
        ...(serverName === undefined ? [] : refusedRoutes(serverName, state)),
        ...invalidRoutes(state),
      ],
    });
    return { outcome: { type: "not connected", reason } };
  }
  const { action, section, hostname } = found;
  const pattern = hostname === serverName ? "" : ` (${hostname})`;
  const keys = "certificates" in action ? action.certificates : [];
  const certificates = keys.length > 0 ? `, certificate ${listWords(keys.map(nameCertificate))}` : "";
  const details = [
    ...(listener.clientValidation ? [clientValidationStep(listener.clientValidation.mode)] : []),
    ...certificateSteps(keys, question, state),
  ];
  steps.push({
    about: "server name",
    mark: "yes",
    text: `${asked} belongs to ${nameSection(section)}${pattern}${certificates}`,
    ...(details.length > 0 ? { steps: details } : {}),
  });
  if (action.type === "http") return { section };
  const how = action.type === "passthrough" ? "TLS is passed through untouched" : "TLS ends here";
  steps.push({ about: "filter", mark: "note", text: `${how}; the bytes go on as they are` });
  const { route, backends } = action;
  return { outcome: explainRelay({ route, backends, transport: "tcp" }, state, steps) };
}

function clientValidationStep(mode: "require" | "allow-insecure"): Step {
  const text =
    mode === "require"
      ? "the client must show a valid certificate"
      : "the client is asked for a certificate, but let in without";
  return { about: "server name", mark: "note", text };
}

/** Why a client may turn away from what it is shown. */
function certificateSteps(
  keys: readonly string[],
  { serverName = "*", now }: Question,
  { model }: ExplainedState,
): Step[] {
  const shown = keys.flatMap((key) => model.certificates.get(key) ?? []);
  const strangers = describeNames(shown, serverName);
  const texts = [
    ...(strangers === undefined ? [] : [strangers]),
    ...shown.flatMap((certificate) => {
      const validity = describeValidity(certificate, now);
      return validity === undefined ? [] : [`${nameCertificate(certificate.key)}: ${validity}`];
    }),
  ];
  return texts.map((text) => ({ about: "server name", mark: "trouble", text }));
}

function namesOn(listener: Listener, { model }: ExplainedState): string[] {
  return [...model.serverNames.entries()]
    .map(([, name]) => name)
    .filter((name) => name.listener === listener.key)
    .map(({ hostname }) => hostname);
}

/** A port of plain TCP, or of UDP: everything goes to one route. */
export function explainStream({ key, transport }: Listener, state: ExplainedState, steps: Step[]): Outcome {
  const stream = state.model.streamRoutes.get(key);
  return explainRelay({ route: stream?.route, backends: stream?.backends ?? [], transport }, state, steps);
}

interface Relay {
  readonly route: RouteRule | undefined;
  readonly backends: readonly WeightedBackend[];
  readonly transport: Listener["transport"];
}

function explainRelay({ route, backends, transport }: Relay, state: ExplainedState, steps: Step[]): Outcome {
  const isUdp = transport === "udp";
  if (!route) {
    const reason = isUdp
      ? "no route takes these datagrams, so they are dropped"
      : "no route takes these connections, so they are closed";
    steps.push({ about: "rule", mark: "no", text: reason });
    return { type: "not connected", reason };
  }
  const what = isUdp ? "datagrams" : "connection";
  steps.push({ about: "rule", mark: "yes", text: `${nameRule(route)} takes the ${what}` });
  const withoutEndpoints = isUdp ? "dropped" : "closed at once";
  const explained = explainBackends(backends, { state, withoutEndpoints });
  steps.push(...explained.steps);
  if (explained.backends.every(({ problem }) => problem !== undefined)) {
    return { type: "not connected", reason: explained.backends[0]?.problem ?? "the route has no backend" };
  }
  return { type: "relayed", transport, route, backends: explained.backends };
}
