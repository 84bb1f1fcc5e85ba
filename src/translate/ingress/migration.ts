// Ingresses as objects of the Gateway API, for `gatewright migrate`: the same routes that the layer gives to the translation, written down.
//
// What the Gateway API has no field for is either lost and told, or, where it protects what is behind it, a reason to keep the Ingress as it is: both are served side by side.

import type { Graph } from "../../incremental/index.ts";
import type { HTTPRouteRule, Ingress } from "../../resources/index.ts";
import { intersectHostnames } from "../hostname-intersection.ts";
import type { LayerListener, Remark } from "../layers.ts";
import { oneLabelExpression } from "../rule-extras.ts";
import { findServicePort } from "../service-ports.ts";
import { keyedPaths } from "./canary-paths.ts";
import type { JudgedIngress, PlacedRule } from "./judged-ingress.ts";
import { judgedIngresses, type IngressInputs } from "./judged-ingresses.ts";
import { layeredRoutes, listenersOf, type IngressRoute } from "./layered-routes.ts";
import { loserRemarks, winnersIn, withoutLosers } from "./same-matches.ts";

export interface Migration {
  /** Ready to be written: the Gateway first, then what belongs to each Ingress. */
  readonly objects: readonly MigratedObject[];
  readonly notes: readonly MigrationNote[];
}

export interface MigratedObject {
  /** `Ingress shop/web`; absent for what serves all of them. */
  readonly from?: string;
  readonly object: Readonly<Record<string, unknown>>;
}

export interface MigrationNote {
  /** `Ingress shop/web`, or the Gateway that is to serve */
  readonly object: string;
  /** `kept`: it stays an Ingress. `lost`: the objects do without this. `carried`: they have it, by a field that not every cluster knows. */
  readonly outcome: "kept" | "lost" | "carried";
  readonly message: string;
}

const apiVersion = "gateway.networking.k8s.io/v1";
/** The Gateway API's own limits. */
const mostRules = 16;
const mostListeners = 64;

export function migrateIngresses(graph: Graph, inputs: IngressInputs): Migration {
  const { judged, canaries } = judgedIngresses(graph, inputs);
  const all = [...judged.entries()].map(([, one]) => one);
  const reasons = new Map(all.map((one) => [one, reasonToKeep(one)] as const));
  const moved = all.filter((one) => reasons.get(one) === undefined);
  const keptKeys = new Set(
    all.flatMap((one) =>
      reasons.get(one) === undefined ? [] : keyedPaths(one.ingress).map(({ key }) => key),
    ),
  );
  const keptCanaries = [...canaries.entries()].flatMap(([, canary]) =>
    keyedPaths(canary).some(({ key }) => keptKeys.has(key)) ? [canary] : [],
  );
  const gateways = new Map<string, JudgedIngress[]>();
  for (const one of moved) gateways.set(one.gateway, [...(gateways.get(one.gateway) ?? []), one]);
  // Of the new objects others could come first, and before an Ingress that stays all of them do.
  const winnerOf = winnersIn(all);
  const notes: MigrationNote[] = [];
  const objects: MigratedObject[] = [];
  for (const [gateway, ingresses] of gateways) {
    const sections = sectionsOf(gateway, ingresses, inputs);
    objects.push(...gatewayObjects(sections, inputs));
    notes.push(...closedGateway(sections, inputs));
    for (const one of ingresses) {
      const served = withoutLosers(one, winnerOf);
      const routes = layeredRoutes(served);
      objects.push(...routeObjects(one, routes, sections));
      notes.push(...lostParts(served, routes, loserRemarks(one, winnerOf), inputs));
    }
  }
  for (const [one, why] of reasons) {
    if (why === undefined) continue;
    objects.push(keptObject(one.ingress));
    notes.push({ object: nameOf(one.ingress), outcome: "kept", message: why });
  }
  for (const canary of keptCanaries) {
    objects.push(keptObject(canary));
    notes.push({
      object: nameOf(canary),
      outcome: "kept",
      message: "it is a canary of an Ingress that stays",
    });
  }
  return { objects, notes };
}

function nameOf({ metadata }: Ingress): string {
  return `Ingress ${metadata.namespace}/${metadata.name}`;
}

