/** A certificate for one machine, made on the spot. For trying things out, not for the world. */
import { webcrypto } from "node:crypto";
import { isIP } from "node:net";

export interface SelfSigned {
  /** PEM. */
  readonly certificate: string;
  /** PEM, PKCS #8. */
  readonly privateKey: string;
}

const day = 24 * 60 * 60 * 1000;
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** `names`: host names and addresses; the first is the common name too. Good for 30 days. */
export async function makeSelfSigned(names: readonly [string, ...string[]]): Promise<SelfSigned> {
  // Loaded only here: it is large, and few need it.
  await import("../certificates/decorator-metadata.ts");
  const x509 = await import("@peculiar/x509");
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const subject = [{ CN: [names[0]] }];
  const now = Date.now();
  const certificate = await x509.X509CertificateGenerator.create(
    {
      serialNumber: serialNumber(),
      subject,
      issuer: subject,
      // A little back: clocks of clients may be slow.
      notBefore: new Date(now - day),
      notAfter: new Date(now + 30 * day),
      signingAlgorithm: algorithm,
      publicKey: keys.publicKey as never,
      signingKey: keys.privateKey as never,
      extensions: [
        // It is its own authority, so that a client can be told to trust it and nothing else.
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(
          x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyCertSign,
          true,
        ),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(
          names.map((value) => ({ type: isIP(value) === 0 ? "dns" : "ip", value })),
        ),
      ],
    },
    webcrypto as never,
  );
  return { certificate: `${certificate.toString("pem").trim()}\n`, privateKey: await exportKey(keys) };
}

/** RFC 5280: positive, at most 20 bytes. */
function serialNumber(): string {
  const bytes = Buffer.from(webcrypto.getRandomValues(new Uint8Array(16)));
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return bytes.toString("hex");
}

async function exportKey(keys: webcrypto.CryptoKeyPair): Promise<string> {
  const bytes = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  return `-----BEGIN PRIVATE KEY-----\n${bytes.replace(/.{1,64}/g, "$&\n")}-----END PRIVATE KEY-----\n`;
}
