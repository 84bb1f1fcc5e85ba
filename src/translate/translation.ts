/*
 * The Gateway API as a graph: objects and the proxies' reports in, model and statuses out. This file is its table of contents;
 * each step is a file of the same name, and each rule a plain function in it.
 */
import type { Collection, Graph } from "../incremental/index.ts";
import type { ModelItems, ModelKind, ObjectName } from "../model/index.ts";
import { statusEntry, type ObjectStatus } from "../status/index.ts";
import { attachedRoutes } from "./attached-routes.ts";
import { backendItems } from "./backends.ts";
import { keyPairs } from "./certificates.ts";
import { contourStatuses } from "./contour/words.ts";
import { contentInputs } from "./content-inputs.ts";
import type { CrdVersions } from "./crd-versions.ts";
import { fleetsOf, type Fleet, type FleetStates } from "./fleets.ts";
import type { Gates } from "./gates.ts";
import { ownClasses } from "./gateway-classes.ts";
import { gatewayStatuses } from "./gateway-status.ts";
import { ownGateways } from "./gateways.ts";
import { httpProxyLayer } from "./http-proxy/index.ts";
import { ingressLayer } from "./ingress/index.ts";
import type { ItemStates } from "./item-states.ts";
import { layerParents } from "./layer-attachment.ts";
import { concludeLayers } from "./layer-outcomes.ts";
import {
  isLayered,
  type Layer,
  type LayerInputs,
  type LayerListener,
  type LayerMaker,
  type LayerRoute,
  type Remark,
} from "./layers.ts";
import { listenerSections } from "./listener-sections.ts";
import { resolveListeners, shownCertificates } from "./listeners.ts";
import { judgedMeshes } from "./meshes.ts";
import { wantedReferences } from "./references.ts";
import { refusedBackends } from "./refused-backends.ts";
import { refusedRoutes } from "./refused-routes.ts";
import type { Resources } from "./resources.ts";
import { routeCertificates } from "./route-certificates.ts";
import { routeParents } from "./route-parents.ts";
import { routeStatuses } from "./route-status.ts";
import { hostnameOwners } from "./served-hostnames.ts";
import type { TranslateSettings } from "./settings.ts";
import { stoodUpGateways } from "./stood-up-gateway.ts";
import { streamRoutes } from "./stream-routes.ts";
import { virtualHosts } from "./virtual-hosts.ts";

export type ModelCollections = { readonly [Kind in ModelKind]: Collection<ModelItems[Kind]> };

export interface Translation {
  readonly model: ModelCollections;
  /** Key: the status's own, with the controller's name where an object can have several of ours. */
  readonly statuses: Collection<ObjectStatus>;
  /** What must run for each Gateway, by its key. */
  readonly fleets: Collection<Fleet>;
  /** The Secrets and ConfigMaps that are looked at, by `<Kind>/<namespace>/<name>`: what is referred to, and may be. */
  readonly references: Collection<ObjectName>;
  /** What owners of objects should know and no status says, by `<Kind>/<namespace>/<name>|<reason>|<field>`. */
  readonly remarks: Collection<Remark>;
}

export interface TranslationInputs {
  readonly resources: Resources;
  readonly itemStates: ItemStates;
  /** By the Gateway's key; looked at with the setting `infrastructure`. */
  readonly fleetStates?: FleetStates;
  /** Where there are CRDs: the versions of the Gateway API's. */
  readonly crdVersions?: CrdVersions;
  /** Absent: all are off. */
  readonly gates?: Gates;
  readonly settings: TranslateSettings;
  /** Those that are known, unless said otherwise. */
  readonly layers?: readonly LayerMaker[];
}

