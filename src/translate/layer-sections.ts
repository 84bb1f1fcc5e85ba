/*
 * The listeners that layers add to a Gateway, as sections.
 *
 * One hostname of one Gateway is one key: of the listeners that ask for it the first layer's, then the oldest, becomes a section, so a changed object
 * costs what it touches, however many there are. What the Gateway or a ListenerSet has claimed stays theirs, and so does a port that speaks something else.
 *
 * They are transparent (`served-hostnames.ts`): routes that attach to a less specific listener of the Gateway are served there too.
 */
import type { Collection, Graph, Index, Read } from "../incremental/index.ts";
import { verdict, type Verdict } from "../status/index.ts";
import type { OwnGateway } from "./gateways.ts";
import { refusalOfCertificates, type ItemStates } from "./item-states.ts";
import { layerRanks, type LayerListener, type ListenerOutcome } from "./layers.ts";
import { findProtocol } from "./listener-protocols.ts";
import type { ResolvedSection } from "./listeners.ts";
import { none } from "./lists.ts";
import { compareAge } from "./object-age.ts";
import type { Section } from "./section.ts";

export interface LayerSectionInputs {
  readonly listeners: Collection<LayerListener>;
  readonly gateways: Collection<OwnGateway>;
  /** Those of Gateways and ListenerSets. */
  readonly sections: Collection<Section>;
  readonly sectionsByGateway: Index<Section>;
}

export interface LayerSections {
  readonly sections: Collection<Section>;
  /** By `<gateway>|<hostname>`. */
  readonly byHostname: Index<Section>;
  /** One for each port that layers serve, by Gateway, so that ports do not change with every hostname. */
  readonly portsByGateway: Index<Section>;
  readonly askedByHostname: Index<LayerListener>;
  /** By the Gateway's key. */
  readonly tlsPorts: Collection<TlsPort>;
}

interface TlsPort {
  readonly port: number;
  /** What the port speaks already, if that is not TLS. */
  readonly taken: string | undefined;
}

const defaultPort = 443;

export function layerSections(graph: Graph, inputs: LayerSectionInputs): LayerSections {
  const { listeners, gateways, sections: own, sectionsByGateway } = inputs;
  const tlsPorts = graph.map("TLS ports of layers", gateways, ({ driver }, read, key) =>
    tlsPortOf(read.all(sectionsByGateway, key), driver.features),
  );
  // A refused listener of a Gateway keeps what it claims (`listener-conflicts.ts`), unless it is unknown what it would be.
  const claims = graph.derive(
    "hostnames of gateways",
    own,
    ({ listener, hostname, refusal, conflict, key }) =>
      refusal && !conflict ? [] : [[`${listener}|${hostname}`, key] as const],
  );
  const askedByHostname = graph.index("layer listeners by hostname", listeners, (one) => [hostnameKey(one)]);
  const sections = graph.derive("layer sections", askedByHostname, (asked, read) => {
    const first = firstOf(asked);
    const gateway = first && read.one(gateways, first.gateway);
    const tls = gateway && read.one(tlsPorts, gateway.key);
    if (!first || !gateway || !tls) return [];
    const claimed = read.one(claims, `${gateway.key}/tcp/${tls.port}|${first.hostname}`);
    if (claimed !== undefined) return [];
    const section = sectionOf(first, tls, gateway.driver.features);
    return [[section.key, section] as const];
  });
  const served = graph.map("layer sections that serve", sections, (one) => (one.refusal ? undefined : one));
  const byPort = graph.count("layer sections by port", served, ({ listener }) => [listener]);
  const ports = graph.map("ports of layers", byPort, (_count, _read, listener) => portSection(listener));
  return {
    sections,
    byHostname: graph.index("layer sections by hostname", served, (one) => [hostnameKey(one)]),
    portsByGateway: graph.index("ports of layers by gateway", ports, ({ gateway }) => [gateway]),
    askedByHostname,
    tlsPorts,
  };
}

function hostnameKey({ gateway, hostname }: { readonly gateway: string; readonly hostname: string }): string {
  return `${gateway}|${hostname}`;
}

function firstOf(asked: readonly LayerListener[]): LayerListener | undefined {
  const [first, ...others] = asked;
  return others.reduce((best, one) => (best && compareListeners(one, best) < 0 ? one : best), first);
}

function compareListeners(a: LayerListener, b: LayerListener): number {
  return (
    layerRanks[a.layer] - layerRanks[b.layer] ||
    compareAge(a.age, b.age) ||
    Number(a.protocol > b.protocol) - Number(a.protocol < b.protocol)
  );
}

/** The Gateway's own HTTPS port, or 443. */
function tlsPortOf(sections: readonly Section[], features: ReadonlySet<string>): TlsPort {
  const familyOf = ({ spec }: Section) => findProtocol(spec.protocol, features)?.family;
  const tls = sections.filter((section) => !section.refusal && familyOf(section) === "tls");
  const ports = tls.map(({ spec }) => spec.port);
  const port = ports.includes(defaultPort)
    ? defaultPort
    : Math.min(...ports, ...(ports.length > 0 ? [] : [defaultPort]));
  const other = sections.find(
    (section) =>
      section.spec.port === port &&
      !section.refusal &&
      familyOf(section) !== "tls" &&
      familyOf(section) !== "udp",
  );
  return { port, taken: other?.spec.protocol };
}

