import { block, directive, variable, type Directive } from "./directive.ts";
import { mirrorLocations, profileLocations, type LocationContext } from "./locations.ts";
import type { ListenerShape } from "./listener-shape.ts";
import { failed } from "./profile.ts";
import { scriptVariables } from "./script-variables.ts";
import { sslDirectives } from "./tls-directives.ts";

export function httpPart(shape: ListenerShape): Directive[] {
  const status = statusServer(shape);
  const folders = temporaryFolders(shape);
  if (shape.protocol !== "http" && shape.protocol !== "tls")
    return [...folders, directive("access_log", "off"), status];
  return [
    directive("js_import", "requests", "from", `${shape.scripts}/requests.js`),
    directive("js_import", "authorization", "from", `${shape.scripts}/authorization.js`),
    ...scriptVariables(shape),
    ...limits,
    ...folders,
    ...logging(shape),
    ...upstreams(shape),
    status,
    ...answerServers(shape),
    ...bridges(shape),
    gatewayServer(shape),
  ];
}

/** Bounds on what clients can take up, and nothing that NGINX would change in a message. */
const limits: readonly Directive[] = [
  directive("server_tokens", "off"),
  directive("default_type", ""),
  directive("absolute_redirect", "off"),
  directive("merge_slashes", "off"),
  directive("underscores_in_headers", "on"),
  directive("ignore_invalid_headers", "off"),
  directive("client_header_timeout", "10s"),
  directive("client_body_timeout", "60s"),
  directive("client_max_body_size", "0"),
  directive("client_header_buffer_size", "4k"),
  directive("large_client_header_buffers", "4", "16k"),
  directive("keepalive_timeout", "60s"),
  directive("keepalive_requests", "10000"),
  directive("send_timeout", "60s"),
  directive("reset_timedout_connection", "on"),
  directive("http2_max_concurrent_streams", "128"),
  directive("recursive_error_pages", "on"),
  directive("variables_hash_max_size", "2048"),
  directive("variables_hash_bucket_size", "128"),
];

/** Made when NGINX starts, whether they are needed or not; the program's own may not be writable. */
function temporaryFolders({ folder }: ListenerShape): Directive[] {
  return ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) =>
    directive(`${name}_temp_path`, `${folder}/${name}`),
  );
}

/** The record of a request, in the form that all drivers have. */
function logging({ accessLog, listenerId }: ListenerShape): Directive[] {
  if (accessLog === undefined) return [directive("access_log", "off")];
  const fields: readonly (readonly [name: string, value: string])[] = [
    ["listener", ""],
    ["endSeconds", "msec"],
    ["route", "gw_route"],
    ["rule", "gw_rule"],
    ["method", "request_method"],
    ["host", "gw_log_host"],
    ["path", "gw_path"],
    ["protocol", "server_protocol"],
    ["status", "status"],
    ["headBytes", "gw_head_bytes"],
    ["allBytes", "request_length"],
    ["bytesOut", "body_bytes_sent"],
    ["seconds", "request_time"],
    ["backend", "gw_backend"],
    ["endpoint", "gw_endpoint"],
    ["clientAddress", "proxy_protocol_addr"],
    ["requestId", "gw_id"],
  ];
  const record = fields.flatMap(([name, value], index) => [
    `${index === 0 ? "{" : ","}"${name}":"`,
    value === "" ? listenerId : variable(value),
    '"',
  ]);
  return [
    directive("log_format", "gatewright", "escape=json", [...record, "}"]),
    directive("access_log", accessLog, "gatewright"),
  ];
}

/** Two for each slot: one whose failures lead on to another try, and one whose failures are final. */
function upstreams({ sockets, slots, trusts }: ListenerShape): Directive[] {
  const keep = [
    directive("keepalive", "32"),
    directive("keepalive_timeout", "4s"),
    directive("keepalive_time", "60s"),
    directive("keepalive_requests", "10000"),
  ];
  const single = (name: string, socket: string) =>
    block("upstream", [name], [directive("server", `unix:${sockets}/${socket}`, "max_fails=0"), ...keep]);
  const followed = (name: string, socket: string) =>
    block(
      "upstream",
      [name],
      [
        directive("server", `unix:${sockets}/${socket}`, "max_fails=0"),
        directive("server", `unix:${sockets}/failed`, "backup", "max_fails=0"),
        ...keep,
      ],
    );
  const bridgeNames = ["", ...trusts.keys()].map(String);
  return [
    block("upstream", ["answers"], [directive("server", `unix:${sockets}/answers`)]),
    ...bridgeNames.flatMap((trust) => [
      single(`lbridge${trust}`, `bridge${trust}`),
      followed(`fbridge${trust}`, `bridge${trust}`),
    ]),
    ...Array.from({ length: slots }, (_, slot) => slot).flatMap((slot) => [
      single(`l${slot}`, `slot/${slot}`),
      followed(`f${slot}`, `slot/${slot}`),
    ]),
  ];
}

