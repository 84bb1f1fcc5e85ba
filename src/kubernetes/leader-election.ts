/**
 * One of several is the leader: whoever holds a Lease and renews it.
 *
 * Clocks of different machines are never compared. A candidate notes, by its own clock, when it last saw the Lease change; a
 * Lease that did not change for as long as its holder said it would last is free. The leader gives up when it
 * could not renew for `renewDeadline`, counted from before its last renewal was sent, which is sooner than anybody may take over.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { KubernetesClient } from "./client.ts";
import { asKubernetesError, KubernetesError } from "./error.ts";
import { leases, microTime, specOf, type LeaseSpec } from "./lease.ts";
import type { KubernetesObject } from "./object.ts";
import { resourcePath, withQuery } from "./resource-path.ts";
import { tellSafely } from "./tell-safely.ts";

export interface LeaderElectionOptions {
  readonly namespace: string;
  readonly name: string;
  /** Of this candidate, such as its Pod's name; no two may share one. */
  readonly identity: string;
  /** Stand on the Lease while this candidate holds it: what others should know of the leader. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** How long others wait for the leader's next sign, ms; in whole seconds. */
  readonly leaseDuration?: number;
  /** How long the leader tries to renew before it gives up, ms. */
  readonly renewDeadline?: number;
  /** Between two attempts, ms. */
  readonly retryPeriod?: number;
}

export interface LeaderElectionHandler {
  started(): void;
  /** From now on another may be the leader. The election goes on: `started` may follow. */
  stopped(): void;
  /** The Lease cannot be read or written; undefined: it can again. */
  trouble?(error: KubernetesError | undefined): void;
  fault?(error: unknown): void;
}

export interface LeaderElection {
  readonly isLeader: boolean;
  /** Who holds the Lease, as far as we know. */
  readonly holder: string | undefined;
  /** What its holder has put on the Lease. */
  holderAnnotation(name: string): string | undefined;
  /** Gives the Lease back, so that another need not wait for its end. */
  stop(): Promise<void>;
}

export function leaderElection(
  client: KubernetesClient,
  options: LeaderElectionOptions,
  handler: LeaderElectionHandler,
): LeaderElection {
  const election = new LeaseElection(client, options, handler);
  election.start();
  return election;
}

class LeaseElection implements LeaderElection {
  readonly #client: KubernetesClient;
  readonly #options: Required<LeaderElectionOptions>;
  readonly #handler: LeaderElectionHandler;
  readonly #stopped = new AbortController();
  /** The Lease as last seen, and when it was first seen so, by our clock. */
  #lease: KubernetesObject | undefined;
  #seenAt = 0;
  #isLeader = false;
  #deadline = 0;
  #deadlineTimer: NodeJS.Timeout | undefined;
  #isTroubled = false;
  #running: Promise<void> = Promise.resolve();

  constructor(client: KubernetesClient, options: LeaderElectionOptions, handler: LeaderElectionHandler) {
    this.#client = client;
    const usual = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000, annotations: {} };
    this.#options = { ...usual, ...options };
    const { leaseDuration, renewDeadline, retryPeriod } = this.#options;
    if (!(leaseDuration > renewDeadline && renewDeadline > retryPeriod * 1.2)) {
      throw new RangeError(
        `leaseDuration (${leaseDuration} ms) must be longer than renewDeadline (${renewDeadline} ms), and that longer than 1.2 × retryPeriod (${retryPeriod} ms)`,
      );
    }
    this.#handler = handler;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** A process that slept past its deadline is no leader, even before its timers come to say so. */
  get isLeader(): boolean {
    return this.#isLeader && performance.now() < this.#deadline;
  }

