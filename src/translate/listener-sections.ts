/*
 * The listeners of a Gateway and of the ListenerSets that it admits, as one list.
 *
 * A section is one listener of the API. All sections of a Gateway are put in order (the Gateway's own, then ListenerSets
 * oldest first), told apart by port, protocol and hostname, and those that cannot be told apart are refused. Certificates are
 * not looked at here: whether a route may attach does not depend on them, so their changes must not reach the routes.
 */
import type { Collection, Graph, Index, Read } from "../incremental/index.ts";
import type { Gateway, Listener, ListenerSet } from "../resources/index.ts";
import { verdict, type Verdict } from "../status/index.ts";
import { contourRefusal } from "./contour/listener-rules.ts";
import { redirectSection } from "./contour/secure-redirect.ts";
import { decideBindPorts } from "./bind-ports.ts";
import { judgeConflicts } from "./listener-conflicts.ts";
import { layerSections } from "./layer-sections.ts";
import type { LayerListener } from "./layers.ts";
import { findProtocol, knownProtocols, selectKinds } from "./listener-protocols.ts";
import { admitsNamespace, labelsOfNamespace } from "./namespace-selection.ts";
import { ageOf, compareAge } from "./object-age.ts";
import type { OwnGateway } from "./gateways.ts";
import { overlappingHostnames } from "./overlapping-tls.ts";
import type { Resources } from "./resources.ts";
import type { Section } from "./section.ts";
import { gatewayGroup, type TranslateSettings } from "./settings.ts";

export interface ListenerSetAttachment {
  readonly set: ListenerSet;
  /** `namespace/name`; on one machine also where there is no such Gateway. */
  readonly gateway: string;
  readonly allowed: boolean;
  /** Whether the proxy can serve ListenerSets at all. */
  readonly supported: boolean;
}

export function listenerSections(
  graph: Graph,
  inputs: ListenerSetInputs & { readonly layerListeners: Collection<LayerListener> },
) {
  const { resources, gateways, layerListeners, settings } = inputs;
  const attachments = graph.map("listener set attachments", resources.listenerSets, (set, read) =>
    judgeListenerSet(set, read, inputs),
  );
  const attachmentsByGateway = graph.index(
    "listener sets by gateway",
    attachments,
    ({ gateway, allowed, supported }) => (allowed && supported ? [gateway] : []),
  );
  const own = graph.derive("listener sections", gateways, ({ gateway, key, driver }, read) =>
    sectionsOf(gateway, read.all(attachmentsByGateway, key), driver.features, settings).map(
      (section) => [section.key, section] as const,
    ),
  );
  const sectionsByOwner: Index<Section> = graph.index("sections by owner", own, ({ owner }) => [owner]);
  const sectionsByGateway: Index<Section> = graph.index("sections by gateway", own, ({ gateway }) => [
    gateway,
  ]);
  const added = layerSections(graph, {
    listeners: layerListeners,
    gateways,
    sections: own,
    sectionsByGateway,
  });
  const sections = graph.union("sections", [own, added.sections]);
  /** One or more for each port that is open, and not one for each hostname of a layer. */
  const ports = (read: Read, key: string) => [
    ...read.all(sectionsByGateway, key),
    ...read.all(added.portsByGateway, key),
  ];
  const bindPorts = graph.map("bind ports", sectionsByGateway, (_list, read, key) => {
    const gateway = settings.mapPrivilegedPorts === true ? read.one(gateways, key) : undefined;
    return gateway && decideBindPorts(ports(read, key), gateway.driver.features);
  });
  return { attachments, sections, sectionsByOwner, sectionsByGateway, ports, added, bindPorts };
}

interface ListenerSetInputs {
  readonly gateways: Collection<OwnGateway>;
  readonly resources: Resources;
  readonly settings: TranslateSettings;
}

