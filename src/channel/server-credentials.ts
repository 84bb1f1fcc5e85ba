import { constants } from "node:crypto";
import type { SecureContextOptions } from "node:tls";
import { ServerCredentials } from "@grpc/grpc-js";

export interface ServerCertificate {
  /** All PEM. */
  readonly certificate: string;
  readonly key: string;
  readonly authorities: string;
}

/** Mutual TLS whose certificate can be replaced while connections are open. */
export class ReplaceableCredentials extends ServerCredentials {
  constructor(certificate: ServerCertificate) {
    super({ requestCert: true, rejectUnauthorized: true }, contextOf(certificate));
  }

  replace(certificate: ServerCertificate): void {
    this.updateSecureContextOptions(contextOf(certificate));
  }

  override _equals(other: ServerCredentials): boolean {
    return other === this;
  }
}

function contextOf({ certificate, key, authorities }: ServerCertificate): SecureContextOptions {
  return {
    cert: certificate,
    key,
    ca: authorities,
    minVersion: "TLSv1.2",
    // A resumed session would carry a certificate past its end.
    secureOptions: constants.SSL_OP_NO_TICKET,
  };
}
