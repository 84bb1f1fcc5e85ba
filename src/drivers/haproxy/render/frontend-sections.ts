/* The sections that clients meet. */
import { isIP } from "node:net";
import type { BoundAddress } from "../../driver.ts";
import { logLines } from "../access-log.ts";
import { line, type Line, type Section } from "../config/configuration-text.ts";

/** What routing needs to know of where a request came in. */
export interface Entrance {
  /** Identifier of the listener. */
  readonly listener: string;
  readonly scheme: "http" | "https";
  /** Identifier of the section that a TLS connection belongs to. */
  readonly section?: string;
  /** By which clients reach it. */
  readonly port: number;
  /** Of the Gateway's ports, those that are served on another. */
  readonly mappedPorts: ReadonlyMap<number, number>;
  /** Whether requests are logged. */
  readonly logs: boolean;
}

export function httpFrontend(name: string, binds: readonly Line[], entrance: Entrance): Section {
  return { keyword: "frontend", name, lines: [line`mode http`, ...binds, ...httpLines(entrance)] };
}

/** HAProxy lets other names pass where it is told to be lenient. */
const badName = "[^!#$%&'*+.^_`|~0-9A-Za-z:-]";
/** Control characters in a value; the lines themselves end with CR LF. */
const badValue = String.raw`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)`;
/** Blanks around a value: HTTP/1.1 has lost them by now, HTTP/2 must have none (RFC 9113 8.2.1). Whoever reads the value next would trim them. */
const blankAround = String.raw`(?:^|\n):?[^:\r\n]+: (?:[ \t]|[^\r\n]*[ \t]\r)`;

/** Answers that HAProxy passes on, but others end elsewhere or refuse to read: 502. */
export const malformedAnswerLines: readonly Line[] = [
  line`http-response deny deny_status 502 if { status lt 100 } or { status gt 999 }`,
  line`http-response deny deny_status 502 if { res.hdrs -m reg ${badValue} }`,
  line`http-response deny deny_status 502 if { res.ver 1.0 } { res.hdr(transfer-encoding) -m found }`,
];

