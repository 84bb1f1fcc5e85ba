/*
 * The tasks of one zone, done together: one look at all of their names, one plan for each, and the changes in as few calls as the provider allows. What has changed
 * between the look and the change is looked at once more.
 */
import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { ZoneTask } from "./name-work.ts";
import { markName, renderMark } from "./ownership-mark.ts";
import { DnsError, type DnsProvider, type DnsZone, type RecordSet } from "./provider.ts";
import { planPublication, planRemoval, type Plan } from "./publication-plan.ts";
import { keyOf } from "./record-facts.ts";
import { applyChanges, type NameChanges } from "./zone-changes.ts";

/** `taken`: by somebody else, said in words. */
export type TaskResult =
  | { readonly type: "done" }
  | { readonly type: "taken"; readonly by: string }
  | { readonly type: "failed"; readonly error: unknown };

export interface ZoneWorkOptions {
  readonly provider: () => Promise<DnsProvider>;
  readonly cluster: () => Promise<string>;
  /** Before a record is published: notes that we will, and the zone of the load balancer if there is one. Resolves to false if it is gone. */
  readonly prepare: (record: KubernetesObject, targetZone: string | undefined) => Promise<boolean>;
  readonly mayGoOn: () => boolean;
}

/** By name. */
export async function workOnZone(
  zone: DnsZone,
  tasks: readonly ZoneTask[],
  options: ZoneWorkOptions,
): Promise<ReadonlyMap<string, TaskResult>> {
  const results = new Map<string, TaskResult>();
  try {
    const provider = await options.provider();
    const ready = await prepareAll(provider, tasks, options, results);
    const stale = await attempt(provider, zone, ready, options, results);
    if (stale.length > 0) await attempt(provider, zone, stale, options, results);
  } catch (error) {
    for (const { name } of tasks) if (!results.has(name)) results.set(name, { type: "failed", error });
  }
  return results;
}

/** Those whose names were changed by somebody in between; their failure is noted. */
async function attempt(
  provider: DnsProvider,
  zone: DnsZone,
  tasks: readonly ZoneTask[],
  { mayGoOn, ...options }: ZoneWorkOptions,
  results: Map<string, TaskResult>,
): Promise<readonly ZoneTask[]> {
  if (tasks.length === 0 || !mayGoOn()) return [];
  const cluster = await options.cluster();
  const found = byName(
    await provider.look(
      zone,
      tasks.flatMap(({ name }) => [name, markName(name)]),
    ),
  );
  const wanted: NameChanges[] = [];
  for (const task of tasks) {
    const plan = planTask(task, found, cluster);
    if (plan.type === "taken") results.set(task.name, plan);
    else wanted.push({ name: task.name, changes: plan.changes });
  }
  if (!mayGoOn()) return [];
  const failures = await applyChanges(provider, zone, wanted);
  const isStale = (error: unknown) => error instanceof DnsError && error.isStale;
  for (const { name } of wanted) {
    const error = failures.get(name);
    results.set(name, error === undefined ? { type: "done" } : { type: "failed", error });
  }
  return tasks.filter(({ name }) => isStale(failures.get(name)));
}

function planTask(
  { name, publication, removals }: ZoneTask,
  found: ReadonlyMap<string, readonly RecordSet[]>,
  cluster: string,
): Plan {
  const here = [...(found.get(name) ?? []), ...(found.get(markName(name)) ?? [])];
  if (publication) {
    const { record, sets, isReplaced } = publication;
    const wasPublished = isReplaced || removals.some((removal) => removal.wasPublished);
    return planPublication(
      { name, found: here, cluster, wasPublished },
      { sets, mark: renderMark(name, cluster, keyOf(record)) },
    );
  }
  const wasPublished = removals.some((removal) => removal.wasPublished);
  const recorded = removals.flatMap(({ sets }) => sets);
  return { type: "changes", changes: planRemoval({ name, found: here, cluster, wasPublished }, recorded) };
}

/** Tasks that can be done, with the load balancer's zone in their sets. */
async function prepareAll(
  provider: DnsProvider,
  tasks: readonly ZoneTask[],
  { prepare }: ZoneWorkOptions,
  results: Map<string, TaskResult>,
): Promise<readonly ZoneTask[]> {
  const zones = new Map<string, Promise<string | undefined>>();
  const zoneOf = (target: string): Promise<string | undefined> => {
    const asked = zones.get(target) ?? Promise.resolve(provider.targetZone?.(target));
    zones.set(target, asked);
    return asked;
  };
  const prepareOne = async (task: ZoneTask): Promise<ZoneTask | undefined> => {
    const { name, publication } = task;
    if (!publication) return task;
    try {
      const [first] = publication.sets;
      const target = first?.type === "CNAME" ? await zoneOf(first.values[0] ?? "") : undefined;
      if (!(await prepare(publication.record, target))) {
        results.set(name, { type: "done" });
        return undefined;
      }
      return {
        ...task,
        publication: { ...publication, sets: publication.sets.map((set) => aliasOf(set, target)) },
      };
    } catch (error) {
      results.set(name, { type: "failed", error });
      return undefined;
    }
  };
  const prepared = await Promise.all(tasks.map(prepareOne));
  return prepared.filter((task) => task !== undefined);
}

/** The zone is what the service says now, not what was noted of another load balancer. */
function aliasOf({ targetZone: _before, ...set }: RecordSet, targetZone: string | undefined): RecordSet {
  return { ...set, ...(targetZone !== undefined && { targetZone }) };
}

function byName(sets: readonly RecordSet[]): ReadonlyMap<string, readonly RecordSet[]> {
  const out = new Map<string, RecordSet[]>();
  for (const set of sets) {
    const list = out.get(set.name) ?? [];
    list.push(set);
    out.set(set.name, list);
  }
  return out;
}
