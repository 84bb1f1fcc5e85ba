/*
 * What HAProxy should be doing: its sections, the servers in them, what its maps say, and the files they refer to. Made
 * from the whole model; what an item of the model becomes is kept as long as the item is the same.
 */
import type {
  Backend,
  Certificate,
  Endpoint,
  EndpointSet,
  HashSource,
  Listener,
  ServerName,
  StreamRoute,
  VirtualHost,
} from "../../../model/index.ts";
import { isIP } from "node:net";
import { retryName, variantName, type BackendVariant, type RetryVariant } from "../backend-variant.ts";
import type { PlannedListener } from "../bind/bind-plan.ts";
import type { Section } from "../config/configuration-text.ts";
import { DataFiles } from "../data/data-files.ts";
import { sectionData, streamData, type StreamData } from "../data/stream-data.ts";
import { virtualHostData, type VirtualHostData } from "../data/virtual-host-data.ts";
import { contentHash, identifierOf } from "../identifiers.ts";
import { renderBackend, renderServers, type ServerWords, type TlsFiles } from "./backend-section.ts";
import { retrySection } from "./inside-sections.ts";
import { bindLines, httpFrontend, tcpFrontend, tlsFrontend, type Entrance } from "./frontend-sections.ts";
import { usualRetries } from "./spare-sections.ts";
import { terminationOf, terminationSections, type Termination } from "./termination.ts";

/** The parts of the model that are in force, or should be. */
export interface ModelView {
  readonly certificates: ReadonlyMap<string, Certificate>;
  readonly backends: ReadonlyMap<string, Backend>;
  readonly endpoints: ReadonlyMap<string, EndpointSet>;
  readonly serverNames: ReadonlyMap<string, ServerName>;
  readonly virtualHosts: ReadonlyMap<string, VirtualHost>;
  readonly streamRoutes: ReadonlyMap<string, StreamRoute>;
}

export interface DesiredState {
  /** By keyword and name, without the servers that may come and go. */
  readonly sections: ReadonlyMap<string, RenderedSection>;
  /** By section. */
  readonly servers: ReadonlyMap<string, ReadonlyMap<string, ServerWords>>;
  /** Of each backend that the model has: its sections, and what their servers have in common. */
  readonly sectionsOfBackends: ReadonlyMap<string, ReadonlyMap<string, ServerWords | undefined>>;
  readonly maps: Maps;
  /** Of each virtual host's data, the sections that it sends requests to. */
  readonly uses: ReadonlyMap<string, readonly string[]>;
  /** By hash. */
  readonly data: ReadonlyMap<string, Buffer>;
  /** By name, with what is secret. */
  readonly certificates: ReadonlyMap<string, string>;
  /** By name: lists of certificates, bundles of authorities. */
  readonly files: ReadonlyMap<string, string>;
}

/** What Lua looks up, and what may change while HAProxy runs. */
export type Maps = Readonly<Record<MapName, ReadonlyMap<string, string>>>;

/** In the order in which they are changed. `sections`: where a backend's section goes by the name of a spare one. */
export const mapNames = ["sections", "servers", "hashes", "budgets", "hosts", "streams"] as const;
export type MapName = (typeof mapNames)[number];

export interface RenderedSection {
  readonly section: Section;
  /** What else must be the same for the section to be the same. */
  readonly settings: string;
  readonly isFrontend: boolean;
}

export interface RenderContext {
  readonly model: ModelView;
  readonly planned: ReadonlyMap<string, PlannedListener>;
  readonly folder: string;
  /** Whether requests are logged. */
  readonly logs: boolean;
  /** Those of a backend's endpoints that may get traffic; the same list if all may. */
  readonly wellOf: (backend: string, endpoints: readonly Endpoint[]) => readonly Endpoint[];
  /** The addresses of an endpoint that is a name. */
  readonly addressesOf: (endpoint: Endpoint) => readonly string[];
}

const nowhere: readonly Endpoint[] = [];
/** Which are in use is a matter of the process. */
const noSpares: ReadonlyMap<string, string> = new Map();
const unknownBackends = new Map<string, Backend>();
const routeData = new WeakMap<StreamRoute | ServerName, StreamData>();

