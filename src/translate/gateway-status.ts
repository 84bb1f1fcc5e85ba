import type { Collection, Graph, Index, Read } from "../incremental/index.ts";
import {
  objectStatus,
  verdict,
  type ListenerContent,
  type ObjectStatus,
  type Verdict,
} from "../status/index.ts";
import { describeAbsence, type InvalidObjects } from "./absent-objects.ts";
import { judgeFleet, type FleetVerdict } from "./fleet-status.ts";
import { allowsInsecureFallback } from "./client-validation.ts";
import type { FleetStates } from "./fleets.ts";
import { meshCondition } from "./gateway-mesh.ts";
import type { OwnGateway } from "./gateways.ts";
import { certificateRefusal, itemKey, type ItemState, type ItemStates } from "./item-states.ts";
import type { GatewayAddress } from "./layers.ts";
import type { ListenerSetAttachment } from "./listener-sections.ts";
import type { ResolvedSection } from "./listeners.ts";
import { gatewayGroup, type TranslateSettings } from "./settings.ts";

export interface GatewayStatusInputs {
  readonly gateways: Collection<OwnGateway>;
  readonly listenerSets: Collection<ListenerSetAttachment>;
  readonly resolvedByOwner: Index<ResolvedSection>;
  /** Section key → routes. */
  readonly attachedRoutes: Collection<number>;
  readonly itemStates: ItemStates;
  readonly fleetStates: FleetStates | undefined;
  readonly invalidObjects: InvalidObjects | undefined;
  readonly settings: TranslateSettings;
}

export function gatewayStatuses(graph: Graph, inputs: GatewayStatusInputs) {
  const sets = graph.map("listener set verdicts", inputs.listenerSets, (attachment, read) =>
    judgeListenerSet(attachment, read, inputs),
  );
  const attachedSets = graph.count("attached listener sets", sets, ({ gateway, attached }) =>
    attached ? [gateway] : [],
  );
  const listenerSetStatuses = graph.map("listener set statuses", sets, ({ status }) => status);
  const judged = graph.map("gateway statuses", inputs.gateways, (own, read, key) =>
    gatewayStatus(own, read, inputs, read.one(attachedSets, key) ?? 0),
  );
  const written = graph.map("statuses of written gateways", judged, ({ status }, read, key) =>
    read.one(inputs.gateways, key)?.isStoodUp ? undefined : status,
  );
  const addresses = graph.map("gateway addresses", judged, ({ addresses: known }) => known);
  return { gatewayStatuses: written, listenerSetStatuses, addresses };
}

interface JudgedListener extends ListenerContent {
  readonly resolved: ResolvedSection;
  readonly state: ItemState | undefined;
}

function judgeListeners(owner: string, read: Read, inputs: GatewayStatusInputs): readonly JudgedListener[] {
  const inOrder = read
    .all(inputs.resolvedByOwner, owner)
    .toSorted((a, b) => a.section.position - b.section.position);
  return inOrder.map((resolved) => {
    const { section } = resolved;
    const state = resolved.serves
      ? read.one(inputs.itemStates, itemKey("listeners", section.listener))
      : undefined;
    return {
      resolved,
      state,
      name: section.spec.name,
      supportedKinds: section.kinds.map((kind) => ({ group: gatewayGroup, kind })),
      attachedRoutes: read.one(inputs.attachedRoutes, section.key) ?? 0,
      conditions: listenerConditions(resolved, state, certificateState(resolved, read, inputs)),
    };
  });
}

/** A certificate, its own or one by which it knows clients, that we took for good but a proxy did not. */
function certificateState(
  { certificates, clientValidation }: ResolvedSection,
  read: Read,
  { itemStates }: GatewayStatusInputs,
) {
  return [...certificates, ...(clientValidation?.trusted ?? [])]
    .map((key) => ({ key, state: read.one(itemStates, itemKey("certificates", key)) }))
    .find(({ state }) => state?.type === "refused");
}

