/*
 * Sections that only the gateway itself meets: requests of its own (copies, questions to authorization servers) and each try of
 * a request that may be tried again. Their socket is in a folder for this user alone, so the headers by which they are
 * told what to do are nobody else's.
 */
import { retryName, type RetryVariant } from "../backend-variant.ts";
import { line, type Line, type Section } from "../config/configuration-text.ts";
import { watchedLines } from "./backend-section.ts";
import { malformedAnswerLines } from "./frontend-sections.ts";

/** Where requests are counted, by how long the intervals are: an entry is needed for as long as one, and for a few after it (lua/gatewright/limits.lua). */
const limitTables: readonly Section[] = [
  ["short", "2m"],
  ["middle", "2h"],
  ["long", "26h"],
].map(([kind, time]) => ({
  keyword: "backend",
  name: `gatewright-limits-${kind}`,
  lines: [line`stick-table type string len 44 size 200k expire ${time!} store gpc0`],
}));

export function insideSections(folder: string): readonly Section[] {
  return [
    {
      keyword: "backend",
      name: "gatewright-tries",
      lines: [line`stick-table type string len 40 size 100k expire 10m store gpc0`],
    },
    ...limitTables,
    {
      keyword: "frontend",
      name: "gatewright-inside",
      lines: [
        line`mode http`,
        line`bind ${`unix@${folder}/inside`} mode 600`,
        line`no log`,
        line`http-request set-var(txn.gw_backend) req.hdr(gatewright-backend)`,
        line`http-request set-var(txn.gw_server) req.hdr(gatewright-server) if { req.hdr(gatewright-server) -m found }`,
        line`http-request track-sc0 req.hdr(gatewright-id) table gatewright-tries if { req.hdr(gatewright-id) -m found }`,
        line`http-request sc-inc-gpc0(0) if { req.hdr(gatewright-id) -m found }`,
        line`http-request lua.gatewright_try if { req.hdr(gatewright-retry) -m found }`,
        line`http-request del-header gatewright- -m beg`,
        ...malformedAnswerLines,
        line`http-response set-var(txn.gw_answered) bool(true)`,
        // What a backend says of its connection must not take away what is said here, and its headers must not be taken for ours.
        line`http-response lua.gatewright_drop_named if { res.hdr(connection) -m found }`,
        line`http-response del-header gatewright- -m beg`,
        line`http-response set-header gatewright-server %[srv_name] if { var(txn.gw_tried) -m bool }`,
        line`http-response lua.gatewright_judge if { var(txn.gw_left) -m bool }`,
        ...answerLines,
        line`use_backend %[var(txn.gw_backend)]`,
      ],
    },
  ];
}

/** 425 means another try; one that is the backend's own must not be taken for it. Failures to get an answer are tried again. */
const answerLines: readonly Line[] = [
  line`http-after-response set-var(txn.gw_again) bool(true) if { var(txn.gw_left) -m bool } !{ var(txn.gw_answered) -m bool }`,
  line`http-after-response unset-var(txn.gw_again) if { var(txn.gw_final_timeout) -m bool } { status 504 } !{ var(txn.gw_answered) -m bool }`,
  line`http-after-response set-header gatewright-status %[status] if { var(txn.gw_tried) -m bool } { status 425 }`,
  line`http-after-response set-status 599 if { var(txn.gw_tried) -m bool } { status 425 } !{ var(txn.gw_again) -m bool }`,
  line`http-after-response set-header gatewright-status %[status] if { var(txn.gw_again) -m bool }`,
  line`http-after-response set-status 425 if { var(txn.gw_again) -m bool }`,
];

export function retrySection(variant: RetryVariant, folder: string): Section {
  return {
    keyword: "backend",
    name: retryName(variant),
    lines: [
      line`mode http`,
      line`retries ${String(variant.attempts)}`,
      line`retry-on 425`,
      line`http-request set-timeout server var(txn.gw_timeout) if { var(txn.gw_timeout) -m found }`,
      ...(variant.watched ? watchedLines(`${folder}/errors`) : []),
      line`http-response lua.gatewright_restore if { res.hdr(gatewright-status) -m found }`,
      line`server inside ${`unix@${folder}/inside`}`,
    ],
  };
}
