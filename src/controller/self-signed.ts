/** A certificate for one machine, made on the spot. For trying things out, not for the world. */
import {
  alternativeNames,
  authorityConstraint,
  commonName,
  exportKey,
  extendedKeyUsage,
  keyUsage,
  makeCertificate,
  makeKeys,
} from "../certificates/certificate.ts";

export interface SelfSigned {
  /** PEM. */
  readonly certificate: string;
  /** PEM, PKCS #8. */
  readonly privateKey: string;
}

const day = 24 * 60 * 60 * 1000;

/** `names`: host names and addresses; the first is the common name too. Good for 30 days. */
export async function makeSelfSigned(names: readonly [string, ...string[]]): Promise<SelfSigned> {
  const { publicKey, privateKey } = await makeKeys();
  const name = commonName(names[0]);
  const now = Date.now();
  const certificate = makeCertificate({
    subject: name,
    publicKey,
    issuer: name,
    signingKey: privateKey,
    // A little back: clocks of clients may be slow.
    notBefore: new Date(now - day),
    notAfter: new Date(now + 30 * day),
    extensions: [
      // It is its own authority, so that a client can be told to trust it and nothing else.
      authorityConstraint(0),
      keyUsage("digitalSignature", "keyCertSign"),
      extendedKeyUsage("serverAuth"),
      alternativeNames({ names }),
    ],
  });
  return { certificate, privateKey: exportKey({ privateKey }) };
}
