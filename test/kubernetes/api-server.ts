/**
 * A stand-in for kube-apiserver, over real TLS sockets, HTTP/2 and HTTP/1.1: lists with pages, watches with bookmarks and
 * compaction, preconditions, status subresources, discovery. And what a test wants to go wrong: see the methods of `ApiServer`.
 */
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { makeCa, makeCertificate, type MadeAuthority } from "../../src/driver-kit/certificates.ts";
import type { Credentials, KubernetesObject, ObjectMeta, ResourceType } from "../../src/kubernetes/index.ts";
import { mergePatch, ObjectStore, Refusal, type StoredEvent } from "./object-store.ts";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
  readonly httpVersion: string;
}

/** An object without its type. */
export interface ObjectBody {
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

export interface ApiServerOptions {
  readonly protocols?: readonly ("h2" | "http/1.1")[];
  readonly maxConcurrentStreams?: number;
}

export type Interception = (
  request: SeenRequest,
  response: Http2ServerResponse,
) => boolean | Promise<boolean>;

interface Watcher {
  readonly store: ObjectStore;
  readonly response: Http2ServerResponse;
}

let authority: Promise<MadeAuthority> | undefined;

export class ApiServer {
  readonly requests: SeenRequest[] = [];
  readonly watchers = new Set<Watcher>();
  readonly stores = new Map<string, ObjectStore>();
  /** Bearer tokens that are let in; absent: everybody is. */
  tokens: Set<string> | undefined;
  /** Answers itself and says true, or leaves the request to the server. */
  intercept: Interception | undefined;
  version = 100;
  readonly #options: ApiServerOptions;
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  #server: Http2SecureServer | undefined;
  #port = 0;
  #ca = "";

  private constructor(options: ApiServerOptions) {
    this.#options = options;
  }

