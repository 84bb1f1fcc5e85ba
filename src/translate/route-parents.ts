/*
 * Where a route attaches: for each of its parents the sections that take it, or why none does. The content of the route plays no
 * part in this, except for its hostnames.
 */
import type { Collection, Graph, Index, Read } from "../incremental/index.ts";
import type { ParentReference } from "../resources/index.ts";
import { verdict, type Verdict } from "../status/index.ts";
import { describeAbsence } from "./absent-objects.ts";
import type { GatewayView } from "./gateway-view.ts";
import { none, withoutGaps } from "./lists.ts";
import { ownHostname, sharedHostnames } from "./hostname-intersection.ts";
import type { ListenerSetAttachment } from "./listener-sections.ts";
import type { Section } from "./section.ts";
import { admitsNamespace, labelsOfNamespace } from "./namespace-selection.ts";
import type { AnyRoute, Resources } from "./resources.ts";
import { gatewayGroup, type TranslateSettings } from "./settings.ts";

export interface RouteParent {
  readonly ref: ParentReference;
  /** `namespace/name`; `undefined` where the parent does not exist. */
  readonly gateway: string | undefined;
  readonly controllerName: string;
  readonly accepted: Verdict;
  /** Empty unless accepted. */
  readonly attachments: readonly Attachment[];
}

export interface Attachment {
  readonly section: string;
  readonly listener: string;
  readonly hostnames: readonly string[];
  /** For each of `hostnames`, the route's own from which it comes, `*` for none. Absent: they are the same. */
  readonly own?: readonly string[];
}

/** The route's own hostname behind one that it serves. */
export function hostnameBehind(attachment: Attachment | undefined, hostname: string): string {
  return attachment?.own?.[attachment.hostnames.indexOf(hostname)] ?? hostname;
}

export interface ParentInputs {
  readonly resources: Resources;
  readonly gatewayViews: Collection<GatewayView>;
  readonly sectionsByOwner: Index<Section>;
  readonly listenerSets: Collection<ListenerSetAttachment>;
  readonly settings: TranslateSettings;
}

/** The parents of each route that are ours to judge: its own in their order, then default Gateways. */
export function routeParents(graph: Graph, inputs: ParentInputs): Collection<readonly RouteParent[]> {
  const defaultGateways = graph.index("default gateways", inputs.gatewayViews, ({ isDefault }) =>
    isDefault ? ["All"] : [],
  );
  return graph.map("route parents", inputs.resources.routes, (route, read) => {
    const refs = parentRefsOf(route, read, defaultGateways);
    const parents = withoutGaps(refs.map((ref, position) => judgeParent(route, ref, position, read, inputs)));
    return parents.length > 0 ? parents : undefined;
  });
}

/** Spec: the route's own parents, and with `useDefaultGateways` each default Gateway that it does not name itself. */
function parentRefsOf(
  route: AnyRoute,
  read: Read,
  defaultGateways: Index<GatewayView>,
): readonly ParentReference[] {
  const explicit = route.spec.parentRefs ?? [];
  if (route.spec.useDefaultGateways !== "All") return explicit;
  const named = new Set(
    explicit
      .filter(({ group, kind }) => group === gatewayGroup && kind === "Gateway")
      .map(({ namespace, name }) => `${namespace ?? route.metadata.namespace}/${name}`),
  );
  const implicit = read
    .all(defaultGateways, "All")
    .filter(({ key }) => !named.has(key))
    .map(({ namespace, name }) => ({ group: gatewayGroup, kind: "Gateway", namespace, name }));
  return [...explicit, ...implicit];
}

function judgeParent(
  route: AnyRoute,
  ref: ParentReference,
  position: number,
  read: Read,
  inputs: ParentInputs,
): RouteParent | undefined {
  if (ref.group !== gatewayGroup || (ref.kind !== "Gateway" && ref.kind !== "ListenerSet")) return undefined;
  const owner = `${ref.namespace ?? route.metadata.namespace}/${ref.name}`;
  const isExplicit = position < (route.spec.parentRefs?.length ?? 0);
  const field = isExplicit ? `spec.parentRefs[${position}]` : "spec.useDefaultGateways";
  const gateway = gatewayOf(ref, owner, read, inputs);
  if (!gateway) {
    if (!isMissing(ref, owner, read, inputs)) return undefined;
    const set = ref.kind === "ListenerSet" ? read.one(inputs.listenerSets, owner) : undefined;
    const named = set ? `Gateway ${set.gateway} of ListenerSet ${owner}` : `${ref.kind} ${owner}`;
    const [kind, key] = set ? ["Gateway", set.gateway] : [ref.kind, owner];
    const message = `${field}: ${named} ${describeAbsence(read, inputs.resources.invalidObjects, kind, key)}`;
    const controllerName = inputs.settings.controllerNames[0] ?? "";
    const accepted = verdict("Accepted", "False", "NoMatchingParent", message);
    return { ref, gateway: undefined, controllerName, accepted, attachments: none };
  }
  const sections = read.all(inputs.sectionsByOwner, `${ref.kind}/${owner}`);
  const judged = judgeAttachment(route, { ref, field, owner, sections, read, inputs });
  const { key, controllerName } = gateway;
  if (!gateway.accepted && judged.attachments.length > 0) {
    // Spec: a route is accepted if at least one of its rules is implemented by the Gateway. Here none is, so it is not, and not
    // counted. The API has no reason of its own for it; a parent that is refused is none that matches.
    const message = `${field}: Gateway ${key} is not accepted; see its status`;
    const accepted = verdict("Accepted", "False", "NoMatchingParent", message);
    return { ref, gateway: key, controllerName, accepted, attachments: none };
  }
  return { ref, gateway: key, controllerName, accepted: judged.accepted, attachments: judged.attachments };
}

