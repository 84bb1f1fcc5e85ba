/** The Ingresses of a source as objects of the Gateway API, for `gatewright migrate`. Serves nothing. */
import { Graph } from "../incremental/index.ts";
import { allFeatures } from "../model/index.ts";
import { fileSource, type Source, type SourceProblem } from "../sources/index.ts";
import { defaultControllerName, migrateIngresses, type Migration } from "../translate/index.ts";
import { ResourceInputs } from "./resource-inputs.ts";

export interface MigrateSettings {
  /** `namespace/name` of the Gateway that is to serve, where no IngressClass names one. */
  readonly gateway: string;
  readonly gatewayClass: string;
}

export interface MigrateOptions extends MigrateSettings {
  /** Folders, files, or `-` for standard input. */
  readonly paths: readonly string[];
  readonly stdin?: NodeJS.ReadableStream;
}

export interface Migrated extends Migration {
  readonly problems: readonly SourceProblem[];
}

export function migrateFiles({ paths, stdin, ...settings }: MigrateOptions): Promise<Migrated> {
  return migrateFrom(fileSource({ paths, watch: false, ...(stdin && { stdin }) }), settings);
}

/** All Ingresses are taken, whatever their class: whose they were does not matter to whom they will be. */
export async function migrateFrom(
  source: Source,
  { gateway, gatewayClass }: MigrateSettings,
): Promise<Migrated> {
  const graph = new Graph();
  const inputs = new ResourceInputs(graph);
  let problems: readonly SourceProblem[] = [];
  await source.start({
    apply: (changes) => graph.batch(() => changes.forEach((change) => inputs.apply(change))),
    report: (found) => {
      problems = found;
    },
  });
  await source.stop();
  const migration = migrateIngresses(graph, {
    resources: inputs.resources,
    settings: {
      controllerNames: [defaultControllerName],
      features: allFeatures,
      implicitClasses: true,
      allowExternalNames: false,
      allowLoopbackEndpoints: true,
    },
    layers: {
      gateway,
      gatewayClass,
      ingresses: { controllers: [], names: [], byName: false, withoutClass: true, ignoreClass: true },
    },
  });
  return { ...migration, problems };
}
