/*
 * Names for Gateways: wires what looks at Gateways, what keeps their DNSRecords, what publishes these, and what Gateways say of it. Four parts, three
 * loops of rounds, since a provider that does not answer must not keep a Gateway from saying so:
 *
 *   gateway-view ─► record-controller ─► DNSRecords ─► publisher ─► provider
 *        └───────────────► gateway-statuses ◄──┘
 *
 * Gateways are watched from the first time that something is asked for. DNSRecords always are: one that was made before must be let go of when it is deleted.
 */
import {
  eventRecorder,
  type EventRecorder,
  type KubernetesClient,
  type KubernetesObject,
} from "../../kubernetes/index.ts";
import { Rounds } from "../rounds.ts";
import { clusterId } from "./cluster-id.ts";
import type { ProviderCall } from "./counted-provider.ts";
import { CurrentProvider } from "./current-provider.ts";
import { keepsRecords, type DnsDialect, type DnsSettings } from "./dns-settings.ts";
import { GatewayStatuses } from "./gateway-statuses.ts";
import { GatewayView } from "./gateway-view.ts";
import type { DnsProviderModule } from "./provider.ts";
import { Publisher } from "./publisher.ts";
import { RecordController } from "./record-controller.ts";
import { WatchedObjects } from "./watched-objects.ts";

export interface DnsOperatorOptions {
  readonly client: KubernetesClient;
  readonly controllerNames: readonly string[];
  readonly dialect: DnsDialect;
  readonly canWrite: () => boolean;
  readonly written: (what: string) => void;
  readonly trouble: (where: string, message: string | undefined) => void;
  readonly fault: (error: unknown) => void;
  /** Instead of the providers that there are. */
  readonly loadProvider?: ((name: string) => Promise<DnsProviderModule> | undefined) | undefined;
}

/** At this moment. */
export interface DnsCounts {
  readonly calls: readonly { readonly call: ProviderCall; readonly count: number }[];
  /** DNSRecords by the reason of their zones' `Published`. */
  readonly zones: ReadonlyMap<string, number>;
}

/** Between two rounds that call the provider, ms. */
const gathering = 1_000;

const nothingAsked: DnsSettings = {
  provider: "none",
  providerSettings: {},
  publishable: "in-domain",
  alwaysHasRecords: false,
  zones: [],
  namespaces: [],
  moreRecordNamespaces: [],
  ttl: 0,
};

interface Parts {
  readonly view: GatewayView;
  readonly controller: RecordController;
  readonly statuses: GatewayStatuses;
  readonly loops: readonly Rounds[];
}

export class DnsOperator {
  readonly #options: DnsOperatorOptions;
  readonly #provider: CurrentProvider;
  readonly #publisher: Publisher;
  readonly #publishing: Rounds;
  readonly #recorder: EventRecorder;
  #records: WatchedObjects | undefined;
  #parts: Parts | undefined;
  #settings = nothingAsked;
  #recordTrouble: string | undefined;
  #notBefore = 0;

