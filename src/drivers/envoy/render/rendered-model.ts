/*
 * The items of one Gateway's model, and the resources that were made of them. Changes go in, and out comes what is different.
 */
import { Graph, type Input } from "../../../incremental/index.ts";
import {
  modelKinds,
  type Certificate,
  type ModelChanges,
  type ModelItems,
  type ModelKind,
} from "../../../model/index.ts";
import type { RenderedResource, ResourceType } from "../rendered-resource.ts";
import { certificateProblem } from "./certificate-problem.ts";
import { renderModel } from "./model-graph.ts";
import type { RenderSettings } from "./settings.ts";

type Inputs = { readonly [Kind in ModelKind]: Input<ModelItems[Kind]> };

interface ResourceName {
  readonly type: ResourceType;
  readonly name: string;
}

export interface ItemProblem {
  readonly kind: ModelKind;
  readonly key: string;
  /** Absent: it is over. */
  readonly message?: string;
}

export interface RenderedChange {
  readonly resources: readonly RenderedResource[];
  readonly removed: readonly ResourceName[];
  readonly problems: readonly ItemProblem[];
}

export class RenderedModel {
  readonly #graph: Graph;
  readonly #inputs: Inputs;
  #set = new Map<string, RenderedResource>();
  #gone = new Map<string, ResourceName>();
  #problems: ItemProblem[] = [];

  constructor(settings: RenderSettings) {
    const graph = new Graph();
    this.#graph = graph;
    this.#inputs = {
      certificates: graph.input("certificates"),
      backends: graph.input("backends"),
      endpoints: graph.input("endpoints"),
      listeners: graph.input("model listeners"),
      serverNames: graph.input("server names"),
      virtualHosts: graph.input("virtual hosts"),
      streamRoutes: graph.input("stream routes"),
    };
    for (const collection of renderModel(graph, this.#inputs, settings)) {
      collection.subscribe((changes) => {
        for (const { before, after } of changes.values()) this.#note(before ?? [], after ?? []);
      });
    }
  }

  apply(changes: ModelChanges): RenderedChange {
    this.#graph.batch(() => {
      for (const kind of modelKinds) this.#take(kind, changes[kind]);
    });
    const result = {
      resources: [...this.#set.values()],
      removed: [...this.#gone].flatMap(([name, resource]) => (this.#set.has(name) ? [] : [resource])),
      problems: this.#problems,
    };
    this.#set = new Map();
    this.#gone = new Map();
    this.#problems = [];
    return result;
  }

  #take<Kind extends ModelKind>(
    kind: Kind,
    changes: ReadonlyMap<string, ModelItems[Kind] | undefined>,
  ): void {
    const input: Input<ModelItems[Kind]> = this.#inputs[kind];
    for (const [key, item] of changes) {
      if (item === undefined) input.delete(key);
      else if (kind !== "certificates" || this.#isUsable(item as Certificate)) input.set(key, item);
    }
  }

  /** What is not usable is said, and the version before it stays. */
  #isUsable(certificate: Certificate): boolean {
    const message = certificateProblem(certificate);
    this.#problems.push({
      kind: "certificates",
      key: certificate.key,
      ...(message === undefined ? {} : { message }),
    });
    return message === undefined;
  }

  #note(before: readonly RenderedResource[], after: readonly RenderedResource[]): void {
    for (const { type, name } of before) this.#gone.set(`${type} ${name}`, { type, name });
    for (const resource of after) this.#set.set(`${resource.type} ${resource.name}`, takeOut(resource));
  }
}

/** The graph keeps what it has computed, to know its name when it goes. The message, which is most of it, is not needed for that. */
function takeOut(resource: RenderedResource): RenderedResource {
  const taken = { ...resource };
  Object.assign(resource, { message: undefined });
  return taken;
}
