export interface ChannelLimits {
  /** Of one message from a client, bytes. A proxy that comes back names every resource it has, in one message. */
  readonly messageSize: number;
  readonly streamsPerConnection: number;
  readonly streamsPerGateway: number;
  /** Silence after which a connection is asked whether it is still there, ms. */
  readonly keepAlive: number;
  /** How long it may take to answer, ms. */
  readonly keepAliveAnswer: number;
  /** How long clients have to go when the channel closes, ms. */
  readonly grace: number;
}

export const defaultChannelLimits: ChannelLimits = {
  messageSize: 32 * 1024 * 1024,
  streamsPerConnection: 16,
  streamsPerGateway: 256,
  keepAlive: 30_000,
  keepAliveAnswer: 10_000,
  grace: 500,
};
