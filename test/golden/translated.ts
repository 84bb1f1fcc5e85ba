/** Objects in, model and statuses out, without a source or a driver: a proxy that takes everything at once is assumed. */
import { createHash } from "node:crypto";
import { dump } from "js-yaml";
import { ResourceInputs } from "../../src/controller/resource-inputs.ts";
import { Graph } from "../../src/incremental/index.ts";
import { allFeatures, modelKinds, type Certificate } from "../../src/model/index.ts";
import { resourceKey, type Resource } from "../../src/resources/index.ts";
import { mergeStatus } from "../../src/status/index.ts";
import {
  defaultControllerName,
  itemKey,
  translate,
  type ItemState,
  type TranslateSettings,
} from "../../src/translate/index.ts";

const time = "2026-01-01T00:00:00Z";

export type GoldenSettings = Partial<Omit<TranslateSettings, "features">> & { readonly without?: readonly string[] };

export class Translated {
  readonly graph: Graph;
  readonly #inputs: ResourceInputs;
  readonly #translation;

  constructor({ without = [], ...settings }: GoldenSettings = {}) {
    this.graph = new Graph();
    this.#inputs = new ResourceInputs(this.graph);
    const itemStates = this.graph.input<ItemState>("item states");
    this.#translation = translate(this.graph, {
      resources: this.#inputs.resources,
      itemStates,
      settings: {
        controllerNames: [defaultControllerName],
        implicitClasses: false,
        allowExternalNames: false,
        allowLoopbackEndpoints: false,
        ...settings,
        features: allFeatures.difference?.(new Set(without)) ?? new Set([...allFeatures].filter((name) => !without.includes(name))),
      },
    });
    this.#translation.model.listeners.subscribe((changes) => {
      for (const [key, { after }] of changes) {
        if (after) itemStates.set(itemKey("listeners", key), { type: "programmed" });
        else itemStates.delete(itemKey("listeners", key));
      }
    });
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

  modelYaml(): string {
    const model: Record<string, unknown[]> = {};
    for (const kind of modelKinds) {
      const items = [...this.model[kind].entries()].map(([, item]) =>
        kind === "certificates" ? withoutSecrets(item as Certificate) : item,
      );
      if (items.length > 0) model[kind] = items;
    }
    return yaml(model);
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
    return yaml(Object.fromEntries([...statuses].toSorted(([a], [b]) => (a < b ? -1 : 1))));
  }
}

function yaml(value: unknown): string {
  // Shared objects are written out each time: anchors would depend on the order in which things came.
  return dump(JSON.parse(JSON.stringify(value)), { noRefs: true, lineWidth: 110 });
}

function withoutSecrets({ key, certificates, privateKey }: Certificate) {
  const sha256 = createHash("sha256").update(certificates).digest("hex").slice(0, 16);
  return { key, sha256, ...(privateKey !== undefined && { privateKey: "(hidden)" }) };
}
