/*
 * What is rendered from what. Each line is a collection whose items are computed from one item and what they read beside it; what a
 * computation read is what makes it run again (`src/incremental`). So a changed virtual host is one scope, a changed endpoint set one load
 * assignment, a changed certificate its secrets.
 *
 * The rule for what a computation may read: only as much of an item as matters to it. A scope reads a listener's protocol and port, not the listener.
 */
import type { Collection, Graph, Read } from "../../../incremental/index.ts";
import type {
  Certificate,
  Listener,
  ModelItems,
  ModelKind,
  ServerName,
  WeightedBackend,
} from "../../../model/index.ts";
import type { Messages } from "../generated/messages.ts";
import type { CausingItem, RenderedResource, ResourceType } from "../rendered-resource.ts";
import { nobody } from "./backend-tls.ts";
import { hasOwnCluster, renderCluster } from "./cluster.ts";
import { hasNames, renderEndpoints } from "./endpoints.ts";
import { isStreamWildcard, needsChain, renderFilterChains, type ChainContext } from "./filter-chains.ts";
import { renderListener } from "./listener.ts";
import { secretNames } from "./names.ts";
import { renderHostIndex, renderServerNameScope, renderVirtualHost } from "./scope.ts";
import { renderCertificate, renderTrust } from "./secret.ts";
import type { RenderSettings } from "./settings.ts";
import { renderStreamCluster } from "./stream-cluster.ts";

export type ModelCollections = { readonly [Kind in ModelKind]: Collection<ModelItems[Kind]> };
export type RenderedCollection = Collection<readonly RenderedResource[]>;

/** What came in is different, so what comes out is: whoever sends it compares the encoded form. */
const always = { equals: () => false } as const;

export function renderModel(
  graph: Graph,
  model: ModelCollections,
  settings: RenderSettings,
): readonly RenderedCollection[] {
  return [
    ...renderSecrets(graph, model),
    ...renderClusters(graph, model, settings),
    ...renderScopes(graph, model, settings),
    ...renderListeners(graph, model, settings),
  ];
}

function renderSecrets(
  graph: Graph,
  { certificates, backends, listeners }: ModelCollections,
): RenderedCollection[] {
  const own = graph.map(
    "certificate secrets",
    certificates,
    (certificate) => {
      const name = secretNames.certificate(certificate.key);
      const secret = renderCertificate(certificate, name);
      return secret && [resource(secretType, name, secret, { kind: "certificates", key: certificate.key })];
    },
    always,
  );
  const trusted = graph.union("trusted authorities", [
    graph.derive("authorities of backends", backends, ({ tls }) =>
      tls && tls.trusted !== "system" ? trustOf(tls.trusted) : [],
    ),
    graph.derive("authorities of clients", listeners, ({ clientValidation }) =>
      clientValidation ? trustOf(clientValidation.trusted) : [],
    ),
  ]);
  const trust = graph.map(
    "trust secrets",
    trusted,
    (keys, read, name) => {
      const bundles = keys.flatMap((key) => read.one(certificates, key) ?? []);
      const secret = bundles.length > 0 ? renderTrust(keys, bundles) : { name, validationContext: nobody };
      return [resource(secretType, name, secret, { kind: "certificates", key: keys[0]! })];
    },
    always,
  );
  return [own, trust];
}

function trustOf(keys: readonly string[]): (readonly [string, readonly string[]])[] {
  return keys.length === 0 ? [] : [[secretNames.trust(keys), keys]];
}

