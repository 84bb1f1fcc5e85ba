// XBackend: a destination outside of the cluster, by its hostname, with its own TLS settings (GEP-4894).
//
// One that cannot be reached as it says is not reached at all: with a CA certificate or a client certificate that is no good,
// nothing is trusted and every connection fails.

import type { Collection, Graph, Read } from "../incremental/index.ts";
import type { BackendTls } from "../model/index.ts";
import { isHostname, type BackendTLS, type Secret, type XBackend } from "../resources/index.ts";
import { verdict, type ObjectStatus, type Verdict } from "../status/index.ts";
import { describeAbsence } from "./absent-objects.ts";
import { judgeTrust, trustRefusal, type TrustInputs } from "./backend-trust.ts";
import { experimentalGroup, targetKey } from "./backend-use.ts";
import { judgeKeyPair } from "./certificates.ts";
import { judgeEndpointName } from "./endpoint-addresses.ts";
import { certificateRefusal, type ItemStates } from "./item-states.ts";
import {
  ancestorStatuses,
  mergeAncestors,
  type Ancestor,
  type AncestorsByTarget,
} from "./policy-ancestors.ts";
import { grantAdvice, permits, type ReferencePermissions } from "./reference-grants.ts";
import type { TranslateSettings } from "./settings.ts";

export interface JudgedXBackend {
  readonly hostname: string;
  readonly port: number;
  readonly protocol?: NonNullable<XBackend["spec"]["protocol"]>;
  readonly tls?: BackendTls;
  /** `Accepted`, for every Gateway whose proxy knows XBackends. */
  readonly accepted: Verdict;
  /** Nothing may be sent there. */
  readonly isRefused: boolean;
}

export interface XBackendInputs extends TrustInputs {
  readonly secrets: Collection<Secret>;
  readonly permissions: ReferencePermissions;
  readonly settings: TranslateSettings;
}

interface Problem {
  readonly reason: string;
  readonly message: string;
}

export function judgedXBackends(
  graph: Graph,
  xBackends: Collection<XBackend>,
  inputs: XBackendInputs,
): Collection<JudgedXBackend> {
  return graph.map("judged XBackends", xBackends, (xBackend, read) => judgeXBackend(xBackend, read, inputs));
}

export function judgeXBackend(
  { metadata, spec }: XBackend,
  read: Read,
  inputs: XBackendInputs,
): JudgedXBackend {
  const hostname = spec.externalHostname?.hostname ?? "";
  const refused = judgeSpec(spec, hostname, inputs.settings);
  const { tls, problem } =
    spec.tls && spec.tls.mode !== "None"
      ? resolveTls(spec.tls, hostname, metadata.namespace, read, inputs)
      : { tls: undefined, problem: undefined };
  const told = refused ?? problem;
  return {
    hostname,
    port: spec.port.port,
    ...(spec.protocol !== undefined && { protocol: spec.protocol }),
    ...(tls && { tls }),
    accepted: told
      ? verdict("Accepted", "False", told.reason, told.message)
      : verdict("Accepted", "True", "Accepted", "The XBackend is accepted"),
    isRefused: refused !== undefined,
  };
}

function judgeSpec(
  spec: XBackend["spec"],
  hostname: string,
  settings: TranslateSettings,
): Problem | undefined {
  const invalid = (message: string) => ({ reason: "Invalid", message });
  if (!isHostname(hostname)) {
    return invalid("spec.externalHostname.hostname: must be a lowercase DNS name, such as api.example.com");
  }
  const problem = judgeEndpointName(hostname, settings);
  if (problem !== undefined) return invalid(`spec.externalHostname.hostname: ${hostname} ${problem}`);
  if (spec.protocol === "MCP") return invalid("spec.protocol: MCP is not supported; use HTTP");
  if (spec.protocol === "H2C" && spec.tls && spec.tls.mode !== "None") {
    return invalid("spec.protocol: H2C is HTTP/2 without TLS; use HTTP2 together with spec.tls");
  }
  return undefined;
}

