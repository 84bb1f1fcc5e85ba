/*
 * From sections to what the proxy opens: which certificates a section shows, which client certificates it asks for,
 * and which ports that makes. A section serves if nothing refused it and it has all that it needs for a handshake.
 */
import type { Collection, Graph, Read } from "../incremental/index.ts";
import type { Certificate, ClientValidation, Listener, ServerName } from "../model/index.ts";
import type { Gateway } from "../resources/index.ts";
import { verdict, type Verdict } from "../status/index.ts";
import { bindPortOf } from "./bind-ports.ts";
import { resolveCertificateRefs, type ResolvedCertificates } from "./certificate-refs.ts";
import type { Judged } from "./certificates.ts";
import { resolveClientValidation } from "./client-validation.ts";
import { isLayered } from "./layers.ts";
import { findProtocol } from "./listener-protocols.ts";
import { allowsRouteCertificates, type Section } from "./section.ts";
import type { ListenerInputs } from "./listener-inputs.ts";
import { gatewayGroup } from "./settings.ts";

/** A section with its references followed. */
export interface ResolvedSection {
  readonly section: Section;
  readonly serves: boolean;
  readonly accepted: Verdict;
  readonly resolvedRefs: Verdict;
  /** `Certificate` keys, in the user's order. */
  readonly certificates: readonly string[];
  readonly clientValidation: ClientValidation | undefined;
  readonly caBundles: readonly Certificate[];
}

export function resolveListeners(graph: Graph, inputs: ListenerInputs) {
  const resolved = graph.map("resolved sections", inputs.sections, (section, read) =>
    resolveSection(section, read, inputs),
  );
  const resolvedByOwner = graph.index("resolved sections by owner", resolved, ({ section }) => [
    section.owner,
  ]);
  const serving = graph.map("serving sections", resolved, (one) => (one.serves ? one : undefined));
  const servingByPort = graph.index("serving sections by port", serving, ({ section }) => [section.listener]);
  const listeners = graph.map("listeners", servingByPort, (group, read, key) =>
    listenerOf(key, group, read, inputs),
  );
  const caBundles = graph.derive("client CA bundles", serving, (one) =>
    one.caBundles.map((ca) => [ca.key, ca] as const),
  );
  return { resolved, resolvedByOwner, serving, servingByPort, listeners, caBundles };
}

/** Those that are shown to clients. */
export function shownCertificates(
  graph: Graph,
  serverNames: Collection<ServerName>,
  keyPairs: Collection<Judged<Certificate>>,
): Collection<Certificate> {
  const uses = graph.derive("certificate uses", serverNames, ({ action }) =>
    action.type === "passthrough" ? [] : action.certificates.map((key) => [key, key] as const),
  );
  return graph.map("listener certificates", uses, (key, read): Certificate | undefined => {
    const pair = read.one(keyPairs, key.slice("Secret/".length));
    return pair?.ok ? pair.value : undefined;
  });
}

function resolveSection(section: Section, read: Read, inputs: ListenerInputs): ResolvedSection {
  const gateway = read.one(inputs.gateways, section.gateway);
  const certificates = resolveCertificates(section, read, inputs);
  const client = gateway
    ? resolveClientValidation(section, gateway, read, inputs)
    : { validation: undefined, bundles: [], problem: undefined, accepted: undefined };
  const kinds = judgeKinds(section);
  const accepted =
    section.refusal ?? client.accepted ?? verdict("Accepted", "True", "Accepted", "The listener is accepted");
  const resolvedRefs =
    kinds ??
    certificates.problem ??
    client.problem ??
    verdict("ResolvedRefs", "True", "ResolvedRefs", "All references of the listener are resolved");
  const terminates = terminatesTls(section);
  return {
    section,
    serves:
      gateway?.usable === true &&
      accepted.status === "True" &&
      (!terminates || certificates.keys.length > 0 || allowsRouteCertificates(section)),
    accepted,
    resolvedRefs,
    certificates: certificates.keys,
    clientValidation: client.validation,
    caBundles: client.bundles,
  };
}

export function terminatesTls({ spec }: Section): boolean {
  return spec.protocol === "HTTPS" || (spec.protocol === "TLS" && spec.tls?.mode !== "Passthrough");
}

function judgeKinds({ refusedKinds, spec, kinds, refusal }: Section): Verdict | undefined {
  if (refusedKinds.length === 0) return undefined;
  const fit = kinds.length > 0 ? `; of those it serves ${kinds.join(", ")}` : "";
  const why = refusal ? "" : ` to a listener with protocol ${spec.protocol}`;
  return verdict(
    "ResolvedRefs",
    "False",
    "InvalidRouteKinds",
    `allowedRoutes.kinds: ${refusedKinds.join(", ")} cannot attach${why}${fit}`,
  );
}

function resolveCertificates(section: Section, read: Read, inputs: ListenerInputs): ResolvedCertificates {
  if (!terminatesTls(section)) return { keys: [], problem: undefined };
  const { ownerKind: kind, namespace, spec } = section;
  const refs = spec.tls?.certificateRefs ?? [];
  if (refs.length === 0 && !allowsRouteCertificates(section)) {
    const message =
      "tls.certificateRefs: name a Secret with tls.crt and tls.key; TLS cannot be terminated without";
    return { keys: [], problem: verdict("ResolvedRefs", "False", "InvalidCertificateRef", message) };
  }
  const from = { group: gatewayGroup, kind, namespace };
  // A layer has asked its own rules already.
  const isPermitted = isLayered(section.key);
  return resolveCertificateRefs({ refs, field: "tls.certificateRefs", from, isPermitted }, read, inputs);
}

/** What the proxy itself is to bind; with a load balancer before it, the addresses are the load balancer's. */
function addressesOf({ spec }: Gateway): readonly string[] {
  return (spec.addresses ?? []).flatMap(({ type, value }) => (type === "IPAddress" && value ? [value] : []));
}

/** One port of one Gateway. Sections come in order of their keys; they agree on all that is taken from the first. */
function listenerOf(
  key: string,
  group: readonly ResolvedSection[],
  read: Read,
  { gateways, bindPorts, settings }: ListenerInputs,
): Listener | undefined {
  const [first] = group;
  const own = first && read.one(gateways, first.section.gateway);
  const protocol = own && findProtocol(first.section.spec.protocol, own.driver.features);
  if (!first || !protocol) return undefined;
  const { port } = first.section.spec;
  const bindPort = bindPortOf(read.one(bindPorts, own.key), protocol.transport, port);
  const clientValidation = group.find((one) => one.clientValidation)?.clientValidation;
  return {
    key,
    gateway: first.section.gateway,
    port,
    ...(bindPort !== undefined && { bindPort }),
    transport: protocol.transport,
    protocol: protocol.family,
    addresses: settings.infrastructure === true ? [] : addressesOf(own.gateway),
    ...(clientValidation && { clientValidation }),
  };
}
