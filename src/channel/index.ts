export {
  makeAuthority,
  openAuthority,
  type AuthorityKeeping,
  type ChannelAuthority,
  type ChannelCertificate,
} from "./authority.ts";
export { connectChannel, type ChannelConnection } from "./channel-client.ts";
export type { ChannelError, ChannelErrorCode } from "./channel-error.ts";
export {
  channelServer,
  type ChannelClient,
  type ChannelServer,
  type ChannelServerOptions,
  type ChannelService,
  type ControllerClient,
  type ControllerService,
} from "./channel-server.ts";
export type { ChannelStream, ChannelStreamHandlers } from "./channel-stream.ts";
export type { Message } from "./grpc-messages.ts";
export type { ChannelLimits } from "./limits.ts";
export { Renewal, type RenewalOptions } from "./renewal.ts";
export type { ServerCertificate } from "./server-certificate.ts";
export { channelServerName } from "./server-name.ts";
