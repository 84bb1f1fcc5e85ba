import type { WeightedBackend } from "./backend.ts";
import type { RouteRule } from "./object-name.ts";

/**
 * A port that a Gateway's proxy opens: one per Gateway, port number and transport. The API's listeners
 * that share the port are told apart by their hostnames, in `ServerName` and `VirtualHost` items.
 */
export interface Listener {
  /** `<gateway namespace>/<gateway name>/<tcp or udp>/<port>` */
  readonly key: string;
  /** `<namespace>/<name>` of the Gateway. */
  readonly gateway: string;
  /** What clients connect to. */
  readonly port: number;
  /** Where the proxy binds it, if elsewhere: something before the proxy maps the one to the other. */
  readonly bindPort?: number;
  readonly transport: "tcp" | "udp";
  /**
   * What the first bytes mean. `http`: requests at once, HTTP/1.1 or HTTP/2 with prior knowledge.
   * `tls`: a ClientHello, whose server name picks a `ServerName`. `tcp`, `udp`: a `StreamRoute` takes all.
   */
  readonly protocol: "http" | "tls" | "tcp" | "udp";
  /** IP addresses that the Gateway asks for. Empty: all that the proxy has. */
  readonly addresses: readonly string[];
  /** Client certificates asked of whoever connects to a terminated server name of this port. */
  readonly clientValidation?: ClientValidation;
}

export interface ClientValidation {
  /** `Certificate` keys whose certificates are the trusted CAs. Empty: nobody can be valid. */
  readonly trusted: readonly string[];
  /** `require`: the handshake fails without a valid certificate. `allow-insecure`: asked for, never insisted on. */
  readonly mode: "require" | "allow-insecure";
}

/**
 * What happens to a TLS connection with this server name. Lookup: exact name, then the longest
 * wildcard (`*.example.com` stands for one or more labels), then `*`, which also takes connections without a name.
 * No entry: the connection is reset.
 */
export interface ServerName {
  /** `<listener key>|<hostname>` */
  readonly key: string;
  readonly listener: string;
  readonly hostname: string;
  /** The API listener that owns the name: `<Kind>/<namespace>/<name>/<section>`. */
  readonly section: string;
  readonly action: ServerNameAction;
}

export type ServerNameAction =
  /** Terminate, then serve HTTP by the listener's virtual hosts. */
  | { readonly type: "http"; readonly certificates: readonly string[] }
  /** Terminate, then copy bytes to a backend. */
  | {
      readonly type: "terminate";
      readonly certificates: readonly string[];
      readonly route: RouteRule | undefined;
      readonly backends: readonly WeightedBackend[];
    }
  /** Copy bytes to a backend without looking into them. */
  | {
      readonly type: "passthrough";
      readonly route: RouteRule | undefined;
      readonly backends: readonly WeightedBackend[];
    };

/** Where the connections (TCP) or sessions (UDP) of a `tcp` or `udp` listener go. No entry: they are refused. */
export interface StreamRoute {
  /** The listener's key. */
  readonly key: string;
  readonly listener: string;
  readonly section: string;
  readonly route: RouteRule;
  readonly backends: readonly WeightedBackend[];
}
