/** An Envoy that does what a test says: it speaks delta xDS over the real channel. */
import { connectChannel, type ChannelAuthority, type ChannelStream } from "../../src/channel/index.ts";
import type {
  DeltaDiscoveryRequest,
  DeltaDiscoveryResponse,
} from "../../src/drivers/envoy/generated/messages.ts";
import { decodeMessage, encodeMessage, typeUrlOf } from "../../src/drivers/envoy/messages/index.ts";
import type { ResourceType } from "../../src/drivers/envoy/rendered-resource.ts";

export const types = {
  clusters: "envoy.config.cluster.v3.Cluster",
  endpoints: "envoy.config.endpoint.v3.ClusterLoadAssignment",
  secrets: "envoy.extensions.transport_sockets.tls.v3.Secret",
  scopes: "envoy.config.route.v3.ScopedRouteConfiguration",
  routes: "envoy.config.route.v3.RouteConfiguration",
  listeners: "envoy.config.listener.v3.Listener",
} as const satisfies Record<string, ResourceType>;

export interface Seen {
  readonly type: ResourceType;
  /** Names of resources. */
  readonly set: readonly string[];
  readonly removed: readonly string[];
  readonly nonce: string;
  readonly bytes: number;
  readonly response: DeltaDiscoveryResponse;
}

export class ScriptedProxy {
  /** Every response so far. */
  readonly seen: Seen[] = [];
  /** Type → name → version, as Envoy keeps them. */
  readonly has = new Map<ResourceType, Map<string, string>>();
  /** Answers by itself: yes, or no with these words. Absent: the test answers. */
  judge: ((seen: Seen) => string | undefined) | undefined;
  closed: string | undefined;
  readonly #stream: ChannelStream;
  #waiting: (() => void)[] = [];
  #taken = 0;

  private constructor(stream: ChannelStream) {
    this.#stream = stream;
    stream.listen({ message: (bytes) => this.#receive(bytes), closed: (why) => this.#close(why) });
  }

  static async connect(
    { port, authority }: { readonly port: number; readonly authority: ChannelAuthority },
    gateway: string,
  ): Promise<ScriptedProxy> {
    const certificate = await authority.issueProxy(gateway);
    const path = "/envoy.service.discovery.v3.AggregatedDiscoveryService/DeltaAggregatedResources";
    return new ScriptedProxy(await connectChannel({ address: `127.0.0.1:${port}`, path, certificate }));
  }

  send(request: DeltaDiscoveryRequest): void {
    this.#stream.send(encodeMessage("envoy.service.discovery.v3.DeltaDiscoveryRequest", request));
  }

  sendBytes(bytes: Buffer): void {
    this.#stream.send(bytes);
  }

  subscribe(type: ResourceType, names: readonly string[] = [], versions?: ReadonlyMap<string, string>): void {
    this.send({
      typeUrl: typeUrlOf(type),
      resourceNamesSubscribe: names,
      ...(versions && { initialResourceVersions: versions }),
    });
  }

  unsubscribe(type: ResourceType, names: readonly string[]): void {
    this.send({ typeUrl: typeUrlOf(type), resourceNamesUnsubscribe: names });
  }

  /** Clusters, then listeners and scopes, as Envoy does when it starts; says yes to everything from then on. */
  async start(node = ""): Promise<void> {
    this.judge = () => undefined;
    this.send({ node: { id: node }, typeUrl: typeUrlOf(types.clusters) });
    await this.next();
    this.subscribe(types.listeners);
    this.subscribe(types.scopes);
    await this.next();
    await this.next();
  }

  accept({ type, nonce, response }: Seen): void {
    const own = this.has.get(type) ?? new Map<string, string>();
    this.has.set(type, own);
    for (const { name = "", version = "" } of response.resources ?? []) own.set(name, version);
    for (const name of response.removedResources ?? []) own.delete(name);
    this.send({ typeUrl: typeUrlOf(type), responseNonce: nonce });
  }

  refuse({ type, nonce }: Seen, message: string): void {
    this.send({ typeUrl: typeUrlOf(type), responseNonce: nonce, errorDetail: { code: 13, message } });
  }

  /** The next response that no test has looked at. */
  async next(patience = 2_000): Promise<Seen> {
    const deadline = Date.now() + patience;
    while (this.seen.length <= this.#taken) {
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`no response within ${patience} ms`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    return this.seen[this.#taken++]!;
  }

  /** What comes within a moment. */
  async quiet(moment = 60): Promise<readonly Seen[]> {
    await new Promise((resolve) => setTimeout(resolve, moment));
    const rest = this.seen.slice(this.#taken);
    this.#taken = this.seen.length;
    return rest;
  }

  close(): void {
    this.#stream.close();
  }

  #receive(bytes: Buffer): void {
    const response = decodeMessage("envoy.service.discovery.v3.DeltaDiscoveryResponse", bytes);
    const type = Object.values(types).find((known) => typeUrlOf(known) === response.typeUrl)!;
    const seen: Seen = {
      type,
      set: (response.resources ?? []).map(({ name = "" }) => name),
      removed: response.removedResources ?? [],
      nonce: response.nonce ?? "",
      bytes: bytes.length,
      response,
    };
    this.seen.push(seen);
    if (this.judge) {
      const words = this.judge(seen);
      if (words === undefined) this.accept(seen);
      else this.refuse(seen, words);
    }
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #close(why: string): void {
    this.closed = why;
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
