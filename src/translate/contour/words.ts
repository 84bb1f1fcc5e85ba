/*
 * `listenerPolicy: contour`: statuses in the words that Contour's users and their tools know, and the conditions that only Contour has. What is
 * decided stays decided: this only says it otherwise, except that a Gateway with a bad listener is not programmed, and a
 * route of which nothing is left is not accepted.
 */
import type { Collection, Graph, Read } from "../../incremental/index.ts";
import type { VirtualHost } from "../../model/index.ts";
import type { Gateway, Listener } from "../../resources/index.ts";
import { verdict, type ListenerContent, type ObjectStatus, type Verdict } from "../../status/index.ts";
import type { AnyRoute, Resources } from "../resources.ts";
import { routeStandings, type RouteStandings } from "./match-conflicts.ts";

/** By which Contour's own Gateways take HTTPProxies with TLS. */
const proxyProtocol = "projectcontour.io/https";

const seeOthers = "Invalid listener, see other listener conditions for details";

/** Of our verdicts by type, status and reason. */
const listenerWords: Readonly<Record<string, string>> = {
  "Accepted True Accepted": "Listener accepted",
  "ResolvedRefs True ResolvedRefs": "Listener references resolved",
  "Programmed True Programmed": "Valid listener",
};

const conflictWords: Readonly<Record<string, string>> = {
  ProtocolConflict: "All Listener protocols for a given port must be compatible",
  HostnameConflict: "All Listener hostnames for a given port must be unique",
};

const routeWords: Readonly<Record<string, string>> = {
  "Accepted False NoMatchingParent": "No listeners match this parent ref",
  "Accepted False NotAllowedByListeners": "No listeners included by this parent ref allowed this attachment.",
  "Accepted False NoMatchingListenerHostname":
    "No intersecting hostnames were found between the listener and the route.",
  "ResolvedRefs True ResolvedRefs": "References resolved",
};

const keyOf = ({ type, status, reason }: Verdict) => `${type} ${status} ${reason}`;
const say = (one: Verdict, message: string | undefined): Verdict =>
  message === undefined ? one : { ...one, message };

interface WordInputs {
  /** The Gateway or the owner of the listeners, if the status is one of a Gateway. */
  readonly gateway: Gateway | undefined;
  readonly routes: Resources["routes"];
  readonly standings: RouteStandings;
  readonly read: Read;
}

export function contourStatuses(
  graph: Graph,
  statuses: Collection<ObjectStatus>,
  {
    resources,
    virtualHosts,
  }: { readonly resources: Resources; readonly virtualHosts: Collection<VirtualHost> },
): Collection<ObjectStatus> {
  const standings = routeStandings(graph, virtualHosts);
  return graph.map("statuses in Contour's words", statuses, (status, read) => {
    const { kind, namespace, name } = status;
    const gateway = kind === "Gateway" ? read.one(resources.gateways, `${namespace}/${name}`) : undefined;
    return inContoursWords(status, { gateway, routes: resources.routes, standings, read });
  });
}

function inContoursWords(status: ObjectStatus, inputs: WordInputs): ObjectStatus {
  const { content } = status;
  switch (content.shape) {
    case "gateway": {
      if (status.kind !== "Gateway") return status;
      const specs = new Map(inputs.gateway?.spec.listeners.map((spec) => [spec.name, spec]));
      const listeners = content.listeners.map((one) => listener(one, specs.get(one.name)));
      const areValid = listeners.every(({ conditions }) =>
        conditions.every(({ type, status: value }) => type !== "Accepted" || value === "True"),
      );
      return {
        ...status,
        content: {
          ...content,
          listeners,
          conditions: content.conditions.map((one) => gateway(one, areValid)),
        },
      };
    }
    case "parents": {
      const standings = inputs.read.all(inputs.standings, status.key);
      const winners = [...new Set(standings.flatMap((one) => one.winners))].toSorted();
      const isWhole = standings.every(({ matches, lost }) => matches === lost);
      const lacksBackends = hasRuleWithoutBackends(inputs.read.one(inputs.routes, status.key));
      const entries = content.entries.map(({ ref, conditions }) => ({
        ref,
        conditions: withConflict(
          conditions
            .map((one) => route(one, status.kind))
            .map((one) => (lacksBackends ? degraded(one) : one)),
          { kind: status.kind, isWhole, winners },
        ),
      }));
      return { ...status, content: { ...content, entries } };
    }
    case "ancestors":
      return {
        ...status,
        content: {
          ...content,
          entries: content.entries.map(({ ref, conditions }) => ({
            ref,
            conditions: conditions.map((one) =>
              keyOf(one) === "Accepted True Accepted" ? say(one, `Accepted ${status.kind}`) : one,
            ),
          })),
        },
      };
    default:
      return status;
  }
}

