import type { Graph } from "../incremental/index.ts";
import type { GatewayClass } from "../resources/index.ts";
import { objectStatus, verdict, type ObjectStatus } from "../status/index.ts";
import { features as knownFeatures } from "../model/index.ts";
import type { Resources } from "./resources.ts";
import type { TranslateSettings } from "./settings.ts";

/** A GatewayClass of ours: what its Gateways get. */
export interface OwnClass {
  readonly name: string;
  readonly controllerName: string;
  readonly accepted: boolean;
}

export function ownClasses(graph: Graph, { gatewayClasses }: Resources, settings: TranslateSettings) {
  const classes = graph.map("own classes", gatewayClasses, (gatewayClass): OwnClass | undefined => {
    const { controllerName } = gatewayClass.spec;
    if (!settings.controllerNames.includes(controllerName)) return undefined;
    return {
      name: gatewayClass.metadata.name,
      controllerName,
      accepted: gatewayClass.spec.parametersRef === undefined,
    };
  });
  const classStatuses = graph.map(
    "class statuses",
    gatewayClasses,
    (gatewayClass, read, key) => read.one(classes, key) && judgeClass(gatewayClass, settings),
  );
  return { classes, classStatuses };
}

function judgeClass(gatewayClass: GatewayClass, settings: TranslateSettings): ObjectStatus {
  const { parametersRef } = gatewayClass.spec;
  const accepted = parametersRef
    ? verdict(
        "Accepted",
        "False",
        "InvalidParameters",
        `spec.parametersRef: ${parametersRef.group}/${parametersRef.kind} ${parametersRef.name} is not a kind of parameters that Gatewright knows; remove spec.parametersRef`,
      )
    : verdict("Accepted", "True", "Accepted", `Gatewright serves Gateways of this class`);
  return objectStatus(gatewayClass, {
    shape: "conditions",
    conditions: [accepted],
    supportedFeatures: supportedFeatures(settings.features),
  });
}

/** Spec: in ascending alphabetical order. Only names that the API has. */
function supportedFeatures(claimed: ReadonlySet<string>): readonly string[] {
  return knownFeatures
    .filter(({ name, official }) => official && claimed.has(name))
    .map(({ name }) => name)
    .toSorted();
}
