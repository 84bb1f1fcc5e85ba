import { modelKinds, perModelKind, type ModelChanges, type ModelKind } from "../model/index.ts";
import type { ModelCollections } from "../translate/index.ts";

/** Collects what changes in the model until it is taken: several batches in one turn of the event loop make one set of changes. */
export class ModelFeed {
  #pending = emptyChanges();
  #isEmpty = true;

  constructor(model: ModelCollections, onChange: () => void) {
    for (const kind of modelKinds) {
      model[kind].subscribe((changes) => {
        const pending = this.#pending[kind];
        for (const [key, { after }] of changes) pending.set(key, after);
        this.#isEmpty = false;
        onChange();
      });
    }
  }

  take(): ModelChanges | undefined {
    if (this.#isEmpty) return undefined;
    const changes = this.#pending;
    this.#pending = emptyChanges();
    this.#isEmpty = true;
    return changes as ModelChanges;
  }
}

function emptyChanges(): Record<ModelKind, Map<string, unknown>> {
  return perModelKind(() => new Map<string, unknown>());
}
