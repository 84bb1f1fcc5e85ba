import type { HttpBackend, Mirror, RuleAction } from "../../../model/index.ts";
import { WeightedRoundRobin } from "../balance.ts";
import { routeName, ruleName } from "./access-log.ts";
import { compileAdmission, type Admission } from "./admission.ts";
import { compileHeaderChanges, type CompiledHeaderChanges } from "./header-changes.ts";
import { MirrorShare } from "./mirror-share.ts";

/** What a rule does, ready for requests, and the turns that its backends and mirrors take. */
export interface CompiledAction {
  readonly action: RuleAction;
  /** As logs and metrics name it. */
  readonly route: string;
  readonly rule: string;
  /** Absent: every request is taken. */
  readonly admission: Admission | undefined;
  readonly requestHeaders: CompiledHeaderChanges | undefined;
  readonly responseHeaders: CompiledHeaderChanges | undefined;
  readonly mirrors: readonly MirrorShare[];
  readonly backends: readonly CompiledBackend[];
  readonly turns: WeightedRoundRobin<CompiledBackend>;
  readonly retryStatuses: ReadonlySet<number>;
}

export interface CompiledBackend {
  readonly backend: HttpBackend;
  readonly requestHeaders: CompiledHeaderChanges | undefined;
  readonly responseHeaders: CompiledHeaderChanges | undefined;
  readonly mirrors: readonly MirrorShare[];
}

const compiled = new WeakMap<RuleAction, CompiledAction>();

/** Compiled when first asked and kept as long as the action itself, so turns go on when its virtual host changes. */
export function compileAction(action: RuleAction): CompiledAction {
  const known = compiled.get(action);
  if (known) return known;
  const backends = action.backends.map(compileBackend);
  const result: CompiledAction = {
    action,
    route: routeName(action.route),
    rule: ruleName(action.route),
    admission: compileAdmission(action),
    requestHeaders: compileHeaderChanges(action.requestHeaders),
    responseHeaders: compileHeaderChanges(action.responseHeaders),
    mirrors: shares(action.mirrors),
    backends,
    turns: new WeightedRoundRobin(backends.map((value) => ({ weight: value.backend.weight, value }))),
    retryStatuses: new Set(action.retry?.statusCodes),
  };
  compiled.set(action, result);
  return result;
}

function compileBackend(backend: HttpBackend): CompiledBackend {
  return {
    backend,
    requestHeaders: compileHeaderChanges(backend.requestHeaders),
    responseHeaders: compileHeaderChanges(backend.responseHeaders),
    mirrors: shares(backend.mirrors ?? []),
  };
}

function shares(mirrors: readonly Mirror[]): MirrorShare[] {
  return mirrors.map((mirror) => new MirrorShare(mirror));
}
