/*
 * Active health checks, for proxies that have none of their own or none that fit: the driver asks, and takes endpoints that are not well out of what the proxy gets.
 *
 * State, for each endpoint of each backend that is to be checked: whether it is well (unknown before its first check), how many checks in a row said the
 * opposite, and either a check under way or a timer for the next. The first check decides alone; later it takes as many in a row as the
 * thresholds say. Endpoints that stay keep their state, also when the settings of their backend change.
 */
import type { Backend, Endpoint, HealthCheck, ModelChanges } from "../model/index.ts";
import { CheckTls, type KnownCertificate } from "./check-tls.ts";
import { probe, type Probe } from "./health-probe.ts";

export interface HealthChecksOptions {
  /** For TLS. Asked for each check, so certificates may change. */
  readonly certificateOf: (key: string) => KnownCertificate | undefined;
  /** Other endpoints of the backend are well than before. */
  readonly onChange: (key: string) => void;
}

interface CheckedBackend {
  backend: Backend;
  readonly endpoints: Map<string, CheckedEndpoint>;
}

interface CheckedEndpoint {
  readonly endpoint: Endpoint;
  isWell: boolean | undefined;
  /** Checks in a row that said otherwise. */
  against: number;
  stop: () => void;
}

export class HealthChecks {
  readonly #options: HealthChecksOptions;
  readonly #tls: CheckTls;
  readonly #checked = new Map<string, CheckedBackend>();
  readonly #endpoints = new Map<string, readonly Endpoint[]>();
  /** How many endpoints have not been checked yet. */
  #unknown = 0;
  #settling: (() => void)[] = [];

  constructor(options: HealthChecksOptions) {
    this.#options = options;
    this.#tls = new CheckTls(options.certificateOf);
  }

  /** What of the model there is to check. */
  change({ backends, endpoints }: Pick<ModelChanges, "backends" | "endpoints">): void {
    for (const [key, backend] of backends) {
      if (backend) this.setBackend(backend);
      else this.deleteBackend(key);
    }
    for (const [key, set] of endpoints) this.setEndpoints(key, set?.endpoints ?? []);
  }

  /** Backends without a check are left alone. */
  setBackend(backend: Backend): void {
    if (!backend.healthCheck || backend.protocol === "udp") {
      this.#forget(backend.key);
      return;
    }
    const known = this.#checked.get(backend.key);
    if (known) {
      known.backend = backend;
      for (const checked of known.endpoints.values()) this.#checkNow(known, checked);
      return;
    }
    this.#checked.set(backend.key, { backend, endpoints: new Map() });
    this.#follow(backend.key);
  }

  deleteBackend(key: string): void {
    this.#forget(key);
    this.#tls.forget(key);
  }

  setEndpoints(key: string, endpoints: readonly Endpoint[]): void {
    if (endpoints.length > 0) this.#endpoints.set(key, endpoints);
    else this.#endpoints.delete(key);
    this.#follow(key);
  }

  /** Those that may get traffic: all, if the backend is not checked. */
  wellOf(key: string, endpoints: readonly Endpoint[]): readonly Endpoint[] {
    const known = this.#checked.get(key);
    if (!known) return endpoints;
    return endpoints.filter((endpoint) => known.endpoints.get(nameOf(endpoint))?.isWell === true);
  }

  /** Resolves when every endpoint has been checked once, or after so many ms. */
  async settled(patience: number): Promise<void> {
    if (this.#unknown === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patience);
      this.#settling.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  stop(): void {
    for (const key of this.#checked.keys()) this.#forget(key);
    this.#endpoints.clear();
    this.#tellSettled();
  }

  #tellSettled(): void {
    if (this.#unknown > 0) return;
    for (const tell of this.#settling.splice(0)) tell();
  }

  #forget(key: string): void {
    for (const checked of this.#checked.get(key)?.endpoints.values() ?? []) this.#drop(checked);
    this.#checked.delete(key);
    this.#tellSettled();
  }

  /** The endpoints that are checked become those that the backend has. */
  #follow(key: string): void {
    const known = this.#checked.get(key);
    if (!known) return;
    const wanted = new Map((this.#endpoints.get(key) ?? []).map((endpoint) => [nameOf(endpoint), endpoint]));
    for (const [name, checked] of known.endpoints) {
      if (wanted.has(name)) continue;
      this.#drop(checked);
      known.endpoints.delete(name);
    }
    for (const [name, endpoint] of wanted) {
      if (known.endpoints.has(name)) continue;
      const checked: CheckedEndpoint = { endpoint, isWell: undefined, against: 0, stop: () => {} };
      known.endpoints.set(name, checked);
      this.#unknown++;
      this.#checkNow(known, checked);
    }
    this.#tellSettled();
  }

  #drop(checked: CheckedEndpoint): void {
    checked.stop();
    if (checked.isWell === undefined) this.#unknown--;
  }

  #checkNow(known: CheckedBackend, checked: CheckedEndpoint): void {
    checked.stop();
    const { backend } = known;
    const check = backend.healthCheck!;
    const { endpoint } = checked;
    const given: Probe = {
      backend,
      check,
      endpoint,
      tls: backend.tls ? (this.#tls.optionsFor(backend) ?? "nobody is trusted") : undefined,
    };
    const running = probe(given, (isWell) => {
      const timer = setTimeout(() => this.#checkNow(known, checked), check.interval);
      timer.unref();
      checked.stop = () => clearTimeout(timer);
      const wasUnknown = checked.isWell === undefined;
      if (learn(checked, check, isWell)) {
        if (wasUnknown) this.#unknown--;
        this.#options.onChange(backend.key);
        this.#tellSettled();
      }
    });
    checked.stop = () => running.cancel();
  }
}

/** True: what is known of the endpoint is different now. */
function learn(
  checked: Pick<CheckedEndpoint, "isWell" | "against">,
  { healthyThreshold, unhealthyThreshold }: HealthCheck,
  isWell: boolean,
): boolean {
  if (checked.isWell === isWell) {
    checked.against = 0;
    return false;
  }
  checked.against++;
  const needed = checked.isWell === undefined ? 1 : isWell ? healthyThreshold : unhealthyThreshold;
  if (checked.against < needed) return false;
  checked.isWell = isWell;
  checked.against = 0;
  return true;
}

function nameOf({ address, port }: Endpoint): string {
  return `${address}|${port}`;
}