/** Says which configuration is in force, and what is going on. */
function statusServer({ sockets, generation }: ListenerShape): Directive {
  return block(
    "server",
    [],
    [
      directive("listen", `unix:${sockets}/status`),
      directive("access_log", "off"),
      block("location", ["=", "/generation"], [directive("return", "200", String(generation))]),
      block("location", ["=", "/connections"], [directive("stub_status")]),
    ],
  );
}

/** Answers that stand in for those of a backend. */
function answerServers({ sockets }: ListenerShape): Directive[] {
  const statuses = [500, 503, 504];
  return [
    block(
      "server",
      [],
      [
        directive("listen", `unix:${sockets}/failed`),
        directive("access_log", "off"),
        directive("return", String(failed)),
      ],
    ),
    block(
      "server",
      [],
      [
        directive("listen", `unix:${sockets}/answers`),
        directive("access_log", "off"),
        ...statuses.map((status) =>
          block("location", ["=", `/${status}`], [directive("return", String(status), "")]),
        ),
        block("location", ["/"], [directive("return", "500", "")]),
      ],
    ),
  ];
}

/** From HTTP/1.1 within NGINX to HTTP/2 with a backend: NGINX can change all of a head only on the former. */
function bridges(shape: ListenerShape): Directive[] {
  const { sockets, trusts } = shape;
  const bridge = (trust: number | undefined) =>
    block(
      "server",
      [],
      [
        directive("listen", `unix:${sockets}/bridge${trust ?? ""}`),
        directive("access_log", "off"),
        directive("grpc_set_header", "Host", [variable("http_host")]),
        directive("grpc_set_header", "X-Gatewright-Upstream", ""),
        directive("grpc_set_header", "X-Gatewright-Name", ""),
        directive("grpc_set_header", "X-Gatewright-Certificate", ""),
        directive("grpc_read_timeout", "24h"),
        directive("grpc_send_timeout", "60s"),
        directive("grpc_buffer_size", "32k"),
        directive("grpc_next_upstream", "error"),
        directive("error_page", "502", "503", "504", "=", "@failed"),
        block(
          "location",
          ["/"],
          [
            ...(trust === undefined
              ? []
              : backendTls(
                  "grpc",
                  trusts.get(trust)!,
                  "http_x_gatewright_name",
                  "http_x_gatewright_certificate",
                )),
            directive("grpc_pass", [
              trust === undefined ? "grpc://" : "grpcs://",
              variable("http_x_gatewright_upstream"),
            ]),
          ],
        ),
        block("location", ["@failed"], [directive("return", String(failed))]),
      ],
    );
  return [undefined, ...trusts.keys()].map(bridge);
}

/** Nothing is said to a backend whose certificate is not good for its name. */
function backendTls(
  module: "proxy" | "grpc",
  trusted: string,
  name: string,
  certificate: string,
): Directive[] {
  return [
    directive(`${module}_ssl_verify`, "on"),
    directive(`${module}_ssl_verify_depth`, "8"),
    directive(`${module}_ssl_trusted_certificate`, trusted),
    directive(`${module}_ssl_server_name`, "on"),
    directive(`${module}_ssl_name`, [variable(name)]),
    directive(`${module}_ssl_protocols`, "TLSv1.2", "TLSv1.3"),
    directive(`${module}_ssl_session_reuse`, "off"),
    directive(`${module}_ssl_certificate`, [variable(certificate)]),
    directive(`${module}_ssl_certificate_key`, [variable(certificate)]),
  ];
}

/** NGINX's own, in words that are the gateway's. */
const ownAnswers = [
  ["unreachable", "503", "the backend gave no answer"],
  ["tooSlow", "504", "the backend did not answer in time"],
  ["tooLarge", "413", "the body is larger than this route allows"],
] as const;