  get holder(): string | undefined {
    return (this.#lease && specOf(this.#lease).holderIdentity) || undefined;
  }

  holderAnnotation(name: string): string | undefined {
    return this.holder === undefined ? undefined : this.#lease?.metadata.annotations?.[name];
  }

  async stop(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    const wasLeader = this.#isLeader;
    this.#lose();
    this.#stopped.abort(new Error("stopped"));
    await this.#running;
    if (wasLeader) await this.#release();
  }

  async #run(): Promise<void> {
    const { retryPeriod, renewDeadline } = this.#options;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const begun = performance.now();
      // Half of the deadline, so that one request that hangs leaves time for another.
      const remaining = this.#isLeader ? Math.max(this.#deadline - begun, 1) : renewDeadline;
      const timeout = Math.min(remaining, renewDeadline / 2);
      try {
        const isOurs = await this.#tryToHold(timeout);
        if (signal.aborted) return;
        this.#recover();
        if (isOurs) this.#win(begun);
        else this.#lose();
      } catch (error) {
        if (signal.aborted) return;
        const failure = asKubernetesError(error, "renewing the Lease");
        if (failure.code === "KUBERNETES_CLOSED") return this.#lose();
        this.#stumble(failure);
      }
      await sleep(retryPeriod * (1 + Math.random() / 5), undefined, { signal }).catch(() => undefined);
    }
  }

  async #tryToHold(timeout: number): Promise<boolean> {
    const { identity } = this.#options;
    // The leader knows what it wrote; only if somebody else has written since, it must look.
    if (this.#isLeader && this.#lease && specOf(this.#lease).holderIdentity === identity) {
      const renewed = await this.#write(this.#lease, timeout);
      if (renewed) return true;
    }
    const found = await this.#read(timeout);
    if (!found) return (await this.#create(timeout)) !== undefined;
    this.#see(found);
    const spec = specOf(found);
    if (spec.holderIdentity && spec.holderIdentity !== identity && !this.#isOver(spec)) return false;
    return (await this.#write(found, timeout)) !== undefined;
  }

  #isOver({ leaseDurationSeconds }: LeaseSpec): boolean {
    const lasts =
      (leaseDurationSeconds ?? 0) > 0 ? (leaseDurationSeconds ?? 0) * 1_000 : this.#options.leaseDuration;
    return performance.now() >= this.#seenAt + lasts;
  }

  #see(lease: KubernetesObject): void {
    if (this.#lease?.metadata.resourceVersion !== lease.metadata.resourceVersion)
      this.#seenAt = performance.now();
    this.#lease = lease;
  }

  async #read(timeout: number): Promise<KubernetesObject | undefined> {
    const { name, namespace } = this.#options;
    try {
      const path = resourcePath(leases, { name, namespace });
      return (await this.#request({ method: "GET", path, timeout })) as KubernetesObject;
    } catch (error) {
      if (error instanceof KubernetesError && error.isNotFound) return undefined;
      throw error;
    }
  }

  async #create(timeout: number): Promise<KubernetesObject | undefined> {
    const { name, namespace, annotations } = this.#options;
    const now = microTime();
    return this.#send("POST", resourcePath(leases, { namespace }), timeout, {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name, namespace, annotations },
      spec: this.#holding({ acquireTime: now, renewTime: now, leaseTransitions: 0 }),
    });
  }

  /** undefined: somebody was faster. */
  #write(lease: KubernetesObject, timeout: number): Promise<KubernetesObject | undefined> {
    const { name, namespace, identity } = this.#options;
    const old = specOf(lease);
    const now = microTime();
    const isRenewal = old.holderIdentity === identity;
    const spec = this.#holding({
      acquireTime: (isRenewal ? old.acquireTime : undefined) ?? now,
      renewTime: now,
      leaseTransitions: (old.leaseTransitions ?? 0) + (isRenewal ? 0 : 1),
    });
    return this.#send("PUT", resourcePath(leases, { name, namespace }), timeout, {
      ...lease,
      metadata: {
        ...lease.metadata,
        annotations: { ...lease.metadata.annotations, ...this.#options.annotations },
      },
      spec: { ...old, ...spec },
    });
  }

  #holding(spec: LeaseSpec): LeaseSpec {
    const { identity, leaseDuration } = this.#options;
    return { holderIdentity: identity, leaseDurationSeconds: Math.ceil(leaseDuration / 1_000), ...spec };
  }

  async #send(
    method: string,
    path: string,
    timeout: number,
    body: KubernetesObject,
  ): Promise<KubernetesObject | undefined> {
    try {
      const query = { fieldManager: this.#client.fieldManager };
      const written = await this.#request({ method, path: withQuery(path, query), timeout, body });
      this.#see(written as KubernetesObject);
      return written as KubernetesObject;
    } catch (error) {
      // Also when the Lease was deleted in between: the next look says so.
      if (error instanceof KubernetesError && (error.status === 409 || error.isNotFound)) return undefined;
      throw error;
    }
  }

  #request(request: { method: string; path: string; timeout: number; body?: object }): Promise<unknown> {
    return this.#client.request({ ...request, isUrgent: true, signal: this.#stopped.signal });
  }

  #win(begun: number): void {
    const { renewDeadline } = this.#options;
    this.#deadline = begun + renewDeadline;
    clearTimeout(this.#deadlineTimer);
    this.#deadlineTimer = setTimeout(() => this.#lose(), Math.max(this.#deadline - performance.now(), 0));
    if (this.#isLeader) return;
    this.#isLeader = true;
    this.#tell(() => this.#handler.started());
  }

  #lose(): void {
    clearTimeout(this.#deadlineTimer);
    if (!this.#isLeader) return;
    this.#isLeader = false;
    this.#tell(() => this.#handler.stopped());
  }

  async #release(): Promise<void> {
    const { identity } = this.#options;
    let lease = this.#lease;
    try {
      // A renewal that the stop has cut off may have been taken all the same: then the Lease is a version further.
      for (let attempt = 0; lease && specOf(lease).holderIdentity === identity && attempt < 3; attempt++) {
        if (await this.#giveBack(lease)) return;
        const { name, namespace } = this.#options;
        lease = await this.#client.get(leases, name, namespace);
      }
    } catch {
      // Whoever comes next waits for the Lease to run out, which is what it is there for.
    }
  }

  /** False: it has another version. */
  async #giveBack(lease: KubernetesObject): Promise<boolean> {
    const { name, namespace, renewDeadline } = this.#options;
    const now = microTime();
    const nobody = { holderIdentity: "", leaseDurationSeconds: 1, renewTime: now, acquireTime: now };
    try {
      await this.#client.request({
        method: "PUT",
        path: withQuery(resourcePath(leases, { name, namespace }), {
          fieldManager: this.#client.fieldManager,
        }),
        timeout: renewDeadline / 2,
        body: { ...lease, spec: { ...specOf(lease), ...nobody } },
      });
      return true;
    } catch (error) {
      if (error instanceof KubernetesError && error.status === 409) return false;
      throw error;
    }
  }

  #stumble(error: KubernetesError): void {
    this.#isTroubled = true;
    this.#tell(() => this.#handler.trouble?.(error));
  }

  #recover(): void {
    if (!this.#isTroubled) return;
    this.#isTroubled = false;
    this.#tell(() => this.#handler.trouble?.(undefined));
  }

  #tell(telling: () => void): void {
    tellSafely(telling, this.#handler.fault?.bind(this.#handler));
  }
}
