/*
 * Whether Envoy can use a certificate. Most are asked for only when a client needs them, so Envoy's own verdict would come too late
 * for whoever waits for it. The words are for the owner of the Secret; nothing of a key is ever quoted.
 */
import { createPrivateKey, createPublicKey, X509Certificate, type KeyObject } from "node:crypto";
import type { Certificate } from "../../../model/index.ts";

const certificateBlock = /-----BEGIN (?:X509 )?CERTIFICATE-----[^-]+-----END (?:X509 )?CERTIFICATE-----/g;
const curves: ReadonlySet<string> = new Set(["prime256v1", "secp384r1", "secp521r1"]);
const leastRsaBits = 2_048;
const ecPublicKey = Buffer.from("06072a8648ce3d0201", "hex");
const objectIdentifier = 0x06;

export function certificateProblem({ key, certificates, privateKey }: Certificate): string | undefined {
  const blocks = certificates.match(certificateBlock) ?? [];
  if (blocks.length === 0) return `${key}: there is no PEM block CERTIFICATE in it`;
  const parsed = blocks.map(parseCertificate);
  const unreadable = parsed.indexOf(undefined);
  if (unreadable >= 0) return `${key}: certificate ${unreadable + 1} of ${blocks.length} cannot be read`;
  const problem = privateKey === undefined ? undefined : problemOfPair(parsed[0]!, privateKey);
  return problem && `${key}: ${problem}`;
}

function problemOfPair(leaf: X509Certificate, pem: string): string | undefined {
  if (/BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(pem)) {
    return "the private key is encrypted; store it without a passphrase";
  }
  const key = parsePrivateKey(pem);
  if (!key) return "the private key cannot be read; it must be one PEM block";
  if (!leaf.checkPrivateKey(key)) {
    return "the private key is not the one of the first certificate; put the server's certificate first";
  }
  return problemOfKey(key) ?? (hasExplicitCurve(leaf.publicKey) ? explicitCurve : undefined);
}

const explicitCurve = "Envoy takes EC keys only where the curve is told by its name, not by its parameters";

/** In the key's encoding, the name of a curve follows the one of the algorithm; parameters would be a sequence. */
function hasExplicitCurve(key: KeyObject): boolean {
  if (key.asymmetricKeyType !== "ec") return false;
  const bytes = key.export({ type: "spki", format: "der" });
  const after = bytes.indexOf(ecPublicKey) + ecPublicKey.length;
  return bytes[after] !== objectIdentifier;
}

/** What Envoy's TLS library does not take. */
function problemOfKey(key: KeyObject): string | undefined {
  const { asymmetricKeyType, asymmetricKeyDetails = {} } = key;
  const { modulusLength = 0, namedCurve = "" } = asymmetricKeyDetails;
  if (asymmetricKeyType === "rsa") {
    return modulusLength < leastRsaBits ? `Envoy takes RSA keys of at least ${leastRsaBits} bits` : undefined;
  }
  if (asymmetricKeyType === "ec" && curves.has(namedCurve)) {
    return hasExplicitCurve(createPublicKey(key)) ? explicitCurve : undefined;
  }
  return "Envoy takes RSA keys and EC keys on the curves P-256, P-384 and P-521";
}

function parseCertificate(block: string): X509Certificate | undefined {
  try {
    return new X509Certificate(block);
  } catch {
    return undefined;
  }
}

function parsePrivateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
