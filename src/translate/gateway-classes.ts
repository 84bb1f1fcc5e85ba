import type { Graph, Read } from "../incremental/index.ts";
import { features as knownFeatures } from "../model/index.ts";
import { gates as knownGates, type GatewayClass, type ProxyConfigSpec } from "../resources/index.ts";
import { objectStatus, verdict, type ObjectStatus, type Verdict } from "../status/index.ts";
import { judgeVersions, type CrdVersions } from "./crd-versions.ts";
import { isOn, type Gates } from "./gates.ts";
import { acceptedMessage } from "./ingate-words.ts";
import {
  chooseDriver,
  resolveParameters,
  type ChosenDriver,
  type ParametersInputs,
} from "./proxy-parameters.ts";
import type { TranslateSettings } from "./settings.ts";

/** A GatewayClass of ours: what its Gateways get. */
export interface OwnClass {
  readonly name: string;
  readonly controllerName: string;
  /** Why it is not accepted. */
  readonly problem: string | undefined;
  /** Of its ProxyConfig. */
  readonly parameters: ProxyConfigSpec | undefined;
  readonly driver: ChosenDriver;
}

export interface ClassInputs extends ParametersInputs {
  readonly crdVersions: CrdVersions | undefined;
  readonly gates: Gates | undefined;
}

export function ownClasses(graph: Graph, inputs: ClassInputs) {
  const { resources, settings, crdVersions, gates } = inputs;
  const classes = graph.map("own classes", resources.gatewayClasses, ({ metadata, spec }, read) =>
    !settings.singleGateway && settings.controllerNames.includes(spec.controllerName)
      ? ownClass(metadata.name, spec, read, inputs)
      : undefined,
  );
  const classStatuses = graph.map("class statuses", resources.gatewayClasses, (gatewayClass, read, key) => {
    const own = read.one(classes, key);
    const supported = crdVersions && own && judgeVersions(read, crdVersions);
    const tried = own && isOn(read, gates, knownGates.gateway) ? [knownGates.gateway] : [];
    return own && classStatus(gatewayClass, own, supported, tried);
  });
  return { classes, classStatuses };
}

function ownClass(name: string, spec: GatewayClass["spec"], read: Read, inputs: ParametersInputs): OwnClass {
  const { controllerName, parametersRef } = spec;
  const question = { ref: parametersRef, field: "spec.parametersRef" };
  const parameters = resolveParameters(question, read, inputs);
  const found = parameters.ok ? parameters.spec : undefined;
  return {
    name,
    controllerName,
    problem: parameters.ok ? undefined : parameters.problem,
    parameters: found,
    driver: chooseDriver(found?.driver, inputs.settings),
  };
}

/** On one machine: the class of a Gateway whose class is not among the objects. */
export function implicitClass(name: string, settings: TranslateSettings): OwnClass {
  return {
    name,
    controllerName: settings.controllerNames[0] ?? "",
    problem: undefined,
    parameters: undefined,
    driver: chooseDriver(undefined, settings),
  };
}

function classStatus(
  gatewayClass: GatewayClass,
  { problem, driver, controllerName }: OwnClass,
  supportedVersion: Verdict | undefined,
  tried: readonly string[],
): ObjectStatus {
  const accepted =
    problem === undefined
      ? verdict("Accepted", "True", "Accepted", acceptedMessage("class", controllerName))
      : verdict("Accepted", "False", "InvalidParameters", problem);
  // Spec: features in ascending alphabetical order.
  return objectStatus(gatewayClass, {
    shape: "conditions",
    conditions: supportedVersion ? [accepted, supportedVersion] : [accepted],
    supportedFeatures: [...supportedFeatures(driver.features), ...tried].toSorted(),
  });
}

/** Only names that the API has. */
function supportedFeatures(claimed: ReadonlySet<string>): readonly string[] {
  return knownFeatures.filter(({ name, official }) => official && claimed.has(name)).map(({ name }) => name);
}
