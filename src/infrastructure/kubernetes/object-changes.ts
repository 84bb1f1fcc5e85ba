/*
 * Brings one object at a time to what is wanted: applied when it differs from what was applied last, or when somebody changed what is ours.
 * What fails is tried again for ever, ever more slowly, and at once when something else is wanted.
 */
import { createHash } from "node:crypto";
import { deepEqual } from "../../incremental/index.ts";
import { KubernetesError, type KubernetesClient, type KubernetesObject } from "../../kubernetes/index.ts";
import type { Fleet } from "../../translate/index.ts";
import type { WantedObject } from "./fleet-objects.ts";
import type { Trouble } from "./fleet-state.ts";
import { covers, project } from "./object-drift.ts";
import type { ObservedObjects } from "./observed-objects.ts";
import { belongsTo } from "./ownership.ts";
import { retryDelay } from "./retry-delay.ts";

export interface ObjectChangesOptions {
  readonly client: Pick<KubernetesClient, "get" | "apply">;
  readonly observed: ObservedObjects;
  readonly random: () => number;
}

/** What became of an object: undefined if it is as wanted. */
export interface Setback extends Trouble {
  /** ms since the epoch. */
  readonly retryAt: number;
}

interface Settled {
  readonly fingerprint: string;
  readonly content: unknown;
}

interface Failure extends Setback {
  readonly fingerprint: string;
  readonly failures: number;
}

/** On every object: what was applied, so that a new leader knows. */
const appliedAnnotation = "gatewright.dev/applied";

/** What is remembered of a fleet's objects, by `<Kind>/<namespace>/<name>`. */
interface Memory {
  readonly settled: Map<string, Settled>;
  readonly failures: Map<string, Failure>;
}

export class ObjectChanges {
  readonly #options: ObjectChangesOptions;
  readonly #memories = new Map<string, Memory>();

  constructor(options: ObjectChangesOptions) {
    this.#options = options;
  }

  async settle(fleet: Fleet, wanted: WantedObject): Promise<Setback | undefined> {
    const key = keyOf(wanted);
    const print = fingerprint(wanted.object);
    const object = marked(wanted.object, print);
    const live = this.#live(wanted);
    const { failures } = this.#memoryOf(fleet);
    if (live && this.#isAsWanted(key, print, object, live, fleet)) {
      failures.delete(key);
      return undefined;
    }
    const failure = failures.get(key);
    if (failure && failure.fingerprint === print && failure.retryAt > Date.now()) return failure;
    return this.#apply(fleet, { type: wanted.type, object }, live, print);
  }

  /** It was deleted. */
  forget(fleetKey: string, wanted: WantedObject): void {
    const memory = this.#memories.get(fleetKey);
    memory?.settled.delete(keyOf(wanted));
    memory?.failures.delete(keyOf(wanted));
  }

  /** There is no such fleet, and nothing is left of it. */
  forgetFleet(fleetKey: string): void {
    this.#memories.delete(fleetKey);
  }

  #memoryOf({ key }: Fleet): Memory {
    const memory = this.#memories.get(key) ?? { settled: new Map(), failures: new Map() };
    this.#memories.set(key, memory);
    return memory;
  }

  #live({ type, object }: WantedObject): KubernetesObject | undefined {
    return this.#options.observed.get(type, object.metadata.namespace ?? "", object.metadata.name);
  }

  #isAsWanted(
    key: string,
    print: string,
    object: KubernetesObject,
    live: KubernetesObject,
    fleet: Fleet,
  ): boolean {
    if (!belongsTo(live, fleet) || live.metadata.annotations?.[appliedAnnotation] !== print) return false;
    const settled = this.#memoryOf(fleet).settled.get(key);
    return settled?.fingerprint === print
      ? deepEqual(project(object, live), settled.content)
      : covers(object, live);
  }

  async #apply(
    fleet: Fleet,
    { type, object }: WantedObject,
    seen: KubernetesObject | undefined,
    print: string,
  ): Promise<Setback | undefined> {
    const { client, observed } = this.#options;
    const { namespace, name } = object.metadata;
    const key = keyOf({ type, object });
    const title = `${type.kind} ${namespace}/${name}`;
    const { settled, failures } = this.#memoryOf(fleet);
    const fail = (trouble: Trouble, retryAfter?: number) =>
      this.#fail(failures, key, { ...trouble, fingerprint: print }, retryAfter);
    try {
      // What is not among the objects with our label may be there all the same.
      const live = seen ?? (await client.get(type, name, namespace));
      if (live && !belongsTo(live, fleet)) return fail(foreign(title));
      if (live?.metadata.deletionTimestamp !== undefined) return fail(ending(title));
      // Force takes the fields that we ask for, and no others. A new object has none to take.
      const answer = await client.apply(type, object, { force: live !== undefined });
      observed.set(type, answer);
      settled.set(key, { fingerprint: print, content: project(object, answer) });
      failures.delete(key);
      return undefined;
    } catch (error) {
      return fail(failed(title, error), retryAfterOf(error));
    }
  }

  #fail(
    memory: Map<string, Failure>,
    key: string,
    trouble: Trouble & { readonly fingerprint: string },
    retryAfter?: number,
  ): Setback {
    const failures = (memory.get(key)?.failures ?? 0) + 1;
    const retryAt = Date.now() + retryDelay(failures, this.#options.random, retryAfter);
    const failure = { ...trouble, failures, retryAt };
    memory.set(key, failure);
    return failure;
  }
}

function foreign(title: string): Trouble {
  return {
    isRefusal: true,
    message: `${title} exists and was not made for this Gateway; it is left alone. Delete it, or rename the Gateway`,
  };
}

function ending(title: string): Trouble {
  return { isRefusal: false, message: `${title} is being deleted; it is made anew when it is gone` };
}

export function failed(title: string, error: unknown): Trouble {
  const message = `${title}: ${error instanceof Error ? error.message : String(error)}`;
  const isRefusal = error instanceof KubernetesError && (error.isForbidden || error.isInvalid);
  return { isRefusal, message };
}

const retryAfterOf = (error: unknown) => (error instanceof KubernetesError ? error.retryAfter : undefined);

function keyOf({ type, object }: WantedObject): string {
  return `${type.kind}/${object.metadata.namespace}/${object.metadata.name}`;
}

function fingerprint(object: KubernetesObject): string {
  return createHash("sha256").update(JSON.stringify(object)).digest("hex").slice(0, 32);
}

function marked(object: KubernetesObject, print: string): KubernetesObject {
  const annotations = { ...object.metadata.annotations, [appliedAnnotation]: print };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
