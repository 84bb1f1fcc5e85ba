/*
 * A data plane under test: a driver, what it reported, and the backends and clients that a case has started. All that was
 * started ends with it.
 */
import assert from "node:assert/strict";
import type { ApplyReport, BoundAddress, Driver, ItemState } from "../drivers/driver.ts";
import type { Backend, EndpointSet, Listener, ModelKind, Rule, ServerNameAction } from "../model/index.ts";
import { backendItem, endpointsItem, listenerItem, serverNameItem, virtualHostItem } from "./items.ts";
import { modelChanges, type ItemsOrRemovals } from "./model-changes.ts";
import type { Answer } from "./traffic/answer.ts";
import { eventually, within } from "./traffic/deadline.ts";
import { freePort } from "./traffic/free-port.ts";
import { startGrpcBackend, type GrpcBackend, type GrpcBackendOptions } from "./traffic/grpc.ts";
import { startHttpBackend, type HttpBackend, type HttpBackendOptions } from "./traffic/http-backend.ts";
import { requestHttp1, type ClientRequest } from "./traffic/http-client.ts";
import { connectHttp2, type Http2Client } from "./traffic/http2-client.ts";
import { connectLines, type LineClient } from "./traffic/stream-client.ts";
import { startTcpBackend, startUdpBackend, type StreamBackend } from "./traffic/stream-backend.ts";

/** What a case is run with. */
export interface ContractContext {
  /** A new driver that was not started. Its proxies connect by themselves when it starts. */
  readonly createDriver: () => Driver | Promise<Driver>;
  /**
   * How clients on this machine reach a listener. By default: the first address that the driver reported, where `0.0.0.0`
   * and `::` mean this machine; without one, the listener's own port on 127.0.0.1.
   */
  readonly reach?: Reach;
  /** How long a driver may take for one change, and for healing by itself, ms. Default: 15 s. */
  readonly patience?: number;
  /**
   * What the proxy mends where others refuse: `a folded header`, `a bare CR in a header`. RFC 9112 (2.2 and 5.2) allows both. The case then
   * asks that nothing of it is passed on, and that every request of the connection is answered as one. Default: nothing.
   */
  readonly repairs?: readonly string[];
}

export type Reach = (listener: Listener, reported: readonly BoundAddress[]) => BoundAddress;

/** A backend that runs, and its items in the model. */
export type Running<T> = T & { readonly backend: Backend; readonly endpoints: EndpointSet };

/** A listener that is served, as its clients see it. */
export interface Site {
  readonly listener: Listener;
  readonly at: BoundAddress;
  readonly get: (path: string, request?: ClientRequest) => Promise<Answer>;
}

export class Plane {
  readonly driver: Driver;
  readonly patience: number;
  readonly repairs: ReadonlySet<string>;
  readonly #reach: Reach;
  readonly #states = new Map<string, ItemState>();
  readonly #running: Running<{ stop(): Promise<void> }>[] = [];
  readonly #ends: (() => unknown)[] = [];

  constructor(driver: Driver, { reach = reachReported, patience = 15_000, repairs = [] }: ContractContext) {
    this.driver = driver;
    this.#reach = reach;
    this.patience = patience;
    this.repairs = new Set(repairs);
  }

  async start(): Promise<void> {
    const report = (reports: readonly ApplyReport[]) => {
      for (const { kind, key, state } of reports) this.#states.set(`${kind}|${key}`, state);
    };
    await within(this.patience, "driver.start", this.driver.start(report));
  }