function gatewayOf(
  ref: ParentReference,
  owner: string,
  read: Read,
  inputs: ParentInputs,
): GatewayView | undefined {
  const set = ref.kind === "Gateway" ? undefined : read.one(inputs.listenerSets, owner);
  const key = ref.kind === "Gateway" ? owner : set?.gateway;
  const view = key === undefined ? undefined : read.one(inputs.gatewayViews, key);
  return view?.isStoodUp ? undefined : view;
}

/** Whether nobody else can own it, so that we may say that it is not there. */
function isMissing(
  ref: ParentReference,
  owner: string,
  read: Read,
  { resources, listenerSets, settings }: ParentInputs,
): boolean {
  if (!settings.implicitClasses || settings.singleGateway) return false;
  // A set of ours whose Gateway is not there.
  if (ref.kind === "ListenerSet" && read.one(listenerSets, owner)) return true;
  return (
    read.one<unknown>(ref.kind === "Gateway" ? resources.gateways : resources.listenerSets, owner) ===
    undefined
  );
}

interface AttachmentQuestion {
  readonly ref: ParentReference;
  readonly field: string;
  readonly owner: string;
  readonly sections: readonly Section[];
  readonly read: Read;
  readonly inputs: ParentInputs;
}

function judgeAttachment(
  route: AnyRoute,
  question: AttachmentQuestion,
): Pick<RouteParent, "accepted" | "attachments"> {
  const { ref, field, owner, sections, read, inputs } = question;
  const refuse = (reason: string, message: string) => ({
    accepted: verdict("Accepted", "False", reason, `${field}: ${message}`),
    attachments: none,
  });
  const selected = sections.filter(
    ({ spec }) =>
      (ref.sectionName === undefined || ref.sectionName === spec.name) &&
      (ref.port === undefined || ref.port === spec.port),
  );
  if (selected.length === 0) return refuse("NoMatchingParent", describeSections(question));

  const ofKind = selected.filter(({ kinds }) => kinds.includes(route.kind));
  if (ofKind.length === 0)
    return refuse("NotAllowedByListeners", describeKinds(route, owner, ref.kind, selected));

  const own = route.metadata.namespace;
  const labels = () => labelsOfNamespace(read, inputs, own);
  const allowed = ofKind.filter(({ spec, namespace }) =>
    admitsNamespace(spec.allowedRoutes.namespaces, namespace, own, labels),
  );
  if (allowed.length === 0) return refuse("NotAllowedByListeners", describeNamespaces(own, ofKind));

  const attachments = withoutGaps(
    allowed.map(({ key, listener, hostname }): Attachment | undefined => {
      const given = hasHostnames(route) ? route.spec.hostnames : undefined;
      const hostnames = sharedHostnames(hostname, given);
      const own = hostnames.map((shared) => ownHostname(shared, given));
      const isWider = own.some((one, index) => one !== hostnames[index]);
      return hostnames.length > 0
        ? { section: key, listener, hostnames, ...(isWider && { own }) }
        : undefined;
    }),
  );
  if (attachments.length === 0)
    return refuse("NoMatchingListenerHostname", describeHostnames(route, allowed));
  return { accepted: isAccepted, attachments };
}

const isAccepted = verdict("Accepted", "True", "Accepted", "The route is accepted");

function hasHostnames(
  route: AnyRoute,
): route is Extract<AnyRoute, { spec: { hostnames?: readonly string[] } }> {
  return route.kind === "HTTPRoute" || route.kind === "GRPCRoute" || route.kind === "TLSRoute";
}

function describeSections({ ref, owner, sections }: AttachmentQuestion): string {
  if (sections.length === 0) return `${ref.kind} ${owner} has no listeners in force`;
  const wanted = [
    ref.sectionName !== undefined && `named ${ref.sectionName}`,
    ref.port !== undefined && `on port ${ref.port}`,
  ].filter(Boolean);
  const there = sections.map(({ spec }) => `${spec.name} (${spec.port})`).join(", ");
  return `${ref.kind} ${owner} has no listener ${wanted.join(" ")}; it has ${there}`;
}

function describeKinds(route: AnyRoute, owner: string, kind: string, sections: readonly Section[]): string {
  const there = sections
    .map(({ spec, kinds }) => `${spec.name} takes ${kinds.join(", ") || "none"}`)
    .join("; ");
  return `no listener of ${kind} ${owner} takes routes of kind ${route.kind}: ${there}`;
}

function describeNamespaces(namespace: string, sections: readonly Section[]): string {
  const there = sections
    .map(({ spec }) => `${spec.name} allows ${spec.allowedRoutes.namespaces.from}`)
    .join("; ");
  return `allowedRoutes.namespaces of the listeners do not admit namespace ${namespace}: ${there}`;
}

function describeHostnames(route: AnyRoute, sections: readonly Section[]): string {
  const own = (hasHostnames(route) ? (route.spec.hostnames ?? []) : []).join(", ");
  const there = sections.map(({ spec, hostname }) => `${spec.name} has ${hostname}`).join("; ");
  return `no hostname of the route (${own}) fits a listener: ${there}`;
}
