/* Certificates are tried before HAProxy sees them: one that is no good would keep HAProxy from starting at all. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import type { Certificate } from "../../../model/index.ts";

export type CertificateVerdict =
  | { readonly type: "usable"; readonly certificate: Certificate }
  | { readonly type: "unusable"; readonly problem: string };

const longestChain = 48 * 1024;

/** Says what is wrong in words for the owner of the Secret. Never quotes the key. */
export function judgeCertificate({ key, certificates, privateKey }: Certificate): CertificateVerdict {
  const unusable = (problem: string): CertificateVerdict => ({
    type: "unusable",
    problem: `${key}: ${problem}`,
  });
  const blocks = pemBlocks(certificates, /^(?:X509 )?CERTIFICATE$/);
  if (blocks.length === 0) return unusable("there is no PEM block CERTIFICATE in it");
  const parsed = blocks.map(parse);
  const broken = parsed.indexOf(undefined);
  const chain = blocks.join("");
  if (privateKey === undefined) {
    if (broken >= 0) return unusable(`CA certificate ${broken + 1} of ${blocks.length} cannot be read`);
    return { type: "usable", certificate: { key, certificates: chain } };
  }
  if (broken >= 0) return unusable(`certificate ${broken + 1} of ${blocks.length} cannot be read`);
  if (chain.length > longestChain) {
    return unusable(
      `the chain of ${blocks.length} certificates is too long; leave out what is not above the first`,
    );
  }
  if (/BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(privateKey)) {
    return unusable("the private key is encrypted; store it without a passphrase");
  }
  const [pem] = pemBlocks(privateKey, /PRIVATE KEY$/);
  const parsedKey = pem === undefined ? undefined : parseKey(pem);
  if (!pem || !parsedKey) return unusable("the private key cannot be read; it must be one PEM block");
  if (!parsed[0]!.checkPrivateKey(parsedKey)) {
    return unusable(
      "the private key is not the one of the first certificate; put the server's certificate first",
    );
  }
  try {
    createSecureContext({ cert: chain, key: pem, ca: [] });
  } catch (error) {
    return unusable(`TLS refuses it: ${(error as Error).message}`);
  }
  return { type: "usable", certificate: { key, certificates: chain, privateKey: pem } };
}

function parse(block: string): X509Certificate | undefined {
  try {
    return new X509Certificate(block);
  } catch {
    return undefined;
  }
}

function parseKey(pem: string): ReturnType<typeof createPrivateKey> | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

/** The blocks whose label is meant, in order, with Unix line ends and without empty lines; what is around them is left out. */
function pemBlocks(text: string, label: RegExp): string[] {
  const blocks: string[] = [];
  for (const [block, name] of text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g)) {
    if (label.test(name!)) blocks.push(`${block.replaceAll(/[\r\n]+/g, "\n")}\n`);
  }
  return blocks;
}
