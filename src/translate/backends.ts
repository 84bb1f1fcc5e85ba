// The backends of the model, from what routes use.
//
// All uses of a backend, by however many routes, are one item; what it looks like follows from its key and from the
// objects that the key names. Endpoints are items of their own: a Pod that comes or goes changes one of them and nothing else.

import type { Collection, Graph, Read } from "../incremental/index.ts";
import type { Backend, BackendTls, Certificate, EndpointSet } from "../model/index.ts";
import type { ObjectStatus } from "../status/index.ts";
import { tlsPolicyFor, tlsPolicyStatuses } from "./backend-tls-policies.ts";
import { trafficPolicyFor, trafficPolicyStatuses } from "./backend-traffic-policies.ts";
import { caEntry } from "./backend-trust.ts";
import { experimentalGroup, targetKey, type BackendUse } from "./backend-use.ts";
import { judgeCaBundle, judgeKeyPair } from "./certificates.ts";
import type { ContentInputs } from "./content-inputs.ts";
import { endpointSets } from "./endpoints.ts";
import type { ItemStates } from "./item-states.ts";
import { joined } from "./lists.ts";
import { ancestorsByTarget, type AncestorsByTarget } from "./policy-ancestors.ts";
import type { RouteTranslation } from "./route-translation.ts";
import { findServicePort } from "./service-ports.ts";
import { xBackendStatuses } from "./xbackends.ts";

export interface BackendItems {
  readonly backends: Collection<Backend>;
  readonly endpoints: Collection<EndpointSet>;
  /** CA certificates and client certificates that backends name. */
  readonly certificates: Collection<Certificate>;
  /** Of BackendTLSPolicy, XBackendTrafficPolicy and XBackend. */
  readonly policyStatuses: Collection<ObjectStatus>;
  /** Who uses what policies are about. */
  readonly ancestors: AncestorsByTarget;
}

/** Whoever uses backends: a route, with its content for each Gateway that it serves on. */
export interface BackendUser {
  readonly served: readonly RouteTranslation[];
}

export function backendItems(
  graph: Graph,
  users: Collection<BackendUser>,
  inputs: ContentInputs,
  itemStates: ItemStates,
): BackendItems {
  const { resources, services, tlsPolicies, trafficPolicies, xBackends, settings } = inputs;
  const uses = graph.derive("backend uses", users, ({ served }) =>
    joined(served.map(({ backendUses }) => backendUses)).map((use) => [use.key, use] as const),
  );
  const backends = graph.map("backends", uses, (use, read) => backendOf(use, read, inputs));
  const endpoints = endpointSets(graph, uses, inputs);
  const certificateUses = graph.derive("certificate uses of backends", backends, ({ tls }) =>
    certificateKeys(tls).map((key) => [key, key] as const),
  );
  const certificates = graph.map("certificates of backends", certificateUses, (key, read) =>
    certificateOf(key, read, inputs),
  );

  const ancestors = ancestorsByTarget(
    graph,
    users,
    (target, read) =>
      !target.startsWith("Service/") ||
      read.one(tlsPolicies.byTarget, target) !== undefined ||
      read.one(trafficPolicies.byTarget, target) !== undefined,
  );
  const { invalidObjects } = resources;
  const exists = (target: string, read: Read) => {
    const name = target.slice(target.indexOf("/") + 1);
    if (target.startsWith("Service/")) return read.one(services, name) !== undefined;
    return target.startsWith("XBackend/") && read.one(xBackends, name) !== undefined;
  };
  const policyStatuses = graph.union("policy statuses", [
    tlsPolicyStatuses(graph, {
      policies: resources.backendTlsPolicies,
      tlsPolicies,
      services,
      ancestors,
      invalidObjects,
      itemStates,
      settings,
    }),
    trafficPolicyStatuses(graph, {
      policies: resources.xBackendTrafficPolicies,
      trafficPolicies,
      exists,
      ancestors,
      invalidObjects,
      settings,
    }),
    xBackendStatuses(graph, {
      xBackends: resources.xBackends,
      judged: xBackends,
      ancestors,
      itemStates,
      settings,
    }),
  ]);
  return { backends, endpoints, certificates, policyStatuses, ancestors };
}

function backendOf(use: BackendUse, read: Read, inputs: ContentInputs): Backend {
  const { key, kind, namespace, name, protocol, passthrough, extras } = use;
  const { protocol: _, tls: ownTls, ...settings } = extras ?? {};
  const group = kind === "XBackend" ? experimentalGroup : "";
  const target = targetKey(group, kind, namespace, name);
  const said = passthrough || protocol === "udp" ? undefined : (ownTls ?? tlsOf(use, target, read, inputs));
  const tls = use.mesh === undefined ? said : meshedTls(use.mesh, use, said);
  const policies = read.all(inputs.trafficPolicies.byTarget, target);
  const retryBudget = use.ignoresRetryBudget
    ? undefined
    : trafficPolicyFor(policies, () => true)?.retryBudget;
  return { key, protocol, ...(tls && { tls }), ...(retryBudget && { retryBudget }), ...settings };
}

function tlsOf(use: BackendUse, target: string, read: Read, inputs: ContentInputs): BackendTls | undefined {
  const object = `${use.namespace}/${use.name}`;
  if (use.kind === "XBackend") return read.one(inputs.xBackends, object)?.tls;
  const service = read.one(inputs.services, object);
  const portName = service && findServicePort(service, use.port, "TCP")?.name;
  const policy = tlsPolicyFor(read.all(inputs.tlsPolicies.byTarget, target), target, portName);
  if (!policy) return undefined;
  const { clientCertificate } = use;
  return { ...policy.tls, ...(clientCertificate !== undefined && { clientCertificate }) };
}

/** Names are checked as is said for the backend; who vouches for them, and who we are, is the mesh's business. What trusts nobody stays so. */
function meshedTls(
  bundle: string,
  { clientCertificate }: BackendUse,
  said: BackendTls | undefined,
): BackendTls {
  const { hostname, subjectAltNames = [] } = said ?? {};
  return {
    ...(hostname !== undefined && { hostname }),
    subjectAltNames,
    trusted: said?.trusted.length === 0 ? [] : [bundle],
    ...(clientCertificate !== undefined && { clientCertificate }),
  };
}

/** Those that a backend is spoken to with. */
export function certificateKeys(tls: BackendTls | undefined): string[] {
  if (!tls) return [];
  const trusted = tls.trusted === "system" ? [] : tls.trusted;
  return tls.clientCertificate === undefined ? [...trusted] : [...trusted, tls.clientCertificate];
}

/** Keys are `<ConfigMap or Secret>/<namespace>/<name>/<entry>` and `Secret/<namespace>/<name>`. */
function certificateOf(
  key: string,
  read: Read,
  { configMaps, secrets }: ContentInputs,
): Certificate | undefined {
  const [kind, namespace, name, entry] = key.split("/");
  const object = `${namespace}/${name}`;
  if (kind === "Secret" && entry === undefined) {
    const secret = read.one(secrets, object);
    const pair = secret && judgeKeyPair(secret, key);
    return pair?.ok ? pair.value : undefined;
  }
  const source = kind === "Secret" ? read.one(secrets, object) : read.one(configMaps, object);
  const bundle = source && judgeCaBundle(source, entry ?? caEntry, key);
  return bundle?.ok ? bundle.value : undefined;
}
