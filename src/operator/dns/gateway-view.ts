/** Gateways of ours with what belongs to them: their class, their ListenerSets, their Service. */
import type { KubernetesClient, KubernetesObject } from "../../kubernetes/index.ts";
import { gatewayClasses, gateways, listenerSets, services } from "../resource-types.ts";
import type { DnsDialect } from "./dns-settings.ts";
import {
  attachedListeners,
  hostnamesOf,
  namedListeners,
  parentOf,
  type Stands,
} from "./gateway-hostnames.ts";
import { ingressOf } from "./load-balancer-targets.ts";
import { keyOf } from "./record-facts.ts";
import { WatchedObjects } from "./watched-objects.ts";

export interface GatewayViewOptions {
  readonly client: KubernetesClient;
  readonly controllerNames: readonly string[];
  readonly dialect: DnsDialect;
  /** `concernsNames`: hostnames or addresses, not merely a port or a status. */
  readonly changed: (gateway: string, concernsNames: boolean) => void;
  readonly trouble: (where: string, message: string | undefined) => void;
}

export class GatewayView {
  readonly #options: GatewayViewOptions;
  readonly #classes: WatchedObjects;
  readonly #gateways: WatchedObjects;
  readonly #listenerSets: WatchedObjects;
  readonly #services: WatchedObjects;
  /** By Gateway; then by their own keys. */
  readonly #servicesOf = new Map<string, Set<string>>();
  readonly #listenerSetsOf = new Map<string, Set<string>>();

  constructor(options: GatewayViewOptions) {
    this.#options = options;
    const { client, dialect, changed, trouble } = options;
    this.#classes = new WatchedObjects(
      client,
      { type: gatewayClasses },
      {
        trouble,
        changed: (key) => {
          for (const gateway of this.all())
            if (classOf(gateway) === key.slice(1)) changed(keyOf(gateway), true);
        },
      },
    );
    this.#gateways = new WatchedObjects(
      client,
      { type: gateways, withoutManagedFields: true },
      { trouble, changed: (key, after, before) => changed(key, namesOf(after) !== namesOf(before)) },
    );
    this.#listenerSets = new WatchedObjects(
      client,
      { type: listenerSets, withoutManagedFields: true },
      {
        trouble,
        changed: (key, after, before) =>
          this.#index(this.#listenerSetsOf, key, [before, after], parentOf, attachedNamesOf),
      },
    );
    this.#services = new WatchedObjects(
      client,
      { type: services, labelSelector: dialect.gatewayLabel, withoutManagedFields: true },
      {
        trouble,
        changed: (key, after, before) =>
          this.#index(this.#servicesOf, key, [before, after], gatewayOf, addressesOf),
      },
    );
  }

  get synced(): Promise<unknown> {
    return Promise.all(
      [this.#classes, this.#gateways, this.#listenerSets, this.#services].map(({ synced }) => synced),
    );
  }

  all(): Iterable<KubernetesObject> {
    return this.#gateways.all();
  }

  get(key: string): KubernetesObject | undefined {
    return this.#gateways.get(key);
  }

  isOwn(gateway: KubernetesObject): boolean {
    const { controllerName } = (this.#classes.get(`/${classOf(gateway)}`)?.["spec"] ?? {}) as {
      controllerName?: string;
    };
    return controllerName !== undefined && this.#options.controllerNames.includes(controllerName);
  }

  /** Whose it is cannot be told for the moment. */
  lacksClass(gateway: KubernetesObject): boolean {
    return this.#classes.get(`/${classOf(gateway)}`) === undefined;
  }

  listenerSetsOf(gateway: string): readonly KubernetesObject[] {
    return [...(this.#listenerSetsOf.get(gateway) ?? [])].flatMap((key) => this.#listenerSets.get(key) ?? []);
  }

  hostnamesOf(gateway: KubernetesObject, stands: Stands): readonly string[] {
    return hostnamesOf(gateway, this.listenerSetsOf(keyOf(gateway)), stands);
  }

  /** Made for this very Gateway; of several, the oldest. */
  serviceOf(gateway: KubernetesObject): KubernetesObject | undefined {
    const { uid } = gateway.metadata;
    const found = [...(this.#servicesOf.get(keyOf(gateway)) ?? [])]
      .flatMap((key) => this.#services.get(key) ?? [])
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined && ownerOf(metadata)?.uid === uid);
    return found.toSorted((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1))[0];
  }

  stop(): void {
    for (const watch of [this.#classes, this.#gateways, this.#listenerSets, this.#services]) watch.stop();
  }

  #index(
    index: Map<string, Set<string>>,
    key: string,
    [before, after]: readonly [KubernetesObject | undefined, KubernetesObject | undefined],
    gatewayOfIt: (object: KubernetesObject) => string | undefined,
    factsOf: (object: KubernetesObject) => string,
  ): void {
    const [from, to] = [before && gatewayOfIt(before), after && gatewayOfIt(after)];
    const concernsNames = from !== to || (before && factsOf(before)) !== (after && factsOf(after));
    if (from !== undefined && from !== to) index.get(from)?.delete(key);
    if (to !== undefined) index.set(to, (index.get(to) ?? new Set()).add(key));
    for (const gateway of new Set([from, to])) {
      if (gateway !== undefined) this.#options.changed(gateway, concernsNames);
    }
  }
}

function classOf({ spec }: KubernetesObject): string {
  return ((spec ?? {}) as { gatewayClassName?: string }).gatewayClassName ?? "";
}

function ownerOf(metadata: KubernetesObject["metadata"]) {
  return metadata.ownerReferences?.find(
    ({ kind, apiVersion }) => kind === "Gateway" && apiVersion.startsWith(`${gateways.group}/`),
  );
}

function gatewayOf({ metadata }: KubernetesObject): string | undefined {
  const owner = ownerOf(metadata);
  return owner && `${metadata.namespace ?? ""}/${owner.name}`;
}

function ageOf({ metadata }: KubernetesObject): string {
  return `${metadata.creationTimestamp ?? ""} ${metadata.name}`;
}

/** What decides the DNSRecords of a Gateway, as a text to compare. */
function namesOf(gateway: KubernetesObject | undefined): string | undefined {
  if (!gateway) return undefined;
  const { uid, deletionTimestamp } = gateway.metadata;
  const hostnames = namedListeners(gateway).map(({ hostname }) => hostname);
  return JSON.stringify([uid, deletionTimestamp, classOf(gateway), [...new Set(hostnames)].toSorted()]);
}

function attachedNamesOf(listenerSet: KubernetesObject): string {
  return JSON.stringify([
    listenerSet.metadata.deletionTimestamp,
    ...[true, false].map((stands) =>
      attachedListeners(listenerSet, () => stands).map(({ hostname }) => hostname),
    ),
  ]);
}

function addressesOf(service: KubernetesObject): string {
  const { uid, deletionTimestamp, labels } = service.metadata;
  return JSON.stringify([uid, deletionTimestamp, labels, ingressOf(service)]);
}