  static async start(types: readonly ResourceType[], options: ApiServerOptions = {}): Promise<ApiServer> {
    const server = new ApiServer(options);
    for (const type of types) server.serve(type);
    await server.listen();
    return server;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  get ca(): string {
    return this.#ca;
  }

  credentials(headers: Record<string, string> = {}): Credentials {
    return {
      server: new URL(this.url),
      namespace: "default",
      tls: async () => ({ ca: this.#ca }),
      headers: async () => headers,
      refused: () => undefined,
    };
  }

  /** As if its CRD was installed. */
  serve(type: ResourceType): ObjectStore {
    const store = new ObjectStore(type, () => ++this.version);
    this.stores.set(storeName(type), store);
    return store;
  }

  unserve(type: ResourceType): void {
    const store = this.store(type);
    for (const key of store.objects.keys()) store.delete(key);
    this.stores.delete(storeName(type));
    for (const watcher of this.watchers) if (watcher.store === store) watcher.response.end();
  }

  store(type: ResourceType): ObjectStore {
    const store = this.stores.get(storeName(type));
    if (!store) throw new Error(`${storeName(type)} is not served`);
    return store;
  }

  create(type: ResourceType, object: ObjectBody): KubernetesObject {
    const apiVersion = type.group === "" ? type.version : `${type.group}/${type.version}`;
    return this.store(type).create({ ...object, apiVersion, kind: type.kind } as KubernetesObject);
  }

  /** History is forgotten up to now, as etcd does every five minutes. */
  compact(): void {
    for (const store of this.stores.values()) store.compact(this.version);
  }

  bookmark(): void {
    for (const { store, response } of this.watchers) {
      const object = {
        kind: store.type.kind,
        apiVersion: "v1",
        metadata: { resourceVersion: String(this.version) },
      };
      response.write(`${JSON.stringify({ type: "BOOKMARK", object })}\n`);
    }
  }

  /** Something that no API server writes, or only half of it. */
  write(text: string): void {
    for (const { response } of this.watchers) response.write(text);
  }

  /** The server's own time-out of watches. */
  endWatches(): void {
    for (const { response } of this.watchers) response.end();
  }

  /** Every connection breaks. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Asks clients to leave their connections, as a server does that is about to stop. */
  goAway(): void {
    for (const session of this.#sessions) session.goaway();
  }

  async listen(): Promise<void> {
    authority ??= makeCa({ name: "stand-in API server" });
    const ca = await authority;
    const { certificates, privateKey } = await makeCertificate({ names: ["127.0.0.1"], ca });
    this.#ca = ca.certificate;
    const { protocols = ["h2", "http/1.1"], maxConcurrentStreams = 250 } = this.#options;
    const identity = { cert: certificates, key: privateKey };
    const server = protocols.includes("h2")
      ? createSecureServer({ ...identity, allowHTTP1: true, settings: { maxConcurrentStreams } })
      : (createServer(identity) as unknown as Http2SecureServer);
    server.on("request", (request, response) => void this.#take(request, response));
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => this.#sockets.delete(socket));
    });
    server.on("session", (session) => {
      this.#sessions.add(session);
      session.once("close", () => this.#sessions.delete(session));
    });
    server.on("sessionError", () => undefined);
    server.on("clientError", () => undefined);
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Gone without a word; `listen` brings it back with all it had, at the same place. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    this.cut();
    await closed;
    this.watchers.clear();
  }

  async #take(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const url = new URL(request.url, "https://localhost");
    const text = Buffer.concat(chunks).toString();
    const seen: SeenRequest = {
      method: request.method,
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: text === "" ? undefined : JSON.parse(text),
      httpVersion: request.httpVersion,
    };
    this.requests.push(seen);
    try {
      if (await this.intercept?.(seen, response)) return;
      const token = String(request.headers.authorization ?? "").replace("Bearer ", "");
      if (this.tokens && !this.tokens.has(token)) throw new Refusal(401, "Unauthorized");
      this.#answer(seen, response);
    } catch (error) {
      refuse(response, error);
    }
  }

  #answer(seen: SeenRequest, response: Http2ServerResponse): void {
    if (seen.path === "/readyz") {
      response.writeHead(200, { "content-type": "text/plain" });
      response.end("ok");
      return;
    }
    const discovered = this.#discover(seen.path);
    if (discovered !== undefined) return send(response, 200, discovered);
    const place = this.#placeOf(seen.path);
    if (!place) {
      response.writeHead(404, { "content-type": "text/plain" });
      response.end("404 page not found\n");
      return;
    }
    if (seen.method === "GET" && seen.query.get("watch") === "true")
      return this.#watch(seen, place, response);
    send(response, seen.method === "POST" ? 201 : 200, handle(seen, place, this.version));
  }

  #discover(path: string): unknown {
    const types = [...this.stores.values()].map(({ type }) => type);
    const groupOf = (name: string) => {
      const versions = [
        ...new Set(types.filter(({ group }) => group === name).map(({ version }) => version)),
      ];
      return { name, versions: versions.map((version) => ({ groupVersion: `${name}/${version}`, version })) };
    };
    if (path === "/api") return { kind: "APIVersions", versions: ["v1"] };
    if (path === "/apis") {
      const names = new Set(types.map(({ group }) => group).filter((group) => group !== ""));
      return { kind: "APIGroupList", groups: [...names].map(groupOf) };
    }
    const [, root, first, second, ...rest] = path.split("/");
    if (rest.length > 0 || first === undefined) return undefined;
    if (root === "apis" && second === undefined) {
      const group = groupOf(first);
      return group.versions.length > 0 ? { kind: "APIGroup", ...group } : undefined;
    }
    const [group, version] = root === "api" ? ["", first] : [first, second];
    if (root === "api" && second !== undefined) return undefined;
    const served = types.filter((type) => type.group === group && type.version === version);
    if (served.length === 0) return undefined;
    const resources = served.map(({ plural, kind, namespaced }) => ({ name: plural, kind, namespaced }));
    return { kind: "APIResourceList", resources };
  }

  #placeOf(path: string): Place | undefined {
    const parts = path.split("/").slice(1).map(decodeURIComponent);
    const [group, version] = parts[0] === "api" ? ["", parts[1]] : [parts[1], parts[2]];
    let rest = parts.slice(parts[0] === "api" ? 2 : 3);
    let namespace: string | undefined;
    if (rest[0] === "namespaces" && rest.length > 2) {
      namespace = rest[1];
      rest = rest.slice(2);
    }
    const [plural, name, subresource] = rest;
    const store = this.stores.get(`${group}/${version}/${plural}`);
    return store && { store, namespace, name, subresource };
  }

