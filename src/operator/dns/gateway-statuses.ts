/*
 * Says of each Gateway of ours, in the namespaces that are asked for, how its load balancer and its names are (`gateway-conditions.ts`), also of the listeners of its
 * ListenerSets. What can change without an object that we watch (Events of a load balancer that is waited for; names that somebody else publishes) is
 * looked at again after a while.
 */
import {
  statusWriter,
  type KubernetesClient,
  type KubernetesObject,
  type ResourceType,
  type StatusWriter,
} from "../../kubernetes/index.ts";
import type { Verdict } from "../../status/index.ts";
import { gateways, listenerSets } from "../resource-types.ts";
import { admitsNamespace, keepsRecords, type DnsDialect, type DnsSettings } from "./dns-settings.ts";
import {
  judgeGatewayDns,
  judgeListenerDns,
  judgeLoadBalancer,
  mergeGatewayStatus,
  type SaidOfGateway,
} from "./gateway-conditions.ts";
import { attachedListeners, namedListeners } from "./gateway-hostnames.ts";
import type { GatewayView } from "./gateway-view.ts";
import { ingressOf, targetsOf } from "./load-balancer-targets.ts";
import { judgeLookup, nameLookup, type NameLookup } from "./name-lookup.ts";
import { domainOf, keyOf } from "./record-facts.ts";
import { readServiceFailure } from "./service-failures.ts";

export interface GatewayStatusesOptions {
  readonly client: KubernetesClient;
  readonly dialect: DnsDialect;
  readonly view: Pick<GatewayView, "all" | "get" | "isOwn" | "serviceOf" | "listenerSetsOf">;
  readonly recordsOf: (gateway: KubernetesObject) => readonly KubernetesObject[];
  readonly canWrite: () => boolean;
  readonly ask: () => void;
  readonly trouble: (where: string, message: string | undefined) => void;
  readonly lookup?: (server: string | undefined) => NameLookup;
}

/** ms. */
const lookAgain = 30_000;
const lookAgainWhenWell = 300_000;
const atOnce = 16;

interface Said extends SaidOfGateway {
  readonly ofListenerSets: ReadonlyMap<KubernetesObject, ReadonlyMap<string, Verdict>>;
  readonly againIn?: number;
}

export class GatewayStatuses {
  readonly #options: GatewayStatusesOptions;
  readonly #statuses: StatusWriter;
  readonly #due = new Map<string, number>();
  #settings: DnsSettings | undefined;
  #lookup: NameLookup | undefined;

