/*
 * Access records in the form that all drivers have (`AccessRecord` of the embedded one). What a field has no value for is null: leaving
 * it out costs Envoy a third more for the whole record, and each field that it has to look for in metadata a fifth.
 */
import type { Listener } from "../../../model/index.ts";
import type { AccessLog, Any, HttpFilter, SubstitutionFormatString } from "../generated/messages.ts";
import { literal } from "./header-changes.ts";
import { httpFilterNames, logMetadata } from "./names.ts";

/** Where the path stands as it was matched, if a rewrite has changed the request itself. */
const pathState = "gatewright.path";

/** The path as it was matched. */
const matchedPath = {
  operators: [
    { command: "FILTER_STATE", param: `${pathState}:PLAIN` },
    { command: "PATH", param: "NQ" },
  ],
};

export function renderAccessLog(listener: Listener, path: string): AccessLog {
  const logFormat: SubstitutionFormatString = {
    jsonFormat: {
      time: "%START_TIME(%Y-%m-%dT%H:%M:%S.%3fZ)%",
      gateway: literal(listener.gateway),
      listener: literal(listener.key),
      route: "%ROUTE_NAME%",
      rule: `%METADATA(ROUTE:${logMetadata}:rule)%`,
      method: "%REQ(:METHOD)%",
      host: "%REQ(X-FORWARDED-HOST)%",
      path: `%COALESCE(${JSON.stringify(matchedPath)})%`,
      protocol: "%PROTOCOL%",
      status: "%RESPONSE_CODE%",
      bytesIn: "%BYTES_RECEIVED%",
      bytesOut: "%BYTES_SENT%",
      durationMs: "%DURATION%",
      backend: "%UPSTREAM_CLUSTER_RAW%",
      endpoint: "%UPSTREAM_HOST%",
      clientAddress: "%DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT%",
      requestId: "%REQ(X-REQUEST-ID)%",
    },
  };
  // A standard output that is a socket cannot be opened by its path.
  if (path === "/dev/stdout") {
    return {
      name: "envoy.access_loggers.stdout",
      typedConfig: {
        type: "envoy.extensions.access_loggers.stream.v3.StdoutAccessLog",
        value: { logFormat },
      },
    };
  }
  return {
    name: "envoy.access_loggers.file",
    typedConfig: {
      type: "envoy.extensions.access_loggers.file.v3.FileAccessLog",
      value: { path, logFormat },
    },
  };
}

/** For routes that change it. */
export const keptPath: Any = {
  type: "envoy.extensions.filters.http.set_filter_state.v3.Config",
  value: {
    onRequestHeaders: [
      {
        objectKey: pathState,
        factoryKey: "envoy.string",
        formatString: { textFormatSource: { inlineString: "%PATH(NQ)%" } },
      },
    ],
  },
};

/** Keeps the path for the log. */
export const pathFilter: HttpFilter = { name: httpFilterNames.path, typedConfig: keptPath };