/** Spec: a Gateway admits ListenerSets by `allowedListeners`, none by default. */
function judgeListenerSet(
  set: ListenerSet,
  read: Read,
  { gateways, resources, settings }: ListenerSetInputs,
): ListenerSetAttachment | undefined {
  const { parentRef } = set.spec;
  const own = set.metadata.namespace;
  if (parentRef.group !== gatewayGroup || parentRef.kind !== "Gateway") return undefined;
  const key = `${parentRef.namespace ?? own}/${parentRef.name}`;
  const found = read.one(gateways, key);
  const parent = found?.isStoodUp ? undefined : found;
  const supported = (parent?.driver.features ?? settings.features).has("ListenerSet");
  if (!parent) {
    const isMissing = settings.implicitClasses && !read.one(resources.gateways, key);
    return isMissing ? { set, gateway: key, allowed: false, supported } : undefined;
  }
  const selection = parent.gateway.spec.allowedListeners?.namespaces ?? { from: "None" };
  const allowed = admitsNamespace(selection, parent.gateway.metadata.namespace, own, () =>
    labelsOfNamespace(read, { resources, settings }, own),
  );
  return { set, gateway: key, allowed, supported };
}

function sectionsOf(
  gateway: Gateway,
  sets: readonly ListenerSetAttachment[],
  features: ReadonlySet<string>,
  { listenerPolicy }: TranslateSettings,
): readonly Section[] {
  const ordered = sets
    .map(({ set }) => set)
    .toSorted((a, b) => compareAge(ageOf(a.metadata), ageOf(b.metadata)));
  const owners: readonly (Gateway | ListenerSet)[] = [gateway, ...ordered];
  const bare = owners.flatMap((owner) =>
    owner.spec.listeners.map((spec, position) => {
      const section = bareSection(gateway, owner, { spec, position }, features);
      const refusal = section.refusal ?? (listenerPolicy && contourRefusal(spec, listenerPolicy));
      return refusal ? { ...section, refusal, kinds: [] } : section;
    }),
  );
  const conflicts = judgeConflicts(bare, features);
  const overlapping = overlappingHostnames(
    bare.map((section, index) => (section.refusal || conflicts.has(index) ? undefined : section)),
  );
  const judged = bare.map((section, index) => {
    const conflict = conflicts.get(index);
    const refusal =
      section.refusal ?? (conflict && verdict("Accepted", "False", conflict.reason, conflict.message));
    const kinds = conflict?.isUnsupported ? [] : section.kinds;
    return { ...section, kinds, conflict, refusal, overlapping: overlapping.has(index) };
  });
  const added = listenerPolicy && redirectSection(judged, listenerPolicy);
  return added ? [...judged, added] : judged;
}

function bareSection(
  gateway: Gateway,
  owner: Gateway | ListenerSet,
  { spec, position }: Pick<Section, "spec" | "position">,
  features: ReadonlySet<string>,
): Section {
  const { namespace, name } = owner.metadata;
  const protocol = findProtocol(spec.protocol, features);
  const { kinds, refused } = selectKinds(spec.allowedRoutes.kinds, protocol, features);
  const refusal = judgeListener(spec, protocol !== undefined, features);
  const gatewayKey = `${gateway.metadata.namespace}/${gateway.metadata.name}`;
  return {
    key: `${owner.kind}/${namespace}/${name}/${spec.name}`,
    owner: `${owner.kind}/${namespace}/${name}`,
    ownerKind: owner.kind,
    namespace,
    gateway: gatewayKey,
    listener: `${gatewayKey}/${protocol?.transport ?? "tcp"}/${spec.port}`,
    spec,
    position,
    hostname: spec.hostname?.toLowerCase() ?? "*",
    kinds: refusal ? [] : kinds,
    refusedKinds: refused,
    refusal,
    conflict: undefined,
    overlapping: false,
  };
}

function judgeListener(
  spec: Listener,
  protocolIsKnown: boolean,
  features: ReadonlySet<string>,
): Verdict | undefined {
  if (!protocolIsKnown) {
    return verdict(
      "Accepted",
      "False",
      "UnsupportedProtocol",
      `protocol: ${spec.protocol} is not supported; use one of ${knownProtocols(features).join(", ")}`,
    );
  }
  if (spec.protocol === "TLS" && spec.tls?.mode === "Terminate" && !features.has("TLSRouteModeTerminate")) {
    return verdict(
      "Accepted",
      "False",
      "UnsupportedValue",
      "tls.mode: Terminate is not supported for protocol TLS here; use Passthrough",
    );
  }
  return undefined;
}
