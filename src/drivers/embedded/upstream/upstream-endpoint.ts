import type { Endpoint } from "../../../model/index.ts";
import type { ConnectOptions } from "./connector.ts";
import { Http1Pool, type PoolObserver, type PoolOptions } from "./http1-pool.ts";
import { Http2Pool } from "./http2-pool.ts";
import type { UpstreamCall, UpstreamHandler, UpstreamLimits, UpstreamRequest } from "./upstream-call.ts";

/** One address of a backend, with its connections. */
export class UpstreamEndpoint implements PoolObserver {
  readonly address: string;
  readonly port: number;
  /** `address:port`, IPv6 in brackets: what logs show. */
  readonly name: string;
  readonly #limits: UpstreamLimits;
  readonly #pool: PoolOptions;
  readonly #onConnections: (change: 1 | -1) => void;
  #http1: Http1Pool | undefined;
  #http2: Http2Pool | undefined;
  #unreachableUntil = 0;
  /** Requests under way. */
  active = 0;
  /** Not one of the backend's any more. */
  retired = false;

  constructor(
    endpoint: Endpoint,
    options: {
      readonly tls: ConnectOptions["tls"];
      readonly limits: UpstreamLimits;
      readonly onConnections: (change: 1 | -1) => void;
    },
  ) {
    this.address = endpoint.address;
    this.port = endpoint.port;
    this.name = endpointName(endpoint);
    this.#limits = options.limits;
    this.#onConnections = options.onConnections;
    this.#pool = {
      target: {
        address: endpoint.address,
        port: endpoint.port,
        timeout: options.limits.connectTimeout,
        tls: options.tls,
      },
      limits: options.limits,
      observer: this,
    };
  }

  get connections(): number {
    return (this.#http1?.connections ?? 0) + (this.#http2?.connections ?? 0);
  }

  /** False for a moment after a connection could not be opened. */
  isReachable(now: number): boolean {
    return now >= this.#unreachableUntil;
  }

  call(request: UpstreamRequest, handler: UpstreamHandler, protocol: "http/1.1" | "h2"): UpstreamCall {
    if (protocol === "h2") return (this.#http2 ??= new Http2Pool(this.#pool)).call(request, handler);
    return (this.#http1 ??= new Http1Pool(this.#pool)).call(request, handler);
  }

  /** Calls under way go on to their end; then its connections close. */
  retire(): void {
    this.retired = true;
    this.#http1?.retire();
    this.#http2?.retire();
  }

  onConnected(): void {
    this.#unreachableUntil = 0;
  }

  onUnreachable(): void {
    this.#unreachableUntil = Date.now() + this.#limits.unreachableFor;
  }

  onConnections(change: 1 | -1): void {
    this.#onConnections(change);
  }
}

export function endpointName({ address, port }: Endpoint): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}
