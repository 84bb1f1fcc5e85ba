import type { Credentials } from "./credentials.ts";
import { KubernetesError } from "./error.ts";
import { apiVersionOf, type KubernetesObject, type ResourceType } from "./object.ts";
import { Requests, type ApiRequest, type OpenAnswer } from "./requests.ts";
import { metadataOf, resourcePath, withQuery } from "./resource-path.ts";

export interface KubernetesClientOptions {
  readonly credentials: Credentials;
  readonly userAgent: string;
  /** Whose fields they are that we write. */
  readonly fieldManager: string;
  /** How long one request may take, with all waiting, ms. */
  readonly requestTimeout?: number;
  readonly connectTimeout?: number;
  /** How often a connection is tested, ms; two silent tests end it. */
  readonly pingEvery?: number;
  /** Requests under way at once; watches are not counted. */
  readonly mostRequests?: number;
  /** Objects that one page of a list has. */
  readonly pageSize?: number;
}

export interface ListOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Page by page they are dropped: who set which field is often larger than what is set. */
  readonly withoutManagedFields?: boolean;
  /** Nothing but `metadata` of each. */
  readonly metadataOnly?: boolean;
  /** Who takes the pages as they come; `items` is empty then. Asked for anew when the list has to begin anew. */
  readonly taker?: () => (page: readonly KubernetesObject[]) => void;
  readonly signal?: AbortSignal;
}

export interface ObjectList {
  readonly items: readonly KubernetesObject[];
  readonly resourceVersion: string;
}

/** One API server. All of it throws `KubernetesError`. */
export interface KubernetesClient {
  readonly fieldManager: string;
  /** `https://10.96.0.1:443` */
  readonly server: string;
  /** undefined: there is no such object. */
  get(type: ResourceType, name: string, namespace?: string): Promise<KubernetesObject | undefined>;
  /** All pages. */
  list(type: ResourceType, options?: ListOptions): Promise<ObjectList>;
  create(type: ResourceType, object: KubernetesObject, options?: CreateOptions): Promise<KubernetesObject>;
  /** With its resourceVersion as precondition. */
  replace(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject>;
  replaceStatus(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject>;
  /** Server-side apply under our field manager. */
  apply(type: ResourceType, object: KubernetesObject, options?: ApplyOptions): Promise<KubernetesObject>;
  /** A JSON merge patch; with `metadata.resourceVersion` in it, that is a precondition. */
  patch(
    type: ResourceType,
    name: string,
    namespace: string | undefined,
    mergePatch: object,
    options?: PatchOptions,
  ): Promise<KubernetesObject>;
  /** Gone already is fine, and so is another object of that name when `uid` is given. */
  delete(type: ResourceType, name: string, namespace?: string, options?: DeleteOptions): Promise<void>;
  /** Any other request; answers with the parsed body. */
  request(request: ApiRequest): Promise<unknown>;
  /** The same, but the body is the caller's to read. Only the beginning of the answer is bound in time. */
  open(request: ApiRequest): Promise<OpenAnswer>;
  close(): Promise<void>;
}

export interface ApplyOptions {
  /** Takes fields from other managers. */
  readonly force?: boolean;
  readonly subresource?: "status";
}

export interface CreateOptions {
  readonly signal?: AbortSignal;
}

export interface PatchOptions {
  readonly subresource?: "status";
  /** The answer comes without them. */
  readonly withoutManagedFields?: boolean;
  readonly signal?: AbortSignal;
}

export interface DeleteOptions {
  readonly uid?: string;
  readonly propagation?: "Background" | "Foreground" | "Orphan";
}

export function kubernetesClient(options: KubernetesClientOptions): KubernetesClient {
  return new ApiClient(options);
}

class ApiClient implements KubernetesClient {
  readonly fieldManager: string;
  readonly server: string;
  readonly #requests: Requests;
  readonly #pageSize: number;

  constructor({
    credentials,
    userAgent,
    fieldManager,
    requestTimeout = 30_000,
    connectTimeout = 10_000,
    pingEvery = 15_000,
    mostRequests = 64,
    pageSize = 500,
  }: KubernetesClientOptions) {
    this.fieldManager = fieldManager;
    this.server = credentials.server.href.replace(/\/$/, "");
    this.#pageSize = pageSize;
    this.#requests = new Requests({
      credentials,
      userAgent,
      requestTimeout,
      connectTimeout,
      pingEvery,
      mostRequests,
    });
  }

  async get(type: ResourceType, name: string, namespace?: string): Promise<KubernetesObject | undefined> {
    try {
      return asObject(await this.request({ method: "GET", path: resourcePath(type, { namespace, name }) }));
    } catch (error) {
      if (error instanceof KubernetesError && error.isNotFound) return undefined;
      throw error;
    }
  }

  async list(type: ResourceType, options: ListOptions = {}): Promise<ObjectList> {
    const { namespace, labelSelector, fieldSelector } = options;
    const path = resourcePath(type, { namespace });
    const selectors = { labelSelector, fieldSelector };
    try {
      return await this.#pages(type, path, { ...selectors, limit: this.#pageSize }, options);
    } catch (error) {
      // The pages' snapshot was compacted away under us. In one piece it cannot be.
      if (error instanceof KubernetesError && error.isGone)
        return this.#pages(type, path, selectors, options);
      throw error;
    }
  }

