import { block, directive, variable, type Directive } from "./directive.ts";
import type { ListenerShape } from "./listener-shape.ts";
import { sslDirectives } from "./tls-directives.ts";

const connectTimeout = "5s";
const idle = "1h";
const udpIdle = "60s";
/** The parts of NGINX speak to each other for as long as the two at the ends do. */
const relayed = "24h";

export function streamPart(shape: ListenerShape): Directive[] {
  const { sockets, scripts, protocol } = shape;
  const script = (name: string, handler: string) =>
    directive("js_set", [variable(name)], `streams.${handler}`);
  return [
    directive("js_import", "streams", "from", `${scripts}/streams.js`),
    directive("js_var", [variable("gw_front")]),
    script("gw_name_front", "frontOfServerName"),
    script("gw_passthrough", "passThrough"),
    script("gw_terminated", "afterTermination"),
    script("gw_listener_endpoint", "ofListener"),
    script("gw_slot", "ofSlot"),
    script("gw_certificate_1", "firstCertificate"),
    script("gw_certificate_2", "secondCertificate"),
    directive("access_log", "off"),
    directive("proxy_connect_timeout", connectTimeout),
    directive("proxy_socket_keepalive", "on"),
    directive("proxy_next_upstream", "off"),
    ...(shape.listens.length > 0 ? [front(shape)] : []),
    ...(protocol === "tls" ? namedServers(shape) : []),
    ...(protocol === "http" || protocol === "tls" ? [relay(sockets, shape.slots)] : []),
  ];
}

/** The server of the port itself. */
function front({ protocol, listens, clientValidation }: ListenerShape): Directive {
  // `::` is every address, of IPv4 too.
  const family = (address: string) => (address.startsWith("[::]:") ? ["ipv6only=off"] : []);
  const listen = (...options: readonly string[]) =>
    listens.map((address) => directive("listen", address, ...options, ...family(address)));
  switch (protocol) {
    case "http":
      return block(
        "server",
        [],
        [
          ...listen(),
          directive("js_preread", "streams.tellProtocol"),
          directive("preread_timeout", "10s"),
          directive("proxy_protocol", "on"),
          directive("proxy_timeout", relayed),
          directive("proxy_pass", [variable("gw_front")]),
        ],
      );
    case "tls":
      return block(
        "server",
        [],
        clientValidation?.mode === "closed"
          ? [...listen(), directive("return", "")]
          : [
              ...listen(),
              directive("ssl_preread", "on"),
              directive("preread_timeout", "10s"),
              directive("proxy_protocol", "on"),
              directive("proxy_half_close", "on"),
              directive("proxy_timeout", relayed),
              directive("proxy_pass", [variable("gw_name_front")]),
            ],
      );
    case "tcp":
      return block(
        "server",
        [],
        [
          ...listen(),
          directive("proxy_half_close", "on"),
          directive("proxy_timeout", idle),
          directive("proxy_pass", [variable("gw_listener_endpoint")]),
        ],
      );
    case "udp":
      return block(
        "server",
        [],
        [
          ...listen("udp"),
          directive("proxy_timeout", udpIdle),
          directive("proxy_pass", [variable("gw_listener_endpoint")]),
        ],
      );
  }
}

/** Behind the front of a TLS port: what is not HTTP. */
function namedServers(shape: ListenerShape): Directive[] {
  const { sockets } = shape;
  const common = [directive("proxy_half_close", "on"), directive("proxy_timeout", idle)];
  return [
    block(
      "server",
      [],
      [
        directive("listen", `unix:${sockets}/passthrough`, "proxy_protocol"),
        directive("ssl_preread", "on"),
        directive("preread_timeout", "10s"),
        ...common,
        directive("proxy_pass", [variable("gw_passthrough")]),
      ],
    ),
    block(
      "server",
      [],
      [
        directive("listen", `unix:${sockets}/terminate`, "ssl", "proxy_protocol"),
        ...sslDirectives("stream", shape),
        directive("ssl_handshake_timeout", "10s"),
        ...common,
        directive("proxy_pass", [variable("gw_terminated")]),
      ],
    ),
  ];
}

function relay(sockets: string, slots: number): Directive {
  const listens = Array.from({ length: slots }, (_, slot) =>
    directive("listen", `unix:${sockets}/slot/${slot}`),
  );
  return block(
    "server",
    [],
    [
      ...listens,
      directive("js_filter", "streams.checkAnswers"),
      directive("proxy_half_close", "on"),
      directive("proxy_timeout", relayed),
      directive("proxy_pass", [variable("gw_slot")]),
    ],
  );
}
