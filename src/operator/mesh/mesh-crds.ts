/*
 * The mesh's own CRDs where it is installed without OLM. Ours say so by a label. Those that OLM manages are left to it, unless what brought them is
 * gone: a label `operators.coreos.com/<name>.<namespace>` names it, and neither that Subscription nor a plan of it is there. Those of anybody else
 * are left alone.
 */
import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { Verdict } from "../../status/index.ts";
import { isEstablished } from "../crds/crd-facts.ts";

export const meshLabel = "gatewright.dev/mesh";

export type CrdOwner = "absent" | "ours" | "olm" | "unknown";

export interface OlmOrigin {
  readonly namespace: string;
  readonly name: string;
}

export function crdOwner(crd: KubernetesObject | undefined): CrdOwner {
  const labels = crd?.metadata.labels ?? {};
  if (!crd) return "absent";
  if (Object.hasOwn(labels, meshLabel)) return "ours";
  return Object.hasOwn(labels, "olm.managed") && labels["olm.managed"] === "true" ? "olm" : "unknown";
}

const originPrefix = "operators.coreos.com/";

/** What OLM says that it came with; a namespace has no dots. */
export function olmOrigins({ metadata }: KubernetesObject): readonly OlmOrigin[] {
  return Object.keys(metadata.labels ?? {})
    .filter((label) => label.startsWith(originPrefix))
    .flatMap((label) => {
      const origin = label.slice(originPrefix.length);
      const dot = origin.lastIndexOf(".");
      return dot > 0 ? [{ name: origin.slice(0, dot), namespace: origin.slice(dot + 1) }] : [];
    });
}

export function crdsReady(
  names: readonly string[],
  find: (name: string) => KubernetesObject | undefined,
  failures: readonly string[],
): Verdict {
  const found = names.map((name) => ({ name, crd: find(name) }));
  const by = (owner: CrdOwner) => found.filter(({ crd }) => crdOwner(crd) === owner).map(({ name }) => name);
  const [ours, olm, unknown, absent] = [by("ours"), by("olm"), by("unknown"), by("absent")];
  const waiting = found.filter(({ crd }) => crd && !isEstablished(crd)).map(({ name }) => name);
  const say = (status: Verdict["status"], reason: string, message: string): Verdict => ({
    type: "CRDsReady",
    status,
    reason,
    message,
  });
  if (failures.length > 0) return say("False", "Error", failures.join("\n"));
  if (absent.length === names.length) return say("Unknown", "NoneExist", "None of the mesh's CRDs is there.");
  if (unknown.length > 0) {
    const message = `They are nobody's that we know, and are left alone: ${unknown.join(", ")}.`;
    return say("False", "UnknownManagement", message);
  }
  if (absent.length + waiting.length > 0) {
    return say("False", "NotReady", `Not served yet: ${[...absent, ...waiting].join(", ")}.`);
  }
  if (ours.length > 0 && olm.length > 0) {
    return say("True", "MixedOwnership", `OLM manages ${olm.join(", ")}; we manage the others.`);
  }
  return ours.length > 0
    ? say("True", "ManagedByCIO", "We manage the mesh's CRDs.")
    : say("True", "ManagedByOLM", "OLM manages the mesh's CRDs.");
}