  create(
    type: ResourceType,
    object: KubernetesObject,
    options: CreateOptions = {},
  ): Promise<KubernetesObject> {
    const { namespace } = object.metadata;
    return this.#write("POST", resourcePath(type, { namespace }), object, options);
  }

  replace(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject> {
    const { namespace, name } = object.metadata;
    return this.#write("PUT", resourcePath(type, { namespace, name }), object);
  }

  replaceStatus(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject> {
    const { namespace, name } = object.metadata;
    return this.#write("PUT", resourcePath(type, { namespace, name, subresource: "status" }), object);
  }

  async apply(
    type: ResourceType,
    object: KubernetesObject,
    { force, subresource }: ApplyOptions = {},
  ): Promise<KubernetesObject> {
    const { namespace, name } = object.metadata;
    const { managedFields: _managed, resourceVersion: _version, ...metadata } = object.metadata;
    return asObject(
      await this.request({
        method: "PATCH",
        path: withQuery(resourcePath(type, { namespace, name, subresource }), {
          fieldManager: this.fieldManager,
          ...(force === true ? { force: "true" } : {}),
        }),
        // JSON is YAML.
        contentType: "application/apply-patch+yaml",
        body: { ...object, metadata },
      }),
    );
  }

  async patch(
    type: ResourceType,
    name: string,
    namespace: string | undefined,
    mergePatch: object,
    { subresource, withoutManagedFields, signal }: PatchOptions = {},
  ): Promise<KubernetesObject> {
    return asObject(
      await this.request({
        method: "PATCH",
        path: withQuery(resourcePath(type, { namespace, name, subresource }), {
          fieldManager: this.fieldManager,
        }),
        contentType: "application/merge-patch+json",
        body: mergePatch,
        ...(withoutManagedFields ? { withoutManagedFields } : {}),
        ...(signal ? { signal } : {}),
      }),
    );
  }

  async delete(
    type: ResourceType,
    name: string,
    namespace?: string,
    { uid, propagation }: DeleteOptions = {},
  ): Promise<void> {
    try {
      await this.request({
        method: "DELETE",
        path: resourcePath(type, { namespace, name }),
        body: {
          apiVersion: "v1",
          kind: "DeleteOptions",
          ...(propagation === undefined ? {} : { propagationPolicy: propagation }),
          ...(uid === undefined ? {} : { preconditions: { uid } }),
        },
      });
    } catch (error) {
      if (!(error instanceof KubernetesError)) throw error;
      const isAnother = uid !== undefined && error.isConflict;
      if (!error.isNotFound && !isAnother) throw error;
    }
  }

  request(request: ApiRequest): Promise<unknown> {
    return this.#requests.send(request);
  }

  open(request: ApiRequest): Promise<OpenAnswer> {
    return this.#requests.open(request);
  }

  async close(): Promise<void> {
    this.#requests.close();
  }

  async #write(
    method: string,
    path: string,
    body: object,
    options: CreateOptions = {},
  ): Promise<KubernetesObject> {
    const query = { fieldManager: this.fieldManager };
    return asObject(await this.request({ method, path: withQuery(path, query), body, ...options }));
  }

  async #pages(
    type: ResourceType,
    path: string,
    query: Readonly<Record<string, string | number | undefined>>,
    { signal, withoutManagedFields, metadataOnly, taker }: ListOptions,
  ): Promise<ObjectList> {
    const items: KubernetesObject[] = [];
    const take = taker?.() ?? collectInto(items);
    let next: string | undefined;
    for (;;) {
      const page = asList(
        await this.request({
          method: "GET",
          path: withQuery(path, { ...query, continue: next }),
          ...(metadataOnly ? { accept: metadataOf("PartialObjectMetadataList") } : {}),
          ...(withoutManagedFields ? { withoutManagedFields } : {}),
          ...(signal ? { signal } : {}),
        }),
      );
      take(page.items.map((item) => typed(type, item)));
      next = page.metadata.continue;
      if (next === undefined || next === "") {
        return { items, resourceVersion: page.metadata.resourceVersion ?? "" };
      }
    }
  }
}

/** One by one: a list in one piece has more objects than a call may have arguments. */
export function collectInto(items: KubernetesObject[]): (page: readonly KubernetesObject[]) => void {
  return (page) => {
    for (const object of page) items.push(object);
  };
}

/** In lists, objects of built-in kinds do not say what they are. */
function typed(type: ResourceType, item: KubernetesObject): KubernetesObject {
  if (item.kind !== undefined && item.apiVersion !== undefined) return item;
  return Object.assign(item, { apiVersion: apiVersionOf(type), kind: type.kind });
}

interface RawList {
  readonly items: readonly KubernetesObject[];
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
}

function asList(value: unknown): RawList {
  const { items, metadata } = (value ?? {}) as Partial<RawList>;
  // Go writes an empty list as null here and there.
  if (metadata === undefined || !(items === null || Array.isArray(items)))
    throw badAnswer("a list of objects");
  return { items: items ?? [], metadata };
}

function asObject(value: unknown): KubernetesObject {
  const object = value as Partial<KubernetesObject> | null;
  if (typeof object?.metadata !== "object") throw badAnswer("an object");
  return object as KubernetesObject;
}

function badAnswer(wanted: string): KubernetesError {
  return new KubernetesError(`The API server's answer is not ${wanted}`, { code: "KUBERNETES_BAD_ANSWER" });
}
