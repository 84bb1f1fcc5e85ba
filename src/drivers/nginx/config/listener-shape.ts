import type { Listener } from "../../../model/index.ts";
import type { Profile } from "./profile.ts";

/** All that the configuration of a listener's NGINX depends on. Two equal shapes need no new configuration. */
export interface ListenerShape {
  readonly protocol: Listener["protocol"];
  /** `address:port` pairs; none while a listener that was removed is drained. */
  readonly listens: readonly string[];
  readonly listenerId: string;
  /** Its own: pid and temporary files. */
  readonly folder: string;
  /** Of NGINX's sockets; short, because the names of sockets are. */
  readonly sockets: string;
  /** What the scripts read. */
  readonly dataFolder: string;
  readonly scripts: string;
  readonly modules: string;
  /** Workers run as this user; absent: as who started NGINX. */
  readonly user: string | undefined;
  readonly workers: number;
  readonly workerConnections: number;
  readonly maxOpenFiles: number;
  readonly slots: number;
  /** By name, so that nothing is there twice. */
  readonly profiles: ReadonlyMap<string, Profile>;
  /** Kinds of backends that mirrors lead to, as `h`, `b`, `h3`; empty: no mirrors. */
  readonly mirrors: ReadonlySet<string>;
  /** Files with the trusted authorities of backends, by number. */
  readonly trusts: ReadonlyMap<number, string>;
  /** Names of headers that filters change on gRPC requests. */
  readonly headerNames: readonly string[];
  readonly clientValidation: ShapedValidation | undefined;
  /** Where records of requests go; absent: nowhere. */
  readonly accessLog: string | undefined;
  readonly generation: number;
}

/** `closed`: nobody can be valid, so nobody is served. */
export type ShapedValidation =
  { readonly mode: "require" | "allow-insecure"; readonly file: string } | { readonly mode: "closed" };
