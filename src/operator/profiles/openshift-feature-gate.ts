/*
 * Is a gate on, by `featuregates.config.openshift.io/cluster`? The lists in its status are what the platform has made of the chosen feature set; where there are
 * none, the set itself says. A preview needs the set that admits to it: a developer preview CustomNoUpgrade, a technology preview
 * TechPreviewNoUpgrade or more.
 */
import type { KubernetesObject } from "../../kubernetes/index.ts";
import { isOnByDefault, type Maturity } from "../settings.ts";

interface Named {
  readonly name?: string;
}

interface FeatureGateObject {
  readonly spec?: {
    readonly featureSet?: string;
    readonly customNoUpgrade?: {
      readonly enabled?: readonly string[];
      readonly disabled?: readonly string[];
    };
  };
  readonly status?: {
    readonly featureGates?: readonly {
      readonly enabled?: readonly Named[];
      readonly disabled?: readonly Named[];
    }[];
  };
}

const setsOfPreviews: Readonly<Record<Maturity, readonly string[]>> = {
  "dev-preview": ["CustomNoUpgrade", "DevPreviewNoUpgrade"],
  "tech-preview": ["TechPreviewNoUpgrade", "CustomNoUpgrade", "DevPreviewNoUpgrade"],
  general: [],
};

export function isGateOn(object: KubernetesObject | undefined, gate: string, maturity: Maturity): boolean {
  const { set, isIn } = listsOf(object, gate);
  if (isIn("disabled")) return false;
  if (maturity === "general") return isIn("enabled") || isOnByDefault(maturity);
  const isAdmitted = setsOfPreviews[maturity].includes(set);
  // A set of previews turns all of its own on; in a custom one each is named.
  return isAdmitted && (set === "CustomNoUpgrade" ? isIn("enabled") : true);
}

/** Of an experiment, which no set of the platform's turns on. */
export function isGateNamed(object: KubernetesObject | undefined, gate: string): boolean {
  const { isIn } = listsOf(object, gate);
  return isIn("enabled") && !isIn("disabled");
}

function listsOf(object: KubernetesObject | undefined, gate: string) {
  const { spec = {}, status = {} } = (object ?? {}) as unknown as FeatureGateObject;
  const set = spec.featureSet ?? "";
  const lists = status.featureGates ?? [];
  const isIn = (list: "enabled" | "disabled") =>
    lists.some((version) => (version[list] ?? []).some(({ name }) => name === gate)) ||
    (set === "CustomNoUpgrade" && (spec.customNoUpgrade?.[list] ?? []).includes(gate));
  return { set, isIn };
}