function renderClusters(
  graph: Graph,
  { backends, endpoints, streamRoutes, serverNames, listeners, certificates }: ModelCollections,
  { systemRoots }: RenderSettings,
): RenderedCollection[] {
  const named = graph.map("endpoints with names", endpoints, (set) =>
    hasNames(set.endpoints) ? set : undefined,
  );
  const usable = usableCertificates(graph, certificates, "certificates for backends");
  const clusters = graph.map(
    "clusters",
    backends,
    (backend, read) => {
      if (!hasOwnCluster(backend)) return undefined;
      const names = read.one(named, backend.key)?.endpoints ?? [];
      const cluster = renderCluster(backend, names, systemRoots);
      const shown = backend.tls?.clientCertificate;
      // Envoy would wait for a certificate that is not there, and all other clusters with it.
      const isComplete = shown === undefined || read.one(usable, shown) !== undefined;
      const message: Messages[typeof clusterType] = isComplete
        ? cluster
        : { name: backend.key, type: "STATIC", connectTimeout: 5_000 };
      return [resource(clusterType, backend.key, message, { kind: "backends", key: backend.key })];
    },
    always,
  );
  const assignments = graph.map(
    "load assignments",
    backends,
    (backend, read) => {
      const { key } = backend;
      if (!hasOwnCluster(backend) || read.one(named, key)) return undefined;
      const set = read.one(endpoints, key)?.endpoints ?? [];
      return [resource(endpointsType, key, renderEndpoints(backend, set), { kind: "endpoints", key })];
    },
    always,
  );
  const checks = graph.map("health checks", backends, ({ healthCheck }) => healthCheck);
  const streams = (
    read: Read,
    causedBy: CausingItem,
    protocol: "TCP" | "UDP",
    shares: readonly WeightedBackend[],
  ): readonly RenderedResource[] => {
    const withEndpoints = shares.map((share) => {
      const { target } = share;
      if (target.type !== "backend") return { ...share, endpoints: [] };
      const set = read.one(endpoints, target.backend);
      const healthCheck = read.one(checks, target.backend);
      return { ...share, endpoints: set?.endpoints ?? [], ...(healthCheck ? { healthCheck } : {}) };
    });
    const { cluster, endpoints: assignment } = renderStreamCluster(causedBy.key, withEndpoints, protocol);
    const name = cluster.name!;
    return [
      resource(clusterType, name, cluster, causedBy),
      ...(assignment ? [resource(endpointsType, name, assignment, causedBy)] : []),
    ];
  };
  const ofListeners = graph.map(
    "stream clusters of listeners",
    listeners,
    ({ key, protocol }, read) => {
      if (protocol !== "udp" && protocol !== "tcp") return undefined;
      const shares = read.one(streamRoutes, key)?.backends ?? [];
      return streams(read, { kind: "streamRoutes", key }, protocol === "udp" ? "UDP" : "TCP", shares);
    },
    always,
  );
  const ofServerNames = graph.map(
    "stream clusters of server names",
    serverNames,
    ({ key, action }, read) =>
      action.type === "http"
        ? undefined
        : streams(read, { kind: "serverNames", key }, "TCP", action.backends),
    always,
  );
  return [clusters, assignments, ofListeners, ofServerNames];
}

function renderScopes(
  graph: Graph,
  { listeners, virtualHosts, serverNames, backends }: ModelCollections,
  { accessLog }: RenderSettings,
): RenderedCollection[] {
  const isLogged = accessLog !== undefined;
  const httpNames = countHttpNames(graph, serverNames, "HTTP server names");
  // Where nothing is HTTP nobody asks for scopes, and one that nobody takes would be waited for.
  const sites = graph.map(
    "sites",
    listeners,
    ({ key, protocol, port, gateway, transport }, read): Listener | undefined =>
      protocol === "http" || (protocol === "tls" && (read.one(httpNames, key) ?? 0) > 0)
        ? { key, protocol, port, gateway, transport, addresses: [] }
        : undefined,
  );
  // Most models have none, and then no scope reads any backend.
  const hashedOn = graph.map("hashes of backends", backends, ({ loadBalancing }) =>
    loadBalancing?.type === "hash" ? loadBalancing.on : undefined,
  );
  const hashing = graph.count("backends that hash", hashedOn, () => ["any"]);
  const hosts = graph.map(
    "host scopes",
    virtualHosts,
    (virtualHost, read) => {
      const site = read.one(sites, virtualHost.listener);
      if (!site) return undefined;
      const hashes = (read.one(hashing, "any") ?? 0) > 0;
      const hashOf = (backend: string) => read.one(hashedOn, backend);
      const message = renderVirtualHost(virtualHost, site, { isLogged, ...(hashes && { hashOf }) });
      return [resource(scopeType, message.name!, message, { kind: "virtualHosts", key: virtualHost.key })];
    },
    always,
  );
  const owners = (
    name: string,
    source: Collection<{ listener: string; hostname: string; section: string }>,
  ) =>
    graph.index(
      `${name} by listener`,
      graph.map(name, source, ({ listener, hostname, section }) =>
        hostname.startsWith("*") ? { listener, hostname, section } : undefined,
      ),
      ({ listener }) => [listener],
    );
  const wildcards = owners("wildcards", virtualHosts);
  const nameWildcards = owners("wildcards of server names", serverNames);
  const indexes = graph.map(
    "host indexes",
    sites,
    (site, read, key) => {
      const message = renderHostIndex(site, read.all(wildcards, key), read.all(nameWildcards, key));
      return [resource(scopeType, message.name!, message, { kind: "listeners", key })];
    },
    always,
  );
  const names = graph.map(
    "server name scopes",
    serverNames,
    (serverName, read) => {
      const site = read.one(sites, serverName.listener);
      if (!site || serverName.hostname.startsWith("*")) return undefined;
      const message = renderServerNameScope(site, serverName);
      return [resource(scopeType, message.name!, message, { kind: "serverNames", key: serverName.key })];
    },
    always,
  );
  return [hosts, indexes, names];
}

