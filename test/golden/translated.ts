/**
 * Objects in, model and statuses out, without a source or a driver. A proxy is assumed that takes everything at once, except
 * for the items that a case's settings have reports for.
 */
import { createHash } from "node:crypto";
import { ResourceInputs } from "../../src/controller/resource-inputs.ts";
import { Graph, type Input } from "../../src/incremental/index.ts";
import { allFeatures, modelKinds, type Certificate } from "../../src/model/index.ts";
import { resourceKey, type Resource } from "../../src/resources/index.ts";
import { mergeStatus } from "../../src/status/index.ts";
import {
  defaultControllerName,
  itemKey,
  translate,
  type FleetState,
  type ItemState,
  type TranslateSettings,
} from "../../src/translate/index.ts";
import { renderYaml } from "./render-yaml.ts";

const time = "2026-01-01T00:00:00Z";

export type GoldenSettings = Partial<Omit<TranslateSettings, "features" | "drivers">> & {
  /** Features that the proxy lacks. */
  readonly without?: readonly string[];
  /** Drivers that can be chosen, each with the features that it lacks. */
  readonly drivers?: Readonly<Record<string, readonly string[]>>;
  /** By the Gateway's key: what infrastructure says of its fleet. */
  readonly fleetStates?: Readonly<Record<string, FleetState>>;
  /** By the CRD's name: its bundle version. */
  readonly crdVersions?: Readonly<Record<string, string>>;
  /** By kind and key: what is wrong with objects that are there but cannot be read. */
  readonly invalid?: Readonly<Record<string, string>>;
  /** By kind and key, as in `listeners|shop/web/tcp/80`: what the proxy says of an item. */
  readonly reports?: Readonly<Record<string, ItemState>>;
  /** Those that are on. */
  readonly gates?: readonly string[];
};

export const layers = {
  gateway: "infra/ingress",
  gatewayClass: "gatewright",
  ingresses: {
    controllers: ["gatewright.dev/ingress-controller", "k8s.io/ingate"],
    names: ["gatewright", "ingate"],
    byName: false,
    withoutClass: false,
    ignoreClass: false,
  },
  httpProxies: { classes: ["gatewright"], withoutClass: true },
} as const;

export class Translated {
  readonly graph: Graph;
  readonly #inputs: ResourceInputs;
  readonly #fleetStates: Input<FleetState>;
  readonly #itemStates: Input<ItemState>;
  readonly #translation;

  constructor(golden: GoldenSettings = {}) {
    const { without = [], reports = {}, drivers, fleetStates = {}, invalid = {}, ...rest } = golden;
    const { crdVersions, gates, ...settings } = rest;
    this.graph = new Graph();
    const on = this.graph.input<true>("gates");
    for (const gate of gates ?? []) on.set(gate, true);
    const versions = this.#crdVersions(crdVersions);
    this.#inputs = new ResourceInputs(this.graph);
    this.#inputs.setInvalid(new Map(Object.entries(invalid)));
    this.#fleetStates = this.graph.input<FleetState>("fleet states");
    for (const [key, state] of Object.entries(fleetStates)) this.#fleetStates.set(key, state);
    const itemStates = this.graph.input<ItemState>("item states");
    this.#itemStates = itemStates;
    this.#translation = translate(this.graph, {
      resources: this.#inputs.resources,
      itemStates,
      fleetStates: this.#fleetStates,
      ...(versions && { crdVersions: versions }),
      gates: on,
      settings: {
        controllerNames: [defaultControllerName],
        implicitClasses: true,
        allowExternalNames: false,
        allowLoopbackEndpoints: false,
        layers,
        ...settings,
        features: featuresWithout(without),
        ...(drivers && {
          drivers: new Map(Object.entries(drivers).map(([name, lacks]) => [name, featuresWithout(lacks)])),
        }),
      },
    });
    for (const kind of modelKinds) {
      this.#translation.model[kind].subscribe((changes) => {
        for (const [key, { after }] of changes) {
          const item = itemKey(kind, key);
          const state = reports[item] ?? (kind === "listeners" ? { type: "programmed" as const } : undefined);
          if (after && state) itemStates.set(item, state);
          else itemStates.delete(item);
        }
      });
    }
  }

  get model() {
    return this.#translation.model;
  }

  get statuses() {
    return this.#translation.statuses;
  }

  set(...resources: readonly Resource[]): void {
    this.graph.batch(() => {
      for (const resource of resources) {
        this.#inputs.apply({ kind: resource.kind, key: resourceKey(resource), resource });
      }
    });
  }

  delete(...resources: readonly Resource[]): void {
    this.graph.batch(() => {
      for (const resource of resources) {
        this.#inputs.apply({ kind: resource.kind, key: resourceKey(resource), resource: undefined });
      }
    });
  }

  #crdVersions(given: GoldenSettings["crdVersions"]): Input<string> | undefined {
    if (!given) return undefined;
    const versions = this.graph.input<string>("CRD versions");
    for (const [name, version] of Object.entries(given)) versions.set(name, version);
    return versions;
  }

  setFleet(gateway: string, address: string): void {
    this.#fleetStates.set(gateway, { addresses: [{ type: "IPAddress", value: address }] });
  }

  /** What the proxy says of an item, as in `backends|Service/shop/cart/80`. */
  report(item: string, state: ItemState): void {
    this.#itemStates.set(item, state);
  }

  modelYaml(): string {
    const model: Record<string, unknown[]> = {};
    for (const kind of modelKinds) {
      const items = [...this.model[kind].entries()].map(([, item]) =>
        kind === "certificates" ? withoutSecrets(item as Certificate) : item,
      );
      if (items.length > 0) model[kind] = items;
    }
    return renderYaml(model);
  }

  fleetsYaml(): string {
    return renderYaml([...this.#translation.fleets.entries()].map(([, fleet]) => fleet));
  }

  remarksYaml(): string {
    const remarks = [...this.#translation.remarks.entries()].map(([, remark]) => remark);
    return renderYaml(
      remarks.map(({ kind, namespace, name, ...rest }) => ({ of: `${kind}/${namespace}/${name}`, ...rest })),
    );
  }

  referencesYaml(): string {
    return renderYaml([...this.#translation.references.keys()]);
  }

  statusYaml(): string {
    const statuses = new Map<string, unknown>();
    for (const [, status] of this.statuses.entries()) {
      const resource = this.#inputs.find(
        status.kind,
        status.namespace === undefined ? status.name : `${status.namespace}/${status.name}`,
      );
      const before = (statuses.get(status.key) ?? resource?.status) as Record<string, unknown> | undefined;
      statuses.set(status.key, mergeStatus(before, status, time));
    }
    return renderYaml(
      withoutTime(Object.fromEntries([...statuses].toSorted(([a], [b]) => (a < b ? -1 : 1)))),
    );
  }
}

function featuresWithout(lacking: readonly string[]): ReadonlySet<string> {
  return new Set([...allFeatures].filter((name) => !lacking.includes(name)));
}

/** The time of writing says nothing; times that somebody else wrote before do. */
function withoutTime(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, member: unknown) =>
      name === "lastTransitionTime" && member === time ? undefined : member,
    ),
  );
}

function withoutSecrets({ key, certificates, privateKey }: Certificate) {
  const sha256 = createHash("sha256").update(certificates).digest("hex").slice(0, 16);
  return { key, sha256, ...(privateKey !== undefined && { privateKey: "(hidden)" }) };
}
