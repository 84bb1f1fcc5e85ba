import { existsSync } from "node:fs";

/** Where systems keep the authorities they trust. */
const places = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
  "/etc/ssl/cert.pem",
];

/** A file with the authorities that this machine trusts. */
export function systemRoots(): string {
  return process.env.SSL_CERT_FILE ?? places.find((path) => existsSync(path)) ?? places[0]!;
}