/** A model may refer to what is not there yet: it has no endpoints. */
function unknownBackend(key: string): Backend {
  let backend = unknownBackends.get(key);
  if (!backend) {
    if (unknownBackends.size > 10_000) unknownBackends.clear();
    unknownBackends.set(key, (backend = { key, protocol: "http" }));
  }
  return backend;
}

const usedSections = new WeakMap<VirtualHostData, readonly string[]>();

function sectionsOf(made: VirtualHostData): readonly string[] {
  let sections = usedSections.get(made);
  if (!sections) {
    const { variants, retries } = made.needs;
    sections = [...new Set([...variants.map(variantName), ...retries.map(retryName)])];
    usedSections.set(made, sections);
  }
  return sections;
}

export function desiredState(context: RenderContext): DesiredState {
  return new Rendering(context).render();
}

/**
 * Puts other versions of some virtual hosts into a state, if it has all that they need. Gives what the map of hosts is told: the
 * hash of each, or nothing for those that are gone. What nobody refers to any more stays until the whole is made anew.
 */
export function changeHosts(
  state: DesiredState,
  changed: ReadonlyMap<string, VirtualHost | undefined>,
): ReadonlyMap<string, VirtualHostData | undefined> | undefined {
  const entries = new Map<string, VirtualHostData | undefined>();
  for (const [key, host] of changed) {
    const data = host && virtualHostData(host);
    const isKnown =
      !data ||
      (sectionsOf(data).every((section) => state.sections.has(`backend ${section}`)) &&
        data.needs.sessions.every((section) => state.maps.servers.has(section)));
    if (!isKnown) return undefined;
    entries.set(hostEntry(key), data);
  }
  for (const [entry, data] of entries) {
    const hosts = state.maps.hosts as Map<string, string>;
    if (!data) {
      hosts.delete(entry);
      continue;
    }
    hosts.set(entry, data.hash);
    (state.uses as Map<string, readonly string[]>).set(data.hash, sectionsOf(data));
    for (const [hash, content] of data.files) (state.data as Map<string, Buffer>).set(hash, content);
  }
  return entries;
}

/** Of a virtual host's key, which is its listener's and its hostname. */
export function hostEntry(key: string): string {
  const bar = key.lastIndexOf("|");
  return `${identifierOf(key.slice(0, bar))}|${key.slice(bar + 1)}`;
}

/** As the Lua side reads it (lua/gatewright/session.lua). */
function serverList(servers: ReadonlyMap<string, ServerWords>): string {
  return [...servers.keys()].join(",") || "-";
}

/**
 * Puts other endpoints of some backends into a state, at a cost that does not depend on the rest of it. Gives the servers of the
 * sections that are different.
 */
export function changeEndpoints(
  state: DesiredState,
  changed: ReadonlyMap<string, readonly Endpoint[]>,
): ReadonlyMap<string, ReadonlyMap<string, ServerWords>> {
  const different = new Map<string, ReadonlyMap<string, ServerWords>>();
  for (const [key, endpoints] of changed) {
    for (const [section, words] of state.sectionsOfBackends.get(key) ?? []) {
      const servers = renderServers(endpoints, words);
      different.set(section, servers);
      (state.servers as Map<string, ReadonlyMap<string, ServerWords>>).set(section, servers);
      const lists = state.maps.servers as Map<string, string>;
      if (lists.has(section)) lists.set(section, serverList(servers));
    }
  }
  return different;
}

class Rendering {
  readonly #context: RenderContext;
  readonly #sections = new Map<string, RenderedSection>();
  readonly #servers = new Map<string, ReadonlyMap<string, ServerWords>>();
  readonly #sectionsOfBackends = new Map<string, Map<string, ServerWords | undefined>>();
  readonly #hosts = new Map<string, string>();
  readonly #streams = new Map<string, string>();
  readonly #serverLists = new Map<string, string>();
  readonly #budgets = new Map<string, string>();
  readonly #hashes = new Map<string, string>();
  readonly #uses = new Map<string, readonly string[]>();
  readonly #sessions = new Set<string>();
  readonly #retries = new Map<string, RetryVariant>();
  readonly #data = new Map<string, Buffer>();
  readonly #certificates = new Map<string, string>();
  readonly #files = new Map<string, string>();
  readonly #variants = new Map<string, BackendVariant>();