function renderListeners(
  graph: Graph,
  { listeners, serverNames, streamRoutes, certificates, backends }: ModelCollections,
  settings: RenderSettings,
): RenderedCollection[] {
  const usable = usableCertificates(graph, certificates, "certificates for listeners");
  const onDemand = onDemandListener(graph, listeners, serverNames);
  const secured = graph.map("backends with TLS", backends, ({ tls }) => (tls ? (true as const) : undefined));
  const streamWildcards = graph.count("stream wildcards", serverNames, (serverName) =>
    isStreamWildcard(serverName) ? [serverName.listener] : [],
  );
  const contextOf = (read: Read, listener: string): ChainContext => ({
    isOnDemand: read.one(onDemand, "tls") === listener,
    hasStreamWildcard: (read.one(streamWildcards, listener) ?? 0) > 0,
  });
  const chained = graph.index(
    "chained server names",
    graph.map("server names with chains", serverNames, (serverName, read) =>
      needsChain(serverName, contextOf(read, serverName.listener)) ? serverName : undefined,
    ),
    ({ listener }) => [listener],
  );
  const rendered = graph.map(
    "listeners",
    listeners,
    (listener, read) => {
      const { key } = listener;
      const isUsable = (certificate: string) => read.one(usable, certificate) !== undefined;
      const hasTls = (shares: readonly WeightedBackend[]) =>
        shares.some(({ target }) => target.type === "backend" && read.one(secured, target.backend));
      const { isOnDemand } = contextOf(read, key);
      const filterChains =
        listener.protocol === "tls"
          ? renderFilterChains(
              listener,
              { serverNames: read.all(chained, key), isUsable, hasTls, isOnDemand },
              settings,
            )
          : [];
      const shares = (listener.protocol === "tcp" && read.one(streamRoutes, key)?.backends) || [];
      const stream = { key, backends: shares, hasTls: hasTls(shares) };
      const message = renderListener(listener, { filterChains, stream }, settings);
      return [resource(listenerType, key, message, { kind: "listeners", key })];
    },
    always,
  );
  const secrets = graph.map(
    "server name secrets",
    serverNames,
    (serverName, read) => {
      if (needsChain(serverName, contextOf(read, serverName.listener))) return undefined;
      const certificate = certificateOf(serverName, (key) => read.one(certificates, key));
      const name = secretNames.serverName(serverName.key);
      const secret = certificate && renderCertificate(certificate, name);
      if (!secret) return undefined;
      const causedBy = { kind: "certificates", key: certificate.key } as const;
      return [{ ...resource(secretType, name, secret, causedBy), onDemandFor: serverName.hostname }];
    },
    always,
  );
  return [rendered, secrets];
}

function countHttpNames(graph: Graph, serverNames: Collection<ServerName>, name: string): Collection<number> {
  return graph.count(name, serverNames, ({ action, listener }) => (action.type === "http" ? [listener] : []));
}

/** Of several HTTPS listeners the one with the lowest port, which is mostly 443. */
function onDemandListener(
  graph: Graph,
  listeners: Collection<Listener>,
  serverNames: Collection<ServerName>,
): Collection<string> {
  const httpNames = countHttpNames(graph, serverNames, "HTTP server names of listeners");
  // Where nothing is HTTP, a name that nobody has is to be reset, not to be refused by a handshake.
  const https = graph.map("HTTPS listeners", listeners, (listener, read) =>
    listener.protocol === "tls" && (read.one(httpNames, listener.key) ?? 0) > 0 ? listener : undefined,
  );
  const tls = graph.index("TLS listeners", https, () => ["tls"]);
  return graph.map(
    "listener with certificates on demand",
    tls,
    (all) => all.reduce((lowest, listener) => (listener.port < lowest.port ? listener : lowest)).key,
  );
}

function usableCertificates(
  graph: Graph,
  certificates: Collection<Certificate>,
  name: string,
): Collection<true> {
  return graph.map(name, certificates, ({ privateKey }) =>
    privateKey === undefined ? undefined : (true as const),
  );
}

function certificateOf(
  { action }: ServerName,
  find: (key: string) => Certificate | undefined,
): Certificate | undefined {
  const [key] = action.type === "http" ? action.certificates : [];
  return key === undefined ? undefined : find(key);
}

const clusterType = "envoy.config.cluster.v3.Cluster" satisfies ResourceType;
const endpointsType = "envoy.config.endpoint.v3.ClusterLoadAssignment" satisfies ResourceType;
const secretType = "envoy.extensions.transport_sockets.tls.v3.Secret" satisfies ResourceType;
const scopeType = "envoy.config.route.v3.ScopedRouteConfiguration" satisfies ResourceType;
const listenerType = "envoy.config.listener.v3.Listener" satisfies ResourceType;

function resource<Type extends ResourceType>(
  type: Type,
  name: string,
  message: Messages[Type],
  causedBy: CausingItem,
): RenderedResource & { readonly type: Type } {
  return { type, name, message, causedBy } as unknown as RenderedResource & { readonly type: Type };
}
