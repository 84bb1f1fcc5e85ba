import { constants } from "node:crypto";
import type { SecureContextOptions } from "node:tls";

export interface ServerCertificate {
  /** All PEM. */
  readonly certificate: string;
  readonly key: string;
  readonly authorities: string;
}

/** For either side. */
export function secureContextOf({ certificate, key, authorities }: ServerCertificate): SecureContextOptions {
  return {
    cert: certificate,
    key,
    ca: authorities,
    minVersion: "TLSv1.2",
    // A resumed session would carry a certificate past its end.
    secureOptions: constants.SSL_OP_NO_TICKET,
  };
}