function listenerConditions(
  resolved: ResolvedSection,
  state: ItemState | undefined,
  certificate: { readonly key: string; readonly state: ItemState | undefined } | undefined,
): readonly Verdict[] {
  const { section, accepted, resolvedRefs } = resolved;
  const unavailable = state?.type === "refused" && state.reason === "PortUnavailable" ? state : undefined;
  const finallyAccepted = unavailable
    ? verdict("Accepted", "False", "PortUnavailable", unavailable.message)
    : accepted;
  const conditions = [
    finallyAccepted,
    listenerProgrammed(resolved, finallyAccepted, state, certificate),
    resolvedRefs,
    section.conflict
      ? verdict("Conflicted", "True", section.conflict.reason, section.conflict.message)
      : verdict("Conflicted", "False", "NoConflicts", "No other listener conflicts with this one"),
  ];
  if (section.overlapping) {
    const { port, protocol } = section.spec;
    const answer = protocol === "HTTPS" ? ", and get 421 when they do so for another HTTPS listener" : "";
    const message = `the hostname overlaps with that of another listener with TLS on port ${port}: clients may reuse connections across both${answer}`;
    conditions.push(verdict("OverlappingTLSConfig", "True", "OverlappingHostnames", message));
  }
  return conditions;
}

function listenerProgrammed(
  { section, resolvedRefs, serves }: ResolvedSection,
  accepted: Verdict,
  state: ItemState | undefined,
  certificate: { readonly key: string; readonly state: ItemState | undefined } | undefined,
): Verdict {
  const no = (reason: string, message: string) => verdict("Programmed", "False", reason, message);
  if (accepted.reason.endsWith("Conflict")) return no(accepted.reason, accepted.message);
  if (accepted.status !== "True") return no("Invalid", `The listener is not accepted: ${accepted.message}`);
  if (certificate?.state?.type === "refused")
    return no("Invalid", `${certificate.key}: ${certificate.state.message}`);
  if (state?.type === "programmed")
    return verdict("Programmed", "True", "Programmed", `Port ${section.spec.port} is open`);
  if (state?.type === "refused") return no("Invalid", state.message);
  if (state?.type === "pending") return no("Pending", state.message);
  if (!serves) {
    const why =
      resolvedRefs.status === "True"
        ? `Gateway ${section.gateway} is not accepted; see its status`
        : `References are not resolved: ${resolvedRefs.message}`;
    return no("Invalid", why);
  }
  return no("Pending", "The proxy has not answered yet");
}

function gatewayStatus(
  own: OwnGateway,
  read: Read,
  inputs: GatewayStatusInputs,
  attachedSets: number,
): { readonly status: ObjectStatus; readonly addresses: readonly GatewayAddress[] | undefined } {
  const { gateway } = own;
  const listeners = judgeListeners(`Gateway/${own.key}`, read, inputs);
  const accepted = gatewayAccepted(own, listeners);
  const fleet =
    inputs.settings.infrastructure === true ? judgeFleet(own, read, inputs.fleetStates) : undefined;
  const known = fleet ? fleet.addresses : addressesOf(own, listeners);
  const problem = fleet ? fleet.problem : hostnameProblem(own, known);
  const conditions = [
    accepted,
    gatewayProgrammed(accepted, listeners, problem),
    gatewayResolvedRefs(own, listeners, read, inputs),
  ];
  if (allowsInsecureFallback(own)) {
    const message =
      "spec.tls.frontend: clients without a valid certificate are let in (AllowInsecureFallback)";
    conditions.push(verdict("InsecureFrontendValidationMode", "True", "ConfigurationChanged", message));
  }
  if (gateway.spec.defaultScope === "All" && own.driver.features.has("DefaultGateways")) {
    conditions.push(
      verdict(
        "DefaultGateway",
        "True",
        "DefaultGateway",
        "Routes with useDefaultGateways: All attach to this Gateway",
      ),
    );
  }
  if (own.mesh) conditions.push(meshCondition(own.mesh));
  const addresses = inputs.settings.singleGateway ? undefined : known;
  const status = objectStatus(gateway, {
    shape: "gateway",
    conditions,
    listeners: listeners.map(content),
    attachedListenerSets: attachedSets,
    ...(addresses && { addresses }),
  });
  return { status, addresses: known };
}

function content({ name, supportedKinds, attachedRoutes, conditions }: JudgedListener): ListenerContent {
  return { name, supportedKinds, attachedRoutes, conditions };
}