  constructor(context: RenderContext) {
    this.#context = context;
  }

  render(): DesiredState {
    const { model, planned } = this.#context;
    for (const each of planned.values()) this.#addListener(each);
    for (const host of model.virtualHosts.values()) this.#addHost(host);
    for (const serverName of model.serverNames.values()) this.#addServerName(serverName);
    for (const route of model.streamRoutes.values()) this.#addStreamRoute(route);
    for (const [name, variant] of this.#variants) this.#addVariant(name, variant);
    for (const retry of usualRetries()) this.#retries.set(retryName(retry), retry);
    for (const retry of this.#retries.values()) this.#addSection(retrySection(retry, this.#context.folder));
    return {
      sections: this.#sections,
      servers: this.#servers,
      sectionsOfBackends: this.#sectionsOfBackends,
      maps: {
        sections: noSpares,
        hosts: this.#hosts,
        streams: this.#streams,
        servers: this.#serverLists,
        hashes: this.#hashes,
        budgets: this.#budgets,
      },
      uses: this.#uses,
      data: this.#data,
      certificates: this.#certificates,
      files: this.#files,
    };
  }

  #addListener({ listener, bound }: PlannedListener): void {
    if (bound.length === 0) return;
    const id = identifierOf(listener.key);
    const name = `l-${id}`;
    const binds = bindLines(bound);
    switch (listener.protocol) {
      case "http":
        this.#addSection(httpFrontend(name, binds, this.#entrance(listener, "http")));
        break;
      case "tls":
        this.#addSection(tlsFrontend(name, binds, id));
        break;
      case "tcp":
        this.#addSection(tcpFrontend(name, binds, id));
        break;
      case "udp":
        break;
    }
  }

  #entrance(listener: Listener, scheme: "http" | "https", section?: string): Entrance {
    const mappedPorts = new Map<number, number>();
    for (const other of this.#context.planned.values()) {
      if (other.listener.gateway !== listener.gateway) continue;
      const [first] = other.bound;
      const wanted = other.listener.bindPort ?? other.listener.port;
      if (first && first.port !== wanted) mappedPorts.set(other.listener.port, first.port);
    }
    const { logs } = this.#context;
    const entrance = { listener: identifierOf(listener.key), scheme, port: listener.port, mappedPorts, logs };
    return section === undefined ? entrance : { ...entrance, section };
  }

