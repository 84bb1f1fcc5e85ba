import type { Backend, BackendTls, Endpoint, EndpointSet } from "../../../model/index.ts";
import { HealthChecks } from "../../health-checks.ts";
import { Rotation } from "../balance.ts";
import { StreamBackend } from "../stream/stream-backend.ts";
import type { CertificateTable } from "../tls/certificate-table.ts";
import { createUpstreamBackend, type UpstreamBackend, type UpstreamTls } from "../upstream/index.ts";

/**
 * Backends and their endpoints, and the ways to reach them. Those are made when first used, because most backends serve
 * one kind of route, and made anew when the backend or a certificate that it refers to changes. What
 * was begun the old way ends the old way. Endpoints that are known not to be well are left out of both.
 */
export class BackendTable {
  readonly #certificates: CertificateTable;
  readonly #backends = new Map<string, Backend>();
  /** Of the endpoints that may get traffic. */
  readonly #endpoints = new Map<string, Rotation<Endpoint>>();
  /** All of them, where they are checked. */
  readonly #given = new Map<string, readonly Endpoint[]>();
  readonly #health: HealthChecks;
  readonly #streams = new Map<string, StreamBackend>();
  readonly #upstreams = new Map<string, UpstreamBackend>();
  readonly #byCertificate = new Map<string, Set<string>>();

  constructor(certificates: CertificateTable) {
    this.#certificates = certificates;
    this.#health = new HealthChecks({
      certificateOf: (key) => certificates.get(key),
      onChange: (key) => this.#share(key),
    });
  }

  /** Resolves when every endpoint that is checked was checked once, or after so many ms. */
  healthSettled(patience: number): Promise<void> {
    return this.#health.settled(patience);
  }

  get size(): number {
    return this.#backends.size;
  }

  /** How TCP connections and UDP sessions reach it. */
  stream(key: string): StreamBackend | undefined {
    return this.#make(this.#streams, key, (backend) => {
      const tls = this.#tlsOf(backend);
      return new StreamBackend({ endpoints: this.#rotationOf(key), ...(tls ? { tls } : {}) });
    });
  }

  /** How requests reach it. */
  upstream(key: string): UpstreamBackend | undefined {
    return this.#make(this.#upstreams, key, (backend) =>
      createUpstreamBackend({
        backend,
        endpoints: this.#rotationOf(key).values,
        tls: this.#tlsOf(backend),
      }),
    );
  }

  set(backend: Backend): void {
    this.#deleteItem(backend.key);
    this.#backends.set(backend.key, backend);
    this.#health.setBackend(backend);
    this.#share(backend.key);
    for (const certificate of certificatesOf(backend.tls)) {
      const users = this.#byCertificate.get(certificate) ?? new Set();
      this.#byCertificate.set(certificate, users.add(backend.key));
    }
  }

  delete(key: string): void {
    this.#deleteItem(key);
    this.#health.deleteBackend(key);
  }

  #deleteItem(key: string): void {
    const before = this.#backends.get(key);
    if (!before) return;
    this.#backends.delete(key);
    this.#forgetWays(key);
    for (const certificate of certificatesOf(before.tls)) {
      const users = this.#byCertificate.get(certificate);
      users?.delete(key);
      if (users?.size === 0) this.#byCertificate.delete(certificate);
    }
  }

  setEndpoints({ key, endpoints }: EndpointSet): void {
    this.#given.set(key, endpoints);
    this.#health.setEndpoints(key, endpoints);
    this.#share(key);
  }

  #share(key: string): void {
    const endpoints = this.#health.wellOf(key, this.#given.get(key) ?? []);
    this.#rotationOf(key).replace(endpoints);
    this.#upstreams.get(key)?.setEndpoints(endpoints);
  }

  deleteEndpoints(key: string): void {
    this.setEndpoints({ key, endpoints: [] });
    this.#given.delete(key);
    if (!this.#backends.has(key)) this.#endpoints.delete(key);
  }

  /** A certificate was replaced or withdrawn. */
  forgetCertificate(certificate: string): void {
    for (const key of this.#byCertificate.get(certificate) ?? []) this.#forgetWays(key);
  }

  close(): void {
    this.#health.stop();
    for (const key of this.#backends.keys()) this.#forgetWays(key);
  }

  #make<T>(made: Map<string, T>, key: string, make: (backend: Backend) => T): T | undefined {
    const known = made.get(key);
    if (known) return known;
    const backend = this.#backends.get(key);
    if (!backend) return undefined;
    try {
      const way = make(backend);
      made.set(key, way);
      return way;
    } catch {
      // TLS material was tried when it was applied; should it not go together after all, this backend fails, not the process.
      return undefined;
    }
  }

  #forgetWays(key: string): void {
    this.#streams.delete(key);
    this.#upstreams.get(key)?.close();
    this.#upstreams.delete(key);
  }

  #rotationOf(key: string): Rotation<Endpoint> {
    let rotation = this.#endpoints.get(key);
    if (!rotation) this.#endpoints.set(key, (rotation = new Rotation<Endpoint>([])));
    return rotation;
  }

  /** CAs that are missing are left out: none left means that no backend can be trusted, never that every one is. */
  #tlsOf({ tls }: Backend): UpstreamTls | undefined {
    if (!tls) return undefined;
    const { hostname, trusted, subjectAltNames, clientCertificate } = tls;
    const shown = clientCertificate === undefined ? undefined : this.#certificates.get(clientCertificate);
    return {
      ...(hostname !== undefined && { hostname }),
      subjectAltNames,
      trusted: trusted === "system" ? trusted : this.#certificates.all(trusted).map(({ chain }) => chain),
      ...(shown?.privateKey === undefined
        ? {}
        : { clientCertificate: { certificates: shown.chain, privateKey: shown.privateKey } }),
    };
  }
}

function certificatesOf(tls: BackendTls | undefined): string[] {
  if (!tls) return [];
  const { trusted, clientCertificate } = tls;
  return [
    ...(trusted === "system" ? [] : trusted),
    ...(clientCertificate === undefined ? [] : [clientCertificate]),
  ];
}
