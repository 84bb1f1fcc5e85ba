import { isRecord, sameJson } from "./same-json.ts";

type Raw = Readonly<Record<string, unknown>>;

/**
 * Whether two statuses say the same but for how many routes and ListenerSets there are. Counts change with every route that comes and goes, and nobody
 * acts on the one between two others; what a condition says is another matter.
 */
export function onlyCountsDiffer(before: Raw, after: Raw): boolean {
  return sameJson(withoutCounts(before), withoutCounts(after));
}

function withoutCounts(status: Raw): Raw {
  const { listeners, ...others } = status;
  return {
    ...others,
    attachedListenerSets: typeof others["attachedListenerSets"],
    listeners: Array.isArray(listeners) ? listeners.map(withoutCount) : listeners,
  };
}

function withoutCount(listener: unknown): unknown {
  return isRecord(listener) ? { ...listener, attachedRoutes: typeof listener["attachedRoutes"] } : listener;
}
