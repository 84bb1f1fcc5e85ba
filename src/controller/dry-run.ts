/** What would become of the objects in files, without serving anything. What `gatewright check` and `explain` ask. */
import { resourceKey, type Gate, type Resource } from "../resources/index.ts";
import { fileSource, type ObjectPlace, type SourceProblem } from "../sources/index.ts";
import type { ObjectStatus } from "../status/index.ts";
import type { ContourListenerPolicy, LayerSettings } from "../translate/index.ts";
import { createController, type Controller } from "./controller.ts";
import { driverFeatures } from "./driver-features.ts";
import type { DriverName } from "./names/index.ts";
import { dryDriver } from "./dry-driver.ts";
import { findingPath } from "./finding-path.ts";
import { hintsFrom } from "./meant-objects.ts";
import type { Note } from "./note.ts";
import { collectNotes } from "./notes.ts";
import { judgeObject, type ObjectVerdict } from "./object-verdict.ts";
import type { SingleGateway } from "./single-gateway.ts";
import { showObject, type ShownObject } from "./shown-object.ts";

export interface DryRunOptions {
  /** Folders, files, or `-` for standard input. */
  readonly paths: readonly string[];
  readonly stdin?: NodeJS.ReadableStream;
  /** Whose features count. */
  readonly driver: DriverName;
  readonly allowExternalNames?: boolean;
  /** Of Ingress and HTTPProxy. Absent: they are not served. */
  readonly layers?: LayerSettings;
  readonly gates?: readonly Gate[];
  readonly singleGateway?: SingleGateway;
  readonly listenerPolicy?: ContourListenerPolicy;
  /** When certificates have to be good. */
  readonly now?: Date;
}

export interface DryRun {
  readonly controller: Controller;
  readonly problems: readonly SourceProblem[];
  /** In the order of kinds, then of names. */
  readonly objects: readonly DryRunObject[];
  /** What no status tells, and somebody may want to mend. */
  readonly notes: readonly DryRunNote[];
  /** What of ours went wrong on the way. */
  readonly faults: readonly { readonly where: string; readonly error: unknown }[];
}

export interface DryRunNote extends Pick<Note, "rule" | "message"> {
  readonly place: ObjectPlace | undefined;
}

export interface DryRunObject {
  readonly shown: ShownObject;
  /** Absent: Gatewright has nothing to say on it, because it is of a kind without status, or somebody else's. */
  readonly verdict: ObjectVerdict | undefined;
  /** Only where there are findings. */
  readonly place: ObjectPlace | undefined;
  /** Where each of the verdict's findings points to. */
  readonly findingPlaces: readonly (ObjectPlace | undefined)[];
}

export async function dryRun(options: DryRunOptions): Promise<DryRun> {
  const { paths, stdin, driver, allowExternalNames, layers, gates, singleGateway, listenerPolicy } = options;
  const faults: { where: string; error: unknown }[] = [];
  const source = fileSource({ paths, watch: false, ...(stdin && { stdin }) });
  const controller = createController({
    source,
    driver: dryDriver({ name: driver, features: driverFeatures[driver] }),
    settings: {
      ...(allowExternalNames !== undefined && { allowExternalNames }),
      ...(layers && { layers }),
      ...(singleGateway && { singleGateway }),
      ...(listenerPolicy && { listenerPolicy }),
    },
    ...(gates && { gates }),
    events: { fault: (where, error) => faults.push({ where, error }) },
  });
  await controller.start();
  await controller.stop();
  const statuses = groupStatuses(controller);
  const hint = hintsFrom(() => controller.resources());
  const objects = Array.from(controller.resources(), (resource: Resource): DryRunObject => {
    const key = `${resource.kind}/${resourceKey(resource)}`;
    const own = statuses.get(key);
    const verdict = own && judgeObject(own, hint);
    const shown = showObject(resource, controller.statusOf(resource));
    const findings = verdict?.findings ?? [];
    return {
      shown,
      verdict,
      // Looking for a place reads the object's text once more, so only for what somebody will look up.
      place: findings.length > 0 ? source.locate(key) : undefined,
      findingPlaces: findings.map((finding) => source.locate(key, findingPath(finding, shown))),
    };
  });
  const notes = collectNotes(controller, options.now ?? new Date()).map(({ rule, key, message }) => {
    return { rule, message, place: source.locate(key) };
  });
  return { controller, problems: controller.problems, objects, notes, faults };
}

function groupStatuses({ statuses }: Controller): ReadonlyMap<string, readonly ObjectStatus[]> {
  const groups = new Map<string, ObjectStatus[]>();
  for (const [, status] of statuses.entries()) {
    const group = groups.get(status.key);
    if (group) group.push(status);
    else groups.set(status.key, [status]);
  }
  return groups;
}
