/**
 * About one connection, not the message (RFC 9110, 7.6.1): each hop has its own. Trailer is only a hint, and what it tells of may not
 * go everywhere.
 */
export const connectionHeaders: readonly string[] = [
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];
