/*
 * Keeps every Gateway's fleet as it should be, and tells what became of it.
 *
 *   fleets ─► queue, by fleet ─► render ─► object by object: as wanted? else apply ─► what is no longer wanted goes
 *                ▲                                                                        │
 *   watches ─► observed ─► judgeFleet ─► report                  troubles, retries ◄──────┘
 *
 * Everybody observes and reports; only the leader writes. A look at a fleet where all is as wanted costs no request.
 */
import type { ChannelCertificate } from "../../channel/index.ts";
import { deepEqual, type Collection } from "../../incremental/index.ts";
import type { KubernetesClient, KubernetesObject, ResourceType } from "../../kubernetes/index.ts";
import type { Fleet, FleetState } from "../../translate/index.ts";
import { ChannelCertificates } from "./channel-certificates.ts";
import { EndingPods } from "./ending-pods.ts";
import { standardNames, type FleetNames } from "./fleet-names.ts";
import { renderFleet, type RenderContext, type WantedObject } from "./fleet-objects.ts";
import { judgeFleet, type Trouble } from "./fleet-state.ts";
import { FleetWatches, type WatchObjects } from "./fleet-watches.ts";
import { heldReplicas } from "./held-replicas.ts";
import { failed, ObjectChanges, type Setback } from "./object-changes.ts";
import { infrastructureNotes } from "./object-metadata.ts";
import { ObservedObjects } from "./observed-objects.ts";
import { belongsTo, isForsaken, madeBy } from "./ownership.ts";
import { isEnding, isReady } from "./pod-readiness.ts";
import type { ProxyImages } from "./proxy-image.ts";
import { deployments, gatewayClasses, gateways, pods, services } from "./resource-types.ts";
import { retryDelay } from "./retry-delay.ts";
import { WorkQueue } from "./work-queue.ts";

export interface KubernetesInfrastructureOptions {
  readonly client: Pick<KubernetesClient, "fieldManager" | "get" | "apply" | "delete">;
  readonly watch: WatchObjects;
  readonly fleets: Collection<Fleet>;
  /** Those that we answer to: objects of other controllers are not touched. */
  readonly controllerNames: readonly string[];
  readonly images: ProxyImages;
  /** `host:port` where proxies find the channel. */
  readonly channel: string;
  isLeader(): boolean;
  report(fleetKey: string, state: FleetState | undefined): void;
  /** For the proxies of a Gateway, `<namespace>/<name>`. */
  issueCertificate(gateway: string): Promise<ChannelCertificate>;
  /** Those that a certificate issued now would name. */
  authorities(): string;
  /** Said once each time that they change: what of `spec.infrastructure` is not carried over. */
  note?(fleetKey: string, notes: readonly string[]): void;
  /**
   * These proxy Pods have been told to end, and load balancers have noticed: their connections should come to their end. Told to
   * every replica, leader or not, each time that one comes to it or is gone.
   */
  podsEnding?(fleetKey: string, pods: ReadonlySet<string>): void;
  readonly names?: FleetNames;
  readonly networkPolicy?: boolean;
  /** Where Gateways are looked at; undefined: everywhere. */
  readonly namespaces?: readonly string[];
  /** Fleets at work at once. */
  readonly concurrency?: number;
  readonly random?: () => number;
}

export interface KubernetesInfrastructure {
  /** To be called when `fleets` holds all there is: what has no fleet is taken for forsaken. */
  start(): void;
  /** `isLeader` answers differently from now on. */
  leadershipChanged(): void;
  /** The CA has changed: every fleet whose certificate is of another one gets a new one. */
  renewCertificates(): void;
  stop(): Promise<void>;
}

export function kubernetesInfrastructure(options: KubernetesInfrastructureOptions): KubernetesInfrastructure {
  return new Infrastructure(options);
}

/** Fleets are looked at again after this time if their objects seemed forsaken but were kept. */
const secondLook = 5 * 60_000;
/** After this time without a full picture, go on with what is known: a kind that cannot be watched must not stop all others. */
const longestSync = 10_000;

class Infrastructure implements KubernetesInfrastructure {
  readonly #options: KubernetesInfrastructureOptions;
  readonly #context: RenderContext;
  readonly #random: () => number;
  readonly #observed = new ObservedObjects();
  readonly #watches: FleetWatches;
  readonly #changes: ObjectChanges;
  readonly #certificates: ChannelCertificates;
  readonly #queue: WorkQueue;
  readonly #troubles = new Map<string, readonly Trouble[]>();
  readonly #failures = new Map<string, number>();
  readonly #reported = new Map<string, FleetState>();
  readonly #notes = new Map<string, readonly string[]>();
  readonly #ending: EndingPods;
  #isSynced = false;
  #unsubscribe: (() => void) | undefined;

