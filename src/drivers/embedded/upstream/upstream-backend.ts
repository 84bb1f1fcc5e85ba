/*
 * A backend's endpoints and whose turn it is. Endpoints take turns, unless the backend says otherwise (`balancer.ts`); one that could
 * not be reached is passed over for a moment, unless none is left. Replacing the endpoints keeps those that stay, with their connections, and lets the calls
 * of those that go run to their end.
 */
import type { Backend, Endpoint } from "../../../model/index.ts";
import { Rotation } from "../balance.ts";
import { createTlsClient, type UpstreamTls } from "../../backend-tls.ts";
import { balancerOf, type Balancer, type HashedRequest } from "./balancer.ts";
import type { ConnectOptions } from "./connector.ts";
import { RetryAllowance } from "./retry-budget.ts";
import { defaultUpstreamLimits, type UpstreamLimits } from "./upstream-call.ts";
import { UpstreamEndpoint, endpointName } from "./upstream-endpoint.ts";

export interface UpstreamBackend {
  readonly key: string;
  readonly backend: Backend;
  readonly scheme: "http" | "https";
  /** Whether requests speak HTTP/2 to it. */
  readonly speaksHttp2: boolean;
  readonly endpoints: readonly UpstreamEndpoint[];
  readonly connections: number;
  readonly retries: RetryAllowance | undefined;
  /** The next in turn, if possible none of `avoid`. `undefined`: there are no endpoints. `request`: what a hash may be made of. */
  pick(avoid?: ReadonlySet<UpstreamEndpoint>, request?: HashedRequest): UpstreamEndpoint | undefined;
  setEndpoints(endpoints: readonly Endpoint[]): void;
  /** No new calls; those under way end as they would. */
  close(): void;
}

export interface UpstreamBackendOptions {
  readonly backend: Backend;
  readonly endpoints: readonly Endpoint[];
  /** PEM of what `backend.tls` refers to; needed if and only if `backend.tls` is there. */
  readonly tls?: UpstreamTls | undefined;
  readonly limits?: Partial<UpstreamLimits> | undefined;
  /** Told of every connection that is opened or gone. */
  readonly onConnections?: ((change: 1 | -1) => void) | undefined;
}

/** Throws if the PEM material is unusable. */
export function createUpstreamBackend(options: UpstreamBackendOptions): UpstreamBackend {
  return new PooledBackend(options);
}

class PooledBackend implements UpstreamBackend {
  readonly key: string;
  readonly backend: Backend;
  readonly scheme: "http" | "https";
  readonly speaksHttp2: boolean;
  readonly retries: RetryAllowance | undefined;
  readonly #tls: ConnectOptions["tls"];
  readonly #limits: UpstreamLimits;
  readonly #onConnections: UpstreamBackendOptions["onConnections"];
  readonly #balancer: Balancer | undefined;
  readonly #rotation = new Rotation<UpstreamEndpoint>([]);
  #connections = 0;

  constructor({ backend, endpoints, tls, limits, onConnections }: UpstreamBackendOptions) {
    this.key = backend.key;
    this.backend = backend;
    this.scheme = backend.tls ? "https" : "http";
    this.speaksHttp2 = backend.protocol === "h2c";
    // TLS that was asked for and cannot be had must never become plain text.
    if (backend.tls) this.#tls = (tls && createTlsClient(tls)) ?? "nobody is trusted";
    this.retries = backend.retryBudget ? new RetryAllowance(backend.retryBudget) : undefined;
    this.#balancer = backend.loadBalancing && balancerOf(backend.loadBalancing);
    this.#limits = { ...defaultUpstreamLimits, ...limits, ...limitsOf(backend) };
    this.#onConnections = onConnections;
    this.setEndpoints(endpoints);
  }

  get endpoints(): readonly UpstreamEndpoint[] {
    return this.#rotation.values;
  }

  get connections(): number {
    return this.#connections;
  }

  pick(avoid?: ReadonlySet<UpstreamEndpoint>, request?: HashedRequest): UpstreamEndpoint | undefined {
    if (this.#balancer && this.#rotation.values.length > 1) {
      const chosen = this.#balancer(this.#candidates(avoid), request);
      if (chosen) return chosen;
    }
    const { length } = this.#rotation.values;
    const first = this.#rotation.nextOne();
    if (length < 2 || !first) return first;
    const now = Date.now();
    let reachable: UpstreamEndpoint | undefined;
    let candidate = first;
    for (let turn = 1; ; turn++) {
      if (candidate.isReachable(now)) {
        if (!avoid?.has(candidate)) return candidate;
        reachable ??= candidate;
      }
      if (turn === length) break;
      candidate = this.#rotation.nextOne()!;
    }
    return this.#rotation.values.find((endpoint) => !avoid?.has(endpoint)) ?? reachable ?? first;
  }

  /** Those that can be reached and were not tried; those that were not tried; all. */
  #candidates(avoid: ReadonlySet<UpstreamEndpoint> | undefined): readonly UpstreamEndpoint[] {
    const { values } = this.#rotation;
    const now = Date.now();
    const untried = avoid ? values.filter((endpoint) => !avoid.has(endpoint)) : values;
    const reachable = untried.filter((endpoint) => endpoint.isReachable(now));
    if (reachable.length > 0) return reachable;
    return untried.length > 0 ? untried : values;
  }

  setEndpoints(endpoints: readonly Endpoint[]): void {
    const before = new Map(this.#rotation.values.map((endpoint) => [endpoint.name, endpoint]));
    const after = new Map<string, UpstreamEndpoint>();
    for (const endpoint of endpoints) {
      const name = endpointName(endpoint);
      if (after.has(name)) continue;
      after.set(name, before.get(name) ?? this.#create(endpoint));
    }
    this.#rotation.replace([...after.values()]);
    for (const [name, endpoint] of before) if (!after.has(name)) endpoint.retire();
  }

  close(): void {
    this.setEndpoints([]);
  }

  #create(endpoint: Endpoint): UpstreamEndpoint {
    return new UpstreamEndpoint(endpoint, {
      tls: this.#tls,
      limits: this.#limits,
      onConnections: (change) => {
        this.#connections += change;
        this.#onConnections?.(change);
      },
    });
  }
}

function limitsOf({ connectTimeout, idleTimeout }: Backend): Partial<UpstreamLimits> {
  return {
    ...(connectTimeout === undefined ? {} : { connectTimeout }),
    ...(idleTimeout === undefined ? {} : { keptTimeout: idleTimeout }),
  };
}