export function translate(graph: Graph, inputs: TranslationInputs): Translation {
  const { resources, itemStates, fleetStates, crdVersions, gates, settings } = inputs;
  const content = contentInputs(graph, resources, settings);
  const { permissions } = content;
  const pairs = keyPairs(graph, resources.secrets);

  const layers = makeLayers(graph, inputs, pairs);
  const layerRoutes = graph.union<LayerRoute>(
    "layer routes",
    layers.map(({ routes }) => routes),
  );
  const layerListeners = graph.union<LayerListener>(
    "layer listeners",
    layers.map(({ listeners }) => listeners),
  );
  const stoodUp = stoodUpGateways(graph, resources.gateways, layerRoutes, settings.layers);

  const { classes, classStatuses } = ownClasses(graph, { resources, crdVersions, gates, settings });
  const { meshes, meshStatuses } = judgedMeshes(graph, { resources, gates, settings });
  const gateways = ownGateways(graph, {
    resources,
    stoodUp,
    classes,
    keyPairs: pairs,
    permissions,
    meshes,
    gates,
    settings,
  });
  const {
    attachments: listenerSets,
    sections,
    sectionsByOwner,
    sectionsByGateway,
    ports,
    added,
    bindPorts,
  } = listenerSections(graph, { resources, gateways, layerListeners, settings });
  const listeners = resolveListeners(graph, {
    resources,
    gateways,
    sections,
    bindPorts,
    keyPairs: pairs,
    permissions,
    settings,
  });
  const { serving } = listeners;

  const gatewayViews = graph.map(
    "gateway views",
    gateways,
    ({ key, controllerName, gateway, usable, isStoodUp, driver, clientCertificate, mesh }, read) => ({
      key,
      controllerName,
      namespace: gateway.metadata.namespace,
      name: gateway.metadata.name,
      accepted: usable,
      isStoodUp,
      isDefault: gateway.spec.defaultScope === "All" && driver.features.has("DefaultGateways"),
      features: driver.features,
      securePort: read.one(added.tlsPorts, key)?.port,
      ...(clientCertificate !== undefined && { clientCertificate }),
      ...(mesh && { mesh }),
    }),
  );
  const parents = graph.union("parents of all routes", [
    routeParents(graph, { resources, gatewayViews, sectionsByOwner, listenerSets, settings }),
    layerParents(graph, {
      routes: layerRoutes,
      gatewayViews,
      sectionsByGateway,
      layerSectionsByHostname: added.byHostname,
      settings,
    }),
  ]);
  const attached = attachedRoutes(graph, { resources, parents, layerRoutes, gatewayViews, content });
  const attachedCounts = graph.count("attached routes by section", attached, (route, key) =>
    isLayered(key)
      ? []
      : route.parents.flatMap(({ attachments }) => attachments.map(({ section }) => section)),
  );

  const owners = hostnameOwners(graph, serving);
  const hostInputs = { attached, serving, owners, settings };
  const backends = backendItems(graph, attached, content, itemStates);
  const certified = routeCertificates(graph, {
    ...hostInputs,
    resources,
    sections,
    gatewayViews,
    keyPairs: pairs,
    permissions,
    itemStates,
    settings,
  });
  const { serverNames, streamRoutes: streams } = streamRoutes(graph, {
    ...hostInputs,
    resources,
    layerRoutes,
    sections,
    certifiedNames: certified.serverNames,
  });
  const model: ModelCollections = {
    certificates: graph.union("certificates", [
      shownCertificates(graph, serverNames, pairs),
      listeners.caBundles,
      backends.certificates,
    ]),
    backends: backends.backends,
    endpoints: backends.endpoints,
    listeners: listeners.listeners,
    serverNames,
    virtualHosts: virtualHosts(graph, hostInputs),
    streamRoutes: streams,
  };

  const {
    gatewayStatuses: ofGateways,
    listenerSetStatuses,
    addresses,
  } = gatewayStatuses(graph, {
    gateways,
    listenerSets,
    resolvedByOwner: listeners.resolvedByOwner,
    attachedRoutes: attachedCounts,
    itemStates,
    fleetStates,
    invalidObjects: resources.invalidObjects,
    settings,
  });
  const refusals = {
    routes: refusedRoutes(graph, { ...model, itemStates }),
    backends: refusedBackends(graph, backends.backends, itemStates),
  };
  const ofRoutes = routeStatuses(graph, { resources, attached, refusals, settings });
  const concluded = concludeLayers(graph, layers, {
    routes: layerRoutes,
    listeners: layerListeners,
    attached,
    added,
    resolved: listeners.resolved,
    addresses,
    refusals,
    itemStates,
  });
  const others = [
    classStatuses,
    ofGateways,
    listenerSetStatuses,
    backends.policyStatuses,
    certified.statuses,
    meshStatuses,
    ...concluded.statuses,
  ];
  const plainStatuses = graph.union("statuses", [
    ...ofRoutes,
    ...others.map((collection) =>
      graph.derive(`${collection.name} by object`, collection, (status) => [statusEntry(status)]),
    ),
  ]);
  const statuses = settings.listenerPolicy
    ? contourStatuses(graph, plainStatuses, { resources, virtualHosts: model.virtualHosts })
    : plainStatuses;
  const fleets = fleetsOf(graph, { resources, gateways, ports, bindPorts, settings });
  const references = wantedReferences(graph, {
    resources,
    gateways,
    sections,
    ancestors: backends.ancestors,
    permissions,
    gates,
    settings,
    isCertifying: certified.isUsed,
    ofLayers: layers.flatMap((layer) => layer.references ?? []),
  });
  return { model, statuses, fleets, references, remarks: concluded.remarks };
}

/** `layers.ts` says what a layer is. */
const knownLayers: readonly LayerMaker[] = [httpProxyLayer, ingressLayer];

function makeLayers(
  graph: Graph,
  { resources, settings, layers = knownLayers }: TranslationInputs,
  pairs: LayerInputs["keyPairs"],
): readonly Layer[] {
  const { layers: own } = settings;
  return own ? layers.map((make) => make(graph, { resources, settings, keyPairs: pairs, layers: own })) : [];
}