const isAccepted = ({ conditions }: ListenerContent) => conditions[0]?.status === "True";
const isValid = (listener: JudgedListener) => isAccepted(listener) && listener.resolved.serves;

/** Spec: accepted as long as one listener is; `ListenersNotValid` says that some are not. */
function gatewayAccepted(own: OwnGateway, listeners: readonly ListenerContent[]): Verdict {
  if (own.accepted.status !== "True") return own.accepted;
  const bad = listeners.filter((listener) => !isAccepted(listener)).map(({ name }) => name);
  if (bad.length === 0) return own.accepted;
  const some = bad.length < listeners.length;
  const good = listeners.filter(isAccepted).map(({ name }) => name);
  const message = some
    ? `Listeners not accepted: ${bad.join(", ")}; accepted: ${good.join(", ")}. See status.listeners`
    : `No listener is accepted (${bad.join(", ")}). See status.listeners`;
  return verdict("Accepted", some ? "True" : "False", "ListenersNotValid", message);
}

function gatewayProgrammed(
  accepted: Verdict,
  listeners: readonly JudgedListener[],
  problem: FleetVerdict["problem"],
): Verdict {
  const no = (reason: string, message: string) => verdict("Programmed", "False", reason, message);
  if (accepted.status !== "True") return no("Invalid", `The Gateway is not accepted: ${accepted.message}`);
  const unusable = listeners.find(
    ({ state }) => state?.type === "refused" && state.reason === "AddressNotUsable",
  );
  if (unusable?.state?.type === "refused") return no("AddressNotUsable", unusable.state.message);
  const serving = listeners.filter(({ resolved }) => resolved.serves);
  if (serving.length === 0) return no("Invalid", "No listener can be served. See status.listeners");
  if (problem) return no(problem.reason, problem.message);
  const waiting = serving.find(({ state }) => state?.type !== "programmed");
  if (!waiting) return verdict("Programmed", "True", "Programmed", "The proxy serves this Gateway");
  const { state, name } = waiting;
  if (state?.type === "refused") return no("Invalid", `listener ${name}: ${state.message}`);
  return no(
    "Pending",
    `listener ${name}: ${state?.type === "pending" ? state.message : "the proxy has not answered yet"}`,
  );
}

function gatewayResolvedRefs(
  own: OwnGateway,
  listeners: readonly JudgedListener[],
  read: Read,
  { itemStates }: GatewayStatusInputs,
): Verdict {
  if (own.resolvedRefs.status !== "True") return own.resolvedRefs;
  const shown = own.clientCertificate;
  const refusal = shown === undefined ? undefined : certificateRefusal(shown, read, itemStates);
  if (refusal !== undefined) return verdict("ResolvedRefs", "False", "InvalidClientCertificateRef", refusal);
  const bad = listeners
    .filter(({ resolved }) => resolved.resolvedRefs.status !== "True")
    .map(({ name }) => name);
  if (bad.length === 0) return own.resolvedRefs;
  return verdict(
    "ResolvedRefs",
    "False",
    "ListenersNotResolved",
    `Listeners with unresolved references: ${bad.join(", ")}`,
  );
}

/** Where the proxy says that it can be reached, each address once. Where it serves without saying, what stands there stays. */
function addressesOf({ gateway }: OwnGateway, listeners: readonly JudgedListener[]) {
  const bound = listeners.flatMap(({ state }) =>
    state?.type === "programmed" ? (state.addresses ?? []) : [],
  );
  const values = [...new Set(bound.map(({ address }) => address))].toSorted();
  const servesSomewhere = listeners.some(({ resolved }) => resolved.serves);
  if (values.length === 0 && gateway.spec.addresses === undefined && servesSomewhere) return undefined;
  return values.slice(0, 16).map((value) => ({ type: "IPAddress", value }));
}

/** Spec: an address that is not to be had is told of. The proxy can bind no name; where it did not say what it binds, nobody knows. */
function hostnameProblem(
  { gateway }: OwnGateway,
  bound: readonly GatewayAddress[] = [],
): FleetVerdict["problem"] {
  const addresses = gateway.spec.addresses ?? [];
  const index = addresses.findIndex(({ type }) => type === "Hostname");
  if (index < 0 || bound.length === 0) return undefined;
  const { value = "" } = addresses[index] ?? {};
  const got = bound.map((address) => address.value).join(", ");
  return {
    reason: value === "" ? "AddressNotAssigned" : "AddressNotUsable",
    message: `spec.addresses[${index}]: a proxy cannot be bound to a Hostname; it serves on ${got}. Ask for an IPAddress, or for none`,
  };
}