function gatewayServer(shape: ListenerShape): Directive {
  const { sockets, protocol, profiles, clientValidation } = shape;
  const context: LocationContext = { shape, backendTls };
  const listens =
    protocol === "http"
      ? [
          directive("listen", `unix:${sockets}/http1`, "proxy_protocol"),
          directive("listen", `unix:${sockets}/http2`, "http2", "proxy_protocol"),
        ]
      : [
          directive("listen", `unix:${sockets}/https`, "ssl", "http2", "proxy_protocol"),
          ...sslDirectives("http", shape),
        ];
  const isRequired = clientValidation?.mode === "require";
  const isOptional = clientValidation?.mode === "allow-insecure";
  return block(
    "server",
    [],
    [
      ...listens,
      directive("root", `${shape.folder}/nothing`),
      // Whoever comes to a TLS port without TLS, or without the certificate that is asked for, is not answered.
      directive("error_page", "497", ...(isRequired ? ["495", "496"] : []), "=", "@close"),
      // The scripts decide where a request goes on; whatever its path is, it gets nowhere by itself.
      directive("error_page", "418", ...(isOptional ? ["495", "496"] : []), "=", [variable("gw_location")]),
      block("if", [["(", variable("gw_stage")], "=", "", ")"], [directive("return", "418")]),
      ...proxying,
      block("location", ["@close"], [directive("return", "444")]),
      block(
        "location",
        ["@reply"],
        [
          directive("js_header_filter", "requests.decorate"),
          directive("return", "200", [variable("gw_body")]),
        ],
      ),
      ...ownAnswers.map(([name, status, text]) =>
        block(
          "location",
          [`@${name}`],
          [
            directive("default_type", "text/plain"),
            directive("js_header_filter", `requests.${name}`),
            directive("return", status, `${text}\n`),
          ],
        ),
      ),
      block("location", ["=", "/again"], [directive("internal"), directive("js_content", "requests.again")]),
      ...authorizationLocations(shape),
      ...[...profiles.values()].flatMap((profile) => profileLocations(profile, context)),
      ...mirrorLocations(context),
      block("location", ["/"], [directive("return", "500")]),
    ],
  );
}

/** By which a backend could have NGINX do something: they are headers like others. */
const ignoredHeaders = [
  ...["Redirect", "Expires", "Limit-Rate", "Buffering", "Charset"].map((name) => `X-Accel-${name}`),
  "Expires",
  "Cache-Control",
  "Set-Cookie",
  "Vary",
];

/** Of all locations that forward. The whole head is one variable: names of headers cannot be variables, but values may have lines. */
const proxying: readonly Directive[] = [
  directive("proxy_http_version", "1.1"),
  directive("proxy_pass_request_headers", "off"),
  directive("proxy_set_header", "Host", [variable("gw_head")]),
  directive("proxy_set_header", "Connection", [variable("gw_connection")]),
  directive("proxy_buffering", "off"),
  directive("proxy_buffer_size", "32k"),
  directive("proxy_buffers", "4", "32k"),
  directive("proxy_request_buffering", "off"),
  directive("proxy_redirect", "off"),
  directive("proxy_connect_timeout", "5s"),
  directive("proxy_send_timeout", "60s"),
  directive("proxy_read_timeout", "300s"),
  ...["Date", "Server"].map((name) => directive("proxy_pass_header", name)),
  ...["Keep-Alive", "Proxy-Connection"].map((name) => directive("proxy_hide_header", name)),
  directive("proxy_ignore_headers", ...ignoredHeaders),
];

function authorizationLocations({ trusts }: ListenerShape): Directive[] {
  const internal = directive("internal");
  const asking = (name: string, more: readonly Directive[]) =>
    block("location", ["=", name], [internal, ...more]);
  const bounded = [directive("proxy_read_timeout", "5s"), directive("subrequest_output_buffer_size", "64k")];
  const kinds = [undefined, ...trusts.keys()];
  return [
    block(
      "location",
      ["@ask"],
      [directive("auth_request", "/ask"), directive("try_files", "/nothing", [variable("gw_after")])],
    ),
    asking("/ask", [directive("js_content", "authorization.ask")]),
    block(
      "location",
      ["@ask-with-body"],
      [
        directive("client_body_buffer_size", "1m"),
        directive("client_max_body_size", "1m"),
        directive("client_body_in_single_buffer", "on"),
        directive("js_content", "authorization.askWithBody"),
      ],
    ),
    ...kinds.flatMap((trust) => [
      asking(`/ask-http${trust ?? ""}`, [
        ...bounded,
        directive("proxy_set_header", "Host", [variable("gw_ask_head")]),
        directive("proxy_set_header", "Connection", ""),
        ...(trust === undefined
          ? []
          : backendTls("proxy", trusts.get(trust)!, "gw_ask_name", "gw_ask_certificate")),
        directive("proxy_method", [variable("gw_ask_method")]),
        directive("proxy_pass", [
          trust === undefined ? "http://" : "https://",
          variable("gw_ask_up"),
          variable("gw_ask_target"),
        ]),
      ]),
      asking(`/ask-bridge${trust ?? ""}`, [
        ...bounded,
        directive("proxy_set_header", "Host", [variable("gw_ask_head")]),
        directive("proxy_set_header", "Connection", ""),
        directive("proxy_set_header", "X-Gatewright-Upstream", [variable("gw_ask_up")]),
        directive("proxy_set_header", "X-Gatewright-Name", [variable("gw_ask_name")]),
        directive("proxy_set_header", "X-Gatewright-Certificate", [variable("gw_ask_certificate")]),
        directive("proxy_method", [variable("gw_ask_method")]),
        directive("proxy_pass", [`http://lbridge${trust ?? ""}`, variable("gw_ask_target")]),
      ]),
    ]),
  ];
}
