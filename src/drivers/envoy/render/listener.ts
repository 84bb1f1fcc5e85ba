import type { Listener } from "../../../model/index.ts";
import type { FilterChain, Listener as EnvoyListener, ListenerFilter } from "../generated/messages.ts";
import { socketAddress } from "./address.ts";
import { renderHttpConnectionManager } from "./http-connection-manager.ts";
import type { RenderSettings } from "./settings.ts";
import { renderTcpProxy, type StreamTarget } from "./tcp-proxy.ts";
import { renderUdpProxy } from "./udp-proxy.ts";

const perConnectionBuffer = 1_048_576;
/** For a ClientHello to arrive. */
const helloTimeout = 10_000;

const tlsInspector: ListenerFilter = {
  name: "envoy.filters.listener.tls_inspector",
  typedConfig: { type: "envoy.extensions.filters.listener.tls_inspector.v3.TlsInspector", value: {} },
};

export interface ListenerContent {
  /** Of `tls` listeners. */
  readonly filterChains: readonly FilterChain[];
  /** Of `tcp` listeners. */
  readonly stream: StreamTarget;
}

export function renderListener(
  listener: Listener,
  content: ListenerContent,
  settings: RenderSettings,
): EnvoyListener {
  const { key, addresses, transport } = listener;
  const port = listener.bindPort ?? listener.port;
  const [first = "0.0.0.0", ...more] = addresses.length > 0 ? addresses : settings.addresses;
  const protocol = transport === "udp" ? "UDP" : "TCP";
  return {
    name: key,
    address: socketAddress(first, port, protocol),
    ...(more.length > 0
      ? { additionalAddresses: more.map((address) => ({ address: socketAddress(address, port, protocol) })) }
      : {}),
    perConnectionBufferLimitBytes: perConnectionBuffer,
    // Drained when the proxy ends; what Envoy has for its own use is not.
    trafficDirection: "INBOUND",
    ...renderContent(listener, content, settings),
  };
}

function renderContent(
  listener: Listener,
  { filterChains, stream }: ListenerContent,
  settings: RenderSettings,
): EnvoyListener {
  switch (listener.protocol) {
    case "udp":
      return { listenerFilters: [renderUdpProxy(listener)] };
    case "tcp":
      return { filterChains: [{ name: "tcp", filters: [renderTcpProxy(stream)] }] };
    case "http":
      return { filterChains: [{ name: "http", filters: [renderHttpConnectionManager(listener, settings)] }] };
    case "tls":
      return { listenerFilters: [tlsInspector], listenerFiltersTimeout: helloTimeout, filterChains };
  }
}
