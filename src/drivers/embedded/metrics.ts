/** What happened on one listener since it was opened. */
export interface ListenerCounters {
  /** Connections accepted, or UDP sessions begun. */
  connections: number;
  active: number;
  /** Connections turned away at the limit. */
  refused: number;
  /** Connections without a usable ClientHello, with a server name that nobody serves, or whose TLS handshake failed. */
  handshakeFailures: number;
  /** On the wire, as far as this process sees it. */
  bytesIn: number;
  bytesOut: number;
  datagramsIn: number;
  datagramsOut: number;
  datagramsDropped: number;
}

export function newCounters(): ListenerCounters {
  return {
    connections: 0,
    active: 0,
    refused: 0,
    handshakeFailures: 0,
    bytesIn: 0,
    bytesOut: 0,
    datagramsIn: 0,
    datagramsOut: 0,
    datagramsDropped: 0,
  };
}