function listener(one: ListenerContent, spec: Listener | undefined): ListenerContent {
  const conditions = one.conditions.map((condition) => {
    const { type, status, reason, message } = condition;
    if (spec?.protocol === proxyProtocol && type === "Accepted") {
      return say(
        condition,
        `Listener protocol "${proxyProtocol}" needs no listener here: HTTPProxies bring their own`,
      );
    }
    if (reason === "UnsupportedProtocol" && type === "Accepted") {
      return say(
        condition,
        `Listener protocol "${spec?.protocol}" is unsupported, must be one of HTTP, HTTPS, TLS, TCP or projectcontour.io/https`,
      );
    }
    if (reason === "InvalidRouteKinds") return say(condition, refusedKinds(spec));
    if (Object.hasOwn(conflictWords, reason)) return say(condition, conflictWords[reason]);
    if (type === "Programmed" && status === "False" && reason === "Invalid") {
      const own =
        /invalid hostname .*$/s.exec(message) ??
        /Listener\.(?:TLS|AllowedRoutes)\..*$/s.exec(message) ??
        /Error parsing Listener.*$/s.exec(message);
      const isOwn = /Listener\.TLS is required/.test(message) || own;
      return say(condition, isOwn ? message.replace(/^The listener is not accepted: /, "") : seeOthers);
    }
    return say(condition, listenerWords[keyOf(condition)]);
  });
  return { ...one, conditions };
}

function refusedKinds(spec: Listener | undefined): string {
  const known = new Set(["HTTPRoute", "TLSRoute", "GRPCRoute", "TCPRoute", "UDPRoute"]);
  const asked = spec?.allowedRoutes.kinds ?? [];
  const unknown = asked.filter(({ kind }) => !known.has(kind));
  return (unknown.length > 0 ? unknown : asked)
    .map(
      ({ kind }) =>
        `Kind "${kind}" is not supported, kind must be "HTTPRoute", "TLSRoute", "GRPCRoute" or "TCPRoute"`,
    )
    .join(", ");
}

function gateway(one: Verdict, areValid: boolean): Verdict {
  if (keyOf(one) === "Accepted True Accepted") return say(one, "Gateway is accepted");
  if (one.type !== "Programmed") return one;
  if (!areValid) return verdict("Programmed", "False", "ListenersNotValid", "Listeners are not valid");
  if (one.reason === "AddressNotAssigned") {
    return say(one, "None of the addresses in Spec.Addresses have been assigned to the Gateway");
  }
  return one.status === "True" ? say(one, "Valid Gateway") : one;
}

function route(one: Verdict, kind: string): Verdict {
  if (keyOf(one) === "Accepted True Accepted") return say(one, `Accepted ${kind}`);
  if (one.reason === "NoMatchingParent" && one.message.includes("is not accepted; see its status")) {
    return verdict("Accepted", "False", "InvalidGateway", "Invalid Gateway");
  }
  return say(one, routeWords[keyOf(one)]);
}

/** The API answers such a rule's requests with an error and says nothing; Contour does. */
function hasRuleWithoutBackends(found: AnyRoute | undefined): boolean {
  if (found?.kind !== "HTTPRoute" && found?.kind !== "GRPCRoute") return false;
  return (found.spec.rules ?? []).some(
    ({ backendRefs = [], filters = [] }) =>
      backendRefs.length === 0 && !filters.some(({ type }) => type === "RequestRedirect"),
  );
}

/** Contour puts several messages on one condition with a comma between them. */
function degraded(one: Verdict): Verdict {
  if (one.type !== "ResolvedRefs") return one;
  const message = "At least one Spec.Rules.BackendRef must be specified.";
  return one.status === "True"
    ? verdict("ResolvedRefs", "False", "Degraded", message)
    : say(one, `${one.message}, ${message}`);
}

interface Losses {
  readonly kind: string;
  readonly isWhole: boolean;
  readonly winners: readonly string[];
}

function withConflict(
  conditions: readonly Verdict[],
  { kind, isWhole, winners }: Losses,
): readonly Verdict[] {
  const isAccepted = conditions.some(({ type, status }) => type === "Accepted" && status === "True");
  if (winners.length === 0 || !isAccepted) return conditions;
  const by = `, served instead: ${winners.join(", ")}`;
  if (isWhole) {
    const message = `${kind}'s Match has conflict with other ${kind}'s Match${by}`;
    const refused = verdict("Accepted", "False", "RuleMatchConflict", message);
    return conditions.map((one) => (one.type === "Accepted" ? refused : one));
  }
  const message = `Dropped Rule: some of ${kind}'s rule(s) has(ve) been dropped because of conflict against other ${kind}'s rule(s)${by}`;
  return [
    ...conditions.filter(({ type }) => type !== "PartiallyInvalid"),
    verdict("PartiallyInvalid", "True", "RuleMatchPartiallyConflict", message),
  ];
}
