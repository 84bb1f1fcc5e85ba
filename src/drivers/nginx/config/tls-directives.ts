import { directive, variable, type Directive } from "./directive.ts";
import type { ListenerShape } from "./listener-shape.ts";

/** Of a server that ends TLS. Certificates are read for each handshake, by the server name: a new one needs no new configuration. */
export function sslDirectives(part: "http" | "stream", { clientValidation }: ListenerShape): Directive[] {
  const certificates = ["gw_certificate_1", "gw_certificate_2"].flatMap((name) => [
    directive("ssl_certificate", [variable(name)]),
    directive("ssl_certificate_key", [variable(name)]),
  ]);
  return [
    ...certificates,
    directive("ssl_protocols", "TLSv1.2", "TLSv1.3"),
    directive("ssl_session_cache", "off"),
    // A session is not carried over to where other certificates are asked for.
    directive("ssl_session_tickets", clientValidation ? "off" : "on"),
    // Without HTTP nobody hears of a certificate that is not insisted on, and NGINX would refuse expired ones nevertheless.
    ...(part === "stream" && clientValidation?.mode === "allow-insecure" ? [] : validation(clientValidation)),
  ];
}

function validation(given: ListenerShape["clientValidation"]): Directive[] {
  if (!given || given.mode === "closed") return [];
  return [
    directive("ssl_client_certificate", given.file),
    directive("ssl_verify_client", given.mode === "require" ? "on" : "optional_no_ca"),
    directive("ssl_verify_depth", "8"),
  ];
}
