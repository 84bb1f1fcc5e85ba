import type { ApplyReport, ItemState } from "../src/drivers/driver.ts";
import { embeddedDriver, type EmbeddedDriver, type EmbeddedOptions } from "../src/drivers/embedded/index.ts";
import type {
  Backend,
  Endpoint,
  EndpointSet,
  Listener,
  ServerName,
  ServerNameAction,
  StreamRoute,
  VirtualHost,
  WeightedBackend,
} from "../src/model/index.ts";
import { modelChanges, type ItemsOrRemovals } from "./model-changes.ts";

/** An embedded driver on free ports of 127.0.0.1, with all that it reported. */
export class EmbeddedUnderTest {
  readonly driver: EmbeddedDriver;
  readonly reports: ApplyReport[] = [];
  #waiting: (() => void)[] = [];

  constructor(options: EmbeddedOptions = {}) {
    this.driver = embeddedDriver({ bind: () => ({ host: "127.0.0.1", port: 0 }), ...options });
  }

  async start(): Promise<this> {
    await this.driver.start((reports) => {
      this.reports.push(...reports);
      for (const wake of this.#waiting.splice(0)) wake();
    });
    return this;
  }

  async apply(items: ItemsOrRemovals): Promise<void> {
    await this.driver.apply(modelChanges(items));
  }

  stateOf(key: string): ItemState | undefined {
    return this.reports.findLast((report) => report.key === key)?.state;
  }

  /** Waits for a report that makes the state so. */
  async untilState(key: string, type: ItemState["type"]): Promise<ItemState> {
    for (;;) {
      const state = this.stateOf(key);
      if (state?.type === type) return state;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  portOf(key: string): number {
    const state = this.stateOf(key);
    if (state?.type !== "programmed") throw new Error(`${key} is ${JSON.stringify(state)}`);
    return state.addresses![0]!.port;
  }

  countersOf(key: string) {
    return this.driver.describe().listeners.find((listener) => listener.key === key)!.counters;
  }
}

export function listenerItem(protocol: Listener["protocol"], change: Partial<Listener> = {}): Listener {
  const transport = protocol === "udp" ? "udp" : "tcp";
  const port = change.port ?? 9000;
  const gateway = change.gateway ?? "shop/web";
  return {
    key: `${gateway}/${transport}/${port}`,
    gateway,
    port,
    transport,
    protocol,
    addresses: [],
    ...change,
  };
}

export function backendItem(name: string, change: Partial<Backend> = {}): Backend {
  return { key: `Service/shop/${name}/80`, protocol: "tcp", ...change };
}

export function endpointsItem(backend: Backend, ...endpoints: (number | Endpoint)[]): EndpointSet {
  return {
    key: backend.key,
    endpoints: endpoints.map((endpoint) =>
      typeof endpoint === "number" ? { address: "127.0.0.1", port: endpoint } : endpoint,
    ),
  };
}

export function serverNameItem(
  listener: Listener,
  hostname: string,
  action: ServerNameAction,
  section = `Gateway/shop/web/${hostname}`,
): ServerName {
  return { key: `${listener.key}|${hostname}`, listener: listener.key, hostname, section, action };
}

export function streamRouteItem(listener: Listener, ...backends: WeightedBackend[]): StreamRoute {
  return {
    key: listener.key,
    listener: listener.key,
    section: "Gateway/shop/web/stream",
    route: { kind: "TCPRoute", namespace: "shop", name: "stream", rule: 0 },
    backends,
  };
}

/** Everything of a host to these backends. */
export function virtualHostItem(
  listener: Listener,
  hostname: string,
  ...backends: WeightedBackend[]
): VirtualHost {
  return {
    key: `${listener.key}|${hostname}`,
    listener: listener.key,
    hostname,
    section: `Gateway/shop/web/${hostname}`,
    rules: [
      {
        key: `HTTPRoute/shop/${hostname}/0/0`,
        match: { path: { type: "prefix", value: "/" }, headers: [], queryParams: [] },
        action: {
          route: { kind: "HTTPRoute", namespace: "shop", name: hostname, rule: 0 },
          protocol: "http",
          mirrors: [],
          backends,
          timeouts: {},
        },
      },
    ],
  };
}

export function toBackend(backend: Backend, weight = 1): WeightedBackend {
  return { weight, target: { type: "backend", backend: backend.key } };
}

export const toNothing = (weight = 1): WeightedBackend => ({
  weight,
  target: { type: "error", status: 500, reason: "BackendNotFound" },
});
