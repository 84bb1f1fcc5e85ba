/*
 * The Secrets and ConfigMaps that the translation looks at: only these need to be read, and nobody has to be allowed to
 * read more. A reference is here if an object of ours has it and a grant (or its own namespace) permits it.
 *
 * Policies and XBackends are anybody's objects, so theirs count only while a route of ours leads to what they are about.
 */
import type { Collection, Graph, Read } from "../incremental/index.ts";
import type { ObjectName } from "../model/index.ts";
import {
  gates as known,
  ownGroup,
  type BackendTLSPolicy,
  type RouteCertificate,
  type XBackend,
} from "../resources/index.ts";
import { experimentalGroup, targetKey } from "./backend-use.ts";
import { validationOf } from "./client-validation.ts";
import { isOn, type Gates } from "./gates.ts";
import type { OwnGateway } from "./gateways.ts";
import { isLayered } from "./layers.ts";
import { terminatesTls } from "./listeners.ts";
import type { AncestorsByTarget } from "./policy-ancestors.ts";
import { permits, type ReferencePermissions, type Referrer } from "./reference-grants.ts";
import type { Resources } from "./resources.ts";
import type { Section } from "./section.ts";
import { gatewayGroup, type TranslateSettings } from "./settings.ts";

export interface ReferenceInputs {
  readonly resources: Resources;
  readonly gateways: Collection<OwnGateway>;
  readonly sections: Collection<Section>;
  readonly ancestors: AncestorsByTarget;
  readonly permissions: ReferencePermissions;
  readonly gates: Gates | undefined;
  readonly settings: TranslateSettings;
  /** Whether a RouteCertificate is about something of ours. */
  readonly isCertifying: (read: Read, key: string) => boolean;
  readonly ofLayers: readonly Collection<ObjectName>[];
}

/** Key: `<Kind>/<namespace>/<name>`. */
export function wantedReferences(graph: Graph, inputs: ReferenceInputs): Collection<ObjectName> {
  const { resources, gateways, sections, ancestors, permissions, isCertifying, ofLayers } = inputs;
  const { gates, settings } = inputs;
  const entries = (
    read: Read,
    from: Referrer,
    kind: WantedKind,
    refs: readonly AnyReference[],
    isPermitted = false,
  ): (readonly [string, ObjectName])[] =>
    refs.flatMap((ref) => {
      const namespace = ref.namespace ?? from.namespace;
      const to = { group: "", kind, namespace, name: ref.name };
      if (ref.group !== "" || ref.kind !== kind || !(isPermitted || permits(read, permissions, { from, to })))
        return [];
      return [[`${kind}/${namespace}/${ref.name}`, { kind, namespace, name: ref.name }] as const];
    });

  const clientAuthorities = ({ spec, gateway }: Section, read: Read) => {
    const own = spec.protocol === "HTTPS" ? read.one(gateways, gateway) : undefined;
    const found = own && validationOf(own.gateway, spec.port);
    if (!found) return [];
    return entries(read, referrerOf(own), "ConfigMap", found.validation.caCertificateRefs);
  };
  const ofSections = graph.derive("references of listeners", sections, (section, read) => {
    const { ownerKind: kind, namespace, spec } = section;
    const certificates = terminatesTls(section) ? (spec.tls?.certificateRefs ?? []) : [];
    const from = { group: gatewayGroup, kind, namespace };
    return entries(read, from, "Secret", certificates, isLayered(section.key)).concat(
      clientAuthorities(section, read),
    );
  });
  const ofGateways = graph.derive("references of gateways", gateways, (own, read) => {
    const { tls, mesh } = own.gateway.spec;
    const ref = tls?.backend?.clientCertificateRef;
    const bundle = mesh && isOn(read, gates, known.gateway) ? mesh.trustBundle : undefined;
    return [
      ...entries(read, referrerOf(own), "Secret", ref ? [ref] : []),
      // GEP-3951: wherever we may read, without a grant.
      ...entries(read, referrerOf(own), "ConfigMap", bundle ? [{ ...bundle, group: "" }] : [], true),
    ];
  });
  const ofMeshes = graph.derive("references of meshes", resources.xMeshes, ({ spec }, read) => {
    const isOurs = settings.controllerNames.includes(spec.controllerName);
    const isLookedAt = isOn(read, gates, known.gateway) || (isOurs && isOn(read, gates, known.mesh));
    const bundle = isLookedAt ? spec.ocg?.trustBundle : undefined;
    if (!bundle) return [];
    const from = { group: experimentalGroup, kind: "XMesh", namespace: bundle.namespace };
    return entries(read, from, "ConfigMap", [{ ...bundle, group: "" }], true);
  });
  const ofPolicies = graph.derive(
    "references of backend TLS policies",
    resources.backendTlsPolicies,
    ({ metadata, spec }: BackendTLSPolicy, read) => {
      const { namespace } = metadata;
      const isUsed = spec.targetRefs.some(
        ({ group, kind, name }) => read.one(ancestors, targetKey(group, kind, namespace, name)) !== undefined,
      );
      const from = { group: gatewayGroup, kind: "BackendTLSPolicy", namespace };
      return isUsed ? entries(read, from, "ConfigMap", spec.validation.caCertificateRefs ?? []) : [];
    },
  );
  const ofXBackends = graph.derive(
    "references of XBackends",
    resources.xBackends,
    ({ metadata, spec }: XBackend, read) => {
      const { namespace, name } = metadata;
      if (!spec.tls || spec.tls.mode === "None") return [];
      if (!read.one(ancestors, targetKey(experimentalGroup, "XBackend", namespace, name))) return [];
      const { clientCertificateRef, validation } = spec.tls;
      const from = { group: experimentalGroup, kind: "XBackend", namespace };
      return [
        ...entries(read, from, "ConfigMap", validation?.caCertificateRefs ?? []),
        ...entries(read, from, "Secret", clientCertificateRef ? [clientCertificateRef] : []),
      ];
    },
  );
  const ofRouteCertificates = graph.derive(
    "references of route certificates",
    resources.routeCertificates,
    ({ metadata, spec }: RouteCertificate, read, key) => {
      const from = { group: ownGroup, kind: "RouteCertificate", namespace: metadata.namespace };
      return isCertifying(read, key) ? entries(read, from, "Secret", spec.certificateRefs) : [];
    },
  );
  return graph.union("references", [
    ofSections,
    ofGateways,
    ofMeshes,
    ofPolicies,
    ofXBackends,
    ofRouteCertificates,
    ...ofLayers,
  ]);
}

type WantedKind = "Secret" | "ConfigMap";

interface AnyReference {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

function referrerOf({ gateway }: OwnGateway): Referrer {
  return { group: gatewayGroup, kind: "Gateway", namespace: gateway.metadata.namespace };
}
