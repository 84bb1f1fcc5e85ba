/* A backend of the model, in one of the ways it is used, as a section of HAProxy's configuration. */
import { isIP } from "node:net";
import type { Backend, Endpoint, LoadBalancing } from "../../../model/index.ts";
import { variantName, type BackendVariant } from "../backend-variant.ts";
import { line, type Line, type Section } from "../config/configuration-text.ts";

/** A server's line without its keyword and name: what `server` and the runtime command `add server` both take. */
export type ServerWords = readonly string[];

export interface TlsFiles {
  /** The file with the CAs, `@system-ca`, or nothing if nobody is trusted. */
  readonly authorities: string | undefined;
  readonly clientCertificate: string | undefined;
}

export interface RenderedBackend {
  readonly section: Section;
  /** By name. */
  readonly servers: ReadonlyMap<string, ServerWords>;
  /** What all servers have in common; a section with other settings is another section. */
  readonly settings: string;
  /** The same as words; nothing if the backend cannot be spoken to as it must be. */
  readonly words: ServerWords | undefined;
}

const hostnameForm = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?$/;

/** Rendered again only when something of it is new: most backends are the same from one change to the next. */
const rendered = new WeakMap<Backend, Map<string, Omit<RenderedBackend, "servers">>>();
const serversOf = new WeakMap<readonly Endpoint[], Map<string, ReadonlyMap<string, ServerWords>>>();

export function renderBackend(given: {
  readonly variant: BackendVariant;
  readonly backend: Backend;
  /** With addresses only. */
  readonly endpoints: readonly Endpoint[];
  readonly tls: TlsFiles | undefined;
  readonly errorFiles: string;
}): RenderedBackend {
  const { variant, backend, endpoints, tls, errorFiles } = given;
  const name = variantName(variant);
  const key = `${name} ${errorFiles} ${tls?.authorities} ${tls?.clientCertificate}`;
  const made = remembered(rendered, backend, key, () => {
    const words = serverSettings(variant, backend, tls);
    const section = { keyword: "backend", name, lines: backendLines(variant, errorFiles, backend) };
    return { section, words, settings: words ? words.join(" ") : "unusable" };
  });
  const servers = renderServers(endpoints, made.words);
  return { ...made, servers };
}

function remembered<K extends object, V>(
  cache: WeakMap<K, Map<string, V>>,
  owner: K,
  key: string,
  make: () => V,
): V {
  let values = cache.get(owner);
  if (!values) cache.set(owner, (values = new Map()));
  let value = values.get(key);
  if (value === undefined) values.set(key, (value = make()));
  return value;
}

/** The same list and settings give the same map: what is the same need not be compared. No settings: no servers. */
export function renderServers(
  endpoints: readonly Endpoint[],
  words: ServerWords | undefined,
): ReadonlyMap<string, ServerWords> {
  return remembered(serversOf, endpoints, words ? words.join(" ") : "unusable", () => {
    const servers = new Map<string, ServerWords>();
    for (const { address, port } of words ? endpoints : []) {
      if (isIP(address) !== 0)
        servers.set(serverName(address, port), [socketAddress(address, port), ...words!]);
    }
    return servers;
  });
}

type Kind = Pick<BackendVariant, "mode" | "watched">;

/** The same for all backends of a kind, except for those with settings that HAProxy has for sections only. */
export function backendLines(
  kind: Kind,
  errorFiles: string,
  { connectTimeout, loadBalancing }: Pick<Backend, "connectTimeout" | "loadBalancing"> = {},
): readonly Line[] {
  if (kind.mode === "tcp") return [...tcpLines, line`balance roundrobin`];
  return [
    ...httpLines(kind, errorFiles),
    ...(connectTimeout === undefined ? [] : [line`timeout connect ${`${Math.max(1, connectTimeout)}ms`}`]),
    line`balance ${balanceOf(loadBalancing)}`,
  ];
}

/** Hashes are the script's (lua/gatewright/hashing.lua); who has nothing to be hashed goes by turns. */
function balanceOf(loadBalancing: LoadBalancing | undefined): string {
  switch (loadBalancing?.type) {
    case "least-request":
      return "leastconn";
    case "random":
      return "random(1)";
    default:
      return "roundrobin";
  }
}

const tcpLines: readonly Line[] = [line`mode tcp`, line`timeout server 1h`, line`timeout tunnel 1h`];

function httpLines(variant: Kind, errorFiles: string): readonly Line[] {
  const grpcErrors = ["500", "502", "503", "504"].map(
    (status) => line`errorfile ${status} ${`${errorFiles}/grpc-${status}.http`}`,
  );
  return [
    line`mode http`,
    ...(variant.watched ? watchedLines(errorFiles) : []),
    ...(variant.mode === "grpc" ? grpcErrors : []),
    line`http-request set-timeout server var(txn.gw_timeout) if { var(txn.gw_timeout) -m found }`,
    line`use-server %[var(txn.gw_server)] if { var(txn.gw_server) -m found }`,
  ];
}

/**
 * The filter, and what its judgements become: a body that it breaks off, because it is too large or does not go on, would be answered like a malformed one.
 */
export function watchedLines(errorFiles: string): readonly Line[] {
  return [
    line`filter lua.gatewright_watch`,
    line`errorfile 400 ${`${errorFiles}/400-body.http`}`,
    line`http-request set-timeout tunnel var(txn.gw_idle) if { var(txn.gw_idle) -m found }`,
    line`http-response set-var(txn.gw_answered) bool(true)`,
    line`http-after-response set-status 413 if { var(txn.gw_too_large) -m bool } !{ var(txn.gw_answered) -m bool }`,
    line`http-after-response set-status 408 if { var(txn.gw_silent) -m bool } !{ var(txn.gw_answered) -m bool }`,
  ];
}

/** Nothing where the backend cannot be spoken to as it must be. */
function serverSettings(
  variant: BackendVariant,
  backend: Backend,
  files: TlsFiles | undefined,
): ServerWords | undefined {
  const { protocol, tls, idleTimeout } = backend;
  const isHttp = variant.mode !== "tcp";
  const idle = isHttp && idleTimeout !== undefined ? ["pool-purge-delay", `${idleTimeout}ms`] : [];
  if (!tls) {
    const speaksHttp2 = isHttp && (protocol === "h2c" || variant.mode === "grpc");
    return speaksHttp2 ? ["proto", "h2", ...idle] : idle;
  }
  const { hostname, subjectAltNames } = tls;
  if (files?.authorities === undefined || subjectAltNames.length > 0) return undefined;
  if (hostname !== undefined && !hostnameForm.test(hostname)) return undefined;
  const words = ["ssl", "verify", "required", "ca-file", files.authorities];
  // Without either of them, HAProxy looks at the chain alone.
  if (hostname !== undefined) words.push("sni", `str(${hostname})`, "verifyhost", hostname);
  if (isHttp) words.push("alpn", variant.mode === "grpc" ? "h2" : "h2,http/1.1");
  if (tls.clientCertificate !== undefined) {
    if (files.clientCertificate === undefined) return undefined;
    words.push("crt", files.clientCertificate);
  }
  return [...words, ...idle];
}

function socketAddress(address: string, port: number): string {
  return isIP(address) === 6 ? `ipv6@[${address}]:${port}` : `ipv4@${address}:${port}`;
}

function serverName(address: string, port: number): string {
  return `${address.replaceAll(":", "_")}_${port}`;
}