  /** Clients, then the driver, then backends. */
  async stop(): Promise<void> {
    try {
      for (const end of this.#ends.splice(0).toReversed()) await end();
      await within(this.patience, "driver.stop", this.driver.stop());
    } finally {
      await Promise.all(this.#running.map((backend) => backend.stop()));
    }
  }

  /** Clients that would keep a connection open end here. */
  atEnd(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** Resolves when the changes hold: a proxy that is not connected yet is waited for. */
  async apply(items: ItemsOrRemovals): Promise<void> {
    for (const listener of items.listeners ?? []) {
      if (typeof listener !== "string") this.#states.delete(`listeners|${listener.key}`);
    }
    await within(this.patience, "driver.apply", this.driver.apply(modelChanges(items)));
    for (const listener of items.listeners ?? []) {
      if (typeof listener === "string") continue;
      const { key } = listener;
      assert.ok(this.stateOf("listeners", key), `listener ${key} was not reported before apply resolved`);
      await eventually(this.patience, `listener ${key} to be more than pending`, () => {
        return this.stateOf("listeners", key)?.type !== "pending";
      });
    }
  }

  stateOf(kind: ModelKind, key: string): ItemState | undefined {
    return this.#states.get(`${kind}|${key}`);
  }

  async untilState(kind: ModelKind, key: string, type: ItemState["type"]): Promise<ItemState> {
    await eventually(
      this.patience,
      `${kind} ${key} to be ${type}`,
      () => this.stateOf(kind, key)?.type === type,
    );
    return this.stateOf(kind, key)!;
  }

  /** Where clients reach the listener, which must be programmed. */
  at(listener: Listener): BoundAddress {
    const state = this.stateOf("listeners", listener.key);
    assert.equal(state?.type, "programmed", `listener ${listener.key} is ${JSON.stringify(state)}`);
    return this.#reach(listener, (state as { addresses?: readonly BoundAddress[] }).addresses ?? []);
  }

  async listener(protocol: Listener["protocol"], changes: Partial<Listener> = {}): Promise<Listener> {
    return listenerItem(protocol, changes.port ?? (await freePort()), changes);
  }

  async http(
    name: string,
    options: Partial<HttpBackendOptions> = {},
    changes: Partial<Backend> = {},
  ): Promise<Running<HttpBackend>> {
    const server = await startHttpBackend({ name, ...options });
    return this.#run(server, backendItem(name, options.http2 ? { protocol: "h2c", ...changes } : changes));
  }

  async grpc(name: string, options: Partial<GrpcBackendOptions> = {}): Promise<Running<GrpcBackend>> {
    return this.#run(await startGrpcBackend({ name, ...options }), backendItem(name, { protocol: "h2c" }));
  }

  async tcp(name: string): Promise<Running<StreamBackend>> {
    return this.#run(await startTcpBackend(name), backendItem(name, { protocol: "tcp" }));
  }

  async udp(name: string): Promise<Running<StreamBackend>> {
    return this.#run(await startUdpBackend(name), backendItem(name, { protocol: "udp" }));
  }

  #run<T extends { readonly port: number; stop(): Promise<void> }>(server: T, backend: Backend): Running<T> {
    const running = Object.assign(server, { backend, endpoints: endpointsItem(backend, server.port) });
    this.#running.push(running);
    return running;
  }

  /** All backends that were started, for an apply. */
  get backends(): { readonly backends: readonly Backend[]; readonly endpoints: readonly EndpointSet[] } {
    return {
      backends: this.#running.map(({ backend }) => backend),
      endpoints: this.#running.map(({ endpoints }) => endpoints),
    };
  }

  /** An HTTP listener with these rules for every host, and all backends that were started. */
  async serve(rules: readonly Rule[], more: ItemsOrRemovals = {}): Promise<Site> {
    const listener = await this.listener("http");
    const { listeners = [], virtualHosts = [], ...rest } = more;
    await this.apply({
      ...this.backends,
      ...rest,
      listeners: [listener, ...listeners],
      virtualHosts: [virtualHostItem(listener, "*", rules), ...virtualHosts],
    });
    return this.site(listener);
  }

  /** A TLS listener with these server names; the rules serve every host where a name is for HTTP. */
  async serveTls(
    serverNames: Readonly<Record<string, ServerNameAction>>,
    more: ItemsOrRemovals & { readonly rules?: readonly Rule[]; readonly listener?: Partial<Listener> } = {},
  ): Promise<Site> {
    const { rules = [], listener: changes, ...rest } = more;
    const listener = await this.listener("tls", changes);
    await this.apply({
      ...this.backends,
      virtualHosts: [virtualHostItem(listener, "*", rules)],
      ...rest,
      listeners: [listener],
      serverNames: Object.entries(serverNames).map(([name, action]) =>
        serverNameItem(listener, name, action),
      ),
    });
    return this.site(listener);
  }

  site(listener: Listener): Site {
    const at = this.at(listener);
    return { listener, at, get: (path, request = {}) => requestHttp1(at, { ...request, path }) };
  }

  async http2(at: BoundAddress, tls?: Parameters<typeof connectHttp2>[1]): Promise<Http2Client> {
    const client = await connectHttp2(at, tls);
    this.atEnd(() => client.close());
    return client;
  }

  async lines(at: BoundAddress, tls?: Parameters<typeof connectLines>[1]): Promise<LineClient> {
    const client = await connectLines(at, tls);
    this.atEnd(() => client.close());
    return client;
  }
}

function reachReported(listener: Listener, [first]: readonly BoundAddress[]): BoundAddress {
  if (!first) return { address: "127.0.0.1", port: listener.port };
  const { address, port } = first;
  return { address: address === "0.0.0.0" || address === "::" ? "127.0.0.1" : address, port };
}
