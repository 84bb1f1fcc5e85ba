/*
 * Envoy as far as delta xDS goes, in memory, and no faster than the test lets it: what it was sent waits until `step`. It takes or refuses a response as a
 * whole, warms clusters by their endpoints before it says yes to them, and keeps what it has when its stream is cut.
 */
import type { ChannelStream, ChannelStreamHandlers } from "../../src/channel/index.ts";
import { decodeMessage, encodeMessage, typeUrlOf } from "../../src/drivers/envoy/messages/index.ts";
import type { DeltaDiscoveryResponse } from "../../src/drivers/envoy/generated/messages.ts";
import type { ResourceType } from "../../src/drivers/envoy/rendered-resource.ts";
import { wholeMessage } from "../whole-message.ts";
import { types } from "./scripted-proxy.ts";

export interface Held {
  readonly version: string;
  readonly bytes: Uint8Array;
}

export class SimulatedEnvoy {
  readonly has = new Map<ResourceType, Map<string, Held>>(
    Object.values(types).map((type) => [type, new Map()]),
  );
  /** Clusters that are made, but wait for their endpoints. */
  readonly #warming = new Map<string, { readonly nonce: string; readonly names: Set<string> }>();
  readonly #isBad: (name: string, bytes: Uint8Array) => boolean;
  readonly #changed: () => void;
  #inbox: DeltaDiscoveryResponse[] = [];
  #handlers: ChannelStreamHandlers | undefined;

  constructor(isBad: (name: string, bytes: Uint8Array) => boolean, changed: () => void) {
    this.#isBad = isBad;
    this.#changed = changed;
  }

  get isBusy(): boolean {
    return this.#inbox.length > 0;
  }

  connect(take: (stream: ChannelStream) => void): void {
    take({
      send: (message) =>
        this.#inbox.push(
          decodeMessage("envoy.service.discovery.v3.DeltaDiscoveryResponse", wholeMessage(message)),
        ),
      close: () => this.disconnect(),
      listen: (handlers) => (this.#handlers = handlers),
    });
    for (const type of [types.clusters, types.listeners, types.scopes]) this.#subscribe(type, ["*"]);
    const names = [...this.has.get(types.clusters)!.keys()];
    if (names.length > 0) this.#subscribe(types.endpoints, names);
  }

  disconnect(): void {
    this.#inbox = [];
    // What was not warm is not in force; Envoy keeps the version before it.
    this.#warming.clear();
    const handlers = this.#handlers;
    this.#handlers = undefined;
    handlers?.closed("cut");
  }

  /** Looks at one response. */
  step(): void {
    const response = this.#inbox.shift();
    if (!response) return;
    const type = Object.values(types).find((known) => typeUrlOf(known) === response.typeUrl)!;
    const resources = (response.resources ?? []).map(({ name = "", version = "", resource }) => ({
      name,
      version,
      bytes: (resource as { bytes: Uint8Array }).bytes,
    }));
    if (resources.some(({ name, bytes }) => this.#isBad(name, bytes))) {
      return this.#send({
        typeUrl: response.typeUrl!,
        responseNonce: response.nonce!,
        errorDetail: { message: "no" },
      });
    }
    const own = this.has.get(type)!;
    const isNew = resources.filter(({ name }) => !own.has(name)).map(({ name }) => name);
    for (const { name, version, bytes } of resources) {
      // What it no longer wants to know it does not keep.
      if (type !== types.endpoints || this.has.get(types.clusters)!.has(name))
        own.set(name, { version, bytes });
    }
    for (const name of response.removedResources ?? []) {
      own.delete(name);
      if (type === types.clusters) {
        this.has.get(types.endpoints)!.delete(name);
        this.#send({ typeUrl: typeUrlOf(types.endpoints), resourceNamesUnsubscribe: [name] });
      }
    }
    if (type === types.clusters && resources.length > 0) {
      const names = new Set(resources.map(({ name }) => name));
      for (const name of names) this.has.get(types.endpoints)!.delete(name);
      this.#warming.set(response.nonce!, { nonce: response.nonce!, names });
      if (isNew.length > 0) this.#subscribe(types.endpoints, isNew);
    } else this.#accept(type, response.nonce!);
    if (type === types.endpoints) this.#warm(resources.map(({ name }) => name));
    this.#changed();
  }

  #warm(names: readonly string[]): void {
    for (const [nonce, { names: waiting }] of this.#warming) {
      for (const name of names) waiting.delete(name);
      if (waiting.size > 0) continue;
      this.#warming.delete(nonce);
      this.#accept(types.clusters, nonce);
    }
  }

  isWarm(cluster: string): boolean {
    if (!this.has.get(types.clusters)!.has(cluster)) return false;
    return this.has.get(types.endpoints)!.has(cluster);
  }

  #accept(type: ResourceType, nonce: string): void {
    this.#send({ typeUrl: typeUrlOf(type), responseNonce: nonce });
  }

  #subscribe(type: ResourceType, names: readonly string[]): void {
    const held = [...this.has.get(type)!].filter(([name]) => names.includes("*") || names.includes(name));
    this.#send({
      typeUrl: typeUrlOf(type),
      resourceNamesSubscribe: names,
      initialResourceVersions: new Map(held.map(([name, { version }]) => [name, version])),
    });
  }

  #send(
    request: Parameters<typeof encodeMessage<"envoy.service.discovery.v3.DeltaDiscoveryRequest">>[1],
  ): void {
    this.#handlers?.message(encodeMessage("envoy.service.discovery.v3.DeltaDiscoveryRequest", request));
  }
}
