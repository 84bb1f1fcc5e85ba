/*
 * The access log in the form that all drivers share. HAProxy writes a line of JSON for each request, values escaped by its own
 * converter; what it knows only by identifiers (listener, Gateway, backend) gets its name here.
 */
import { line, type Line } from "./config/configuration-text.ts";

const text = (expression: string): string => `"%[${expression},json(utf8s)]"`;

/** Names are HAProxy's or ours; see `readLogLine`. */
const fields = [
  `"route":${text("var(txn.gw_route)")}`,
  `"rule":${text("var(txn.gw_rule)")}`,
  `"method":${text("capture.req.method")}`,
  `"host":${text("var(txn.gw_host)")}`,
  `"path":${text("var(txn.gw_path)")}`,
  `"target":${text("capture.req.uri")}`,
  `"version":${text("var(txn.gw_version)")}`,
  `"status":%ST`,
  `"in":%U`,
  `"out":%B`,
  `"bodyIn":"%[var(txn.gw_in)]"`,
  `"bodyOut":"%[var(txn.gw_out)]"`,
  `"ms":%Ta`,
  `"section":${text("var(txn.gw_target)")}`,
  `"server":${text("var(txn.gw_endpoint)")}`,
  `"client":"%ci"`,
  `"id":${text("var(txn.gw_id)")}`,
].join(",");

/** For a frontend that clients speak HTTP to, by the identifier of its listener. */
export function logLines(listener: string): readonly Line[] {
  return [
    line`http-request set-var(txn.gw_version) req.ver`,
    // Of a body that does not say how long it is, only that is known which has come by now.
    line`http-request set-var(txn.gw_in) req.body_size unless { req.hdr(transfer-encoding) -m found }`,
    line`http-after-response set-var(txn.gw_out) res.hdr(content-length) if { res.hdr(content-length) -m found }`,
    line`log-format ${`{"listener":"${listener}",${fields}}`}`,
  ];
}

export interface LogNames {
  /** By its identifier. */
  readonly listenerOf: (identifier: string) => { readonly key: string; readonly gateway: string } | undefined;
  /** The model's key of a section. */
  readonly backendOf: (section: string) => string | undefined;
}

interface LogLine {
  readonly listener: string;
  readonly route: string;
  readonly rule: string;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly target: string;
  readonly version: string;
  readonly status: number;
  readonly in: number;
  readonly out: number;
  readonly bodyIn: string;
  readonly bodyOut: string;
  readonly ms: number;
  readonly section: string;
  readonly server: string;
  readonly client: string;
  readonly id: string;
}

/** The record of a request, or nothing if the line is none. */
export function readLogLine(text: string, names: LogNames, now: number): object | undefined {
  let given: LogLine;
  try {
    // What there is not is written as a dash.
    given = JSON.parse(text, (_, value: unknown) => (value === "-" ? "" : value)) as LogLine;
  } catch {
    return undefined;
  }
  const listener = names.listenerOf(given.listener);
  if (!listener) return undefined;
  const durationMs = Math.max(0, given.ms);
  const backend = given.section === "" ? undefined : names.backendOf(given.section);
  return {
    time: new Date(now - durationMs).toISOString(),
    gateway: listener.gateway,
    listener: listener.key,
    ...(given.route === "" ? {} : { route: given.route, rule: given.rule }),
    method: given.method,
    host: given.host,
    path: given.path === "" ? (given.target.split("?")[0] ?? "") : given.path,
    protocol: given.version === "" ? "" : `HTTP/${given.version === "2.0" ? "2" : given.version}`,
    status: Math.max(0, given.status),
    bytesIn: bodyBytes(given.bodyIn, given.in),
    bytesOut: given.method === "HEAD" || given.status === 304 ? 0 : bodyBytes(given.bodyOut, given.out),
    durationMs,
    ...(backend === undefined ? {} : { backend }),
    ...(given.server === "" ? {} : { endpoint: endpointOf(given.server) }),
    clientAddress: given.client.replace(/^::ffff:/, ""),
    ...(given.id === "" ? {} : { requestId: given.id }),
  };
}

/** As long as the body says that it is, if so much has come. HAProxy itself counts heads and bodies together. */
function bodyBytes(declared: string, all: number): number {
  return declared === "" ? all : Math.min(Number(declared), all);
}

/** A server's name is its address and port. */
function endpointOf(server: string): string {
  const at = server.lastIndexOf("_");
  const address = server.slice(0, at).replaceAll("_", ":");
  return `${address.includes(":") ? `[${address}]` : address}:${server.slice(at + 1)}`;
}
