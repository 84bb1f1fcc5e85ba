// XMesh: the meshes that gateways outside of the cluster can take part in, and what we say of our own (GEP-3949, GEP-3951).
//
// A mesh says in `spec.ocg.trustBundle` whom it trusts to be such a gateway. That of any mesh counts, whoever runs it; a mesh of our own
// counts while it is accepted.

import type { Collection, Graph, Index, Read } from "../incremental/index.ts";
import type { Certificate } from "../model/index.ts";
import { gates as known, type XMesh } from "../resources/index.ts";
import { objectStatus, verdict, type ObjectStatus, type Verdict } from "../status/index.ts";
import type { Judged } from "./certificates.ts";
import { isOn, type Gates } from "./gates.ts";
import type { Resources } from "./resources.ts";
import type { TranslateSettings } from "./settings.ts";
import { resolveTrustBundle } from "./trust-bundles.ts";

export interface JudgedMesh {
  readonly name: string;
  /** Of a mesh of ours. */
  readonly accepted: Verdict | undefined;
  /** Whom it trusts to be a gateway from outside; absent: nobody is said. */
  readonly bundle: Judged<Certificate> | undefined;
}

export interface MeshInputs {
  readonly resources: Resources;
  readonly gates: Gates | undefined;
  readonly settings: TranslateSettings;
}

/** All meshes, under `everyMesh`. */
export type Meshes = Index<JudgedMesh>;
export const everyMesh = "all";

export function judgedMeshes(
  graph: Graph,
  inputs: MeshInputs,
): { readonly meshes: Meshes; readonly meshStatuses: Collection<ObjectStatus> } {
  const { xMeshes } = inputs.resources;
  const judged = graph.map("meshes", xMeshes, (mesh, read) => judgeMesh(mesh, read, inputs));
  const meshStatuses = graph.map("mesh statuses", xMeshes, (mesh, read, key) => {
    const own = read.one(judged, key);
    return own?.accepted && meshStatus(mesh, own.accepted, own.bundle);
  });
  return { meshes: graph.index("all meshes", judged, () => [everyMesh]), meshStatuses };
}

function judgeMesh({ metadata, spec }: XMesh, read: Read, inputs: MeshInputs): JudgedMesh {
  const { resources, settings, gates } = inputs;
  const isOurs = settings.controllerNames.includes(spec.controllerName);
  const accepted = isOurs ? judgeAccepted(spec, isOn(read, gates, known.mesh)) : undefined;
  const counts = accepted === undefined || accepted.status === "True";
  const { trustBundle } = spec.ocg ?? {};
  const bundle =
    counts && trustBundle
      ? resolveTrustBundle(
          { bundle: trustBundle, namespace: trustBundle.namespace, field: "spec.ocg.trustBundle" },
          read,
          { configMaps: resources.configMaps, invalidObjects: resources.invalidObjects },
        )
      : undefined;
  return { name: metadata.name, accepted, bundle };
}

function judgeAccepted({ controllerName, parametersRef }: XMesh["spec"], isMesh: boolean): Verdict {
  const refuse = (message: string) => verdict("Accepted", "False", "InvalidParameters", message);
  if (!isMesh) {
    return refuse(
      `spec.controllerName: ${controllerName} is a mesh only with the gate ${known.mesh}, which is experimental and off; turn it on, or name a mesh's controller`,
    );
  }
  if (parametersRef) {
    const { kind, name } = parametersRef;
    return refuse(
      `spec.parametersRef: ${kind} ${name} says nothing here: this mesh has no parameters; remove it`,
    );
  }
  return verdict(
    "Accepted",
    "True",
    "Accepted",
    `The mesh is accepted. It is EXPERIMENTAL (${known.mesh}, GEP-3951), and not for production`,
  );
}

function meshStatus(mesh: XMesh, accepted: Verdict, bundle: JudgedMesh["bundle"]): ObjectStatus {
  const isAccepted = accepted.status === "True";
  return objectStatus(mesh, {
    shape: "conditions",
    conditions: bundle ? [accepted, resolvedRefs(bundle)] : [accepted],
    supportedFeatures: isAccepted ? [known.mesh] : [],
  });
}

function resolvedRefs(bundle: Judged<Certificate>): Verdict {
  return bundle.ok
    ? verdict("ResolvedRefs", "True", "ResolvedRefs", "All references are resolved")
    : verdict("ResolvedRefs", "False", "InvalidCACertificateRef", bundle.problem);
}
