import type {
  BackendTarget,
  ExternalAuth,
  HttpBackend,
  Mirror,
  ModelItems,
  ModelKind,
  RuleAction,
  WeightedBackend,
} from "../model/index.ts";

/** An item of the model by its place in it. */
export interface ItemReference {
  readonly kind: ModelKind;
  readonly key: string;
}

/**
 * What an item needs to be there, each as often as it names it. `version`: another version of the item, and what both need for the same reason may be left out:
 * of a virtual host with a thousand rules mostly one is different.
 */
export function referencesOf(
  kind: ModelKind,
  item: ModelItems[ModelKind],
  version?: ModelItems[ModelKind],
): ItemReference[] {
  switch (kind) {
    case "listeners": {
      const { clientValidation } = item as ModelItems["listeners"];
      return certificates(clientValidation?.trusted ?? []);
    }
    case "backends": {
      const { key, tls } = item as ModelItems["backends"];
      const trusted = tls && tls.trusted !== "system" ? tls.trusted : [];
      const shown = tls?.clientCertificate === undefined ? [] : [tls.clientCertificate];
      return [{ kind: "endpoints", key }, ...certificates(trusted), ...certificates(shown)];
    }
    case "serverNames": {
      const { action } = item as ModelItems["serverNames"];
      return [
        ...("certificates" in action ? certificates(action.certificates) : []),
        ...("backends" in action ? backends(action.backends) : []),
      ];
    }
    case "streamRoutes":
      return backends((item as ModelItems["streamRoutes"]).backends);
    case "virtualHosts": {
      const actions = actionsOf(item as ModelItems["virtualHosts"]);
      if (version)
        for (const action of actionsOf(version as ModelItems["virtualHosts"])) actions.delete(action);
      return [...actions].flatMap(ofAction);
    }
    case "certificates":
    case "endpoints":
      return [];
  }
}

/** All matches of one rule of a route share the action. */
function actionsOf({ rules }: ModelItems["virtualHosts"]): Set<RuleAction> {
  return new Set(rules.map(({ action }) => action));
}

function ofAction({ backends: list, mirrors, auth }: RuleAction): ItemReference[] {
  return [...list.flatMap(ofHttpBackend), ...ofFilters({ mirrors, auth })];
}

function ofHttpBackend({ target, mirrors, auth }: HttpBackend): ItemReference[] {
  return [...ofTarget(target), ...ofFilters({ mirrors, auth })];
}

interface Filters {
  readonly mirrors: readonly Mirror[] | undefined;
  readonly auth: ExternalAuth | undefined;
}

function ofFilters({ mirrors = [], auth }: Filters): ItemReference[] {
  return [...mirrors.flatMap(({ target }) => ofTarget(target)), ...(auth ? ofTarget(auth.target) : [])];
}

function ofTarget(target: BackendTarget): ItemReference[] {
  return target.type === "backend" ? [{ kind: "backends", key: target.backend }] : [];
}

function backends(list: readonly WeightedBackend[]): ItemReference[] {
  return list.flatMap(({ target }) => ofTarget(target));
}

function certificates(keys: readonly string[]): ItemReference[] {
  return keys.map((key) => ({ kind: "certificates", key }));
}
