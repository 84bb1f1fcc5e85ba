/* What is in every configuration. */
import { line, type Section } from "../config/configuration-text.ts";
import type { HaproxyLimits } from "../options.ts";
import { insideSections } from "./inside-sections.ts";

export interface StaticSettings {
  readonly luaFolder: string;
  readonly runtimeSocket: string;
  readonly threads: number;
  readonly folder: string;
  readonly limits: HaproxyLimits;
  readonly errorFiles: string;
  /** Whether requests are logged. */
  readonly logs: boolean;
}

export function staticSections(settings: StaticSettings): readonly Section[] {
  const { luaFolder, runtimeSocket, threads, limits, errorFiles, folder, logs } = settings;
  const errors = ["400", "403", "408", "413", "500", "501", "502", "503", "504"];
  return [
    {
      keyword: "global",
      lines: [
        line`nbthread ${String(threads)}`,
        line`stats socket ${runtimeSocket} mode 600 level admin expose-fd listeners`,
        line`stats timeout 1d`,
        line`hard-stop-after ${`${limits.drain}ms`}`,
        line`lua-prepend-path ${`${luaFolder}/?.lua`}`,
        line`lua-load-per-thread ${`${luaFolder}/gatewright.lua`}`,
        // The head of a request, and a body that may have to be sent again or shown to an authorization server.
        line`tune.bufsize 65536`,
        line`tune.maxrewrite 8192`,
        line`tune.http.maxhdr 128`,
        line`tune.h2.max-concurrent-streams 128`,
        line`ssl-default-bind-options ssl-min-ver TLSv1.2`,
        line`ssl-default-server-options ssl-min-ver TLSv1.2`,
        ...(logs ? [line`log stdout format raw local0 info`] : []),
      ],
    },
    {
      keyword: "defaults",
      lines: [
        line`mode http`,
        ...(logs ? [line`log global`] : []),
        line`timeout connect 5s`,
        line`timeout queue 5s`,
        line`timeout client 300s`,
        line`timeout server 300s`,
        line`timeout tunnel 300s`,
        line`timeout http-request 10s`,
        line`timeout http-keep-alive 60s`,
        line`option idle-close-on-response`,
        line`option http-no-delay`,
        line`option redispatch 1`,
        line`retries 2`,
        line`retry-on conn-failure empty-response`,
        line`http-reuse always`,
        ...errors.map((status) => line`errorfile ${status} ${`${errorFiles}/${status}.http`}`),
      ],
    },
    ...insideSections(folder),
  ];
}

const texts: Readonly<Record<string, readonly [reason: string, text: string]>> = {
  "400": ["Bad Request", "the request is malformed"],
  "403": ["Forbidden", "the request is forbidden"],
  "408": ["Request Timeout", "the request took too long to arrive"],
  "413": ["Payload Too Large", "the request is too large"],
  "500": ["Internal Server Error", "the gateway failed"],
  "501": ["Not Implemented", "this is not understood"],
  "502": ["Bad Gateway", "the backend's answer is malformed"],
  "503": ["Service Unavailable", "the backend has no endpoints that answer"],
  "504": ["Gateway Timeout", "the request took too long"],
};

/** HAProxy's own answers: files by name, which the sections refer to. */
export function errorFileContents(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const [status, [reason, text]] of Object.entries(texts)) {
    const body = `${text}\n`;
    const ends = status === "400" || status === "408" ? "connection: close\r\n" : "";
    files.set(
      `${status}.http`,
      `HTTP/1.1 ${status} ${reason}\r\ncontent-type: text/plain; charset=utf-8\r\n${ends}content-length: ${body.length}\r\n\r\n${body}`,
    );
  }
  const body = "the request's body is malformed, or larger than this route allows, or did not come in time\n";
  files.set(
    "400-body.http",
    `HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  for (const [status, code] of [
    ["500", 2],
    ["502", 14],
    ["503", 14],
    ["504", 14],
  ] as const) {
    const [, text] = texts[status]!;
    files.set(
      `grpc-${status}.http`,
      `HTTP/1.1 200 OK\r\ncontent-type: application/grpc\r\ngrpc-status: ${code}\r\ngrpc-message: ${text}\r\ncontent-length: 0\r\n\r\n`,
    );
  }
  return files;
}