  constructor(options: GatewayStatusesOptions) {
    this.#options = options;
    this.#statuses = statusWriter(options.client, {
      canWrite: options.canWrite,
      trouble: (message) => options.trouble("status of Gateways", message),
    });
  }

  use(settings: DnsSettings): void {
    this.#settings = settings;
    const { lookup = nameLookup } = this.#options;
    this.#lookup =
      settings.provider === "external-dns" ? lookup(settings.providerSettings["server"]) : undefined;
    this.lookAtAll();
  }

  lookAtAll(): void {
    for (const gateway of this.#options.view.all()) this.#due.set(keyOf(gateway), 0);
    this.#options.ask();
  }

  gatewayChanged(key: string): void {
    this.#due.set(key, 0);
    this.#options.ask();
  }

  /** Resolves to when the next must come, ms. */
  async round(): Promise<number | undefined> {
    const settings = this.#settings;
    if (!settings || !this.#options.canWrite()) return undefined;
    const now = performance.now();
    const due = [...this.#due].filter(([, at]) => at <= now).map(([key]) => key);
    for (const key of due) this.#due.delete(key);
    const worker = async () => {
      for (let key = due.shift(); key !== undefined; key = due.shift()) await this.#tell(key, settings);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    const soonest = Math.min(...this.#due.values());
    return soonest === Infinity ? undefined : Math.max(soonest - performance.now(), 0);
  }

  async stop(): Promise<void> {
    await this.#statuses.stop();
  }

  async #tell(key: string, settings: DnsSettings): Promise<void> {
    const { view } = this.#options;
    const gateway = view.get(key);
    if (!gateway || !view.isOwn(gateway) || gateway.metadata.deletionTimestamp !== undefined) return;
    const said = await this.#judge(gateway, settings);
    this.#write(gateways, gateway, said);
    for (const [listenerSet, listeners] of said.ofListenerSets) {
      this.#write(listenerSets, listenerSet, { conditions: [], listeners });
    }
    if (said.againIn !== undefined && !this.#due.has(key))
      this.#due.set(key, performance.now() + said.againIn);
  }

  async #judge(gateway: KubernetesObject, settings: DnsSettings): Promise<Said> {
    const { view, dialect, client, recordsOf } = this.#options;
    const sets = view.listenerSetsOf(keyOf(gateway));
    const isTold = keepsRecords(settings) || this.#lookup !== undefined;
    if (!isTold || !admitsNamespace(settings, gateway.metadata.namespace ?? "")) {
      const ofListenerSets = new Map(sets.map((one) => [one, new Map<string, Verdict>()]));
      return { conditions: [], listeners: new Map(), ofListenerSets };
    }
    const service = view.serviceOf(gateway);
    const isPending = service !== undefined && ingressOf(service).length === 0;
    const failure = isPending ? await readServiceFailure(client, service) : undefined;
    const balancer = judgeLoadBalancer(service, failure, dialect);
    const verdictOf = await this.#namesOf(gateway, service, settings);
    const verdicts = (named: ReturnType<typeof namedListeners>) =>
      new Map(named.map(({ listener, hostname }) => [listener, verdictOf(hostname)]));
    const listeners = verdicts(namedListeners(gateway));
    const standing = new Set(recordsOf(gateway).map(domainOf));
    const stands = (hostname: string) => this.#lookup !== undefined || standing.has(hostname);
    const ofListenerSets = new Map(sets.map((one) => [one, verdicts(attachedListeners(one, stands))]));
    const all = new Map([
      ...listeners,
      ...[...ofListenerSets].flatMap(([set, ones]) =>
        [...ones].map(([name, verdict]) => [`${keyOf(set)} ${name}`, verdict] as const),
      ),
    ]);
    const names = judgeGatewayDns(all, dialect);
    const againIn = this.#lookup
      ? names?.status === "True"
        ? lookAgainWhenWell
        : lookAgain
      : isPending
        ? lookAgain
        : undefined;
    return {
      conditions: [balancer, names].filter((verdict) => verdict !== undefined),
      listeners,
      ofListenerSets,
      ...(againIn !== undefined && { againIn }),
    };
  }

  /** Hostname → how it is. */
  async #namesOf(
    gateway: KubernetesObject,
    service: KubernetesObject | undefined,
    settings: DnsSettings,
  ): Promise<(hostname: string) => Verdict> {
    const { view, dialect, recordsOf } = this.#options;
    const lookup = this.#lookup;
    if (!lookup) {
      const records = new Map(recordsOf(gateway).map((record) => [domainOf(record), record]));
      return (hostname) => judgeListenerDns(hostname, records.get(hostname), settings);
    }
    const found = service && targetsOf(service, dialect);
    const targets = found && "targets" in found ? found : undefined;
    const named = [gateway, ...view.listenerSetsOf(keyOf(gateway))].flatMap(namedListeners);
    const hostnames = [...new Set(named.map(({ hostname }) => hostname))];
    const verdicts = new Map(
      await Promise.all(
        hostnames.map(async (hostname) => [hostname, await judgeLookup(hostname, targets, lookup)] as const),
      ),
    );
    return (hostname) => verdicts.get(hostname) as Verdict;
  }

  #write(type: ResourceType, object: KubernetesObject, said: SaidOfGateway): void {
    const { name, namespace, uid, generation } = object.metadata;
    const { view } = this.#options;
    this.#statuses.write({
      key: `${type.kind}/${keyOf(object)}`,
      type,
      name,
      namespace,
      known: () => {
        const seen = type === gateways ? (view.get(keyOf(object)) ?? object) : object;
        const { metadata, status } = seen.metadata.uid === uid ? seen : object;
        return {
          resourceVersion: metadata.resourceVersion,
          status: status as Readonly<Record<string, unknown>> | undefined,
        };
      },
      merge: (status) => mergeGatewayStatus(status, said, { generation, now: new Date().toISOString() }),
    });
  }
}
