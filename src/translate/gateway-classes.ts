import type { Graph, Read } from "../incremental/index.ts";
import { features as knownFeatures } from "../model/index.ts";
import type { GatewayClass, ProxyConfigSpec } from "../resources/index.ts";
import { objectStatus, verdict, type ObjectStatus, type Verdict } from "../status/index.ts";
import { judgeVersions, type CrdVersions } from "./crd-versions.ts";
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
}

export function ownClasses(graph: Graph, inputs: ClassInputs) {
  const { resources, settings, crdVersions } = inputs;
  const classes = graph.map("own classes", resources.gatewayClasses, ({ metadata, spec }, read) =>
    !settings.singleGateway && settings.controllerNames.includes(spec.controllerName)
      ? ownClass(metadata.name, spec, read, inputs)
      : undefined,
  );
  const classStatuses = graph.map("class statuses", resources.gatewayClasses, (gatewayClass, read, key) => {
    const own = read.one(classes, key);
    const supported = crdVersions && own && judgeVersions(read, crdVersions);
    return own && classStatus(gatewayClass, own, supported);
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
  { problem, driver }: OwnClass,
  supportedVersion: Verdict | undefined,
): ObjectStatus {
  const accepted =
    problem === undefined
      ? verdict("Accepted", "True", "Accepted", "Gatewright serves Gateways of this class")
      : verdict("Accepted", "False", "InvalidParameters", problem);
  return objectStatus(gatewayClass, {
    shape: "conditions",
    conditions: supportedVersion ? [accepted, supportedVersion] : [accepted],
    supportedFeatures: supportedFeatures(driver.features),
  });
}

/** Spec: in ascending alphabetical order. Only names that the API has. */
function supportedFeatures(claimed: ReadonlySet<string>): readonly string[] {
  return knownFeatures
    .filter(({ name, official }) => official && claimed.has(name))
    .map(({ name }) => name)
    .toSorted();
}
