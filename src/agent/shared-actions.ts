import type { RuleAction } from "../model/index.ts";

/**
 * Actions that say the same become one object again, as they were in the controller: drivers count turns by it. An action
 * that nobody holds any more is forgotten.
 */
export class SharedActions {
  readonly #known = new Map<string, WeakRef<RuleAction>>();
  readonly #gone = new FinalizationRegistry<string>((text) => {
    if (this.#known.get(text)?.deref() === undefined) this.#known.delete(text);
  });

  intern(action: RuleAction): RuleAction {
    const text = JSON.stringify(action);
    const known = this.#known.get(text)?.deref();
    if (known) return known;
    this.#known.set(text, new WeakRef(action));
    this.#gone.register(action, text);
    return action;
  }
}