  constructor(options: DnsOperatorOptions) {
    this.#options = options;
    const { client, dialect, canWrite, trouble, loadProvider } = options;
    this.#publishing = this.#loop(() => this.#publish());
    this.#provider = new CurrentProvider({
      client,
      changed: () => this.#publisher.providerChanged(),
      trouble,
      ...(loadProvider && { load: loadProvider }),
    });
    this.#recorder = eventRecorder(client, {
      component: options.controllerNames[0] ?? "gatewright",
      canWrite,
      trouble: (error) => trouble("Events", error.message),
    });
    this.#publisher = new Publisher({
      client,
      dialect,
      provider: this.#provider,
      cluster: clusterId(client),
      canWrite,
      recorder: this.#recorder,
      ask: () => this.#publishing.ask(),
      trouble,
    });
  }

  /** Undefined: nothing is asked for. To be called again whenever the settings may be others, or we may write. */
  use(asked: DnsSettings | undefined): void {
    const settings = asked ?? nothingAsked;
    const isNew = JSON.stringify(settings) !== JSON.stringify(this.#settings) || !this.#records;
    this.#settings = settings;
    this.#records ??= this.#watchRecords();
    if (isAsked(settings)) this.#parts ??= this.#startParts();
    if (!isNew) return;
    this.#tellRecordTrouble();
    this.#provider.use(settings);
    this.#publisher.use(settings);
    this.#parts?.controller.use(settings);
    this.#parts?.statuses.use(settings);
  }

  /** We may write from now on: what others did meanwhile is not known. */
  lookAtAll(): void {
    this.#publisher.lookAnew();
    this.#parts?.controller.lookAtAll();
    this.#parts?.statuses.lookAtAll();
  }

  counts(): DnsCounts {
    const zones = new Map<string, number>();
    for (const { outcome } of this.#publisher.outcomes())
      zones.set(outcome.reason, (zones.get(outcome.reason) ?? 0) + 1);
    return { calls: this.#provider.calls.all(), zones };
  }

  /** What is under way ends; the one who may not write any more has been told before. */
  async stop(): Promise<void> {
    this.#records?.stop();
    this.#parts?.view.stop();
    const loops = [this.#publishing, ...(this.#parts?.loops ?? [])];
    await Promise.all(loops.map((loop) => loop.stop()));
    await Promise.all([this.#publisher.stop(), this.#parts?.statuses.stop(), this.#recorder.stop()]);
    await this.#provider.stop();
  }

  /** Names that come one after the other are published together: the first at once, those that follow a while after it. */
  async #publish(): Promise<number | undefined> {
    const wait = this.#notBefore - performance.now();
    if (wait > 0) return wait;
    const { calls } = this.#provider;
    const before = calls.total;
    const next = await this.#publisher.round();
    if (calls.total > before) this.#notBefore = performance.now() + gathering;
    return next;
  }

  #loop(round: () => Promise<number | undefined>): Rounds {
    const { canWrite, fault } = this.#options;
    return new Rounds(async () => {
      await this.#records?.synced;
      await this.#parts?.view.synced;
      return canWrite() ? await round() : undefined;
    }, fault);
  }

  #watchRecords(): WatchedObjects {
    const { client, dialect } = this.#options;
    return new WatchedObjects(
      client,
      { type: dialect.records, withoutManagedFields: true },
      {
        changed: (key, after, before) => this.#recordChanged(key, after, before),
        trouble: (_where, message) => {
          this.#recordTrouble = message;
          this.#tellRecordTrouble();
        },
      },
    );
  }

  #recordChanged(
    key: string,
    after: KubernetesObject | undefined,
    before: KubernetesObject | undefined,
  ): void {
    this.#publisher.recordChanged(key, after);
    if (!this.#parts) return;
    const { controller, statuses } = this.#parts;
    for (const gateway of controller.recordChanged(key, after, before)) statuses.gatewayChanged(gateway);
  }

  /** Whoever has asked for nothing need not have the kind. */
  #tellRecordTrouble(): void {
    if (this.#recordTrouble === undefined || isAsked(this.#settings))
      this.#options.trouble("DNSRecords", this.#recordTrouble);
  }

  #startParts(): Parts {
    const { client, dialect, controllerNames, canWrite, trouble, written } = this.#options;
    const view = new GatewayView({
      client,
      controllerNames,
      dialect,
      changed: (gateway, concernsNames) => {
        if (concernsNames) controller.gatewayChanged(gateway);
        statuses.gatewayChanged(gateway);
      },
      trouble,
    });
    const controller: RecordController = new RecordController({
      client,
      dialect,
      view,
      canWrite,
      ask: () => keeping.ask(),
      trouble,
      written,
    });
    const statuses: GatewayStatuses = new GatewayStatuses({
      client,
      dialect,
      view,
      recordsOf: (gateway) => controller.recordsOf(gateway),
      canWrite,
      ask: () => telling.ask(),
      trouble,
    });
    const keeping = this.#loop(() => controller.round());
    const telling = this.#loop(() => statuses.round());
    for (const record of this.#records?.all() ?? [])
      controller.recordChanged(
        `${record.metadata.namespace ?? ""}/${record.metadata.name}`,
        record,
        undefined,
      );
    return { view, controller, statuses, loops: [keeping, telling] };
  }
}

function isAsked(settings: DnsSettings): boolean {
  return keepsRecords(settings) || settings.provider === "external-dns";
}