  constructor(options: KubernetesInfrastructureOptions) {
    const { names = standardNames, random = Math.random, client, watch } = options;
    this.#options = options;
    this.#random = random;
    this.#context = {
      names,
      images: options.images,
      channel: options.channel,
      networkPolicy: options.networkPolicy ?? false,
    };
    const observed = this.#observed;
    this.#changes = new ObjectChanges({ client, observed, random });
    this.#certificates = new ChannelCertificates({
      names,
      observed,
      random,
      issueCertificate: (gateway) => options.issueCertificate(gateway),
      authorities: () => options.authorities(),
    });
    this.#watches = new FleetWatches({
      watch,
      observed,
      namespaces: options.namespaces,
      changed: (type, keys) => this.#observe(type, keys),
      troubled: () => this.#judgeAll(),
    });
    this.#ending = new EndingPods((key, ending) => options.podsEnding?.(key, ending));
    this.#queue = new WorkQueue({
      concurrency: options.concurrency ?? 8,
      work: (key) => this.#work(key),
    });
  }

  start(): void {
    const { fleets } = this.#options;
    this.#unsubscribe = fleets.subscribe((changes) => {
      for (const key of changes.keys()) {
        this.#judge(key);
        this.#queue.add(key);
      }
    });
    this.#watches.start();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, longestSync);
      timer.unref();
    });
    void Promise.race([this.#watches.synced(), patience])
      .catch(() => undefined)
      .then(() => {
        clearTimeout(timer);
        this.#isSynced = true;
        this.leadershipChanged();
      });
  }

  leadershipChanged(): void {
    // What went wrong for us is no longer ours to tell.
    if (!this.#options.isLeader()) this.#troubles.clear();
    for (const key of this.#allKeys()) this.#queue.add(key);
    this.#judgeAll();
  }

  renewCertificates(): void {
    for (const key of this.#options.fleets.keys()) this.#queue.add(key);
  }

  async stop(): Promise<void> {
    this.#unsubscribe?.();
    this.#ending.stop();
    await Promise.all([this.#watches.stop(), this.#queue.stop()]);
  }

  #allKeys(): Set<string> {
    return new Set([...this.#options.fleets.keys(), ...this.#observed.fleetKeys()]);
  }

  #observe(type: ResourceType, fleetKeys: readonly string[]): void {
    for (const key of fleetKeys) {
      // Pods are not ours to write.
      if (type === pods) this.#ending.look(key, this.#podsWith(key));
      else this.#queue.add(key);
      this.#judge(key);
    }
  }

  async #work(key: string): Promise<void> {
    if (!this.#isSynced || !this.#options.isLeader()) return;
    const fleet = this.#options.fleets.get(key);
    try {
      if (fleet) await this.#settleFleet(fleet);
      else await this.#leave(key);
      this.#failures.delete(key);
    } catch (error) {
      // Whatever the API server, or a bug of ours, has against one fleet: the others go on.
      const failures = (this.#failures.get(key) ?? 0) + 1;
      this.#failures.set(key, failures);
      this.#troubles.set(key, [failed(`Gateway ${key}`, error)]);
      this.#queue.addAfter(key, retryDelay(failures, this.#random));
    }
    this.#judge(key);
  }

  async #settleFleet(fleet: Fleet): Promise<void> {
    this.#tellNotes(fleet);
    const { wanted, setbacks } = await this.#wanted(fleet);
    for (const one of wanted) {
      if (!this.#options.isLeader()) return;
      const setback = await this.#changes.settle(fleet, one);
      if (setback) setbacks.push(setback);
    }
    for (const { retryAt } of setbacks) this.#queue.addAfter(fleet.key, Math.max(50, retryAt - Date.now()));
    this.#troubles.set(fleet.key, setbacks);
    // Nothing goes before what takes its place is there.
    if (setbacks.length === 0) await this.#deleteUnwanted(fleet, wanted);
  }

  async #wanted(fleet: Fleet) {
    const { names } = this.#context;
    const live = this.#observed.get(deployments, fleet.namespace, names.name(fleet));
    const held = heldReplicas(live, this.#options.client.fieldManager);
    const rendered = renderFleet(fleet, this.#context, held);
    const secret = await this.#certificates.wanted(fleet);
    // Without a certificate the Pods wait for their volume; the load balancer can already get its address.
    if (!("object" in secret)) return { wanted: rendered, setbacks: [secret] };
    this.#queue.addAfter(fleet.key, Math.max(1000, secret.renewAt - Date.now()));
    return { wanted: [secret, ...rendered], setbacks: [] as Setback[] };
  }

  async #deleteUnwanted(fleet: Fleet, wanted: readonly WantedObject[]): Promise<void> {
    const isWanted = (type: ResourceType, name: string) =>
      wanted.some((one) => one.type === type && one.object.metadata.name === name);
    const names = wanted.map(({ object }) => object.metadata.name);
    const isServed = this.#podsOf(fleet).some(isReady);
    const unwanted = this.#observed
      .of(fleet.key)
      .filter(({ type, object }) => type !== pods && !isWanted(type, object.metadata.name))
      .filter(({ object }) => belongsTo(object, fleet) && madeBy(object, this.#options.controllerNames))
      // A Gateway that has no listener for a moment keeps its address.
      .filter(({ type }) => type !== services || fleet.ports.length > 0)
      // One that moves to another name (its class has changed) keeps its proxies until the new ones are ready.
      .filter(({ object }) => isServed || names.includes(object.metadata.name));
    for (const one of unwanted) await this.#delete(fleet.key, one);
  }

  /** There is no such fleet any more. */
  async #leave(key: string): Promise<void> {
    const { client, controllerNames } = this.#options;
    this.#certificates.forget(key);
    this.#troubles.delete(key);
    this.#notes.delete(key);
    const left = this.#observed
      .of(key)
      .filter(({ type, object }) => type !== pods && madeBy(object, controllerNames));
    if (left.length === 0) {
      this.#changes.forgetFleet(key);
      return;
    }
    const [namespace = "", name = ""] = key.split("/");
    const gateway = await client.get(gateways, name, namespace);
    const gatewayClass = gateway && (await client.get(gatewayClasses, classNameOf(gateway)));
    for (const one of left) {
      if (isForsaken(one.object, gateway, gatewayClass, controllerNames)) await this.#delete(key, one);
      else this.#queue.addAfter(key, secondLook);
    }
  }

  async #delete(key: string, { type, object }: WantedObject): Promise<void> {
    const { client } = this.#options;
    const { name, namespace, uid } = object.metadata;
    if (!this.#options.isLeader() || isEnding(object)) return;
    await client.delete(type, name, namespace, {
      propagation: "Background",
      ...(uid !== undefined && { uid }),
    });
    this.#changes.forget(key, { type, object });
  }

  #tellNotes(fleet: Fleet): void {
    const notes = infrastructureNotes(fleet);
    if (deepEqual(notes, this.#notes.get(fleet.key) ?? [])) return;
    this.#notes.set(fleet.key, notes);
    this.#options.note?.(fleet.key, notes);
  }

  #judgeAll(): void {
    for (const key of this.#allKeys()) this.#judge(key);
  }

  #judge(key: string): void {
    const fleet = this.#options.fleets.get(key);
    const state = fleet && this.#stateOf(fleet);
    const before = this.#reported.get(key);
    if (deepEqual(state, before)) return;
    // Something may have waited for it.
    if (before?.problem?.reason !== state?.problem?.reason) this.#queue.add(key);
    if (state) this.#reported.set(key, state);
    else this.#reported.delete(key);
    this.#options.report(key, state);
  }

  #stateOf(fleet: Fleet): FleetState {
    const { names } = this.#context;
    const get = (type: ResourceType) => {
      const object = this.#observed.get(type, fleet.namespace, names.name(fleet));
      return object && belongsTo(object, fleet) ? object : undefined;
    };
    const watching = this.#watches.troubles().map((message) => ({ isRefusal: false, message }));
    const troubles = [...(this.#troubles.get(fleet.key) ?? []), ...watching];
    return judgeFleet(fleet, names, {
      service: get(services),
      deployment: get(deployments),
      pods: this.#podsOf(fleet),
      troubles,
    });
  }

  /** Those of the fleet's own Deployment: while a Gateway moves to another class, those of the old one are still there. */
  #podsOf(fleet: Fleet): readonly KubernetesObject[] {
    const selector = Object.entries(this.#context.names.selector(fleet));
    return this.#podsWith(fleet.key).filter(({ metadata }) =>
      selector.every(([label, value]) => metadata.labels?.[label] === value),
    );
  }

  #podsWith(key: string): readonly KubernetesObject[] {
    return this.#observed
      .of(key)
      .filter(({ type }) => type === pods)
      .map(({ object }) => object);
  }
}

function classNameOf(gateway: KubernetesObject): string {
  return (gateway["spec"] as { readonly gatewayClassName?: string } | undefined)?.gatewayClassName ?? "";
}
