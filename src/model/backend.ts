import type { HealthCheck } from "./health-check.ts";
import type { LoadBalancing } from "./load-balancing.ts";

/** A set of endpoints that are spoken to in one way. Its endpoints are an item of their own, so that they change alone. */
export interface Backend {
  /** `<Kind>/<namespace>/<name>/<port>`, with a suffix where settings differ by who uses it: TLS by Gateway, others by route. */
  readonly key: string;
  /** `http`: HTTP/1.1 (and Upgrade). `h2c`: HTTP/2 with prior knowledge. `grpc` is h2c too. With `tls`, HTTP/2 is by ALPN. */
  readonly protocol: "http" | "h2c" | "tcp" | "udp";
  readonly tls?: BackendTls;
  readonly retryBudget?: RetryBudget;
  /** ms until a connection for requests stands, TLS included; a longer wait counts as one that was refused. Absent: the proxy's default. */
  readonly connectTimeout?: number;
  /** ms after which a connection for requests that carries none is closed. Absent: the proxy's default. */
  readonly idleTimeout?: number;
  readonly loadBalancing?: LoadBalancing;
  readonly healthCheck?: HealthCheck;
}

export interface BackendTls {
  /**
   * SNI, and unless `subjectAltNames` is given the name that the certificate must carry. Absent: no SNI is sent, and without
   * `subjectAltNames` no name is asked for; who may speak for the backend is then whoever a trusted CA has signed.
   */
  readonly hostname?: string;
  /** `Certificate` keys of the CAs, or `system` for the machine's own roots. Empty: nothing is valid, all requests fail. */
  readonly trusted: readonly string[] | "system";
  /** One of these must be in the certificate; if empty, `hostname` must, where there is one. */
  readonly subjectAltNames: readonly SubjectAltName[];
  /** `Certificate` key that is shown to the backend. */
  readonly clientCertificate?: string;
}

export type SubjectAltName = { readonly type: "hostname" | "uri"; readonly value: string };

/** At most `percent` of the requests of the last `interval` ms may be retries, but `minRetries` per `minInterval` ms always. */
export interface RetryBudget {
  readonly percent: number;
  readonly interval: number;
  readonly minRetries: number;
  readonly minInterval: number;
}

export interface EndpointSet {
  /** The backend's key. */
  readonly key: string;
  readonly endpoints: readonly Endpoint[];
}

export interface Endpoint {
  /** An IP address, or a DNS name that the proxy resolves. */
  readonly address: string;
  readonly port: number;
  readonly zone?: string;
}

/**
 * A backend, or why there is none: requests that fall to it are answered with `status`. That is 500, and 503 for gRPC, which its
 * clients take for UNAVAILABLE.
 */
export type BackendTarget =
  | { readonly type: "backend"; readonly backend: string }
  | { readonly type: "error"; readonly status: 500 | 503; readonly reason: string };

export interface WeightedBackend {
  readonly weight: number;
  readonly target: BackendTarget;
}