function resolveTls(
  { mode, clientCertificateRef, validation }: BackendTLS,
  hostname: string,
  namespace: string,
  read: Read,
  inputs: XBackendInputs,
): { readonly tls: BackendTls; readonly problem: Problem | undefined } {
  const trust =
    validation && judgeTrust({ validation, namespace, field: "spec.tls.validation" }, read, inputs);
  // Without a word on it, whom everybody trusts to have the name.
  const tls: BackendTls = trust?.tls ?? { hostname, trusted: "system", subjectAltNames: [] };
  const [first] = trust?.problems ?? [];
  const problem: Problem | undefined =
    first ?? (trust?.refused && { reason: trust.refused.reason, message: trust.refused.problem });
  if (mode !== "ClientAndServer") return { tls, problem };
  const client = resolveClientCertificate(clientCertificateRef, namespace, read, inputs);
  if (typeof client === "string") return { tls: { ...tls, clientCertificate: client }, problem };
  return { tls: { ...tls, trusted: [] }, problem: problem ?? client };
}

function resolveClientCertificate(
  ref: BackendTLS["clientCertificateRef"],
  own: string,
  read: Read,
  { secrets, permissions, invalidObjects }: XBackendInputs,
): string | Problem {
  const refuse = (reason: string, message: string) => ({
    reason,
    message: `spec.tls.clientCertificateRef: ${message}`,
  });
  const invalid = "InvalidClientCertificateRef";
  if (!ref) return refuse(invalid, "is required in mode ClientAndServer");
  if (ref.group !== "" || ref.kind !== "Secret") {
    return refuse(invalid, `${ref.kind} of group ${ref.group || "core"} is not supported; refer to a Secret`);
  }
  const namespace = ref.namespace ?? own;
  const reference = {
    from: { group: experimentalGroup, kind: "XBackend", namespace: own },
    to: { group: "", kind: "Secret", namespace, name: ref.name },
  };
  if (!permits(read, permissions, reference)) return refuse("RefNotPermitted", grantAdvice(reference));
  const name = `${namespace}/${ref.name}`;
  const secret = read.one(secrets, name);
  if (!secret)
    return refuse(invalid, `Secret ${name} ${describeAbsence(read, invalidObjects, "Secret", name)}`);
  const pair = judgeKeyPair(secret, `Secret/${name}`);
  return pair.ok ? pair.value.key : refuse(invalid, `Secret ${name} ${pair.problem}`);
}

export interface XBackendStatusInputs {
  readonly xBackends: Collection<XBackend>;
  readonly judged: Collection<JudgedXBackend>;
  readonly ancestors: AncestorsByTarget;
  readonly itemStates: ItemStates;
  readonly settings: TranslateSettings;
}

export function xBackendStatuses(graph: Graph, inputs: XBackendStatusInputs): Collection<ObjectStatus> {
  const { xBackends, judged, ancestors, itemStates, settings } = inputs;
  return graph.derive("XBackend statuses", xBackends, (xBackend, read, key) => {
    const own = read.one(judged, key);
    if (!own) return [];
    const accepted =
      own.accepted.status === "True" ? (refusalOf(own, read, itemStates) ?? own.accepted) : own.accepted;
    const { namespace, name } = xBackend.metadata;
    const uses = read.all(ancestors, targetKey(experimentalGroup, "XBackend", namespace, name));
    const report = {
      shape: "backend-parents",
      ancestors: mergeAncestors(uses),
      conditionsFor: (ancestor: Ancestor) => [judgeForAncestor(accepted, ancestor)],
    } as const;
    return ancestorStatuses(xBackend, report, settings);
  });
}

/** What a proxy has against its certificates, with the reason that we would have had. */
function refusalOf({ tls }: JudgedXBackend, read: Read, itemStates: ItemStates): Verdict | undefined {
  const refuse = (reason: string, words: string | undefined) =>
    words === undefined ? undefined : verdict("Accepted", "False", reason, words);
  const shown = tls?.clientCertificate;
  return (
    (tls && refuse("InvalidCACertificateRef", trustRefusal(tls, read, itemStates))) ??
    (shown === undefined
      ? undefined
      : refuse("InvalidClientCertificateRef", certificateRefusal(shown, read, itemStates)))
  );
}

function judgeForAncestor(accepted: Verdict, { key, missing }: Ancestor): Verdict {
  if (!missing.includes("XBackend")) return accepted;
  const message = `the proxy of Gateway ${key} cannot reach external hostnames (it lacks XBackend)`;
  return verdict("Accepted", "False", "Unsupported", message);
}
