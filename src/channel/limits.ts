export interface ChannelLimits {
  /** Of one message from a client, bytes. A proxy that comes back names every resource it has, in one message. */
  readonly messageSize: number;
  /** Of messages that have not come whole, on all streams of a Gateway together, bytes. */
  readonly unfinishedPerGateway: number;
  readonly streamsPerConnection: number;
  readonly streamsPerGateway: number;
  /** How long a client may take to show its certificate, ms. */
  readonly handshake: number;
  /** Silence after which a connection is asked whether it is still there, ms. */
  readonly keepAlive: number;
  /** How long it may take to answer, ms. */
  readonly keepAliveAnswer: number;
  /**
   * After so long a connection is asked to end, ms, and its client comes back with the certificate that it has then. Shorter than the time
   * that a certificate is good for after it could have been renewed.
   */
  readonly connectionAge: number;
  /** How long clients have to go when the channel closes, or their connection has come of age, ms. */
  readonly grace: number;
}

export const defaultChannelLimits: ChannelLimits = {
  messageSize: 32 * 1024 * 1024,
  unfinishedPerGateway: 128 * 1024 * 1024,
  streamsPerConnection: 16,
  streamsPerGateway: 256,
  handshake: 10_000,
  keepAlive: 30_000,
  keepAliveAnswer: 10_000,
  connectionAge: 8 * 60 * 60 * 1000,
  grace: 500,
};
