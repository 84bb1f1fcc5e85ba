/**
 * Objects that the API server has accepted and we cannot read. They get no status, since nothing is known of them that one could
 * follow from; so an Event on each says which field it is. The leader tells it, once for each version of the object.
 */
import type { EventRecorder, KubernetesObject } from "../../kubernetes/index.ts";
import type { ResourceKind } from "../../resources/index.ts";
import type { SourceProblem } from "../source.ts";

export interface UnreadObjectsOptions {
  readonly recorder: EventRecorder | undefined;
  readonly canWrite: () => boolean;
  /** Read, but not served: they are somebody else's business. */
  readonly silentKinds: readonly ResourceKind[];
}

export class UnreadObjects {
  readonly #options: UnreadObjectsOptions;
  /** By `<Kind>/<namespace>/<name>`, or `<Kind>/<name>`: those that were not told of yet. */
  readonly #untold = new Map<string, () => void>();

  constructor(options: UnreadObjectsOptions) {
    this.#options = options;
  }

  note(id: string, object: KubernetesObject, problems: readonly SourceProblem[]): void {
    const { recorder, silentKinds } = this.#options;
    const { apiVersion, kind, metadata } = object;
    if (!recorder || silentKinds.some((silent) => silent === kind)) return;
    const { name, namespace, uid, resourceVersion } = metadata;
    const message = messageOf(problems);
    this.#untold.set(id, () =>
      recorder.record({
        object: { apiVersion, kind, name, namespace, uid, resourceVersion },
        type: "Warning",
        reason: "Unreadable",
        message,
      }),
    );
    this.tellAll();
  }

  /** It can be read, or is gone. */
  forget(id: string): void {
    this.#untold.delete(id);
  }

  /** If we lead. */
  tellAll(): void {
    if (!this.#options.canWrite()) return;
    for (const tell of this.#untold.values()) tell();
    this.#untold.clear();
  }
}

function messageOf(problems: readonly SourceProblem[]): string {
  const found = problems.map(({ field, message }) =>
    field === undefined ? message : `${field}: ${message}`,
  );
  const isLastGood = problems.some(({ lastGoodInForce }) => lastGoodInForce);
  const effect = isLastGood ? "the version before it stays in force" : "it is left out";
  return `The object cannot be read, so ${effect}: ${found.join("; ")}`;
}
