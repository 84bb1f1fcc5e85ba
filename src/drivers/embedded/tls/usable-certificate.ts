import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";
import { createSecureContext } from "node:tls";
import type { Certificate } from "../../../model/index.ts";
import { pemBlocks } from "./pem.ts";

/** A certificate that was tried: TLS can be done with it. */
export interface UsableCertificate {
  readonly key: string;
  /** PEM of certificates and nothing else; leaf first, or the CAs of a bundle. */
  readonly chain: string;
  /** Absent for CA bundles. */
  readonly privateKey?: string;
  /** A server can show one certificate of each type and lets the client's abilities decide. */
  readonly keyType?: string;
  /** Whether the leaf was issued for this host. */
  readonly covers: (host: string) => boolean;
}

export type CertificateVerdict =
  | { readonly type: "usable"; readonly certificate: UsableCertificate }
  | { readonly type: "unusable"; readonly problem: string };

/** More than clients take in one handshake: most give up at about this size. */
const longestChain = 100 * 1024;
const certificateLabels = ["CERTIFICATE", "X509 CERTIFICATE"];

/** Says what is wrong in words for the owner of the Secret. Never quotes the key, nor OpenSSL on it. */
export function judgeCertificate({ key, certificates, privateKey }: Certificate): CertificateVerdict {
  const blocks = pemBlocks(certificates, certificateLabels);
  if (blocks.length === 0) {
    return unusable(key, "there is no PEM block CERTIFICATE in it");
  }
  const chain = blocks.join("");
  return privateKey === undefined
    ? judgeBundle(key, blocks, chain)
    : judgePair(key, blocks, chain, privateKey);
}

function judgeBundle(key: string, blocks: readonly string[], chain: string): CertificateVerdict {
  for (const [position, block] of blocks.entries()) {
    if (!parseLeaf(block))
      return unusable(key, `CA certificate ${position + 1} of ${blocks.length} cannot be read`);
  }
  return { type: "usable", certificate: { key, chain, covers: coverage(blocks[0]!) } };
}

function judgePair(key: string, blocks: readonly string[], chain: string, pem: string): CertificateVerdict {
  if (chain.length > longestChain) {
    return unusable(
      key,
      `the chain of ${blocks.length} certificates is too long; leave out what is not above the first`,
    );
  }
  const leaf = parseLeaf(blocks[0]!);
  if (!leaf) return unusable(key, "the first certificate cannot be read");
  if (/BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(pem)) {
    return unusable(key, "the private key is encrypted; store it without a passphrase");
  }
  const privateKey = parsePrivateKey(pem);
  if (!privateKey) return unusable(key, "the private key cannot be read; it must be one PEM block");
  if (!leaf.checkPrivateKey(privateKey)) {
    return unusable(
      key,
      "the private key is not the one of the first certificate; put the server's certificate first",
    );
  }
  try {
    createSecureContext({ cert: chain, key: pem, ca: [] });
  } catch (error) {
    return unusable(key, `TLS refuses it: ${(error as Error).message}`);
  }
  return {
    type: "usable",
    certificate: {
      key,
      chain,
      privateKey: pem,
      keyType: privateKey.asymmetricKeyType ?? "unknown",
      covers: coverage(blocks[0]!),
    },
  };
}

function unusable(key: string, problem: string): CertificateVerdict {
  return { type: "unusable", problem: `${key}: ${problem}` };
}

function parseLeaf(block: string): X509Certificate | undefined {
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

/** Parsed only when asked: nearly all server names have one certificate, and nobody asks. */
function coverage(block: string): (host: string) => boolean {
  let leaf: X509Certificate | undefined;
  return (host) => {
    leaf ??= new X509Certificate(block);
    return leaf.checkHost(host) !== undefined;
  };
}
