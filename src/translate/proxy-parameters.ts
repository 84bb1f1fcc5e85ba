/*
 * The parameters of GatewayClasses and Gateways: ProxyConfigs, and the drivers that they choose.
 *
 * Spec: parameters that are of another kind, are not there or are malformed make the referrer not accepted, with reason
 * InvalidParameters. What the Gateway's ProxyConfig sets comes before what its class's sets; lists and maps are
 * replaced as a whole, objects field by field.
 */
import type { Read } from "../incremental/index.ts";
import { ownGroup, type ProxyConfigSpec } from "../resources/index.ts";
import { describeAbsence } from "./absent-objects.ts";
import type { Resources } from "./resources.ts";
import type { TranslateSettings } from "./settings.ts";

/** The kind of proxy that a Gateway gets, and what it can do. */
export interface ChosenDriver {
  readonly name: string;
  readonly features: ReadonlySet<string>;
}

export type ResolvedParameters =
  | { readonly ok: true; readonly spec: ProxyConfigSpec | undefined }
  | { readonly ok: false; readonly problem: string };

export interface ParametersQuestion {
  readonly ref:
    | {
        readonly group: string;
        readonly kind: string;
        readonly name: string;
        readonly namespace?: string | undefined;
      }
    | undefined;
  /** `spec.parametersRef` */
  readonly field: string;
}

export interface ParametersInputs {
  readonly resources: Resources;
  readonly settings: TranslateSettings;
}

export function resolveParameters(
  { ref, field }: ParametersQuestion,
  read: Read,
  { resources, settings }: ParametersInputs,
): ResolvedParameters {
  if (!ref) return { ok: true, spec: undefined };
  const refuse = (problem: string): ResolvedParameters => ({ ok: false, problem });
  const { group, kind, name, namespace } = ref;
  if (group !== ownGroup || kind !== "ProxyConfig") {
    return refuse(
      `${field}: ${group || "core"}/${kind} ${name} is not a kind of parameters that Gatewright knows; refer to a ${ownGroup}/ProxyConfig, or remove ${field}`,
    );
  }
  if (namespace === undefined) {
    return refuse(`${field}.namespace: is required, for a ProxyConfig is in a namespace`);
  }
  const key = `${namespace}/${name}`;
  const config = read.one(resources.proxyConfigs, key);
  if (!config) {
    const absence = describeAbsence(read, resources.invalidObjects, "ProxyConfig", key);
    const fix = absence === "does not exist" ? "create it" : "put it right";
    return refuse(`${field}: ProxyConfig ${key} ${absence}; ${fix}, or remove ${field}`);
  }
  const { driver } = config.spec;
  if (driver !== undefined && !findDriver(driver, settings)) {
    const known = [...knownDrivers(settings).keys()].filter((one) => one !== "").toSorted();
    return refuse(
      `${field}: ProxyConfig ${key}: spec.driver: ${driver} is not a driver that is known here; ` +
        (known.length > 0 ? `use one of ${known.join(", ")}` : "remove it"),
    );
  }
  return { ok: true, spec: config.spec };
}

function knownDrivers(settings: TranslateSettings): ReadonlyMap<string, ReadonlySet<string>> {
  return settings.drivers ?? new Map([[settings.defaultDriver ?? "", settings.features]]);
}

function findDriver(name: string, settings: TranslateSettings): ChosenDriver | undefined {
  const features = knownDrivers(settings).get(name);
  return features && { name, features };
}

/** The driver that parameters ask for, or else the default one. */
export function chooseDriver(name: string | undefined, settings: TranslateSettings): ChosenDriver {
  const asked = name === undefined ? undefined : findDriver(name, settings);
  return asked ?? { name: settings.defaultDriver ?? "", features: settings.features };
}

/** What `first` says, and where it says nothing what `second` says. */
export function mergeParameters(
  first: ProxyConfigSpec | undefined,
  second: ProxyConfigSpec | undefined,
): ProxyConfigSpec {
  if (!first || !second) return first ?? second ?? {};
  // One number of replicas and a range of them exclude each other, so they come from the same side.
  const { replicas, autoscaling, ...rest } = second;
  const scaled = first.replicas !== undefined || first.autoscaling !== undefined;
  return {
    ...rest,
    ...(!scaled && replicas !== undefined && { replicas }),
    ...(!scaled && autoscaling !== undefined && { autoscaling }),
    ...first,
    ...mergedField("resources", first, second),
    ...mergedField("accessLog", first, second),
    ...mergedField("service", first, second),
    ...mergedField("statistics", first, second),
  };
}

type ObjectField = "resources" | "accessLog" | "service" | "statistics";

function mergedField<F extends ObjectField>(
  field: F,
  first: ProxyConfigSpec,
  second: ProxyConfigSpec,
): Partial<Pick<ProxyConfigSpec, F>> {
  if (first[field] === undefined || second[field] === undefined) return {};
  return { [field]: { ...second[field], ...first[field] } } as Partial<Pick<ProxyConfigSpec, F>>;
}
