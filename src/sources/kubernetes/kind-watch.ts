/**
 * All objects of one kind, in all namespaces or in those that were given. The kind may not be served yet, be served in another
 * version later, or go: `serve` says which it is.
 *
 * At first, a kind that cannot be read although the server is well (a broken conversion webhook, an object that cannot be decoded)
 * keeps the others waiting or it does not, by what going on without it would do. The kinds of `confined` take with them what they
 * say themselves, and nothing else: they count as having no objects, until they can be read. Without any other kind, proxies
 * would lose more than it: every endpoint (EndpointSlice), every route (HTTPRoute), or a restriction
 * (BackendTLSPolicy). These are waited for, and proxies go on with what they have.
 */
import {
  watchObjects,
  type KubernetesClient,
  type KubernetesObject,
  type ObjectWatch,
  type ResourceType,
  type WatchTrouble,
} from "../../kubernetes/index.ts";
import type { ResourceKind } from "../../resources/index.ts";
import { ObservedObjects, type ObservedObject, type ObservedObjectsOptions } from "./observed-objects.ts";

export interface KindWatchOptions extends ObservedObjectsOptions {
  readonly client: KubernetesClient;
  /** Absent: all. */
  readonly namespaces: readonly string[] | undefined;
  /** The server does not serve it any more, or not in this version. */
  readonly onNotServed: (kind: ResourceKind) => void;
  /** How long a confined kind that cannot be read keeps the others waiting while the server is well, ms. */
  readonly patience: number | undefined;
  readonly fault: (error: unknown) => void;
}

const confined: ReadonlySet<ResourceKind> = new Set([
  "IngressClass",
  "Ingress",
  "HTTPProxy",
  "TLSCertificateDelegation",
  "RouteCertificate",
]);
/** Longer than a webhook needs that is restarted together with us, ms. */
const usualPatience = 30_000;

interface Scope {
  readonly namespace: string | undefined;
  readonly observed: ObservedObjects;
  watch: ObjectWatch | undefined;
}

export class KindWatch {
  readonly kind: ResourceKind;
  readonly #options: KindWatchOptions;
  #scopes: Scope[] = [];
  #type: ResourceType | undefined;

  constructor(options: KindWatchOptions) {
    this.kind = options.kind;
    this.#options = options;
  }

  /** As it is served; undefined: it is not. */
  get type(): ResourceType | undefined {
    return this.#type;
  }

  find(namespace: string | undefined, name: string): ObservedObject | undefined {
    const key = namespace === undefined ? name : `${namespace}/${name}`;
    return this.#scopeOf(namespace)?.observed.get(key);
  }

  noteWritten(object: KubernetesObject): void {
    this.#scopeOf(object.metadata.namespace)?.observed.noteWritten(object);
  }

  /** Resolves when what is there was told, or cannot be for a reason that waiting does not mend. */
  async serve(type: ResourceType): Promise<void> {
    this.#stopWatches();
    this.#type = type;
    const { namespaces } = this.#options;
    if (this.#scopes.length === 0) {
      const all = type.namespaced && namespaces ? namespaces : [undefined];
      this.#scopes = all.map((namespace) => ({
        namespace,
        observed: new ObservedObjects(this.#options, type),
        watch: undefined,
      }));
    }
    await Promise.all(this.#scopes.map((scope) => this.#watch(scope, type)));
  }

  /** What it had is gone. */
  unserve(): void {
    this.#stopWatches();
    this.#type = undefined;
    for (const { observed, namespace } of this.#scopes) {
      observed.replace([]);
      this.#options.feed.setProblems(this.#about(namespace), []);
    }
  }

  stop(): void {
    this.#stopWatches();
  }

  #scopeOf(namespace: string | undefined): Scope | undefined {
    return this.#scopes.find((scope) => scope.namespace === undefined || scope.namespace === namespace);
  }

  #about(namespace: string | undefined): string {
    return `watch ${this.kind} ${namespace ?? ""}`;
  }

  #stopWatches(): void {
    for (const scope of this.#scopes) {
      scope.watch?.stop();
      scope.watch = undefined;
    }
  }

  #watch(scope: Scope, type: ResourceType): Promise<void> {
    const { client, fault, patience = usualPatience } = this.#options;
    const { namespace, observed } = scope;
    observed.type = type;
    return new Promise((resolve) => {
      scope.watch = watchObjects(
        client,
        { type, withoutManagedFields: true, patience, ...(namespace === undefined ? {} : { namespace }) },
        {
          listing: () => observed.listing(),
          changed: (events) => observed.change(events),
          trouble: (trouble) => {
            this.#note(scope, trouble);
            if (trouble?.kind === "not-served" || (trouble?.isUnreadable && this.#mayLack(trouble)))
              resolve();
          },
          fault,
        },
      );
      void scope.watch.synced.then(resolve);
    });
  }

  #mayLack({ kind }: WatchTrouble): boolean {
    return kind === "forbidden" || confined.has(this.kind);
  }

  #note({ namespace, observed }: Scope, trouble: WatchTrouble | undefined): void {
    const { feed, client, onNotServed, namespaces } = this.#options;
    if (trouble?.kind === "not-served") {
      this.#stopWatches();
      feed.setProblems(this.#about(namespace), []);
      onNotServed(this.kind);
      return;
    }
    // With Roles alone nobody may see Namespaces. What their labels were is not what they are.
    const isExpected = this.kind === "Namespace" && trouble?.kind === "forbidden" && namespaces !== undefined;
    if (isExpected) observed.replace([]);
    const problem = trouble && {
      severity:
        isExpected || (trouble.kind === "unreachable" && !trouble.isUnreadable)
          ? ("warning" as const)
          : ("error" as const),
      origin: client.server,
      message: isExpected ? `${trouble.message}; labels of Namespaces are not known` : trouble.message,
    };
    feed.setProblems(this.#about(namespace), problem ? [problem] : []);
  }
}