  #watch(seen: SeenRequest, { store, namespace }: Place, response: Http2ServerResponse): void {
    const since = Number(seen.query.get("resourceVersion"));
    if (since < store.compactedAt) throw new Refusal(410, "Expired", "too old resource version");
    const matches = selector(seen.query, namespace);
    response.writeHead(200, { "content-type": "application/json" });
    if ("flushHeaders" in response) (response as unknown as { flushHeaders(): void }).flushHeaders();
    const watcher: Watcher = { store, response };
    const tell = (event: StoredEvent) => {
      if (!matches(event.object)) return;
      response.write(`${JSON.stringify({ type: event.type, object: event.object })}\n`);
    };
    for (const event of store.history) if (event.version > since) tell(event);
    store.listeners.add(tell);
    this.watchers.add(watcher);
    response.once("close", () => {
      store.listeners.delete(tell);
      this.watchers.delete(watcher);
    });
  }
}

interface Place {
  readonly store: ObjectStore;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

function handle({ method, query, body, headers }: SeenRequest, place: Place, version: number): unknown {
  const { store, namespace, name, subresource } = place;
  const given = body as KubernetesObject;
  if (name === undefined) return method === "POST" ? store.create(given) : page(query, place, version);
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  const isStatus = subresource === "status";
  switch (method) {
    case "GET":
      return store.get(key);
    case "PUT":
      return store.update(given, isStatus);
    case "DELETE":
      return store.delete(key, (given["preconditions"] as { uid?: string } | undefined)?.uid);
    case "PATCH": {
      const isApply = headers["content-type"] === "application/apply-patch+yaml";
      if (isApply && !store.objects.has(key)) return store.create(given);
      const old = store.get(key);
      const merged = mergePatch(old, given) as KubernetesObject;
      return store.update(merged, isStatus);
    }
    default:
      throw new Refusal(405, "MethodNotAllowed");
  }
}

/** The token holds the version and the place, as etcd's does. */
function page(query: URLSearchParams, { store, namespace }: Place, version: number): unknown {
  const limit = Number(query.get("limit") ?? 0) || Number.POSITIVE_INFINITY;
  const [at = version, from = 0] = (query.get("continue") ?? "").split(":").filter(Boolean).map(Number);
  if (at < store.compactedAt) throw new Refusal(410, "Expired", "The provided continue parameter is too old");
  const all = [...store.objects.values()].filter(selector(query, namespace));
  const to = from + limit;
  const next = to < all.length ? { continue: `${at}:${to}` } : {};
  return {
    kind: `${store.type.kind}List`,
    metadata: { resourceVersion: String(at), ...next },
    items: all.slice(from, to),
  };
}

function selector(query: URLSearchParams, namespace: string | undefined) {
  const fields = pairsOf(query.get("fieldSelector"));
  const labels = pairsOf(query.get("labelSelector"));
  return (object: KubernetesObject) =>
    (namespace === undefined || object.metadata.namespace === namespace) &&
    fields.every(([path, value]) => fieldOf(object, path) === value) &&
    labels.every(([label, value]) => {
      const found = object.metadata.labels?.[label];
      return value === undefined ? found !== undefined : found === value;
    });
}

/** `a=1,b`: b need only be there. */
function pairsOf(text: string | null): readonly (readonly [string, string | undefined])[] {
  if (text === null || text === "") return [];
  return text.split(",").map((pair) => {
    const [name = "", value] = pair.split("=");
    return [name, value] as const;
  });
}

function fieldOf(object: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], object);
}

function refuse(response: Http2ServerResponse, error: unknown): void {
  const refusal = error instanceof Refusal ? error : new Refusal(500, "InternalError", String(error));
  const { status, reason, message, retryAfter } = refusal;
  if (retryAfter !== undefined) response.setHeader("retry-after", String(retryAfter));
  send(response, status, { kind: "Status", status: "Failure", code: status, reason, message });
}

export function send(response: Http2ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function storeName({ group, version, plural }: ResourceType): string {
  return `${group}/${version}/${plural}`;
}

export { Refusal };

/** Waits for something that others bring about. */
export async function until(
  condition: () => boolean,
  what = String(condition),
  within = 10_000,
): Promise<void> {
  const end = performance.now() + within;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`It did not come about within ${within} ms: ${what}`);
    await sleep(5);
  }
}
