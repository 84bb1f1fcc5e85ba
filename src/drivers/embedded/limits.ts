/** Bounds on what clients can take up. Times are milliseconds. */
export interface EmbeddedLimits {
  /** Open connections per listener; more are closed at once. */
  readonly connections: number;
  /** For a ClientHello to arrive, and again for the handshake that follows. */
  readonly handshake: number;
  /** For one try to connect to an endpoint. */
  readonly connect: number;
  /** Endpoints of a backend that are tried for one connection. */
  readonly connectAttempts: number;
  /** A TCP or TLS connection without a byte in either direction is closed. */
  readonly idle: number;
  /** A UDP session without a datagram in either direction is forgotten. */
  readonly udpIdle: number;
  /** UDP sessions per listener. */
  readonly udpSessions: number;
  /** How long connections may go on after their listener was removed, or the driver stopped. */
  readonly grace: number;
  /** First and longest wait before a port that could not be opened is tried again. */
  readonly retryFirst: number;
  readonly retryMost: number;
}

export const defaultLimits: EmbeddedLimits = {
  connections: 20_000,
  handshake: 10_000,
  connect: 5_000,
  connectAttempts: 3,
  idle: 3_600_000,
  udpIdle: 60_000,
  udpSessions: 4_096,
  grace: 30_000,
  retryFirst: 250,
  retryMost: 10_000,
};
