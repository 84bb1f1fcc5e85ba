// `spec.mesh` of a Gateway (GEP-3951): its meshed routes are those that its selector matches, by their own labels or by those of their
// namespace. They speak mutual TLS to their backends: the Gateway shows a certificate that the mesh trusts, and trusts those of its own bundle.
//
// Whatever is missing for that is a problem of `spec.mesh`, and meshed routes then answer with an error. They are never served without it.

import type { Collection, Read } from "../incremental/index.ts";
import type { Certificate } from "../model/index.ts";
import {
  compileLabelSelector,
  gates as known,
  type Gateway,
  type Labels,
  type LabelSelector,
} from "../resources/index.ts";
import { verdict, type Verdict } from "../status/index.ts";
import { isSignedBy, type Judged } from "./certificates.ts";
import { isOn, type Gates } from "./gates.ts";
import { everyMesh, type JudgedMesh, type Meshes } from "./meshes.ts";
import { labelsOfNamespace, selects, type NamespaceInputs } from "./namespace-selection.ts";
import type { Resources } from "./resources.ts";
import { resolveTrustBundle } from "./trust-bundles.ts";

/** What a Gateway's `spec.mesh` comes to. */
export interface GatewayMesh {
  /** Absent where it cannot be read: then every route may be a meshed one, and none is served. */
  readonly selector: LabelSelector | undefined;
  /** How its routes reach the mesh, or why they cannot. */
  readonly trust: MeshTrust;
}

export type MeshTrust =
  /** `Certificate` key of the authorities of the mesh. */
  | { readonly ok: true; readonly bundle: string; readonly clientCertificate: string }
  | { readonly ok: false; readonly reason: MeshProblem; readonly problem: string };

export type MeshProblem =
  | "GateOff"
  | "InvalidSelector"
  | "InvalidCACertificateRef"
  | "InvalidClientCertificateRef"
  | "NoMesh"
  | "ClientCertificateNotTrusted";

export interface GatewayMeshInputs {
  readonly resources: Resources;
  readonly meshes: Meshes;
  readonly gates: Gates | undefined;
  readonly keyPairs: Collection<Judged<Certificate>>;
}

/** `clientCertificate`: `Certificate` key of what the Gateway shows to backends, if that can be used. */
export function judgeGatewayMesh(
  { metadata, spec }: Gateway,
  clientCertificate: string | undefined,
  read: Read,
  inputs: GatewayMeshInputs,
): GatewayMesh | undefined {
  const { mesh } = spec;
  if (!mesh) return undefined;
  const selector = mesh.labelSelector;
  const refuse = (reason: MeshProblem, problem: string): GatewayMesh => ({
    selector: reason === "InvalidSelector" ? undefined : selector,
    trust: { ok: false, reason, problem },
  });
  const compiled = compileLabelSelector(selector);
  if (compiled.outcome === "invalid") {
    return refuse("InvalidSelector", `spec.mesh.labelSelector.${compiled.message}`);
  }
  if (!isOn(read, inputs.gates, known.gateway)) {
    return refuse(
      "GateOff",
      `spec.mesh: is experimental and off; turn on the gate ${known.gateway}, or remove the field`,
    );
  }
  const { configMaps, invalidObjects } = inputs.resources;
  const bundle = resolveTrustBundle(
    { bundle: mesh.trustBundle, namespace: metadata.namespace, field: "spec.mesh.trustBundle" },
    read,
    { configMaps, invalidObjects },
  );
  if (!bundle.ok) return refuse("InvalidCACertificateRef", bundle.problem);
  const pair =
    clientCertificate === undefined ? undefined : read.one(inputs.keyPairs, nameOf(clientCertificate));
  if (clientCertificate === undefined || !pair?.ok) {
    const problem =
      spec.tls?.backend?.clientCertificateRef === undefined
        ? "is missing: the mesh asks for a certificate; refer to a Secret with one that the mesh's trust bundle has signed"
        : "cannot be used; see ResolvedRefs";
    return refuse("InvalidClientCertificateRef", `spec.tls.backend.clientCertificateRef: ${problem}`);
  }
  const distrust = judgeClientCertificate(pair.value, read.all(inputs.meshes, everyMesh));
  if (distrust) return refuse(distrust.reason, distrust.problem);
  return { selector, trust: { ok: true, bundle: bundle.value.key, clientCertificate } };
}

/** `Secret/<namespace>/<name>` → `<namespace>/<name>` */
function nameOf(key: string): string {
  return key.slice(key.indexOf("/") + 1);
}

/** Spec: the certificate must be signed, in the end, by a CA of the mesh's bundle. */
function judgeClientCertificate(
  { key, certificates }: Certificate,
  meshes: readonly JudgedMesh[],
): { readonly reason: MeshProblem; readonly problem: string } | undefined {
  const bundles = meshes.flatMap(({ name, bundle }) => (bundle ? [{ name, bundle }] : []));
  if (bundles.length === 0) {
    const refused = meshes.find(({ accepted }) => accepted?.status === "False");
    const why = refused ? `; XMesh ${refused.name} is not accepted, see its status` : "";
    const problem = `spec.mesh: no XMesh says in spec.ocg.trustBundle whom it trusts to be a gateway, so there is no mesh to take part in${why}`;
    return { reason: "NoMesh", problem };
  }
  const isTrusted = bundles.some(
    ({ bundle }) => bundle.ok && isSignedBy(certificates, bundle.value.certificates),
  );
  if (isTrusted) return undefined;
  const [broken] = bundles.flatMap(({ name, bundle }) =>
    bundle.ok ? [] : [`XMesh ${name}: ${bundle.problem}`],
  );
  const names = bundles.map(({ name }) => name).join(", ");
  const problem = `spec.tls.backend.clientCertificateRef: ${key.replace("/", " ")} is signed by no CA of the trust bundle of XMesh ${names}${broken === undefined ? "" : ` (${broken})`}; have it signed by one, or add its CA there`;
  return { reason: "ClientCertificateNotTrusted", problem };
}

/** Of the Gateway, so that nobody overlooks what it is, or that it does not work. */
export function meshCondition({ trust }: GatewayMesh): Verdict {
  if (!trust.ok) {
    return verdict(
      "MeshTrust",
      "False",
      trust.reason,
      `Meshed routes answer with an error: ${trust.problem}`,
    );
  }
  const message = `Meshed routes use mutual TLS. spec.mesh is EXPERIMENTAL (${known.gateway}, GEP-3951), and not for production`;
  return verdict("MeshTrust", "True", "Experimental", message);
}

/** How a route must be served, if it is a meshed one, or may be: what is not known to be outside is never sent in clear text. */
export function meshOfRoute(
  { labels, namespace }: { readonly labels: Labels; readonly namespace: string },
  mesh: GatewayMesh | undefined,
  read: Read,
  inputs: NamespaceInputs,
): MeshTrust | undefined {
  if (!mesh?.selector) return mesh?.trust;
  const isOutside =
    selects(mesh.selector, { labels, arePartial: false }) === false &&
    selects(mesh.selector, labelsOfNamespace(read, inputs, namespace)) === false;
  return isOutside ? undefined : mesh.trust;
}
