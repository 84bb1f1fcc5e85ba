/*
 * The hostnames of a Gateway: those of its listeners, and of the ListenerSets that it has accepted. A listener without one has no name to publish. Who may
 * attach a ListenerSet was decided when its status was written; while that is of another version, what has a name keeps it and nothing gets a new one.
 */
import type { KubernetesObject } from "../../kubernetes/index.ts";
import { conditionsOf } from "../conditions.ts";
import { parseDomainName } from "./domain-name.ts";

interface ListenerSpec {
  readonly name?: string;
  readonly hostname?: string;
}

/** Of a listener; in their order. */
export interface NamedListener {
  readonly listener: string;
  readonly hostname: string;
}

/** Listeners of a Gateway or ListenerSet that have a hostname. */
export function namedListeners(object: KubernetesObject): readonly NamedListener[] {
  const { listeners = [] } = (object["spec"] ?? {}) as { readonly listeners?: readonly ListenerSpec[] };
  return listeners.flatMap(({ name = "", hostname = "" }) => {
    const parsed = hostname === "" ? undefined : parseDomainName(hostname);
    return parsed === undefined ? [] : [{ listener: name, hostname: parsed }];
  });
}

/** `<namespace>/<name>` of the Gateway that a ListenerSet wants to belong to. */
export function parentOf(listenerSet: KubernetesObject): string | undefined {
  const { parentRef } = (listenerSet["spec"] ?? {}) as {
    readonly parentRef?: { readonly kind?: string; readonly name?: string; readonly namespace?: string };
  };
  if (!parentRef?.name || (parentRef.kind ?? "Gateway") !== "Gateway") return undefined;
  return `${parentRef.namespace ?? listenerSet.metadata.namespace ?? ""}/${parentRef.name}`;
}

/** Whether a hostname is one of the Gateway's already. */
export type Stands = (hostname: string) => boolean;

/** Those of a ListenerSet that its Gateway has taken in. */
export function attachedListeners(listenerSet: KubernetesObject, stands: Stands): readonly NamedListener[] {
  const { generation } = listenerSet.metadata;
  const accepted = conditionsOf(listenerSet).find(
    ({ type, status }) => type === "Accepted" && status === "True",
  );
  if (!accepted) return [];
  const isJudged = (accepted.observedGeneration ?? generation) === generation;
  const { listeners = [] } = (listenerSet["status"] ?? {}) as {
    readonly listeners?: readonly {
      readonly name?: string;
      readonly conditions?: readonly { type: string; status: string }[];
    }[];
  };
  const refused = new Set(
    listeners
      .filter(({ conditions = [] }) =>
        conditions.some(
          ({ type, status }) =>
            (type === "Accepted" && status === "False") || (type === "Conflicted" && status === "True"),
        ),
      )
      .map(({ name }) => name),
  );
  return namedListeners(listenerSet).filter(
    ({ listener, hostname }) => !refused.has(listener) && (isJudged || stands(hostname)),
  );
}

export function hostnamesOf(
  gateway: KubernetesObject,
  listenerSets: readonly KubernetesObject[],
  stands: Stands,
): readonly string[] {
  const ofSets = listenerSets.flatMap((one) => attachedListeners(one, stands));
  const listeners = [...namedListeners(gateway), ...ofSets];
  return [...new Set(listeners.map(({ hostname }) => hostname))].toSorted();
}
