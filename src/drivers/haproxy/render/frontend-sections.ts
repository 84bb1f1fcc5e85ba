/* The sections that clients meet. */
import { isIP } from "node:net";
import type { BoundAddress } from "../../driver.ts";
import type { Line, Section } from "../config/configuration-text.ts";

const idempotent = ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"];

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
}

const isTrue = (variable: string): readonly string[] => ["{", `var(txn.${variable})`, "-m", "bool", "}"];

export function httpFrontend(name: string, binds: readonly Line[], entrance: Entrance): Section {
  return { keyword: "frontend", name, lines: [["mode", "http"], ...binds, ...httpLines(entrance)] };
}

/** The client's own words about itself go, or are added to; then Lua decides. */
function httpLines({ listener, scheme, section, port, mappedPorts }: Entrance): readonly Line[] {
  const mapped = [...mappedPorts].map(([from, to]) => `${from}=${to}`).join(",");
  return [
    // Names that HAProxy lets pass only because of the option below.
    ["option", "accept-invalid-http-request"],
    [
      "http-request",
      "deny",
      "deny_status",
      "400",
      "if",
      "{",
      "req.hdr_names(:)",
      "-m",
      "reg",
      "[^]!#$%&'*+.^_`|~0-9A-Za-z:-]|[]]",
      "}",
    ],
    ["http-request", "del-header", "gatewright-", "-m", "beg"],
    ["http-request", "del-header", "x-forwarded-client-cert"],
    ["http-request", "del-header", "proxy-connection"],
    ["http-request", "del-header", "keep-alive"],
    ["http-request", "del-header", "http2-settings"],
    [
      "http-request",
      "set-var(txn.gw_chunked)",
      "bool(true)",
      "if",
      "{",
      "req.hdr(transfer-encoding)",
      "-m",
      "found",
      "}",
    ],
    ["http-request", "lua.gatewright_route", listener, scheme, section ?? "-", String(port), mapped || "-"],
    ["http-request", "wait-for-body", "time", "10s", "if", ...isTrue("gw_body")],
    ["http-request", "lua.gatewright_with_body", "if", ...isTrue("gw_body")],
    [
      "http-request",
      "disable-l7-retry",
      "if",
      "!",
      "{",
      "method",
      ...idempotent,
      "}",
      "!",
      ...isTrue("gw_retries"),
    ],
    ["http-response", "del-header", "keep-alive"],
    ["http-response", "lua.gatewright_respond", "if", ...isTrue("gw_respond")],
    ["http-response", "del-header", "gatewright-", "-m", "beg"],
    // HAProxy reads folded lines as one; others end such a request elsewhere. So nothing follows it.
    ["http-after-response", "set-header", "connection", "close", "if", ...isTrue("gw_chunked")],
    ["use_backend", "%[var(txn.gw_backend)]"],
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
  return {
    keyword: "frontend",
    name,
    lines: [
      ["mode", "tcp"],
      ...binds,
      ["tcp-request", "content", "lua.gatewright_stream", listener],
      ...rejectUnlessChosen,
    ],
  };
}

/** Looks at the ClientHello, which Lua sends on as it came. */
export function tlsFrontend(name: string, binds: readonly Line[], listener: string): Section {
  const isHello = ["{", "req.ssl_hello_type", "1", "}"];
  return {
    keyword: "frontend",
    name,
    lines: [
      ["mode", "tcp"],
      ...binds,
      ["tcp-request", "inspect-delay", "10s"],
      ["tcp-request", "content", "reject", "unless", ...isHello],
      ["tcp-request", "content", "lua.gatewright_server_name", listener],
      ...rejectUnlessChosen,
    ],
  };
}

const rejectUnlessChosen: readonly Line[] = [
  ["tcp-request", "content", "reject", "unless", "{", "var(txn.gw_backend)", "-m", "found", "}"],
  ["use_backend", "%[var(txn.gw_backend)]"],
];