function sectionOf(
  listener: LayerListener,
  { port, taken }: TlsPort,
  features: ReadonlySet<string>,
): Section {
  const { layer, source, gateway, protocol, hostname, certificates } = listener;
  const owner = `${source.kind}/${source.namespace}/${source.name}`;
  const mode = protocol === "TLS" && certificates.length === 0 ? "Passthrough" : "Terminate";
  return {
    key: `${owner}/${hostname}`,
    owner,
    ownerKind: layer,
    namespace: source.namespace,
    gateway,
    listener: `${gateway}/tcp/${port}`,
    spec: {
      name: hostname,
      ...(hostname !== "*" && { hostname }),
      port,
      protocol,
      tls: {
        mode,
        certificateRefs: certificates.map((ref) => ({ group: "", kind: "Secret", ...ref })),
      },
      allowedRoutes: { namespaces: { from: "Same" } },
    },
    position: 0,
    hostname,
    kinds: none,
    refusedKinds: none,
    refusal: judgeListener(protocol, mode, { port, taken }, features),
    conflict: undefined,
    overlapping: false,
  };
}

function judgeListener(
  protocol: string,
  mode: string,
  { port, taken }: TlsPort,
  features: ReadonlySet<string>,
): Verdict | undefined {
  const no = (reason: string, message: string) => verdict("Accepted", "False", reason, message);
  if (!findProtocol(protocol, features))
    return no("UnsupportedProtocol", `the Gateway's proxy cannot serve protocol ${protocol}`);
  if (protocol === "TLS" && mode === "Terminate" && !features.has("TLSRouteModeTerminate"))
    return no("UnsupportedValue", "the Gateway's proxy cannot end TLS for byte streams");
  return taken === undefined
    ? undefined
    : no(
        "ProtocolConflict",
        `port ${port} of the Gateway speaks ${taken}; give the Gateway an HTTPS listener`,
      );
}

/** Stands for all sections of layers on one port. */
function portSection(listener: string): Section {
  const [namespace = "", name = "", , port] = listener.split("/");
  const gateway = `${namespace}/${name}`;
  return {
    key: `layers/${listener}`,
    owner: `layers/${gateway}`,
    ownerKind: "Ingress",
    namespace,
    gateway,
    listener,
    spec: {
      name: "https",
      port: Number(port),
      protocol: "HTTPS",
      allowedRoutes: { namespaces: { from: "Same" } },
    },
    position: Number.MAX_SAFE_INTEGER,
    hostname: "*",
    kinds: none,
    refusedKinds: none,
    refusal: undefined,
    conflict: undefined,
    overlapping: false,
  };
}

export interface ListenerResults {
  readonly added: LayerSections;
  readonly resolved: Collection<ResolvedSection>;
  readonly itemStates: ItemStates;
}

/** By the key of the listener. */
export function listenerOutcomes(
  graph: Graph,
  listeners: Collection<LayerListener>,
  { added, resolved, itemStates }: ListenerResults,
): Collection<ListenerOutcome> {
  const { sections, askedByHostname } = added;
  return graph.map("layer listener outcomes", listeners, (listener, read): ListenerOutcome => {
    const { source, hostname } = listener;
    const served = read.one(resolved, sectionKey(listener));
    const own = served && read.one(sections, sectionKey(listener)) ? served : undefined;
    if (own) {
      const { accepted, resolvedRefs, certificates } = own;
      const refusal = refusalOfCertificates(certificates, read, itemStates);
      return { source, hostname, accepted, resolvedRefs, refusal };
    }
    const winner = firstOf(read.all(askedByHostname, hostnameKey(listener)));
    return {
      source,
      hostname,
      accepted: describeLoss(listener, winner, read),
      resolvedRefs: nothingToResolve,
      refusal: undefined,
    };
  });
}

const nothingToResolve = verdict(
  "ResolvedRefs",
  "True",
  "ResolvedRefs",
  "The certificates are not looked at",
);

function sectionKey({ source, hostname }: LayerListener): string {
  return `${source.kind}/${source.namespace}/${source.name}/${hostname}`;
}

function describeLoss(listener: LayerListener, winner: LayerListener | undefined, _read: Read): Verdict {
  const { source, hostname, gateway } = listener;
  if (winner && winner.source.kind === source.kind && winner.age.name === listener.age.name)
    return verdict(
      "Accepted",
      "False",
      "ServedByGateway",
      `Gateway ${gateway} is not there, or has a listener of its own for ${hostname}, whose certificates are shown`,
    );
  const message = `${winner?.source.kind} ${winner?.age.name} has TLS for ${hostname} on Gateway ${gateway} already; its certificate is shown`;
  return verdict("Accepted", "False", "HostnameConflict", message);
}
