/** The name by which clients know the channel's server, wherever it runs. */
export const channelServerName = "channel.gatewright.internal";