  #addHost(host: VirtualHost): void {
    const made = virtualHostData(host);
    this.#take(made);
    this.#uses.set(made.hash, sectionsOf(made));
    this.#hosts.set(`${identifierOf(host.listener)}|${host.hostname}`, made.hash);
  }

  #addServerName(serverName: ServerName): void {
    const planned = this.#context.planned.get(serverName.listener);
    if (!planned) return;
    const key = `${identifierOf(serverName.listener)}|${serverName.hostname}`;
    const { action } = serverName;
    if (action.type === "passthrough") {
      this.#streams.set(key, this.#routeHash(serverName, action.backends));
      return;
    }
    const termination = terminationOf(planned.listener, serverName, this.#context.model);
    if (!termination) {
      this.#streams.set(key, this.#takeHash(streamData([])));
      return;
    }
    this.#addTermination(planned.listener, serverName, termination);
    this.#streams.set(key, this.#takeHash(sectionData(`t-${termination.id}`)));
    if (action.type === "terminate") {
      this.#streams.set(termination.id, this.#routeHash(serverName, action.backends));
    }
  }

  #addTermination(listener: Listener, serverName: ServerName, termination: Termination): void {
    const { folder, model } = this.#context;
    for (const key of termination.certificates) this.#certificateFile(key);
    const authorities =
      termination.authorities &&
      this.#bundle(termination.authorities.map((key) => model.certificates.get(key)!));
    const { list, sections } = terminationSections({
      termination,
      folder,
      certificateFiles: termination.certificates.map((key) => this.#certificateFile(key)),
      authorities,
      entrance: this.#entrance(listener, "https", identifierOf(serverName.section)),
    });
    this.#files.set(list.name, list.text);
    for (const section of sections) this.#addSection(section);
  }

  #certificateFile(key: string): string {
    const { certificates, privateKey } = this.#context.model.certificates.get(key)!;
    const name = `certificates/${identifierOf(key)}.pem`;
    this.#certificates.set(name, `${certificates}${privateKey ?? ""}`);
    return `${this.#context.folder}/${name}`;
  }

  #bundle(certificates: readonly Certificate[]): string {
    const text = certificates.map((certificate) => certificate.certificates).join("");
    const name = `authorities/${contentHash(text)}.pem`;
    this.#files.set(name, text);
    return `${this.#context.folder}/${name}`;
  }

  #addStreamRoute(route: StreamRoute): void {
    this.#streams.set(identifierOf(route.listener), this.#routeHash(route, route.backends));
  }

  #routeHash(owner: StreamRoute | ServerName, backends: StreamRoute["backends"]): string {
    let made = routeData.get(owner);
    if (!made) {
      made = streamData(backends);
      routeData.set(owner, made);
    }
    return this.#takeHash(made);
  }

  #takeHash(made: StreamData): string {
    this.#take(made);
    return made.hash;
  }

  #take({ files, needs }: StreamData | VirtualHostData): void {
    for (const [hash, content] of files) this.#data.set(hash, content);
    for (const variant of needs.variants) this.#variants.set(variantName(variant), variant);
    for (const retry of needs.retries) this.#retries.set(retryName(retry), retry);
    for (const section of needs.sessions) this.#sessions.add(section);
  }

  #addVariant(name: string, variant: BackendVariant): void {
    const { model, folder } = this.#context;
    const backend = model.backends.get(variant.backend) ?? unknownBackend(variant.backend);
    const endpoints = this.#endpointsOf(variant.backend);
    const rendered = renderBackend({
      variant,
      backend,
      endpoints,
      tls: this.#tlsFiles(backend),
      errorFiles: `${folder}/errors`,
    });
    this.#addSection(rendered.section, rendered.settings);
    this.#servers.set(name, rendered.servers);
    const hashes = variant.mode !== "tcp" && backend.loadBalancing?.type === "hash";
    if (hashes) this.#hashes.set(name, this.#hashSources(backend.loadBalancing.on));
    if (this.#sessions.has(name) || hashes) this.#serverLists.set(name, serverList(rendered.servers));
    if (model.backends.has(backend.key)) {
      const known = this.#sectionsOfBackends.get(backend.key);
      if (known) known.set(name, rendered.words);
      else this.#sectionsOfBackends.set(backend.key, new Map([[name, rendered.words]]));
    }
    const budget = backend.retryBudget;
    if (budget) {
      const { percent, interval, minRetries, minInterval } = budget;
      this.#budgets.set(name, [percent, interval, minRetries, minInterval].map(Math.round).join(","));
    }
  }

  #hashSources(on: readonly HashSource[]): string {
    const files = new DataFiles();
    const hash = files.add(on.map((source) => ({ ...source })));
    for (const [name, content] of files.files) this.#data.set(name, content);
    return hash;
  }

  #endpointsOf(key: string): readonly Endpoint[] {
    const { model, addressesOf, wellOf } = this.#context;
    const all = model.backends.has(key) ? model.endpoints.get(key)?.endpoints : undefined;
    if (!all) return nowhere;
    const given = wellOf(key, all);
    // The list itself, unless there are names in it: what is made of it is remembered by it.
    if (given.every(({ address }) => isIP(address) !== 0)) return given;
    return given.flatMap((endpoint) =>
      addressesOf(endpoint).map((address) => ({ address, port: endpoint.port })),
    );
  }

  #tlsFiles({ tls }: Backend): TlsFiles | undefined {
    if (!tls) return undefined;
    const { certificates } = this.#context.model;
    const trusted = tls.trusted === "system" ? [] : tls.trusted.flatMap((key) => certificates.get(key) ?? []);
    const own = tls.clientCertificate === undefined ? undefined : certificates.get(tls.clientCertificate);
    return {
      authorities:
        tls.trusted === "system" ? "@system-ca" : trusted.length > 0 ? this.#bundle(trusted) : undefined,
      clientCertificate: own?.privateKey === undefined ? undefined : this.#certificateFile(own.key),
    };
  }

  #addSection(section: Section, settings = ""): void {
    const isFrontend = section.keyword === "frontend";
    this.#sections.set(`${section.keyword} ${section.name}`, { section, settings, isFrontend });
  }
}