/** What must not be lost. */
function reasonToKeep({ hosts }: JudgedIngress): string | undefined {
  const extras = hosts.flatMap(({ rules }) => rules.map((rule) => rule.extras));
  const blocked = extras.find((one) => one.blocked !== undefined)?.blocked;
  if (blocked !== undefined) return `it answers with errors as it is: ${blocked}`;
  return extras.some(({ clientAddresses }) => clientAddresses)
    ? "the Gateway API has no field for the client addresses that it takes or refuses"
    : undefined;
}

function keptObject(ingress: Ingress): MigratedObject {
  const { apiVersion: version, kind, metadata, spec } = ingress;
  return {
    from: nameOf(ingress),
    object: { apiVersion: version, kind, metadata: shownMetadata(metadata), spec },
  };
}

function shownMetadata({ namespace, name, labels, annotations }: Ingress["metadata"]) {
  return {
    namespace,
    name,
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}

/** Where routes can attach. */
interface Sections {
  /** `namespace/name` of the Gateway. */
  readonly gateway: string;
  readonly isThere: boolean;
  /** Listeners that are not made of Ingresses: those of a Gateway that is there, or the one for plain HTTP. */
  readonly own: readonly Attachable[];
  readonly https: readonly NamedListener[];
}

interface Attachable {
  readonly name: string;
  readonly protocol: string;
  readonly hostname: string;
  /** The ListenerSet that it is in, if it is not in the Gateway. */
  readonly set?: string | undefined;
}

interface NamedListener extends LayerListener {
  readonly name: string;
  /** The ListenerSet that it is in, if it is not in the Gateway. */
  readonly set: string | undefined;
}

/** One for each hostname: the oldest Ingress's, as the layer would have it. A Gateway that is there already gets them by a ListenerSet, and one that has too many. */
function sectionsOf(
  key: string,
  ingresses: readonly JudgedIngress[],
  { resources }: IngressInputs,
): Sections {
  const gateway = resources.gateways.get(key);
  const byHostname = new Map<string, LayerListener>();
  for (const listener of ingresses.flatMap(listenersOf).toSorted(oldestFirst))
    if (!byHostname.has(listener.hostname)) byHostname.set(listener.hostname, listener);
  const room = gateway ? 0 : mostListeners - 1;
  const https = [...byHostname.values()]
    .toSorted((a, b) => (a.hostname < b.hostname ? -1 : 1))
    .map((listener, index) => ({
      ...listener,
      name: `https-${index + 1}`,
      set: index < room ? undefined : setName(key, Math.floor((index - room) / mostListeners)),
    }));
  const own = gateway?.spec.listeners.map(({ name, protocol, hostname = "*" }) => ({
    name,
    protocol,
    hostname: hostname.toLowerCase(),
  })) ?? [{ name: "http", protocol: "HTTP", hostname: "*" }];
  return { gateway: key, isThere: gateway !== undefined, own, https };
}

/** Spec, Gateway: it takes no ListenerSets unless it says so. */
function closedGateway(
  { gateway, isThere, https }: Sections,
  { resources }: IngressInputs,
): readonly MigrationNote[] {
  const from = resources.gateways.get(gateway)?.spec.allowedListeners?.namespaces?.from;
  if (!isThere || https.length === 0 || from === "Same" || from === "All") return [];
  const message = "it must take the ListenerSet: give it spec.allowedListeners with namespaces from Same";
  return [{ object: `Gateway ${gateway}`, outcome: "lost", message }];
}

function setName(gateway: string, index: number): string {
  return `${gateway.split("/")[1]}-tls${index === 0 ? "" : `-${index + 1}`}`;
}

function oldestFirst(a: LayerListener, b: LayerListener): number {
  const [first, second] = [a, b].map(({ age }) => `${age.createdAt} ${age.name}`);
  return (first ?? "") < (second ?? "") ? -1 : 1;
}

/** The Gateway, the ListenerSets, and leave to use the Secrets of other namespaces. */
function gatewayObjects(
  { gateway, isThere, https }: Sections,
  { layers }: IngressInputs,
): readonly MigratedObject[] {
  const [namespace = "", name = ""] = gateway.split("/");
  const allowedRoutes = { namespaces: { from: "All" } };
  const specOf = ({ name: section, hostname, certificates }: NamedListener) => ({
    name: section,
    port: 443,
    protocol: "HTTPS",
    ...(hostname !== "*" && { hostname }),
    tls: {
      certificateRefs: certificates.map((ref) => ({
        name: ref.name,
        ...(ref.namespace !== namespace && { namespace: ref.namespace }),
      })),
    },
    allowedRoutes,
  });
  const sets = [...new Set(https.flatMap(({ set }) => set ?? []))];
  const own = {
    gatewayClassName: layers.gatewayClass,
    listeners: [
      { name: "http", port: 80, protocol: "HTTP", allowedRoutes },
      ...https.filter(({ set }) => set === undefined).map(specOf),
    ],
    ...(sets.length > 0 && { allowedListeners: { namespaces: { from: "Same" } } }),
  };
  const from = [...(isThere ? [] : ["Gateway"]), ...(sets.length > 0 ? ["ListenerSet"] : [])];
  return [
    ...(isThere
      ? []
      : [{ object: { apiVersion, kind: "Gateway", metadata: { namespace, name }, spec: own } }]),
    ...sets.map((set) => {
      const listeners = https.filter((one) => one.set === set).map(specOf);
      const spec = { parentRef: { name }, listeners };
      return { object: { apiVersion, kind: "ListenerSet", metadata: { namespace, name: set }, spec } };
    }),
    ...secretGrants(
      namespace,
      name,
      https,
      from.map((kind) => ({ group: "gateway.networking.k8s.io", kind, namespace })),
    ),
  ];
}

function secretGrants(
  namespace: string,
  name: string,
  listeners: readonly NamedListener[],
  from: readonly object[],
): readonly MigratedObject[] {
  const secrets = new Map<string, Set<string>>();
  for (const { namespace: of, name: secret } of listeners.flatMap(({ certificates }) => certificates))
    if (of !== namespace) secrets.set(of, (secrets.get(of) ?? new Set<string>()).add(secret));
  return [...secrets].map(([of, names]) => ({
    object: {
      apiVersion,
      kind: "ReferenceGrant",
      metadata: { namespace: of, name: `${namespace}-${name}-certificates`.slice(0, 253) },
      spec: {
        from,
        to: [...names].toSorted().map((secret) => ({ group: "", kind: "Secret", name: secret })),
      },
    },
  }));
}

function routeObjects(
  { ingress }: JudgedIngress,
  routes: readonly IngressRoute[],
  sections: Sections,
): readonly MigratedObject[] {
  const { namespace, name, labels } = ingress.metadata;
  return routes.flatMap((route, index) => {
    const parentRefs = parentsOf(route, namespace, sections);
    if (parentRefs.length === 0) return [];
    return chunksOf(route).map((rules, part) => {
      const suffix = `${routes.length > 1 ? `-${index + 1}` : ""}${part > 0 ? `-part-${part + 1}` : ""}`;
      const metadata = {
        namespace,
        name: `${name.slice(0, 253 - suffix.length)}${suffix}`,
        ...(Object.keys(labels).length > 0 && { labels }),
      };
      const { hostnames } = route.route.spec;
      const spec = { parentRefs, ...(hostnames && { hostnames }), rules };
      return { from: nameOf(ingress), object: { apiVersion, kind: "HTTPRoute", metadata, spec } };
    });
  });
}

/**
 * The sections that the layer would take for the route: those that cover its hostname whole. To a more specific one it is not attached, because there its rules and those of
 * the host itself would be one list, in which a rule without a host can come first.
 * Where the Gateway API would choose no others by itself, they are not named.
 */
function parentsOf(
  { protocols, route }: IngressRoute,
  namespace: string,
  { gateway, own, https }: Sections,
): readonly object[] {
  const [of = "", name = ""] = gateway.split("/");
  const where = of === namespace ? {} : { namespace: of };
  const parentOf = (set: string | undefined) =>
    set === undefined
      ? { name, ...where }
      : { group: "gateway.networking.k8s.io", kind: "ListenerSet", name: set, ...where };
  const hostname = route.spec.hostnames?.[0] ?? "*";
  const wanted: ReadonlySet<string> = new Set(protocols);
  const shared = [...own, ...https].flatMap((section): (Attachable & { both: string })[] => {
    const both = wanted.has(section.protocol) ? intersectHostnames(section.hostname, hostname) : undefined;
    return both === undefined ? [] : [{ ...section, both }];
  });
  const taking = shared.filter(({ both }) => both === hostname);
  if (protocols.length > 1 && taking.length === shared.length)
    return [...new Set(taking.map(({ set }) => set))].map(parentOf);
  return taking.map(({ set, name: sectionName }) => ({ ...parentOf(set), sectionName }));
}

/** Rules of one path stay together: their order says which comes first. */
function chunksOf({ route, fields: all, oneLabel }: IngressRoute): readonly (readonly HTTPRouteRule[])[] {
  const fields = all.map((one) => one.rule);
  const [hostname = "*"] = route.spec.hostnames ?? [];
  const rules = route.spec.rules.map((rule) => (oneLabel ? withHostMatch(rule, hostname) : rule));
  const chunks: HTTPRouteRule[][] = [];
  let last: string | undefined;
  for (const [index, rule] of rules.entries()) {
    const group = rules.filter((_rule, i) => fields[i] === fields[index]).length;
    const current = chunks.at(-1);
    if (!current || (fields[index] !== last && current.length + group > mostRules)) chunks.push([rule]);
    else current.push(rule);
    last = fields[index];
  }
  return chunks;
}

/** A wildcard of the Gateway API stands for any number of labels, so the rule looks at the Host itself. */
function withHostMatch(rule: HTTPRouteRule, hostname: string): HTTPRouteRule {
  const host = { type: "RegularExpression", name: "Host", value: oneLabelExpression([hostname]) } as const;
  return {
    ...rule,
    matches: rule.matches.map((match) => ({ ...match, headers: [...(match.headers ?? []), host] })),
  };
}

function lostParts(
  judged: JudgedIngress,
  routes: readonly IngressRoute[],
  remarks: readonly Remark[],
  inputs: IngressInputs,
): readonly MigrationNote[] {
  const rules = judged.hosts.flatMap((host) => host.rules);
  const messages = new Set(rules.flatMap((rule) => lostOf(rule, inputs)));
  if (
    routes.some(({ protocols }) => protocols.length === 1 && protocols[0] === "HTTPS") &&
    judged.tls.listeners.length === 0
  )
    messages.add(
      "it is served with the default certificate: give the Gateway an HTTPS listener of your own with it",
    );
  for (const { severity, field, message } of [...judged.remarks, ...remarks])
    if (severity === "warning") messages.add(`${field}: ${message}`);
  const object = nameOf(judged.ingress);
  const keepsSessions = rules.some(({ rule }) => rule.sessionPersistence);
  return [
    ...[...messages].map((message) => ({ object, outcome: "lost", message }) as const),
    ...(keepsSessions ? [{ object, outcome: "carried", message: sessionMessage } as const] : []),
  ];
}

const sessionMessage =
  "affinity, as sessionPersistence, which needs the CRDs of the Gateway API's experimental channel";

/** What a rule has and an HTTPRoute cannot say. */
function lostOf({ rule, extras }: PlacedRule, { resources }: IngressInputs): readonly string[] {
  const { maxBodySize, idleTimeout, backend } = extras;
  const speaksH2c = (rule.backendRefs ?? []).every(({ namespace, name, port = 0 }) => {
    const service = resources.services.get(`${namespace}/${name}`);
    return /^(kubernetes\.io\/)?h2c$|^grpc$/.test(
      (service && findServicePort(service, port, "TCP")?.appProtocol) ?? "",
    );
  });
  return [
    ...(maxBodySize === undefined ? [] : ["proxy-body-size: bodies are not limited by an HTTPRoute"]),
    ...(idleTimeout === undefined
      ? []
      : [
          "proxy-read-timeout, proxy-send-timeout: an HTTPRoute limits whole requests only (timeouts), not silence in them",
        ]),
    ...(backend?.connectTimeout === undefined
      ? []
      : ["proxy-connect-timeout: an HTTPRoute has no such limit"]),
    ...(backend?.loadBalancing === undefined
      ? []
      : ["load-balance, upstream-hash-by: an HTTPRoute does not choose among endpoints"]),
    ...(backend?.protocol === "h2c" && !speaksH2c
      ? ["backend-protocol: give the ports of its Services appProtocol kubernetes.io/h2c"]
      : []),
  ];
}