interface JudgedSet {
  readonly gateway: string;
  readonly attached: boolean;
  readonly status: ObjectStatus;
}

/** Spec: a ListenerSet is accepted when its Gateway admits it and is accepted, and one of its listeners can be served. */
function judgeListenerSet(
  attachment: ListenerSetAttachment,
  read: Read,
  inputs: GatewayStatusInputs,
): JudgedSet {
  const { set, gateway } = attachment;
  const listeners = judgeListeners(
    `ListenerSet/${set.metadata.namespace}/${set.metadata.name}`,
    read,
    inputs,
  );
  const parent = read.one(inputs.gateways, gateway);
  const absence = parent ? "" : describeAbsence(read, inputs.invalidObjects, "Gateway", gateway);
  const fleet =
    parent && inputs.settings.infrastructure === true
      ? judgeFleet(parent, read, inputs.fleetStates)
      : undefined;
  const [accepted, programmed] = setVerdicts(attachment, { parent, absence, listeners, fleet });
  return {
    gateway,
    attached: accepted.status === "True",
    status: objectStatus(set, {
      shape: "gateway",
      conditions: [accepted, programmed],
      listeners: listeners.map(content),
    }),
  };
}

interface SetQuestion {
  readonly parent: OwnGateway | undefined;
  /** What to say where there is no parent. */
  readonly absence: string;
  readonly listeners: readonly JudgedListener[];
  readonly fleet: FleetVerdict | undefined;
}

function setVerdicts(
  { gateway, allowed, supported }: ListenerSetAttachment,
  { parent, absence, listeners, fleet }: SetQuestion,
): readonly [Verdict, Verdict] {
  const both = (reason: string, message: string): readonly [Verdict, Verdict] => [
    verdict("Accepted", "False", reason, message),
    verdict("Programmed", "False", reason, message),
  ];
  const noParent = (message: string): readonly [Verdict, Verdict] => [
    verdict("Accepted", "False", "ParentNotAccepted", message),
    verdict("Programmed", "False", "ParentNotProgrammed", message),
  ];
  if (!parent) return noParent(`spec.parentRef: Gateway ${gateway} ${absence}`);
  if (!supported)
    return both(
      "Invalid",
      `The proxy of Gateway ${gateway} cannot serve ListenerSets; put the listeners into the Gateway`,
    );
  if (!allowed)
    return both(
      "NotAllowed",
      `spec.parentRef: allowedListeners of Gateway ${gateway} does not admit this namespace`,
    );
  if (!parent.usable) return noParent(`spec.parentRef: Gateway ${gateway} is not accepted; see its status`);
  const bad = listeners.filter((listener) => !isValid(listener)).map(({ name }) => name);
  if (bad.length === listeners.length)
    return both("ListenersNotValid", `No listener can be served (${bad.join(", ")}). See status.listeners`);
  const accepted =
    bad.length === 0
      ? verdict("Accepted", "True", "Accepted", "The ListenerSet is accepted")
      : verdict(
          "Accepted",
          "True",
          "ListenersNotValid",
          `Listeners that cannot be served: ${bad.join(", ")}. See status.listeners`,
        );
  if (fleet?.problem) {
    const message = `Gateway ${gateway} is not programmed: ${fleet.problem.message}`;
    return [accepted, verdict("Programmed", "False", "ParentNotProgrammed", message)];
  }
  const serving = listeners.filter(({ resolved }) => resolved.serves);
  const waiting = serving.find(({ state }) => state?.type !== "programmed");
  if (!waiting)
    return [accepted, verdict("Programmed", "True", "Programmed", "The proxy serves this ListenerSet")];
  const { state, name } = waiting;
  const reason = state?.type === "refused" ? (state.reason ?? "Invalid") : "Pending";
  const why = state && "message" in state ? state.message : "the proxy has not answered yet";
  return [accepted, verdict("Programmed", "False", reason, `listener ${name}: ${why}`)];
}