/** What means something to the gateway alone, or is the client's word about itself, goes; then Lua decides. */
function httpLines({ listener, scheme, section, port, mappedPorts, logs }: Entrance): readonly Line[] {
  const mapped = [...mappedPorts].map(([from, to]) => `${from}=${to}`).join(",");
  return [
    // Lenient, because HAProxy would refuse a Host that is not that of an absolute target. What else passes is refused here and by Lua.
    line`option accept-invalid-http-request`,
    ...(logs ? logLines(listener) : []),
    // Other protocols and versions would reach the backend as they came. HAProxy knows 1.1 only of HTTP; of 1.0 it does not look at the name.
    line`http-request deny deny_status 400 unless { req.ver 1.0 1.1 2.0 }`,
    line`http-request deny deny_status 400 if { req.ver 1.1 } !{ capture.req.ver HTTP/1.1 }`,
    line`http-request set-var(txn.gw_chunked) bool(true) if { req.hdr(transfer-encoding) -m found }`,
    line`http-request deny deny_status 400 if { var(txn.gw_chunked) -m bool } { req.ver 1.0 }`,
    line`http-request deny deny_status 400 if { req.fhdr_cnt(transfer-encoding) gt 1 }`,
    line`http-request deny deny_status 501 if { var(txn.gw_chunked) -m bool } !{ req.fhdr(transfer-encoding) -i -m str chunked }`,
    line`http-request deny deny_status 400 if { req.hdr_names(:) -m reg ${badName} }`,
    line`http-request deny deny_status 400 if { req.hdrs -m reg ${badValue} }`,
    line`http-request deny deny_status 400 if { req.ver 2.0 } { req.hdrs -m reg ${blankAround} }`,
    // HAProxy takes HTTP/2 whatever was agreed on.
    ...(scheme === "https"
      ? [line`http-request deny deny_status 400 if { ssl_fc_alpn http/1.1 } { req.ver 2.0 }`]
      : []),
    line`http-request del-header gatewright- -m beg`,
    line`http-request del-header x-forwarded-client-cert`,
    line`http-request del-header proxy-connection`,
    line`http-request del-header keep-alive`,
    // A backend that took up another protocol, HTTP/2 above all, would speak it past the rules.
    line`http-request del-header upgrade unless { req.hdr(upgrade) -i -m str websocket }`,
    line`http-request set-header upgrade websocket if { req.hdr(upgrade) -m found }`,
    line`http-request del-header http2-settings`,
    line`http-request lua.gatewright_route ${listener} ${scheme} ${section ?? "-"} ${String(port)} ${mapped || "-"}`,
    ...["short", "middle", "long"].map(
      (kind) =>
        line`http-request track-sc1 ${`var(txn.gw_limit_${kind})`} table ${`gatewright-limits-${kind}`} if { ${`var(txn.gw_limit_${kind})`} -m found }`,
    ),
    line`http-request lua.gatewright_limited if { var(txn.gw_limited) -m bool }`,
    line`http-request wait-for-body time 10s if { var(txn.gw_body) -m bool }`,
    line`http-request lua.gatewright_with_body if { var(txn.gw_body) -m bool }`,
    line`http-request disable-l7-retry if !{ method GET HEAD OPTIONS PUT DELETE } !{ var(txn.gw_retries) -m bool }`,
    ...malformedAnswerLines,
    line`http-response del-header keep-alive`,
    line`http-response del-header proxy-connection`,
    line`http-response lua.gatewright_drop_named if { res.hdr(connection) -m found }`,
    line`http-response lua.gatewright_respond if { var(txn.gw_respond) -m bool }`,
    line`http-response set-var(txn.gw_endpoint) srv_name`,
    line`http-response set-var(txn.gw_endpoint) res.hdr(gatewright-server) if { var(txn.gw_retries) -m bool } { res.hdr(gatewright-server) -m found }`,
    line`http-response del-header gatewright- -m beg`,
    // HAProxy reads a folded line as one; others end such a request elsewhere. So nothing follows it.
    line`http-after-response set-header connection close if { var(txn.gw_chunked) -m bool }`,
    line`use_backend %[var(txn.gw_backend)]`,
  ];
}

export function bindLines(bound: readonly BoundAddress[], ...words: readonly string[]): readonly Line[] {
  return bound.map(({ address, port }) => ["bind", bindAddress(address, port), ...words]);
}

function bindAddress(address: string, port: number): string {
  if (address === "::") return `:::${port}`;
  return isIP(address) === 6 ? `ipv6@[${address}]:${port}` : `ipv4@${address}:${port}`;
}

/** All connections to where Lua says. */
export function tcpFrontend(name: string, binds: readonly Line[], listener: string): Section {
  const choose = line`tcp-request content lua.gatewright_stream ${listener}`;
  return { keyword: "frontend", name, lines: [...tcpLines, ...binds, choose, ...rejectUnlessChosen] };
}

/** Looks at the ClientHello, which Lua sends on as it came. */
export function tlsFrontend(name: string, binds: readonly Line[], listener: string): Section {
  return {
    keyword: "frontend",
    name,
    lines: [
      ...tcpLines,
      ...binds,
      line`tcp-request inspect-delay 10s`,
      line`tcp-request content reject unless { req.ssl_hello_type 1 }`,
      line`tcp-request content lua.gatewright_server_name ${listener}`,
      ...rejectUnlessChosen,
    ],
  };
}

/** Streams may be silent for long, and are counted, not logged. */
const tcpLines: readonly Line[] = [line`mode tcp`, line`no log`, line`timeout client 1h`];

const rejectUnlessChosen: readonly Line[] = [
  line`tcp-request content reject unless { var(txn.gw_backend) -m found }`,
  line`use_backend %[var(txn.gw_backend)]`,
];
