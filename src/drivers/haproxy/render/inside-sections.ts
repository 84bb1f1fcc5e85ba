/*
 * Sections that only the gateway itself meets: requests of its own (copies, questions to authorization servers) and each try of
 * a request that may be tried again. Their socket is in a folder for this user alone, so the headers by which they are
 * told what to do are nobody else's.
 */
import { retryName, type RetryVariant } from "../backend-variant.ts";
import type { Line, Section } from "../config/configuration-text.ts";

const found = (expression: string): readonly string[] => ["{", expression, "-m", "found", "}"];
const isTrue = (variable: string): readonly string[] => ["{", `var(txn.${variable})`, "-m", "bool", "}"];

const tries = "gatewright-tries";

export function insideSections(folder: string): readonly Section[] {
  return [
    {
      keyword: "backend",
      name: tries,
      lines: [
        ["stick-table", "type", "string", "len", "40", "size", "100k", "expire", "10m", "store", "gpc0"],
      ],
    },
    {
      keyword: "frontend",
      name: "gatewright-inside",
      lines: [
        ["mode", "http"],
        ["bind", `unix@${folder}/inside`, "mode", "600"],
        ["no", "log"],
        ["http-request", "set-var(txn.gw_backend)", "req.hdr(gatewright-backend)"],
        [
          "http-request",
          "set-var(txn.gw_server)",
          "req.hdr(gatewright-server)",
          "if",
          ...found("req.hdr(gatewright-server)"),
        ],
        [
          "http-request",
          "track-sc0",
          "req.hdr(gatewright-id)",
          "table",
          tries,
          "if",
          ...found("req.hdr(gatewright-id)"),
        ],
        ["http-request", "sc-inc-gpc0(0)", "if", ...found("req.hdr(gatewright-id)")],
        ["http-request", "lua.gatewright_try", "if", ...found("req.hdr(gatewright-retry)")],
        ["http-request", "del-header", "gatewright-", "-m", "beg"],
        ["http-response", "set-var(txn.gw_answered)", "bool(true)"],
        ["http-response", "set-header", "gatewright-server", "%[srv_name]", "if", ...isTrue("gw_tried")],
        ["http-response", "lua.gatewright_judge", "if", ...isTrue("gw_left")],
        ...answerLines,
        ["use_backend", "%[var(txn.gw_backend)]"],
      ],
    },
  ];
}

/** 425 means another try; one that is the backend's own must not be taken for it. */
const answerLines: readonly Line[] = [
  [
    "http-after-response",
    "set-var(txn.gw_again)",
    "bool(true)",
    "if",
    ...isTrue("gw_left"),
    "!",
    ...isTrue("gw_answered"),
  ],
  [
    "http-after-response",
    "set-header",
    "gatewright-status",
    "%[status]",
    "if",
    ...isTrue("gw_tried"),
    "{",
    "status",
    "425",
    "}",
  ],
  [
    "http-after-response",
    "set-status",
    "599",
    "if",
    ...isTrue("gw_tried"),
    "{",
    "status",
    "425",
    "}",
    "!",
    ...isTrue("gw_again"),
  ],
  ["http-after-response", "set-header", "gatewright-status", "%[status]", "if", ...isTrue("gw_again")],
  ["http-after-response", "set-status", "425", "if", ...isTrue("gw_again")],
];

export function retrySection(variant: RetryVariant, folder: string): Section {
  return {
    keyword: "backend",
    name: retryName(variant),
    lines: [
      ["mode", "http"],
      ...(variant.watched ? [["filter", "lua.gatewright_watch"]] : []),
      ["retries", String(variant.attempts)],
      ["retry-on", "425"],
      ["http-request", "set-timeout", "server", "var(txn.gw_timeout)", "if", ...found("var(txn.gw_timeout)")],
      ["http-response", "lua.gatewright_restore", "if", ...found("res.hdr(gatewright-status)")],
      ["server", "inside", `unix@${folder}/inside`],
    ],
  };
}
