/**
 * What a place where names are published has to be able to do. A provider knows record sets and zones; who owns a name, what a
 * Gateway asks for and when to try again is decided before it (`publisher.ts`).
 */

export interface DnsProvider {
  readonly name: string;
  /** Record sets that one call of `change` may hold; the caller cuts its changes accordingly. */
  readonly maxChanges: number;
  /**
   * What stands at these names now, the TXT sets of ownership included. Names are as in `RecordSet`. Names that do not
   * exist are left out.
   */
  look(zone: DnsZone, names: readonly string[]): Promise<readonly RecordSet[]>;
  /**
   * Brings the changes into force, in their order where the service knows an order, all or none where it knows transactions. To put a set
   * that stands already, or to remove one that is gone, is no error. Rejects with a `DnsError`.
   */
  change(zone: DnsZone, changes: readonly RecordSetChange[]): Promise<void>;
  /**
   * Where the service makes aliases of load balancers (AWS): the zone of the one that has this name, or undefined if it is none of the service's. It
   * becomes the `targetZone` of what is put, and is remembered, since the load balancer may be gone when the record is removed.
   */
  targetZone?(target: string): Promise<string | undefined>;
  /** Ends connections. */
  stop(): Promise<void>;
}

/** A zone as the platform names it: by id, or by tags that lead to one (AWS). */
export interface DnsZone {
  readonly id?: string;
  readonly tags?: Readonly<Record<string, string>>;
}

export interface RecordSet {
  /** Lower-case, in ASCII form, without a dot at the end; `*.` for a wildcard. */
  readonly name: string;
  readonly type: "A" | "AAAA" | "CNAME" | "TXT";
  /** Seconds. */
  readonly ttl: number;
  /** Addresses, one name without a dot at the end, or texts without quotes. */
  readonly values: readonly string[];
  /** Zone of the load balancer that the one value of a CNAME names, where the service makes an alias of it (AWS). */
  readonly targetZone?: string;
}

export interface RecordSetChange {
  readonly type: "put" | "remove";
  readonly set: RecordSet;
  /**
   * What `look` has found under this name and type, `null` for nothing. A service that knows conditions changes nothing if it is no longer so, and the error
   * says `isStale`; others go by the look alone. Absent: whatever stands there.
   */
  readonly found?: RecordSet | null;
}

/**
 * `retryAfter`: ms, if the service says so. `isThrottled`: asked too often. `isDenied`: the credentials are wrong or may not do this.
 * `isStale`: something stands there that was not found before.
 */
export class DnsError extends Error {
  readonly code = "DNS_PROVIDER";
  readonly isThrottled: boolean;
  readonly isDenied: boolean;
  readonly isStale: boolean;
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    { isThrottled = false, isDenied = false, isStale = false, retryAfter, cause }: DnsErrorDetails = {},
  ) {
    super(message, { cause });
    this.name = "DnsError";
    this.isThrottled = isThrottled;
    this.isDenied = isDenied;
    this.isStale = isStale;
    this.retryAfter = retryAfter;
  }
}

interface DnsErrorDetails {
  readonly isThrottled?: boolean;
  readonly isDenied?: boolean;
  readonly isStale?: boolean;
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** A provider's folder has one of these as its `index.ts`; it is loaded when the provider is chosen, and its SDK with it. */
export interface DnsProviderModule {
  /** `credentials`: the data of the Secret, decoded. `settings`: what the platform says of the cloud (region, project, server). */
  createProvider(given: DnsProviderInputs): DnsProvider;
}

export interface DnsProviderInputs {
  readonly credentials: ReadonlyMap<string, string>;
  readonly settings: Readonly<Record<string, string>>;
}
